//! `cardwright lsp`: a language server for editors. It reads requests from stdin and writes answers to stdout, in the
//! Language Server Protocol; `ide` knows the answers.

mod answers;
mod convert;
mod paths;
mod server;

use super::{Context, Outcome};
use crate::play::PlayError;
use lsp_server::Connection;

/// Answers an editor over stdin and stdout, in the Language Server Protocol.
#[derive(clap::Args)]
#[command(after_help = "\
An editor starts it; docs/editors.md says how. It checks as you type, completes, explains, finds and renames names, formats,
and mends what it can.")]
pub struct Args {
    /// Accepted for editors that say so; there is no other way.
    #[arg(long)]
    stdio: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// [`PlayError::Io`] if the editor does not speak the protocol.
pub(super) fn run(_context: &Context, args: Args) -> Outcome {
    // It is always so.
    let Args { stdio: _ } = args;
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection);
    // The threads end once nobody writes any more.
    drop(connection);
    served?;
    threads.join().map_err(|error| PlayError::Io(format!("cannot talk to the editor: {error}")))
}

/// Answers until the editor says that it is over.
///
/// # Errors
/// [`PlayError::Io`] if the editor does not speak the protocol.
pub fn serve(connection: &Connection) -> Outcome {
    let failed =
        |error: lsp_server::ProtocolError| PlayError::Io(format!("the editor does not speak the protocol: {error}"));
    let (id, params) = connection.initialize_start().map_err(failed)?;
    connection.initialize_finish(id, server::greeting()).map_err(failed)?;
    server::Server::new(connection, &params).run().map_err(failed)
}
