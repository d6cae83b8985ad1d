//! Lines of Pi, taken apart.

use paddock_domain::{
    BlockKind, Body, CondensePolicy, Delta, DeltaKind, ErrorClass, NoticeLevel, ToolCallFinished,
    ToolCallStarted, ToolKind, TurnOutcome,
};
use serde_json::{Value, json};

use super::codec::{OpenCall, PiCodec};
use super::wire::{
    CompactionEnd, Kind, Message, MessageEnd, MessageUpdate, Response, Retry, State, Tool,
    ToolResult, UiRequest,
};
use crate::bodies::{self, notice};
use crate::failure;
use crate::json::first_text;
use crate::patch::Patch;
use crate::unknown::unknown;
use crate::{Heard, Outgoing, registry};

type Out = Vec<Heard>;
type Read = Result<(), serde_json::Error>;

/// Lines that tell nothing that another does not.
const QUIET: &[&str] = &[
    "agent_end",
    "auto_retry_end",
    "bash_execution_update",
    "compaction_start",
    "entry_appended",
    "message_start",
    "queue_update",
    "session_info_changed",
    "thinking_level_changed",
    "turn_end",
    "turn_start",
];

fn event(out: &mut Out, body: Body) {
    out.push(Heard::Event(body));
}

impl PiCodec {
    pub(super) fn decode(&mut self, line: &[u8], out: &mut Out) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let Ok(text) = std::str::from_utf8(line) else {
            return out.push(unknown(line, "it is not UTF-8"));
        };
        if let Err(error) = self.take(text, line, out) {
            out.push(unknown(line, &error.to_string()));
        }
    }

    fn take(&mut self, text: &str, line: &[u8], out: &mut Out) -> Read {
        // Most lines begin with their type; of long ones that mean nothing no more is read.
        let named = first_text(text, "type").map(str::to_owned);
        let kind = match named {
            Some(kind) => kind,
            None => serde_json::from_str::<Kind<'_>>(text)?.name.into_owned(),
        };
        match kind.as_str() {
            "message_update" => self.piece(&serde_json::from_str(text)?, out),
            "message_end" => {
                let end: MessageEnd = serde_json::from_str(text)?;
                self.message(end.message, out);
            }
            "tool_execution_start" => self.call_starts(serde_json::from_str(text)?, out),
            "tool_execution_update" => self.call_goes_on(&serde_json::from_str(text)?, out),
            "tool_execution_end" => self.call_ends(serde_json::from_str(text)?, out),
            "agent_start" => self.turn_starts(out),
            "agent_settled" => self.turn_ends(out),
            "auto_retry_start" => self.retries(&serde_json::from_str(text)?, out),
            "compaction_end" => compacted(serde_json::from_str(text)?, out),
            "response" => self.response(&serde_json::from_str(text)?, out),
            "extension_ui_request" => ui_request(&serde_json::from_str(text)?, out),
            quiet if QUIET.contains(&quiet) => {}
            other => out.push(unknown(line, &format!("a line of type `{other}`"))),
        }
        Ok(())
    }

    fn turn_starts(&mut self, out: &mut Out) {
        let asked_for = std::mem::take(&mut self.told) | std::mem::take(&mut self.wished);
        // One turn may hold several of these, when messages joined it.
        if !std::mem::replace(&mut self.in_turn, true) && !asked_for {
            out.push(Heard::TurnBegan);
        }
        out.append(&mut self.introduction);
    }

    fn turn_ends(&mut self, out: &mut Out) {
        self.in_turn = false;
        self.told = false;
        for (call, _) in self.calls.drain() {
            event(out, bodies::broken_off(call, None));
        }
        let failure = self.failure.take();
        let outcome = match (std::mem::take(&mut self.aborted), failure) {
            (true, _) => TurnOutcome::Interrupted,
            (false, Some(words)) => {
                event(out, failed(&words));
                TurnOutcome::Failed
            }
            (false, None) => TurnOutcome::Completed,
        };
        event(out, Body::UsageUpdated(self.usage));
        event(
            out,
            Body::TurnFinished {
                outcome,
                duration_ms: None,
            },
        );
    }

    fn piece(&mut self, update: &MessageUpdate<'_>, out: &mut Out) {
        let piece = &update.assistant_message_event;
        let kind = match &*piece.kind {
            "text_delta" => DeltaKind::Text,
            "thinking_delta" => DeltaKind::Thinking,
            _ => return,
        };
        if let Some(text) = &piece.delta {
            out.push(Heard::Delta(Delta {
                kind,
                key: format!("m{}.{}", self.messages, piece.content_index),
                text: (**text).to_owned(),
                parent_tool_call_id: None,
            }));
        }
    }

    fn message(&mut self, message: Message, out: &mut Out) {
        if message.role != "assistant" {
            return;
        }
        self.messages += 1;
        if let Some(model) = message.model {
            self.select_model(model, out);
        }
        for part in message.content.as_array().into_iter().flatten() {
            let text = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
            match text("type") {
                "text" if !text("text").is_empty() => {
                    let words = text("text").to_owned();
                    event(out, bodies::message(BlockKind::Text, words, None));
                }
                "thinking" if !text("thinking").is_empty() => event(
                    out,
                    Body::Thinking {
                        text: text("thinking").to_owned(),
                        parent_tool_call_id: None,
                    },
                ),
                _ => {}
            }
        }
        if let Some(tokens) = &message.usage {
            self.count(tokens);
        }
        let words = message.error_message;
        self.failure = match message.stop_reason.as_deref() {
            Some("error") => Some(words.unwrap_or_else(|| "no reason given".to_owned())),
            Some("aborted") => {
                self.aborted = true;
                None
            }
            Some(_) | None => None,
        };
    }

    fn select_model(&mut self, model: String, out: &mut Out) {
        if self.model.as_ref() == Some(&model) {
            return;
        }
        self.model = Some(model.clone());
        event(out, self.model_selected(model));
    }

    fn model_selected(&self, model: String) -> Body {
        Body::ModelSelected {
            provider: registry::name("pi"),
            model,
            reasoning_effort: self.effort.clone(),
        }
    }

    fn call_starts(&mut self, tool: Tool, out: &mut Out) {
        let text = |key: &str| {
            let value = tool.args.as_ref().and_then(|args| args.get(key));
            value.and_then(Value::as_str).map(str::to_owned)
        };
        let kind = kind(&tool.tool_name);
        let content = text("content").filter(|_| kind == ToolKind::Write);
        let makes = text("path").zip(content);
        let weight = makes
            .as_ref()
            .map_or(0, |(path, text)| path.len() + text.len());
        let open = OpenCall { shown: 0, makes };
        self.calls.insert(&tool.tool_call_id, open, weight);
        event(
            out,
            Body::ToolCallStarted(ToolCallStarted {
                tool: kind,
                command: text("command"),
                path: text("path"),
                cwd: None,
                server: None,
                timeout_s: tool
                    .args
                    .as_ref()
                    .and_then(|args| args.get("timeout")?.as_f64()),
                args: tool.args.clone(),
                args_ref: None,
                parent_tool_call_id: None,
                tool_call_id: tool.tool_call_id,
                tool_name: tool.tool_name,
            }),
        );
    }

    fn call_goes_on(&mut self, tool: &Tool, out: &mut Out) {
        let text = tool
            .partial_result
            .as_ref()
            .map(ToolResult::text)
            .unwrap_or_default();
        let Some(open) = self.calls.get_mut(&tool.tool_call_id) else {
            return;
        };
        // What it shows is all there is so far, or the end of what is long.
        let added = text.get(open.shown..).unwrap_or_default();
        if !added.is_empty() {
            open.shown = text.len();
            out.push(Heard::Delta(Delta {
                kind: DeltaKind::ToolOutput,
                key: tool.tool_call_id.clone(),
                text: added.to_owned(),
                parent_tool_call_id: None,
            }));
        }
    }

    fn call_ends(&mut self, tool: Tool, out: &mut Out) {
        let open = self.calls.remove(&tool.tool_call_id).unwrap_or_default();
        let result = tool.result.unwrap_or_default();
        let output = result.text();
        let unkept = result.images();
        let work_dir = &self.setup.work_dir;
        let made = open.makes.filter(|_| !tool.is_error);
        let made = made.map(|(path, text)| Patch::whole(&path, work_dir, &text, false).into_text());
        let changed = result.details.and_then(|details| details.patch);
        let is_bash = kind(&tool.tool_name) == ToolKind::Bash;
        event(
            out,
            Body::ToolCallFinished(ToolCallFinished {
                tool_call_id: tool.tool_call_id,
                is_error: tool.is_error,
                exit_code: is_bash.then(|| exit_code(&output, tool.is_error)).flatten(),
                output: Some(output),
                unkept,
                patch: changed.or(made),
                ..ToolCallFinished::default()
            }),
        );
    }

    fn retries(&mut self, retry: &Retry, out: &mut Out) {
        self.failure = None;
        let count = |n: u64| u32::try_from(n).ok();
        event(
            out,
            Body::Retrying(paddock_domain::Retry {
                attempt: count(retry.attempt),
                attempts_max: count(retry.max_attempts),
                class: failure::by_words(&retry.error_message),
                reason: paddock_domain::Retry::reason(&retry.error_message),
                delay_ms: Some(retry.delay_ms),
            }),
        );
    }

    fn response(&mut self, response: &Response<'_>, out: &mut Out) {
        let why = response.error.as_deref().unwrap_or("no reason given");
        let data = response.data.filter(|_| response.success);
        if self.learn_offers(&response.command, data, out) {
            return;
        }
        match (&*response.command, response.success) {
            ("new_session", taken) => self.session_begins_anew(taken, data, why, out),
            ("get_state", true) => self.state(response, out),
            ("get_state", false) if self.clearing => {
                self.clearing = false;
                event(out, failed(why));
                self.release(out);
            }
            ("prompt" | "get_state", false) => {
                event(out, failed(why));
                self.failure = None;
                if std::mem::take(&mut self.told) && !self.in_turn {
                    self.turn_ends_unbegun(out);
                }
            }
            (what, false) => {
                let what: String = what.chars().take(80).collect();
                let text = format!("pi refused `{what}`: {why}");
                event(out, notice(NoticeLevel::Warning, text));
            }
            (_, true) => {}
        }
    }

    /// A message was refused: its turn is over before it began.
    fn turn_ends_unbegun(&mut self, out: &mut Out) {
        self.wished = false;
        event(out, Body::UsageUpdated(self.usage));
        let outcome = TurnOutcome::Failed;
        event(
            out,
            Body::TurnFinished {
                outcome,
                duration_ms: None,
            },
        );
    }

    /// The session stands. One that was to be gone on with and knows nothing is a new one of that name.
    fn state(&mut self, response: &Response<'_>, out: &mut Out) {
        let data = response
            .data
            .map_or("null", serde_json::value::RawValue::get);
        let Ok(state) = serde_json::from_str::<State>(data) else {
            return;
        };
        if self.clearing {
            return self.cleared(state.session_id, out);
        }
        if let (Some(earlier), Some(0)) = (&self.setup.resume, state.message_count) {
            let why = "its file is gone";
            event(out, bodies::session_lost("pi", earlier, why));
            return;
        }
        if self.ready {
            return;
        }
        self.effort = state.thinking_level;
        let session_id = state.session_id;
        self.introduction = vec![Heard::Event(Body::AgentSessionNamed { session_id })];
        if let Some(model) = state.model {
            self.provider = model.provider;
            self.usage.context_limit = model.context_window.or(self.usage.context_limit);
            self.model = Some(model.id.clone());
            let selected = self.model_selected(model.id);
            self.introduction.push(Heard::Event(selected));
        }
        self.release(out);
    }
}

