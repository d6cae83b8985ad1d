//! The thread and its turns: how they begin, fail and end.

use paddock_domain::{Body, ErrorClass, NoticeLevel, Plan, Retry, TurnOutcome};
use serde_json::value::RawValue;

use super::codec::CodexCodec;
use super::decode::{Out, Read, event};
use super::wire::{ErrorParams, Response, ThreadOpened, TurnError, TurnOpened, TurnParams};
use super::{errors, offers, say};
use crate::bodies::{self, notice};
use crate::json::Text;
use crate::{Heard, anew};

impl CodexCodec {
    pub(super) fn response(&mut self, line: &str, out: &mut Out) -> Read {
        let response: Response<'_> = serde_json::from_str(line)?;
        // Ids that are no text are not ours.
        let id: Text<'_> = match serde_json::from_str(response.id.get()) {
            Ok(id) => id,
            Err(_) => Text::from(""),
        };
        let failed = response.error.as_ref();
        let failure = failed.map(|error| error.message.as_deref().unwrap_or("no reason given"));
        match (&*id, failure) {
            (say::INITIALIZE, None) => {
                out.extend(say::initialized().map(Heard::Send));
                out.extend(self.open_thread().map(Heard::Send));
                out.extend(offers::ask().map(Heard::Send));
            }
            (offers::MODELS, failure) => {
                let models = response.result.filter(|_| failure.is_none());
                self.learn_models(models, out);
            }
            (clear, _) if anew::asks(clear) => {
                self.cleared(response.result, failure, out);
            }
            (say::INITIALIZE, Some(why)) => event(out, agent_error("did not start", why)),
            (thread, Some(why)) if thread.starts_with(say::THREAD) => self.no_thread(why, out),
            (prompt, Some(why)) if prompt.starts_with(say::PROMPT) => self.not_taken(why, out),
            (interrupt, Some(_)) if interrupt.starts_with(say::INTERRUPT) => {} // too late
            (what, Some(why)) => {
                let what: String = what.chars().take(80).collect();
                let text = format!("codex refused `{what}`: {why}");
                event(out, notice(NoticeLevel::Warning, text));
            }
            (_, None) => self.granted(&id, response.result, out),
        }
        Ok(())
    }

    /// A result of ours, or in a recording that of anyone: a thread or a turn is told by its shape.
    fn granted(&mut self, id: &str, result: Option<&RawValue>, out: &mut Out) {
        let Some(result) = result else { return };
        if let Ok(opened) = serde_json::from_str::<ThreadOpened<'_>>(result.get()) {
            if self.thread.is_none() {
                self.thread_opened(&opened, out);
            }
        } else if let Ok(opened) = serde_json::from_str::<TurnOpened<'_>>(result.get())
            && id.starts_with(say::PROMPT)
            && self.turn.is_none()
            && (self.told || self.wished)
        {
            self.turn_has_id(&opened.turn.id, out);
        }
    }

    fn thread_opened(&mut self, opened: &ThreadOpened<'_>, out: &mut Out) {
        let session_id = opened.thread.id.to_string();
        if self.setup.resume.as_ref() == Some(&session_id) {
            self.meter.counts_earlier_runs();
        }
        self.thread = Some(session_id.clone());
        let mut introduction = Vec::new();
        event(&mut introduction, Body::AgentSessionNamed { session_id });
        if let Some(model) = &opened.model {
            self.select_model(model, opened.reasoning_effort.as_deref(), &mut introduction);
        }
        self.introduction = introduction;
        self.offers.tell(out);
        self.release(out);
    }

    /// A session that is not known any more is told as lost: whoever runs the agent begins a new one,
    /// with a summary. Where no session can be had at all, what was said ends in failure.
    fn no_thread(&mut self, why: &str, out: &mut Out) {
        if let Some(session) = &self.setup.resume {
            event(out, bodies::session_lost("codex", session, why));
            return;
        }
        self.thread_failed = true;
        event(out, agent_error("could not begin a conversation", why));
        if !std::mem::take(&mut self.held).is_empty() {
            self.finish_turn(TurnOutcome::Failed, None, out);
        }
    }

    /// A message was refused.
    fn not_taken(&mut self, why: &str, out: &mut Out) {
        event(out, agent_error("did not take the message", why));
        if self.turn.is_none() {
            self.finish_turn(TurnOutcome::Failed, None, out);
        }
    }

    fn turn_has_id(&mut self, turn: &str, out: &mut Out) {
        self.turn = Some(turn.to_owned());
        if let (Some(id), Some(thread)) = (self.interrupt.take(), &self.thread) {
            out.extend(say::interrupt(&id, thread, turn).map(Heard::Send));
        }
    }

    pub(super) fn turn_started(&mut self, started: &TurnParams<'_>, out: &mut Out) {
        if !self.is_main(started.thread_id.as_deref()) {
            return;
        }
        let asked_for = std::mem::take(&mut self.told) | std::mem::take(&mut self.wished);
        if self.turn.is_none() && !asked_for {
            out.push(Heard::TurnBegan);
        }
        self.failure_told = false;
        out.append(&mut self.introduction);
        self.turn_has_id(&started.turn.id, out);
    }

    pub(super) fn turn_completed(&mut self, completed: &TurnParams<'_>, out: &mut Out) {
        let turn = &completed.turn;
        let outcome = match turn.status.as_deref() {
            Some("completed") => TurnOutcome::Completed,
            Some("interrupted") => TurnOutcome::Interrupted,
            Some(_) | None => TurnOutcome::Failed,
        };
        if !self.is_main(completed.thread_id.as_deref()) {
            let thread = completed.thread_id.as_deref().unwrap_or_default();
            self.agent_rests(thread, outcome, out);
            return;
        }
        self.finish_tools(None, out);
        if outcome == TurnOutcome::Failed && !self.failure_told {
            let failure = match &turn.error {
                Some(error) => failure(error),
                None => agent_error("failed", "no reason given"),
            };
            event(out, failure);
        }
        self.finish_turn(outcome, turn.duration_ms, out);
        // A plan is decided on after its turn: requests of a turn end with it.
        if let Some((plan_id, text)) = self.plan.take() {
            self.proposed = Some(plan_id.clone());
            event(out, Body::PlanProposed(Plan { plan_id, text }));
        }
    }

    fn finish_turn(&mut self, outcome: TurnOutcome, duration_ms: Option<u64>, out: &mut Out) {
        self.turn = None;
        self.interrupt = None;
        self.told = false;
        self.failure_told = false;
        self.requests.close_all();
        out.append(&mut self.introduction);
        event(out, Body::UsageUpdated(self.meter.usage()));
        event(
            out,
            Body::TurnFinished {
                outcome,
                duration_ms,
            },
        );
    }

    /// Calls that a turn took with it when it ended.
    pub(super) fn finish_tools(&mut self, of: Option<&str>, out: &mut Out) {
        for (id, open) in self.tools.drain() {
            if open.parent.as_deref() != of {
                self.tools.insert(&id, open, 0);
                continue;
            }
            event(out, bodies::broken_off(id, open.parent));
        }
    }

    pub(super) fn error(&mut self, params: &ErrorParams<'_>, out: &mut Out) {
        let error = &params.error;
        if params.will_retry {
            event(out, retry(error));
        } else if self.is_main(params.thread_id.as_deref()) {
            self.failure_told = true;
            event(out, failure(error));
        } else {
            let message = error.message.as_deref().unwrap_or_default();
            let text = format!("a sub-agent failed: {message}");
            event(out, notice(NoticeLevel::Warning, text));
        }
    }
}

/// The program counts in its words: `Reconnecting... 1/2`.
fn retry(error: &TurnError<'_>) -> Body {
    let words = error.message.as_deref().unwrap_or_default();
    let count = words
        .rsplit(' ')
        .next()
        .and_then(|last| last.split_once('/'));
    let (attempt, attempts_max) = match count {
        Some((nth, max)) => (nth.parse().ok(), max.parse().ok()),
        None => (None, None),
    };
    let reason = error.additional_details.as_deref().unwrap_or(words);
    Body::Retrying(Retry {
        attempt,
        attempts_max,
        class: Some(errors::class(error)).filter(|class| *class != ErrorClass::Agent),
        reason: Retry::reason(reason),
        delay_ms: None,
    })
}

fn failure(error: &TurnError<'_>) -> Body {
    let class = errors::class(error);
    let words = error.message.as_deref().unwrap_or("no reason given");
    bodies::error(class, format!("{words} ({})", errors::advice(class)))
}

fn agent_error(what: &str, why: &str) -> Body {
    bodies::error(ErrorClass::Agent, format!("codex {what}: {why}"))
}
