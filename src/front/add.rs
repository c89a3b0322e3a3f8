//! `cardwright add`

use super::{Context, Outcome, pack};
use crate::base::shown;
use crate::play::store::{LOCK, Ready, Store};
use crate::play::{Library, Package, PlayError, is_built_in};
use crate::syntax::manifest::Dependency;
use std::path::{Path, PathBuf};

/// Adds packages that somebody has sent, so that games and expansions have names.
#[derive(clap::Args)]
#[command(after_help = "\
They are kept for you, whatever folder you are in; or in a project, a folder with a `cardwright.lock`, below which they are kept in
`packages`, and the lock file says which. A newer version is added beside the old one; the newest is taken that suits the rest.

Examples:
  cardwright add night-shift-0.1.0.cardwright
  cardwright play lanterns --with night-shift
  cardwright add ./night-shift               packs a folder, and adds that
  cardwright add --here dusk-1.0.0.cardwright   begins a project in this folder")]
pub struct Args {
    /// Packed packages, or folders of packages, which are checked and packed.
    #[arg(value_name = "FILE", required = true)]
    packages: Vec<PathBuf>,
    /// Makes this folder a project, if it is none, and adds the packages to it.
    #[arg(long, conflicts_with = "own")]
    here: bool,
    /// Adds them for you, also in a project.
    #[arg(long)]
    own: bool,
}

/// Where packages are added: in the project around this folder, or for this user.
///
/// # Errors
/// If there is no such place.
pub fn store(own: bool) -> Result<Store, PlayError> {
    let project = Store::around(Path::new(".")).filter(|_| !own);
    let nowhere = || PlayError::Usage("there is no home folder: name a folder in CARDWRIGHT_PACKAGES".to_owned());
    project.or_else(Store::own).ok_or_else(nowhere)
}

/// Runs the subcommand.
///
/// # Errors
/// If one of the packages is refused, or cannot be written: then none is added.
pub fn run(context: &Context, args: Args) -> Outcome {
    let store = if args.here { Store::at(Path::new(".")) } else { store(args.own)? };
    // What is added together is there for each other.
    let given =
        args.packages.iter().map(|path| if path.is_dir() { Package::folder(path) } else { Package::packed(path) });
    let library = context.library.clone().with(given.collect());
    let mut all = Vec::new();
    for path in &args.packages {
        all.push(match path.is_dir() {
            // A folder is meant, and no package of its name elsewhere.
            true => Ready::pack(&pack::sound(context, &library, &Path::new(".").join(path).display().to_string())?)?,
            false => Ready::open(path)?,
        });
    }
    let new = store.add(&all)?;
    let library = Library::new(context.content.clone());
    for (ready, is_new) in all.iter().zip(new) {
        let (name, version) = (&ready.manifest.name, &ready.manifest.version);
        let done = if is_new { "added" } else { "there already:" };
        context.console.note(&format!("{done} {name} {version} in `{}`", shown(&store.folder())));
        if is_built_in(name) {
            context.console.note(&format!("  it stands for the `{name}` that comes with cardwright"));
        }
        let others = store.packages().into_iter().filter(|it| it.name == *name).filter_map(|it| it.version());
        let others: Vec<String> = others.map(|it| it.to_string()).filter(|it| it != version).collect();
        if !others.is_empty() {
            context.console.note(&format!("  beside it: {}; the newest that suits is taken", others.join(", ")));
        }
        let is_here = |wanted: &&Dependency| {
            library.versions(&wanted.name).iter().any(|version| wanted.requirement.matches(version))
        };
        let games = &ready.manifest.extends;
        let game = games.iter().find(is_here);
        let lacking = ready.manifest.dependencies.iter().filter(|wanted| !wanted.optional && !is_here(wanted));
        for Dependency { name: other, requirement, .. } in lacking.chain(games.first().filter(|_| game.is_none())) {
            context.console.note(&format!("  it needs `{other}` {requirement}, which is not here: add that, too"));
        }
        match game {
            Some(game) => context.console.note(&format!("  cardwright play {} --with {name}", game.name)),
            None if games.is_empty() => context.console.note(&format!("  cardwright play {name}")),
            None => {}
        }
    }
    if args.here {
        context
            .console
            .note(&format!("`{LOCK}` says what is in `{}`: keep both in version control", shown(&store.folder())));
    }
    Ok(())
}