fn compacted(end: CompactionEnd, out: &mut Out) {
    let Some(result) = end.result else { return };
    event(
        out,
        Body::ContextCondensed {
            policy: match end.reason.as_str() {
                "manual" => CondensePolicy::Requested,
                _ => CondensePolicy::RollingWindow,
            },
            tokens_before: result.tokens_before,
            tokens_after: result.estimated_tokens_after,
            summary_text: result.summary,
        },
    );
}

/// Nobody is there to see a dialog: it is cancelled, so that nothing waits for it.
fn ui_request(request: &UiRequest, out: &mut Out) {
    if !["select", "confirm", "input", "editor"].contains(&request.method.as_str()) {
        return;
    }
    let line = json!({"type": "extension_ui_response", "id": request.id, "cancelled": true});
    let name: String = request
        .id
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(50)
        .collect();
    out.extend(Outgoing::named(&format!("ui-{name}"), &line).map(Heard::Send));
    let text = format!(
        "an extension of pi wanted to ask ({}): Paddock cancelled it",
        request.method
    );
    event(out, notice(NoticeLevel::Warning, text));
}

fn failed(words: &str) -> Body {
    let class = failure::by_words(words).unwrap_or(ErrorClass::Agent);
    bodies::error(class, format!("{words} ({})", failure::advice(class)))
}

fn kind(tool: &str) -> ToolKind {
    match tool {
        "bash" => ToolKind::Bash,
        "read" => ToolKind::Read,
        "write" => ToolKind::Write,
        "edit" => ToolKind::Edit,
        "find" | "ls" => ToolKind::Glob,
        "grep" => ToolKind::Grep,
        _ => ToolKind::Other,
    }
}

/// A command that fails says so in its last line.
fn exit_code(output: &str, is_error: bool) -> Option<i32> {
    let last = output.lines().next_back().unwrap_or_default();
    match last.strip_prefix("Command exited with code ") {
        Some(code) => code.trim().parse().ok(),
        None => (!is_error).then_some(0),
    }
}
