//! Progress on standard error, for people, of whatever takes longer than a moment.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::clean;

/// A line that says what is being done and for how long; nothing where nobody looks.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    const TICK: Duration = Duration::from_millis(250);

    /// Begins to tell `what`; quiet where programs read.
    pub(crate) fn begin(what: &str, quiet: bool) -> Self {
        let bar = ProgressBar::new_spinner();
        // Standard error decides by itself whether it is a terminal.
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(4)
        };
        bar.set_draw_target(target);
        if let Ok(style) = ProgressStyle::with_template("{msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(clean(what));
        bar.enable_steady_tick(Self::TICK);
        Self(bar)
    }

    /// Says something else from now on.
    pub(crate) fn tell(&self, what: &str) {
        self.0.set_message(clean(what));
    }

    /// Writes `text` without the line getting in its way.
    pub(crate) fn aside(&self, text: impl FnOnce()) {
        self.0.suspend(text);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
