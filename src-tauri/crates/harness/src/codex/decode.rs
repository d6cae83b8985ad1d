//! What Codex's messages mean: each is told apart here, and the program's own news are taken.
//!
//! Threads and turns are taken in [`super::turns`], what they are made of in [`super::work`], requests
//! in [`super::asked`].

use paddock_domain::{
    Body, Delta, DeltaKind, NoticeLevel, RateLimit, Timestamp, TodoItem, TodoStatus, ToolKind,
};
use serde::Deserialize;

use super::codec::CodexCodec;
use super::quiet::is_quiet;
use super::say;
use super::wire::{
    Asking, Call, DeltaParams, Envelope, RateLimitParams, ReroutedParams, SettingsParams,
    TodoParams, UsageParams, WarningParams, Window,
};
use crate::bodies::notice;
use crate::json::{Text, first_text};
use crate::unknown::unknown;
use crate::{Heard, registry};

pub(super) type Out = Vec<Heard>;
pub(super) type Read = Result<(), serde_json::Error>;

pub(super) fn event(out: &mut Out, body: Body) {
    out.push(Heard::Event(body));
}

fn params<'l, P: Deserialize<'l>>(line: &'l str) -> Result<P, serde_json::Error> {
    let call: Call<'l, P> = serde_json::from_str(line)?;
    Ok(call.params)
}

