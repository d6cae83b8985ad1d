//! Lines of an ACP agent, taken apart.

use paddock_domain::{Body, CondensePolicy, Delta, DeltaKind, TodoItem, TodoStatus};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::calls::{Call, Stage};
use super::codec::AcpCodec;
use super::profile::permits;
use super::requests::{self, Wants};
use super::say::{self, Outcome};
use super::speech::Speaker;
use super::wire::{
    Chunk, ContextUpdate, Line, PermissionRequest, Todo, Todos, ToolCall, UpdateKind, Updated,
};
use crate::Heard;
use crate::unknown::unknown;

pub(super) type Out = Vec<Heard>;
pub(super) type Read = Result<(), serde_json::Error>;

/// Updates that tell nothing that Paddock shows.
const QUIET: &[&str] = &[
    "available_commands_update",
    "config_option_update",
    "current_mode_update",
    "session_info_update",
    "user_message_chunk",
];

pub(super) fn event(out: &mut Out, body: Body) {
    out.push(Heard::Event(body));
}

fn read<T: DeserializeOwned>(raw: Option<&RawValue>) -> Result<T, serde_json::Error> {
    serde_json::from_str(raw.map_or("null", RawValue::get))
}

impl AcpCodec {
    pub(super) fn decode(&mut self, line: &[u8], out: &mut Out) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let taken = serde_json::from_slice::<Line<'_>>(line).and_then(|taken| {
            match (taken.method.as_deref(), taken.id) {
                (Some(method), Some(id)) => self.request(method, id, taken.params, out),
                (Some("session/update"), None) => self.updated(line, taken.params, out),
                // Whatever the protocol did not name is an agent's own, and nobody asked for it.
                (Some(method), None) if !method.starts_with("session/") => Ok(()),
                (Some(method), None) => {
                    out.push(unknown(line, &format!("a notification `{method}`")));
                    Ok(())
                }
                (None, Some(id)) => self.response(id, taken.result, taken.error, out),
                (None, None) => {
                    out.push(unknown(line, "neither a request nor a response"));
                    Ok(())
                }
            }
        });
        if let Err(error) = taken {
            out.push(unknown(line, &error.to_string()));
        }
    }

    fn request(
        &mut self,
        method: &str,
        id: &RawValue,
        params: Option<&RawValue>,
        out: &mut Out,
    ) -> Read {
        if method == "session/request_permission" {
            let len = params.map_or(0, |params| params.get().len());
            return self.asked(id, read(params)?, len, out);
        }
        let why = format!("Paddock does not offer `{method}`");
        out.extend(say::refusal(id, &why).map(Heard::Send));
        Ok(())
    }

    /// A request for a permission, a question, or a plan. What the user permitted beforehand is answered
    /// here.
    fn asked(
        &mut self,
        id: &RawValue,
        asked: PermissionRequest,
        line_len: usize,
        out: &mut Out,
    ) -> Read {
        if self.is_former(asked.session_id.as_deref()) {
            out.extend(say::own_outcome(id, Outcome::Cancelled).map(Heard::Send));
            return Ok(());
        }
        self.speech.end(out);
        let (call_id, kind) = (
            asked.tool_call.tool_call_id.clone(),
            asked.tool_call.kind.clone(),
        );
        let mut call = self.calls.remove(&call_id).unwrap_or_default();
        call.take_shown_input();
        call.learn(asked.tool_call);
        let wants = Wants::of(kind.as_deref(), &asked.options);
        if wants != Wants::Answer {
            self.start(&call_id, &mut call, out);
        }
        let mode = self.setup.permission_mode;
        let permitted = wants == Wants::Permission && permits(mode, call.tool());
        let allowing = requests::allowing(&asked.options).filter(|_| permitted);
        if let Some(option) = allowing {
            let outcome = say::own_outcome(id, Outcome::Selected(option, None));
            out.extend(outcome.map(Heard::Send));
        } else if let Some(body) = self
            .requests
            .open(id, &call_id, wants, &call, asked.options)
        {
            event(out, body);
        } else {
            out.extend(say::own_outcome(id, Outcome::Cancelled).map(Heard::Send));
        }
        call.begin_output();
        self.keep(&call_id, call, line_len);
        Ok(())
    }

    fn updated(&mut self, line: &[u8], params: Option<&RawValue>, out: &mut Out) -> Read {
        let params: Updated<'_> = serde_json::from_str(params.map_or("null", RawValue::get))?;
        let update = params.update.get();
        let kind: UpdateKind<'_> = serde_json::from_str(update)?;
        if self.is_former(params.session.as_deref()) {
            return Ok(());
        }
        self.learn_offers(&kind.name, update, out);
        if self.telling_the_past {
            self.told_more = true;
            return Ok(());
        }
        if self.in_turn {
            out.append(&mut self.introduction);
        }
        // Gemini comments on a change of its mode in the voice of the agent.
        let is_comment = !self.settings.is_empty() && &*kind.name == "agent_message_chunk";
        match &*kind.name {
            "agent_message_chunk" if is_comment => Ok(()),
            "agent_message_chunk" => self.chunk(DeltaKind::Text, update, out),
            "agent_thought_chunk" => self.chunk(DeltaKind::Thinking, update, out),
            "tool_call" | "tool_call_update" => {
                self.tool(serde_json::from_str(update)?, update.len(), out);
                Ok(())
            }
            "plan" => {
                self.speech.end(out);
                let todos: Todos = serde_json::from_str(update)?;
                event(out, todo_list(todos.entries));
                Ok(())
            }
            "usage_update" => {
                let context: ContextUpdate = serde_json::from_str(update)?;
                self.meter.saw_context(&context);
                Ok(())
            }
            quiet if QUIET.contains(&quiet) => Ok(()),
            other => {
                out.push(unknown(line, &format!("an update `{other}`")));
                Ok(())
            }
        }
    }

    fn chunk(&mut self, kind: DeltaKind, update: &str, out: &mut Out) -> Read {
        let chunk: Chunk<'_> = serde_json::from_str(update)?;
        let meta = chunk.meta.unwrap_or_default();
        if let Some(tokens) = meta.usage {
            self.meter.saw_request(tokens);
        }
        let by = Speaker {
            message: chunk.message_id.as_deref(),
            parent: meta.parent.as_deref(),
        };
        match (
            &*chunk.content.kind,
            &chunk.content.text,
            &chunk.content.uri,
        ) {
            ("text", Some(text), _) if self.says_it_is_compact(kind, text) => {
                self.compacted(text, out);
            }
            ("text", Some(text), _) if self.says_it_tries_again(kind, text) => {
                self.tries_again(text, out);
            }
            ("text", Some(text), _) => {
                self.retries = 0;
                self.speech.hear(kind, by, text, out);
            }
            (_, _, Some(uri)) => {
                let link = format!("\n<{}>\n", &**uri);
                self.speech.hear(kind, by, &link, out);
            }
            (other, _, _) => self.speech.hear(kind, by, &format!("\n[{other}]\n"), out),
        }
        Ok(())
    }

    /// Such a message comes whole, in the turn that asked for it or after it.
    fn says_it_is_compact(&self, kind: DeltaKind, text: &str) -> bool {
        let compaction = self.profile.compact.as_ref();
        let done = compaction.is_some_and(|compaction| text.starts_with(compaction.done));
        done && self.will_be_compact && kind == DeltaKind::Text
    }

    fn compacted(&mut self, text: &str, out: &mut Out) {
        self.will_be_compact = false;
        self.speech.end(out);
        event(
            out,
            Body::ContextCondensed {
                policy: CondensePolicy::Requested,
                tokens_before: figure(text, "Tokens before: "),
                tokens_after: figure(text, "Tokens after: "),
                summary_text: None,
            },
        );
    }

    fn tool(&mut self, told: ToolCall, weight: usize, out: &mut Out) {
        self.speech.end(out);
        let id = told.tool_call_id.clone();
        let stage = Stage::of(told.status.as_deref());
        let mut call = self.calls.remove(&id).unwrap_or_default();
        let knows_input = told.raw_input.is_some();
        if told.says_a_subagent_calls() {
            call.parent = call.parent.take().or_else(|| self.working_subagent(&id));
        }
        let added = call.learn(told);
        if call.is_known(stage) && !call.started {
            if stage.is_over() {
                call.take_shown_input();
            }
            self.start(&id, &mut call, out);
            if !stage.is_over() {
                call.begin_output();
            }
        } else if call.started && !stage.is_over() && !added.is_empty() {
            // What is shown together with the input is the input once more.
            match knows_input && call.writes_its_input() {
                true => call.begin_output(),
                false => out.push(Heard::Delta(Delta {
                    kind: DeltaKind::ToolOutput,
                    key: id.clone(),
                    text: added,
                    parent_tool_call_id: None,
                })),
            }
        }
        if !stage.is_over() {
            self.keep(&id, call, weight);
            return;
        }
        let subagent = call.subagent().is_some();
        let finished = call.finished(&id, stage, &self.setup.work_dir);
        event(out, Body::ToolCallFinished(finished));
        if subagent {
            let is_error = stage == Stage::Failed;
            let tool_call_id = id;
            event(
                out,
                Body::SubagentFinished {
                    tool_call_id,
                    is_error,
                },
            );
        }
    }

    /// The call of the sub-agent that was started last and still works, where an agent says only that one
    /// of them calls.
    fn working_subagent(&self, but: &str) -> Option<String> {
        let started = |id: &&str| {
            let call = self.calls.get(id);
            *id != but && call.is_some_and(|call| call.started && call.subagent().is_some())
        };
        self.calls.keys().rev().find(started).map(str::to_owned)
    }

    /// Keeps a call that is not over, as heavy as the longest line that told of it.
    fn keep(&mut self, id: &str, mut call: Call, line_len: usize) {
        call.weight = call.weight.max(line_len);
        let weight = call.weight;
        self.calls.insert(id, call, weight);
    }

    /// Tells that a call began, once.
    fn start(&mut self, id: &str, call: &mut Call, out: &mut Out) {
        if std::mem::replace(&mut call.started, true) {
            return;
        }
        if self.in_turn {
            out.append(&mut self.introduction);
        }
        event(out, Body::ToolCallStarted(call.started(id)));
        if let Some((name, prompt)) = call.subagent() {
            let tool_call_id = id.to_owned();
            event(
                out,
                Body::SubagentStarted {
                    tool_call_id,
                    name,
                    prompt,
                },
            );
        }
        let todos = call.todos().cloned();
        let todos = todos.and_then(|todos| serde_json::from_value::<Vec<Todo>>(todos).ok());
        if let Some(todos) = todos.filter(|_| self.profile.todos_in_calls) {
            event(out, todo_list(todos));
        }
    }
}

/// The number after `label`, as it is written for people.
fn figure(text: &str, label: &str) -> Option<u64> {
    let (_, rest) = text.split_once(label)?;
    let digits = rest.chars().take_while(|c| c.is_ascii_digit() || *c == ',');
    let digits: String = digits.filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn todo_list(entries: Vec<Todo>) -> Body {
    let item = |entry: Todo| TodoItem {
        text: entry.content,
        status: match entry.status.as_str() {
            "completed" | "done" => TodoStatus::Completed,
            "in_progress" => TodoStatus::InProgress,
            _ => TodoStatus::Pending,
        },
    };
    let items = entries.into_iter().map(item).collect();
    Body::TodoUpdated { items }
}
