//! Going to the background: the relay starts itself again in a session of its own.
//!
//! Invariant: when `serve` returns success, the socket answers; when the background relay cannot serve,
//! its complaint and its exit code are ours.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::args::Serve;

/// Set for the process that is to go to the background.
pub(crate) const MARK: &str = "PADDOCK_RELAY_BACKGROUND";

/// What the background relay says on its stdout when it serves.
const READY: &str = "ready";

/// Starts the relay in the background and waits until it serves.
pub(crate) fn detach(options: &Serve) -> anyhow::Result<()> {
    std::fs::create_dir_all(&options.dir)
        .with_context(|| format!("cannot serve {}", options.dir.display()))?;
    let diary = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(options.dir.join("relay.log"))
        .context("cannot write relay.log")?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("serve")
        .arg("--foreground")
        .arg("--dir")
        .arg(&options.dir);
    if let Some(id) = &options.box_id {
        command.args(["--box", id.as_str()]);
    }
    if let Some(range) = options.speak {
        command.arg("--speak");
        command.arg(format!("{}-{}", range.min, range.max));
    }
    command
        .env(MARK, "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(diary);
    let mut child = command
        .spawn()
        .context("cannot start the background relay")?;
    let mut line = String::new();
    if let Some(stdout) = child.stdout.take() {
        BufReader::new(stdout).read_line(&mut line)?;
    }
    if line.trim() == READY {
        return Ok(());
    }
    let code = child.wait()?.code().unwrap_or(1);
    if let Some(complaint) = line.strip_prefix("failed: ") {
        eprintln!("paddock-relay: {}", complaint.trim());
    }
    std::process::exit(code)
}

/// Whether this process was started to go to the background.
pub(crate) fn is_background() -> bool {
    std::env::var_os(MARK).is_some()
}

/// Leaves the session of whoever started us.
pub(crate) fn leave_session() -> anyhow::Result<()> {
    rustix::process::setsid().context("cannot leave the session")?;
    Ok(())
}

/// Tells the foreground how it went, once; its pipe is closed after that.
pub(crate) fn report(outcome: Result<(), &anyhow::Error>) {
    let mut stdout = std::io::stdout();
    // Whoever started us may be gone; `println!` would panic then.
    let _ = match outcome {
        Ok(()) => writeln!(stdout, "{READY}"),
        Err(error) => writeln!(stdout, "failed: {error:#}"),
    };
    close_stdout();
}

/// Lets go of the pipe to whoever started us.
pub(crate) fn close_stdout() {
    if let Ok(null) = OpenOptions::new().write(true).open("/dev/null") {
        // Nobody reads our stdout from here on; a failure leaves a pipe that nobody reads.
        let _ = rustix::stdio::dup2_stdout(null);
    }
}
