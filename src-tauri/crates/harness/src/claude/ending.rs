//! The end of a turn.

use paddock_domain::{Body, TurnOutcome};

use super::codec::ClaudeCodec;
use super::decode::{Out, event};
use super::errors;
use super::wire::TurnResult;
use crate::bodies;

impl ClaudeCodec {
    pub(super) fn result(&mut self, result: &TurnResult<'_>, out: &mut Out) {
        if let Some((session, why)) = self.lost_session(result) {
            // It ends now and has heard nothing: no turn ends here.
            event(out, bodies::session_lost("claude", session, why));
            return;
        }
        let had_turn = std::mem::take(&mut self.in_turn) | std::mem::take(&mut self.told);
        let spoken = self.spoken_error.take();
        self.finish_open_tools(out);
        self.requests.close_all();
        let outcome = outcome(result);
        if outcome == TurnOutcome::Failed {
            event(out, failure(result, spoken.as_deref()));
        }
        self.meter.saw_result(result, self.model.as_deref());
        if had_turn {
            event(out, Body::UsageUpdated(self.meter.usage()));
            let duration_ms = result.duration_ms;
            event(
                out,
                Body::TurnFinished {
                    outcome,
                    duration_ms,
                },
            );
        }
    }

    /// The session that could not be resumed, and the program's words for it: its first and only line.
    fn lost_session<'r>(&'r self, result: &'r TurnResult<'_>) -> Option<(&'r str, &'r str)> {
        const UNKNOWN: &str = "No conversation found with session ID";
        let session = self.setup.resume.as_deref()?;
        let errors = result.errors.iter().map(|text| &**text);
        let why = errors
            .into_iter()
            .find(|error| error.starts_with(UNKNOWN))?;
        (result.is_error && self.session.is_none()).then_some((session, why))
    }

    /// A turn that ended takes its calls with it, but for those of sub-agents that go on.
    fn finish_open_tools(&mut self, out: &mut Out) {
        for (id, open) in self.tools.drain() {
            let goes_on = open
                .parent
                .as_deref()
                .is_some_and(|parent| self.agents.contains(parent));
            if goes_on {
                self.tools.insert(&id, open, 0);
                continue;
            }
            event(out, bodies::broken_off(id, open.parent));
        }
    }
}

fn outcome(result: &TurnResult<'_>) -> TurnOutcome {
    let ended = result.terminal_reason.as_deref().unwrap_or_default();
    if ended.starts_with("aborted") {
        return TurnOutcome::Interrupted;
    }
    // An error of the API comes as a success that `is_error`.
    let failed = result.is_error || result.subtype.as_deref() != Some("success");
    match failed {
        true => TurnOutcome::Failed,
        false => TurnOutcome::Completed,
    }
}

fn failure(result: &TurnResult<'_>, spoken: Option<&str>) -> Body {
    let class = errors::class(result, spoken);
    let errors = result.errors.iter().map(|text| &**text);
    let words = match result.result.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => text.to_owned(),
        None => errors.collect::<Vec<_>>().join("; "),
    };
    let message = format!("{words} ({})", errors::advice(class));
    bodies::error(class, message)
}
