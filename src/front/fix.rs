//! `cardwright check --fix`: makes the changes that mend what is wrong for certain, once they were shown.

use super::Context;
use super::console::interactive;
use crate::base::{Diagnostic, plural, shown};
use crate::ide::mend::{in_vain, mended};
use crate::play::snapshot::difference;
use crate::play::{Checked, Options, Package, PlayError, Unsaved};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

/// A mend may show what else is wrong; after so many rounds nothing more is mended.
const MOST_ROUNDS: usize = 8;

/// What is to be changed.
#[derive(Default)]
struct Plan {
    /// By path: the text as it is, and as it will be.
    files: BTreeMap<PathBuf, (String, String)>,
    /// How many findings that mends.
    certain: usize,
    /// How many have a mend that somebody has to look at.
    unsure: usize,
}

/// Shows what would mend the packages, and does it if that is agreed to.
///
/// # Errors
/// If a package or the answer cannot be read, or a file not be written.
pub fn fix(
    context: &Context,
    packages: &[Package],
    options: &Options,
    variant: Option<&str>,
    agreed: bool,
) -> Result<(), PlayError> {
    let plan = plan(packages, options, variant)?;
    for (path, (old, new)) in &plan.files {
        context.console.data(&format!("{}\n{}", shown(path), difference(old, new)))?;
    }
    let unsure = match plan.unsure {
        0 => String::new(),
        count => format!("; {} for you to look at", plural(count, "likely mend")),
    };
    if plan.files.is_empty() {
        context.console.note(&format!("nothing is certain enough to be mended{unsure}"));
        return Ok(());
    }
    let what = format!("{} in {}", plural(plan.certain, "mend"), plural(plan.files.len(), "file"));
    if !agreed && !asked(context, &what)? {
        context.console.note(&format!("{what} not made{unsure}"));
        return Ok(());
    }
    for (path, (_, new)) in &plan.files {
        std::fs::write(path, new).map_err(|error| PlayError::io("write", path, &error))?;
    }
    context.console.note(&format!("made {what}{unsure}"));
    Ok(())
}

/// Asks whether to make the changes. Where nobody can answer, they are not made.
fn asked(context: &Context, what: &str) -> Result<bool, PlayError> {
    if !interactive() {
        context.console.note("nobody is here to agree: `--fix --yes` makes the changes without a question");
        return Ok(false);
    }
    context.console.note(&format!("make {what}? [y/n]"));
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.map_err(|error| PlayError::Io(format!("cannot read stdin: {error}")))?;
    Ok(matches!(line.trim(), "y" | "yes"))
}

/// Mends until nothing certain is left. What leaves an error in its line is not done, and a round after which more is wrong than before
/// is taken back.
fn plan(packages: &[Package], options: &Options, variant: Option<&str>) -> Result<Plan, PlayError> {
    let mut plan = Plan::default();
    let mut texts = Unsaved::default();
    let mut checks = check(packages, &texts, options, variant)?;
    let mut left_out = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let round = mended(&checks, &left_out);
        plan.unsure = round.unsure;
        let files: BTreeMap<PathBuf, (String, String)> =
            round.files.into_iter().filter(|(path, _)| path.is_file()).collect();
        if files.is_empty() {
            break;
        }
        let new: BTreeMap<PathBuf, String> = files.iter().map(|(path, (_, new))| (path.clone(), new.clone())).collect();
        let mut tried = texts.clone();
        Arc::make_mut(&mut tried).extend(new.clone());
        let after = check(packages, &tried, options, variant)?;
        let vain = in_vain(&round.changes, &new, &after);
        if !vain.is_empty() {
            left_out.extend(vain);
            continue;
        }
        if errors(&after) > errors(&checks) {
            break;
        }
        for (path, (old, new)) in files {
            plan.files.entry(path).or_insert_with(|| (old, String::new())).1 = new;
        }
        plan.certain += round.changes.len();
        (texts, checks) = (tried, after);
    }
    plan.files.retain(|_, (old, new)| old != new);
    Ok(plan)
}

fn check(
    packages: &[Package],
    texts: &Unsaved,
    options: &Options,
    variant: Option<&str>,
) -> Result<Vec<Checked>, PlayError> {
    packages.iter().map(|package| Checked::new(&package.clone().edited(texts), options, variant)).collect()
}

fn errors(checks: &[Checked]) -> usize {
    checks.iter().flat_map(|checked| &checked.diagnostics).filter(|found| Diagnostic::is_error(found)).count()
}
