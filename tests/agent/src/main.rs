//! The `scripted` agent program: a tiny deterministic agent for tests and rehearsal.
//!
//! Its protocol and the words that a prompt can use are set down in `README.md`. It has one main
//! thread, which alone speaks and decides, and one thread that reads stdin; commands are awaited on
//! threads of their own. All meet in one bounded queue. Start at [`agent::Agent::serve`].

mod agent;
mod command;
mod ears;
mod garbage;
mod message;
mod mouth;
mod offspring;
mod record;
mod script;
mod session;
mod terminal;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};

use agent::Agent;
use mouth::Mouth;
use record::Record;
use session::Session;

const USAGE: &str =
    "usage: scripted [--terminal] [--resume ID [--fork]] [--model NAME] | scripted --version";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("scripted: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let (mut resume, mut model, mut terminal, mut fork) = (None, None, false, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--version" => {
                println!("scripted {}", env!("CARGO_PKG_VERSION"));
                return Ok(ExitCode::SUCCESS);
            }
            "--terminal" => terminal = true,
            "--fork" => fork = true,
            "--resume" => resume = Some(arguments.next().context(USAGE)?),
            "--model" => model = Some(arguments.next().context(USAGE)?),
            offspring::IN_SESSION => return offspring::become_command(arguments),
            offspring::LINGER => return offspring::linger(arguments),
            other => bail!("unknown argument {other:?}; {USAGE}"),
        }
    }
    if terminal {
        terminal::converse(resume.as_deref())?;
        return Ok(ExitCode::SUCCESS);
    }
    serve(resume, model, fork)
}

fn serve(resume: Option<String>, model: Option<String>, fork: bool) -> anyhow::Result<ExitCode> {
    let record = Arc::new(Record::open(std::env::var_os("SCRIPTED_RECORD"))?);
    let mut mouth = Mouth::new(Arc::clone(&record));
    let session = match resume {
        None => Session::fresh(model),
        Some(id) => match Session::resume(&id, model) {
            Ok(session) if fork => session.fork(),
            Ok(session) => session,
            Err(error) => {
                let message = error.to_string();
                mouth.say(&message::Said::Error {
                    message,
                    fatal: true,
                })?;
                return Err(error.into());
            }
        },
    };
    Agent::new(mouth, record, session).serve()?;
    Ok(ExitCode::SUCCESS)
}
