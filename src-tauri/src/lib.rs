//! The desktop shell: a window on the server's page, a tray, notifications, deep links.
//!
//! The user interface is a plain web client of the one API, so the shell is thin: it starts the
//! orchestrator and the server, or finds the process that has the data already ([`home`]), shows the
//! page, and follows the server like any other client ([`follow()`]). It offers the page four commands, to
//! open a task's work tree outside of it ([`mod@open_box`]), to say which language it speaks ([`words`]) and to
//! take what was dropped on it or is pasted ([`shell`]): all else that the page cannot do by the API it cannot
//! do. All that is decided is decided before the seam [`Desktop`], and tested without a window system.
//!
//! Start at [`run`], then [`shell`].

mod args;
mod attention;
mod desktop;
mod follow;
mod home;
mod open_box;
mod premises;
mod shell;
mod words;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::args::Args;
use crate::premises::Premises;

/// The command line is wrong.
const WRONG_WORDS: u8 = 2;

/// Runs until the user quits. `words` are those after the program's name.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::parse(words) {
        Ok(args) => args,
        Err(error) => return end(WRONG_WORDS, &error.to_string()),
    };
    match begin(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => end(1, &format!("{error:#}")),
    }
}

fn begin(args: &Args) -> Result<()> {
    let premises = Premises::load(args)?;
    let without = "there is no display to open a window on: `paddock serve` works without one";
    ensure!(has_display(), without);
    log_to_stderr(&premises.settings.log);
    spare_a_missing_card();
    shell::run(args, premises)
}

fn end(code: u8, said: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "paddock-desktop: {said}");
    ExitCode::from(code)
}

/// A bad filter is no reason not to start.
fn log_to_stderr(filter: &str) {
    let filter = tracing_subscriber::EnvFilter::try_new(filter).unwrap_or_default();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // A log on a full disk would be complained of where it cannot be written either, by a panic.
        .log_internal_errors(false)
        .with_ansi(false)
        .init();
}

/// Where there is no graphics card the toolkit would play one on the processor, which takes 80 MB more than drawing
/// the page plainly. Said late, so that it is not in what agents are started with; what the user says stays.
fn spare_a_missing_card() {
    #[cfg(target_os = "linux")]
    if !std::path::Path::new("/dev/dri/renderD128").exists() {
        // Refused only for names with an `=`.
        let _ = gtk::glib::setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1", false);
    }
}

#[cfg(target_os = "linux")]
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

#[cfg(not(target_os = "linux"))]
fn has_display() -> bool {
    true
}
