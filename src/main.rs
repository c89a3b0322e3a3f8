//! The `cardwright` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    cardwright::front::main()
}
