//! What Claude Code's lines mean: each is told apart here, and the program's own news are taken.
//!
//! Messages are taken in [`super::messages`], requests in [`super::asked`], ends of turns in
//! [`super::ending`].

use paddock_domain::{Body, CondensePolicy, NoticeLevel, RateLimit, Retry, Timestamp};
use serde::Deserialize;

use super::codec::ClaudeCodec;
use super::errors;
use super::quiet::is_quiet;
use super::wire::{Peek, RateLimitEvent, System};
use crate::bodies::{condensed, notice};
use crate::json::{Text, first_text};
use crate::unknown::unknown;
use crate::{Heard, registry};

pub(super) type Out = Vec<Heard>;
pub(super) type Read = Result<(), serde_json::Error>;

pub(super) fn event(out: &mut Out, body: Body) {
    out.push(Heard::Event(body));
}

pub(super) fn read<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, serde_json::Error> {
    serde_json::from_str(line)
}

impl ClaudeCodec {
    pub(super) fn decode(&mut self, line: &[u8], out: &mut Out) {
        let Ok(text) = std::str::from_utf8(line) else {
            out.push(unknown(line, "it is not UTF-8"));
            return;
        };
        if text.trim_ascii().is_empty() {
            return;
        }
        if let Err(error) = self.decode_text(text, out) {
            out.push(unknown(line, &error.to_string()));
        }
    }

    fn decode_text(&mut self, line: &str, out: &mut Out) -> Read {
        let peek: Peek<'_>;
        let kind = match first_text(line, "type") {
            Some(kind) => kind,
            None => {
                peek = read(line)?;
                &peek.kind
            }
        };
        match kind {
            "stream_event" => self.stream_event(&read(line)?, out),
            "assistant" => self.assistant(read(line)?, out)?,
            "user" => self.user(&read(line)?, out)?,
            "system" => self.system(line, read(line)?, out),
            "result" => self.result(&read(line)?, out),
            "control_request" => self.control_request(line, &read(line)?, out),
            "control_response" => self.control_response(&read(line)?, out),
            "control_cancel_request" => self.control_cancel(&read(line)?, out),
            "rate_limit_event" => self.rate_limit(read(line)?, out),
            "conversation_reset" => self.cleared(out),
            other if is_quiet(other, None) => {}
            other => out.push(unknown(
                line.as_bytes(),
                &format!("type `{}`", short(other)),
            )),
        }
        Ok(())
    }

    pub(super) fn begin_turn(&mut self, out: &mut Out) {
        if self.in_turn {
            return;
        }
        self.in_turn = true;
        let asked_for = std::mem::take(&mut self.told) | std::mem::take(&mut self.wished);
        if !asked_for {
            out.push(Heard::TurnBegan);
        }
    }

    pub(super) fn select_model(&mut self, model: &str, out: &mut Out) {
        if self.model.as_deref() == Some(model) {
            return;
        }
        self.model = Some(model.to_owned());
        let selected = Body::ModelSelected {
            provider: registry::name("claude"),
            model: model.to_owned(),
            reasoning_effort: None, // it does not say
        };
        event(out, selected);
    }

    fn system(&mut self, line: &str, news: System<'_>, out: &mut Out) {
        match &*news.subtype {
            "init" => self.init(news, out),
            "api_retry" => event(out, retry(&news)),
            "compact_boundary" => self.compacted(&news, out),
            "task_started" => self.agent_started(news, out),
            "task_notification" => self.agent_finished(&news, out),
            "informational" => {
                let level = match news.level.as_deref() {
                    Some("warning" | "error") => NoticeLevel::Warning,
                    Some(_) | None => NoticeLevel::Info,
                };
                let text = news.content.map(Text::into_owned).unwrap_or_default();
                event(out, notice(level, text));
            }
            subtype if is_quiet("system", Some(subtype)) => {}
            subtype => {
                let why = format!("system message `{}`", short(subtype));
                out.push(unknown(line.as_bytes(), &why));
            }
        }
    }

