//! Processes that live in sessions of their own, as the real agents' commands do.
//!
//! The program starts itself anew with a hidden first argument; the child leaves its session and
//! becomes the command, or lingers. Start at [`in_session`] and [`orphan`].

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::Context;
use rustix::process::setsid;

/// Hidden argument: leave the session and become the rest of the arguments.
pub(crate) const IN_SESSION: &str = "--in-session";
/// Hidden argument: leave the session and live for so many seconds.
pub(crate) const LINGER: &str = "--linger";

/// A command that will run `program` in a session of its own.
pub(crate) fn in_session(program: &str) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(IN_SESSION).arg(program);
    Ok(command)
}

/// Starts a child that lives for `seconds` in a session of its own and returns its pid.
pub(crate) fn orphan(seconds: &str, holding: bool) -> io::Result<u32> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([LINGER, seconds]).stdin(Stdio::null());
    if !holding {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    let mut child = command.spawn()?;
    let pid = child.id();
    // Reaps the child, should it end before us; it is nobody's business how.
    std::thread::spawn(move || child.wait());
    Ok(pid)
}

/// Becomes the command that `arguments` are.
pub(crate) fn become_command(
    mut arguments: impl Iterator<Item = String>,
) -> anyhow::Result<ExitCode> {
    let program = arguments.next().context("no program")?;
    setsid().context("cannot start a session")?;
    let error = Command::new(&program).args(arguments).exec();
    Err(error).with_context(|| format!("cannot execute {program}"))
}

/// Lives for as many seconds as `arguments` say.
pub(crate) fn linger(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<ExitCode> {
    let seconds: f64 = arguments.next().context("no seconds")?.parse()?;
    setsid().context("cannot start a session")?;
    std::thread::sleep(Duration::try_from_secs_f64(seconds)?);
    Ok(ExitCode::SUCCESS)
}
