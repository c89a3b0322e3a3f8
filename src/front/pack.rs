//! `cardwright pack`

use super::{Context, Outcome, check};
use crate::base::{plural, render_text, shown, visible};
use crate::play::{Checked, Library, Options, Package, PlayError, pack, save_packed};
use std::path::PathBuf;

/// Makes one file of a game or an expansion, to be sent to others.
#[derive(clap::Args)]
#[command(after_help = "\
It is checked first. Saved games, hidden files and packed packages stay out. The same content always makes the same file.

Examples:
  cardwright pack ./night-shift              writes `night-shift-0.1.0.cardwright`
  cardwright pack ./night-shift --out ~/out
  cardwright play lanterns --with night-shift-0.1.0.cardwright")]
pub struct Args {
    /// Name of a game or an expansion, or path of its folder.
    #[arg(value_name = "PATH")]
    package: String,
    /// The file to write, or the folder to write it into.
    #[arg(long, value_name = "FILE", default_value = ".")]
    out: PathBuf,
}

/// Files left out that are named one by one.
const MOST_NAMED: usize = 10;

/// A package that was checked, an expansion in each of its games that a library has; warnings are shown.
///
/// # Errors
/// If it is not found or has errors.
pub fn sound(context: &Context, library: &Library, name: &str) -> Result<Package, PlayError> {
    for subject in check::each(library, &[name.to_owned()], &[])? {
        let subject = subject?;
        let checked = Checked::new(&subject, &Options::new(), None)?;
        if !checked.diagnostics.is_empty() {
            context.console.problem(&render_text(&checked.diagnostics, &checked.sources, context.console.color));
        }
        if checked.sound.is_none() {
            let message = format!("`{}` has errors and is not packed", subject.full_name());
            return Err(PlayError::Finding(message));
        }
    }
    library.find(name)
}

/// Runs the subcommand.
///
/// # Errors
/// If the package is not found, has errors or cannot be written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let package = sound(context, &context.library, &args.package)?;
    let packed = pack(&package)?;
    let path = save_packed(&packed, &args.out)?;
    for (path, why) in packed.left_out.iter().take(MOST_NAMED) {
        context.console.note(&format!("left out {} ({why})", visible(path)));
    }
    if packed.left_out.len() > MOST_NAMED {
        context.console.note(&format!("left out {} more", packed.left_out.len() - MOST_NAMED));
    }
    let (files, bytes) = (packed.files.len(), packed.files.values().map(Vec::len).sum::<usize>());
    let kib = |bytes: usize| bytes.div_ceil(1024);
    context.console.note(&format!(
        "wrote `{}`: {}, {} KiB, packed {} KiB\ndigest {}",
        shown(&path),
        plural(files, "file"),
        kib(bytes),
        kib(packed.archive.len()),
        packed.digest
    ));
    Ok(())
}