    /// Comes again at the start of every turn.
    fn init(&mut self, news: System<'_>, out: &mut Out) {
        if !self.ready {
            self.become_ready(out);
        }
        self.begin_turn(out);
        if let Some(session) = news.session_id
            && self.session.as_deref() != Some(&*session)
        {
            let was_told = std::mem::take(&mut self.reset);
            if self.session.is_some() && !was_told {
                // Older releases say it by nothing but the name of another session.
                self.cleared(out);
                self.reset = false;
            }
            let session_id = session.into_owned();
            self.session = Some(session_id.clone());
            event(out, Body::AgentSessionNamed { session_id });
        }
        if let Some(model) = news.model {
            self.select_model(&model, out);
        }
    }

    fn cleared(&mut self, out: &mut Out) {
        self.reset = true;
        self.meter.saw_reset();
        event(out, condensed(CondensePolicy::Cleared));
    }

    fn compacted(&mut self, news: &System<'_>, out: &mut Out) {
        let facts = news.compact_metadata.as_ref();
        let tokens_after = facts.and_then(|facts| facts.post_tokens);
        self.meter.saw_compaction(tokens_after);
        let trigger = facts.and_then(|facts| facts.trigger.as_deref());
        let condensed = Body::ContextCondensed {
            policy: match trigger {
                Some("manual") => CondensePolicy::Requested,
                Some(_) | None => CondensePolicy::RollingWindow,
            },
            tokens_before: facts.and_then(|facts| facts.pre_tokens),
            tokens_after,
            summary_text: None,
        };
        event(out, condensed);
    }

    fn agent_started(&mut self, news: System<'_>, out: &mut Out) {
        let is_agent = news.task_type.as_deref() == Some("local_agent");
        let (true, Some(call)) = (is_agent, news.tool_use_id) else {
            return; // a command in the background: its tool call tells all
        };
        self.agents.insert(&call, (), 0);
        let name = news.subagent_type.map(Text::into_owned);
        let started = Body::SubagentStarted {
            tool_call_id: call.into_owned(),
            name: name.unwrap_or_else(|| "agent".to_owned()),
            prompt: news.prompt.map(Text::into_owned).unwrap_or_default(),
        };
        event(out, started);
    }

    fn agent_finished(&mut self, news: &System<'_>, out: &mut Out) {
        let Some(call) = &news.tool_use_id else {
            return;
        };
        if self.agents.remove(call).is_some() {
            let finished = Body::SubagentFinished {
                tool_call_id: call.to_string(),
                is_error: news.status.as_deref() != Some("completed"),
            };
            event(out, finished);
        }
    }
}

pub(super) fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

fn retry(news: &System<'_>) -> Body {
    let name = news.error.as_deref().unwrap_or("unknown");
    let status = news.error_status.map(|status| format!(" ({status})"));
    let count = |n: Option<u64>| n.and_then(|n| u32::try_from(n).ok());
    let delay = news.retry_delay_ms.filter(|ms| ms.is_finite());
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // `as` saturates
    let delay_ms = delay.map(|ms| ms as u64);
    Body::Retrying(Retry {
        attempt: count(news.attempt),
        attempts_max: count(news.max_retries),
        class: errors::of_retry(name, news.error_status),
        reason: format!("{}{}", short(name), status.unwrap_or_default()),
        delay_ms,
    })
}

impl ClaudeCodec {
    /// How one limit stands. That all is well with it is news only after it was told of.
    fn rate_limit(&mut self, told: RateLimitEvent<'_>, out: &mut Out) {
        let info = told.rate_limit_info;
        let name = info
            .rate_limit_type
            .map_or_else(|| "rate limit".to_owned(), Text::into_owned);
        let is_well = &*info.status == "allowed" && info.utilization.is_none();
        if is_well && self.limits.remove(&name).is_none() {
            return;
        }
        if !is_well {
            self.limits.insert(&name, (), 0);
        }
        let resets_at = info.resets_at.filter(|seconds| seconds.is_finite());
        #[allow(clippy::cast_possible_truncation)] // `as` saturates, and the time is clamped
        let resets_at = resets_at.map(|seconds| Timestamp::from_unix_ms((seconds * 1000.0) as i64));
        let limit = RateLimit {
            name,
            used: info.utilization.filter(|share| share.is_finite()),
            resets_at,
            blocked: &*info.status == "rejected",
        };
        event(out, Body::RateLimited(limit));
    }
}
