//! The relay: owns the agent process in a box and outlives every connection.
//!
//! One static binary with five verbs: `serve` owns runs and answers on a socket, `connect` bridges its
//! stdio to that socket, `carry` serves a forwarded port from the other side, `confine` restricts itself
//! and becomes another program, `version` says what this is. No client, no connection and no signal but SIGTERM can end an agent by accident.
//!
//! Start at [`serve`], then [`session`](mod@session) for what a client can ask and [`run`] for what
//! happens to an agent.

mod args;
mod carry;
mod confine;
mod connect;
mod daemon;
mod diary;
mod launch;
mod place;
mod process;
mod run;
mod runs;
mod serve;
mod session;
mod stream;
mod terminals;
mod time;

use std::process::ExitCode;

use args::Verb;

/// Exit code when another process does what this one was to do.
const TAKEN: u8 = 3;

fn main() -> ExitCode {
    let verb = match args::parse(std::env::args_os().skip(1)) {
        Ok(verb) => verb,
        Err(complaint) => {
            eprintln!("paddock-relay: {complaint}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    let done = match verb {
        Verb::Serve(options) if options.foreground => serve::serve(&options),
        Verb::Serve(options) => daemon::detach(&options),
        Verb::Carry(options) => carry::carry(&options),
        Verb::Connect { dir } => connect::connect(&dir),
        Verb::Confine {
            confine,
            program,
            args,
        } => confine::become_confined(&confine, &program, &args),
        Verb::Version => {
            println!("paddock-relay {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        Verb::Help => {
            println!("{}", args::USAGE);
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            diary::write(format_args!("{error:#}"));
            if error.is::<place::Taken>() || error.is::<carry::Carried>() {
                ExitCode::from(TAKEN)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}
