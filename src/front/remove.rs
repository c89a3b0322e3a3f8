//! `cardwright remove`

use super::{Context, Outcome, add};
use crate::base::shown;

/// Removes packages that were added.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardwright remove night-shift            all versions of it
  cardwright remove night-shift@0.1.0")]
pub struct Args {
    /// Names of packages; `NAME@VERSION` is one version.
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Removes what was added for you, also in a project.
    #[arg(long)]
    own: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// If one of them is not there or cannot be removed.
pub fn run(context: &Context, args: Args) -> Outcome {
    let store = add::store(args.own)?;
    // All are there, or none is removed.
    for name in &args.names {
        store.to_remove(name)?;
    }
    for name in &args.names {
        for path in store.remove(name)? {
            context.console.note(&format!("removed `{}`", shown(&path)));
        }
        let name = name.split_once('@').map_or(name.as_str(), |(name, _)| name);
        let left = store.packages();
        if left.iter().any(|package| package.name == name) {
            continue;
        }
        for package in &left {
            let manifest = package.manifest().unwrap_or_default();
            let needs = manifest.dependencies.iter().filter(|wanted| !wanted.optional);
            if needs.chain(manifest.extends.first().filter(|_| manifest.extends.len() == 1)).any(|it| it.name == name) {
                context.console.note(&format!("  `{}` {} needs it", package.name, manifest.version));
            }
        }
    }
    Ok(())
}