impl CodexCodec {
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
        let envelope: Envelope<'_>;
        let method = match first_text(line, "method") {
            Some(method) => Some(method),
            None => {
                envelope = serde_json::from_str(line)?;
                envelope.method.as_deref()
            }
        };
        let Some(method) = method else {
            return self.response(line, out);
        };
        match method {
            "item/agentMessage/delta" => self.delta(DeltaKind::Text, params(line)?, out),
            "item/reasoning/summaryTextDelta" | "item/reasoning/textDelta" => {
                self.delta(DeltaKind::Thinking, params(line)?, out);
            }
            "item/commandExecution/outputDelta" => {
                self.delta(DeltaKind::ToolOutput, params(line)?, out);
            }
            "item/started" => self.item_started(&params(line)?, out),
            "item/completed" => {
                if !self.item_completed(&params(line)?, out) {
                    out.push(unknown(line.as_bytes(), "an item of an unknown kind"));
                }
            }
            "turn/started" => self.turn_started(&params(line)?, out),
            "turn/completed" => self.turn_completed(&params(line)?, out),
            "error" => self.error(&params(line)?, out),
            "thread/tokenUsage/updated" => self.tokens(&params(line)?),
            "thread/settings/updated" => self.settings(params(line)?, out),
            "account/rateLimits/updated" => self.rate_limits(&params(line)?, out),
            "turn/plan/updated" => todos(params(line)?, out),
            "model/rerouted" => self.rerouted(&params(line)?, out),
            "warning" | "guardianWarning" | "configWarning" => warning(params(line)?, out),
            "serverRequest/resolved" => self.resolved(&params(line)?, out),
            other => self.other(line, other, out)?,
        }
        Ok(())
    }

    /// Requests of the program's, quiet messages, and what is not known.
    fn other(&mut self, line: &str, method: &str, out: &mut Out) -> Read {
        match method {
            "item/commandExecution/requestApproval" => self.ask(line, ToolKind::Bash, "shell", out),
            "item/fileChange/requestApproval" => self.ask(line, ToolKind::Edit, "apply_patch", out),
            "item/tool/requestUserInput" => self.ask_user(line, out),
            quiet if is_quiet(quiet) => Ok(()),
            unknown_method => {
                let method: String = unknown_method.chars().take(80).collect();
                let why = format!("the message `{method}`");
                out.push(unknown(line.as_bytes(), &why));
                let asked: Asking<'_> = serde_json::from_str(line).unwrap_or_default();
                let refusal = asked.id.and_then(|rpc_id| say::refusal(rpc_id, &why));
                out.extend(refusal.map(Heard::Send));
                Ok(())
            }
        }
    }

    pub(super) fn is_main(&self, thread: Option<&str>) -> bool {
        match (thread, self.thread.as_deref()) {
            (Some(thread), Some(main)) => thread == main,
            // A recording may begin after the handshake: then all is taken for the conversation.
            (_, _) => true,
        }
    }

    /// The sub-agent's call that a thread belongs to; none for the conversation itself.
    pub(super) fn parent(&self, thread: Option<&str>) -> Option<String> {
        let other = thread.filter(|_| !self.is_main(thread))?;
        let agent = self.agents.get(other).map(|agent| agent.call.clone());
        Some(agent.unwrap_or_else(|| other.to_owned()))
    }

    pub(super) fn select_model(&mut self, model: &str, effort: Option<&str>, out: &mut Out) {
        let same = self.model.as_deref() == Some(model) && self.effort.as_deref() == effort;
        if same {
            return;
        }
        self.model = Some(model.to_owned());
        self.effort = effort.map(str::to_owned);
        let selected = Body::ModelSelected {
            provider: registry::name("codex"),
            model: model.to_owned(),
            reasoning_effort: self.effort.clone(),
        };
        event(out, selected);
    }

    fn tokens(&mut self, params: &UsageParams<'_>) {
        let thread = params.thread_id.as_deref();
        match thread {
            Some(other) if !self.is_main(thread) => {
                self.meter.saw_other(other, &params.token_usage);
            }
            Some(_) | None => self.meter.saw_main(&params.token_usage),
        }
    }

    fn settings(&mut self, params: SettingsParams<'_>, out: &mut Out) {
        if self.is_main(params.thread_id.as_deref())
            && let Some(model) = params.thread_settings.model
        {
            let effort = params.thread_settings.effort;
            self.select_model(&model, effort.as_deref(), out);
        }
    }

    fn rerouted(&mut self, params: &ReroutedParams<'_>, out: &mut Out) {
        if self.is_main(params.thread_id.as_deref()) {
            let effort = self.effort.clone();
            self.select_model(&params.to_model, effort.as_deref(), out);
        }
    }

    fn rate_limits(&mut self, params: &RateLimitParams<'_>, out: &mut Out) {
        let limits = &params.rate_limits;
        let name = limits.limit_name.as_deref().or(limits.limit_id.as_deref());
        let name = name.unwrap_or("codex");
        let windows = [("primary", limits.primary), ("secondary", limits.secondary)];
        let windows = windows
            .into_iter()
            .filter_map(|(which, w)| Some((which, w?)));
        // It says that one is reached and not which: that is what is full, or else the fullest.
        let fullest = windows.clone().map(|(_, window)| window.used_percent);
        let full = fullest.fold(f64::NEG_INFINITY, f64::max).min(100.0);
        let is_reached = limits.rate_limit_reached_type.is_some();
        for (which, window) in windows {
            let blocked = is_reached && window.used_percent >= full;
            let name = match window.window_duration_mins {
                Some(minutes) => format!("{name} ({minutes} min)"),
                None => format!("{name} ({which})"),
            };
            let figures = (window.used_percent, window.resets_at, blocked);
            if self.limits.get(&name) != Some(&figures) {
                self.limits.insert(&name, figures, 0);
                event(out, Body::RateLimited(limit(name, window, blocked)));
            }
        }
    }

    fn delta(&self, kind: DeltaKind, params: DeltaParams<'_>, out: &mut Out) {
        let parent_tool_call_id = self.parent(params.thread_id.as_deref());
        out.push(Heard::Delta(Delta {
            kind,
            key: params.item_id.into_owned(),
            text: params.delta.into_owned(),
            parent_tool_call_id,
        }));
    }
}

fn todos(params: TodoParams<'_>, out: &mut Out) {
    let items = params.plan.into_iter().map(|step| TodoItem {
        text: step.step.into_owned(),
        status: match &*step.status {
            "inProgress" => TodoStatus::InProgress,
            "completed" => TodoStatus::Completed,
            _ => TodoStatus::Pending,
        },
    });
    let items = items.collect();
    event(out, Body::TodoUpdated { items });
}

/// The program looks for a sandbox though it is to use none; that alone is no news.
fn warning(params: WarningParams<'_>, out: &mut Out) {
    let text = params
        .message
        .or(params.summary)
        .map(Text::into_owned)
        .unwrap_or_default();
    if !text.contains("bubblewrap") {
        event(out, notice(NoticeLevel::Warning, text));
    }
}

fn limit(name: String, window: Window, blocked: bool) -> RateLimit {
    let resets_at = window.resets_at.filter(|seconds| seconds.is_finite());
    #[allow(clippy::cast_possible_truncation)] // `as` saturates, and the time is clamped
    let resets_at = resets_at.map(|seconds| Timestamp::from_unix_ms((seconds * 1000.0) as i64));
    RateLimit {
        name,
        used: Some(window.used_percent / 100.0).filter(|share| share.is_finite()),
        resets_at,
        blocked,
    }
}
