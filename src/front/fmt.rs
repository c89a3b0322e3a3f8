//! `cardwright fmt`

use super::{Context, Outcome};
use crate::base::{SourceMap, render_text, shown};
use crate::play::{MAX_FILE, PlayError, files, snapshot::difference};
use std::path::{Path, PathBuf};

/// Formats rules, cards and scenarios in place. Comments stay, and what the text says never changes.
#[derive(clap::Args)]
#[command(after_help = "\
Files that cannot be read without errors are left as they are.

Examples:
  cardwright fmt                        every file under this folder
  cardwright fmt my-game/cards          a folder
  cardwright fmt --check                changes nothing; ends with 1 if something is not formatted")]
pub struct Args {
    /// Files and folders; this folder unless given.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Shows what would change, and changes nothing.
    #[arg(long)]
    check: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// If a file cannot be read or written, has errors, or with `--check` is not formatted.
pub fn run(context: &Context, args: Args) -> Outcome {
    let mut files = Vec::new();
    let here = vec![PathBuf::from(".")];
    for path in if args.paths.is_empty() { &here } else { &args.paths } {
        collect(path, true, &mut files)?;
    }
    files.sort();
    files.dedup();
    let (mut changed, mut broken) = (0, 0);
    for file in &files {
        match format_file(context, file, args.check)? {
            Formatted::Same => {}
            Formatted::Changed => changed += 1,
            Formatted::Broken => broken += 1,
        }
    }
    context.console.note(&format!(
        "{} files, {changed} {}",
        files.len(),
        if args.check { "to change" } else { "changed" }
    ));
    if broken > 0 {
        return Err(PlayError::Finding(format!("{broken} files have errors and were left as they are")));
    }
    if args.check && changed > 0 {
        return Err(PlayError::Finding(format!("{changed} files are not formatted")));
    }
    Ok(())
}

enum Formatted {
    Same,
    Changed,
    Broken,
}

fn format_file(context: &Context, file: &Path, check: bool) -> Result<Formatted, PlayError> {
    let text = files::read_text(file, MAX_FILE)?;
    let mut sources = SourceMap::default();
    sources.add(file.display().to_string(), text.clone());
    let formatted = match crate::syntax::format(&text) {
        Ok(formatted) => formatted,
        Err(diagnostics) => {
            context.console.problem(&render_text(&diagnostics, &sources, context.console.color));
            return Ok(Formatted::Broken);
        }
    };
    if formatted == text {
        return Ok(Formatted::Same);
    }
    if check {
        context.console.data(&format!("{}\n{}", shown(&file), difference(&text, &formatted)))?;
    } else {
        std::fs::write(file, formatted).map_err(|error| PlayError::io("write", file, &error))?;
    }
    Ok(Formatted::Changed)
}

/// Files of the language: a file that is named is taken whatever its ending, folders are searched.
fn collect(path: &Path, named: bool, files: &mut Vec<PathBuf>) -> Result<(), PlayError> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| PlayError::io("list", path, &error))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let linked = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if !linked && !name.to_string_lossy().starts_with('.') && name != "target" {
                collect(&entry.path(), false, files)?;
            }
        }
        return Ok(());
    }
    let ours = path.extension().is_some_and(|ending| ["rules", "cards", "scenario"].iter().any(|ours| ending == *ours));
    if named && !path.exists() {
        return Err(PlayError::Io(format!("there is no `{}`", shown(&path))));
    }
    if ours || named {
        files.push(path.to_owned());
    }
    Ok(())
}
