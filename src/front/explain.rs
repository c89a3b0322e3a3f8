//! `cardwright explain`

use super::{Context, Outcome};
use crate::base::{CODES, Code, Severity, nearest};
use crate::play::PlayError;

/// Explains a code that a diagnostic carries, or lists all codes.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cardwright explain E0001\n  cardwright explain --list")]
pub struct Args {
    /// The code, such as E0001.
    #[arg(value_name = "CODE", required_unless_present = "list")]
    code: Option<String>,
    /// Lists all codes with their titles.
    #[arg(long)]
    list: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// If there is no such code.
pub fn run(context: &Context, args: Args) -> Outcome {
    let Some(wanted) = args.code.filter(|_| !args.list) else {
        let lines: String = CODES.iter().map(|info| format!("{}  {}\n", info.text, info.title)).collect();
        return context.console.data(&lines);
    };
    let Some(code) = Code::find(&wanted) else {
        let advice = match nearest(&wanted.to_uppercase(), CODES.iter().map(|info| info.text)) {
            Some(best) => format!("did you mean `{best}`?"),
            None => "`cardwright explain --list` shows them all".to_owned(),
        };
        return Err(PlayError::Usage(format!("there is no code `{wanted}`; {advice}")));
    };
    let info = code.info();
    let severity = match info.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    context.console.data(&format!("{} ({severity}): {}\n\n{}\n", info.text, info.title, info.explain.trim_end()))
}
