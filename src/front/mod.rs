//! The command line: one file for each subcommand. Data goes to stdout, everything else to stderr. A run ends with
//! 0 if all is well, 1 for findings, 2 for wrong usage, 3 for input and output, 4 for a limit.

mod add;
mod args;
mod bench;
mod book;
mod cards;
mod check;
mod completions;
mod console;
mod diff;
mod eject;
mod explain;
mod fix;
mod fmt;
mod line;
mod list;
#[cfg(feature = "lsp")]
pub mod lsp;
mod man;
mod meter;
mod new;
mod options;
mod origin;
mod pack;
mod perft;
mod place;
mod play;
mod recorded;
mod records;
mod remove;
mod replay;
mod resume;
mod review;
mod saved;
mod show;
mod shrink;
mod snapshots;
mod stats;
pub mod svg;
mod test;
mod translate;
#[cfg(feature = "terminal")]
pub mod tui;
mod typed;
mod watch;
mod workshop;

use crate::base::{visible, visible_lines};
use crate::play::{Library, PlayError};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use console::{ColorChoice, Console};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// What a subcommand gives back.
type Outcome = Result<(), PlayError>;

/// Runs tabletop card and board games written as text files.
#[derive(Parser)]
#[command(
    name = "cardwright",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
A game is a folder with a game.toml, rules, cards and its own tests. Games are found by name in --content DIR, in the
folders of CARDWRIGHT_PATH, in ./content, and among those built in; or by path: ./my-game. Packed as one file by `pack`
they are named by that file: my-game-0.1.0.cardwright.

Start here:
  cardwright list                       which games there are
  cardwright play tic-tac-toe           play one against a bot
  cardwright eject tic-tac-toe mine     an editable copy of it in the folder `mine`
  cardwright play ./mine --watch        play it while you edit it
  cardwright play GAME --with NAME      a game with an expansion; `list` shows which there are
  cardwright new lanterns               a small game of your own, with comments that teach

Ends with 0 if all is well, 1 for findings (errors in content, failed tests, illegal moves), 2 for wrong usage,
3 if a file cannot be read or written, 4 if a limit is reached, 130 if Ctrl-C has stopped it."
)]
struct Cli {
    /// A folder of games, searched first.
    #[arg(long, global = true, value_name = "DIR")]
    content: Option<PathBuf>,
    /// When to use colour; NO_COLOR is respected.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(new::Args),
    Check(check::Args),
    Fmt(fmt::Args),
    Play(play::Args),
    Test(test::Args),
    Replay(replay::Args),
    Watch(watch::Args),
    Show(show::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Options(options::Args),
    Diff(diff::Args),
    Shrink(shrink::Args),
    Explain(explain::Args),
    Translate(translate::Args),
    Eject(eject::Args),
    Pack(pack::Args),
    Add(add::Args),
    Remove(remove::Args),
    List(list::Args),
    Cards(cards::Args),
    Book(book::Args),
    #[cfg(feature = "lsp")]
    Lsp(lsp::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// What every subcommand works with.
struct Context {
    /// The folder of games that is searched first.
    content: Option<PathBuf>,
    library: Library,
    console: Console,
}

/// The command, with the paragraphs below its help as one line each: they are broken where they are shown, and not also
/// where they are broken in the source.
fn wrapping_once(command: clap::Command) -> clap::Command {
    let Some(help) = command.get_after_help().map(ToString::to_string) else { return command };
    let mut text = String::new();
    let mut goes_on = false;
    for line in help.lines() {
        let prose = !line.is_empty() && !line.starts_with(' ');
        text.push_str(match (text.is_empty(), goes_on && prose) {
            (true, _) => "",
            (false, true) => " ",
            (false, false) => "\n",
        });
        text.push_str(line);
        goes_on = prose && !line.ends_with(':');
    }
    command.after_help(text)
}

/// A mistake in the arguments in words: what was typed stands on one line, whatever it is made of.
fn quoted(error: &clap::Error) -> String {
    use clap::error::ContextValue;
    let mut text = error.to_string();
    for (_, value) in error.context() {
        let typed = match value {
            ContextValue::String(typed) => std::slice::from_ref(typed),
            ContextValue::Strings(all) => all.as_slice(),
            _ => &[],
        };
        for typed in typed.iter().filter(|typed| typed.contains('\n')) {
            text = text.replace(typed.as_str(), &visible(typed));
        }
    }
    text
}

/// Runs the program with the arguments it was given.
pub fn main() -> ExitCode {
    let command = wrapping_once(Cli::command()).mut_subcommands(wrapping_once);
    let cli = match command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // Writing help to a closed pipe is no failure.
            if error.use_stderr() {
                // What was typed is quoted in it.
                let _ = write!(std::io::stderr(), "{}", visible_lines(&quoted(&error)));
            } else {
                let _ = error.print();
            }
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let (mut library, console) = (Library::new(cli.content.clone()), Console::new(cli.color));
    library.speak(match &cli.command {
        Command::Play(args) => args.lang.clone(),
        Command::Show(args) => args.lang.clone(),
        Command::Book(args) => args.lang.clone(),
        _ => None,
    });
    let context = Context { content: cli.content, library, console };
    let result = match cli.command {
        Command::New(args) => new::run(&context, args),
        Command::Check(args) => check::run(&context, args),
        Command::Fmt(args) => fmt::run(&context, args),
        Command::Play(args) => play::run(&context, args),
        Command::Test(args) => test::run(&context, args),
        Command::Replay(args) => replay::run(&context, args),
        Command::Watch(args) => watch::run(&context, args),
        Command::Show(args) => show::run(&context, args),
        Command::Perft(args) => perft::run(&context, args),
        Command::Bench(args) => bench::run(&context, args),
        Command::Options(args) => options::run(&context, args),
        Command::Diff(args) => diff::run(&context, args),
        Command::Shrink(args) => shrink::run(&context, args),
        Command::Explain(args) => explain::run(&context, args),
        Command::Translate(args) => translate::run(&context, args),
        Command::Eject(args) => eject::run(&context, args),
        Command::Pack(args) => pack::run(&context, args),
        Command::Add(args) => add::run(&context, args),
        Command::Remove(args) => remove::run(&context, args),
        Command::List(args) => list::run(&context, args),
        Command::Cards(args) => cards::run(&context, args),
        Command::Book(args) => book::run(&context, args),
        #[cfg(feature = "lsp")]
        Command::Lsp(args) => lsp::run(&context, args),
        Command::Completions(args) => completions::run(&context, args),
        Command::Man(args) => man::run(&context, args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            context.console.problem(&error.report(context.console.color));
            ExitCode::from(error.exit_code())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_stands_on_one_line() {
        let typed = ["cardwright", "play", "hex", "--seed", "7\nerror: all is lost"];
        let Err(error) = Cli::command().try_get_matches_from(typed) else { panic!("a seed is a number") };
        assert!(quoted(&error).contains("7\\u{a}error: all is lost"), "{}", quoted(&error));
    }
}
