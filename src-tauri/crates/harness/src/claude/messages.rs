//! What goes between the model and its tools: messages, their pieces, tool calls and results.

use std::fmt::Write as _;

use paddock_domain::{BlockKind, Body, Delta, DeltaKind, TodoItem, TodoStatus};
use serde_json::Value;
use serde_json::value::RawValue;

use super::asked::plan_of;
use super::codec::{ClaudeCodec, OpenTool};
use super::decode::{Out, Read, event};
use super::tools;
use super::wire::{Assistant, ContentBlock, StreamEvent, User};
use crate::Heard;
use crate::bodies::message;
use crate::json::Text;

/// Longest id of a message that is kept for its deltas, in characters.
const ID_MAX: usize = 128;

/// Room for the number of a block and what stands before it.
const INDEX_LEN: usize = 8;

impl ClaudeCodec {
    pub(super) fn stream_event(&mut self, said: &StreamEvent<'_>, out: &mut Out) {
        let part = &said.event;
        match &*part.kind {
            "content_block_delta" => {
                let Some(delta) = &part.delta else { return };
                let (kind, text) = match (&delta.text, &delta.thinking) {
                    (Some(text), _) => (DeltaKind::Text, text),
                    (None, Some(text)) => (DeltaKind::Thinking, text),
                    (None, None) => return, // a tool's input or a signature
                };
                let message = said.api_message_id.as_deref().unwrap_or(&self.streaming);
                // Thousands a second: one allocation for each text, none to let it grow.
                let mut key = String::with_capacity(message.len() + INDEX_LEN);
                let _ = write!(key, "{message}:{}", part.index.unwrap_or_default());
                let parent = said.parent_tool_use_id.as_deref();
                out.push(Heard::Delta(Delta {
                    kind,
                    key,
                    text: (**text).to_owned(),
                    parent_tool_call_id: parent.map(str::to_owned),
                }));
            }
            "message_start" => {
                let id = part
                    .message
                    .as_ref()
                    .and_then(|message| message.id.as_deref());
                self.streaming.clear();
                self.streaming
                    .extend(id.unwrap_or_default().chars().take(ID_MAX));
            }
            "message_delta" if said.parent_tool_use_id.is_none() => {
                self.meter.saw_message_end(part.usage.unwrap_or_default());
            }
            _ => {} // the beginnings and ends of parts
        }
    }

    pub(super) fn assistant(&mut self, said: Assistant<'_>, out: &mut Out) -> Read {
        let blocks = blocks(said.message.content)?;
        let parent = said.parent_tool_use_id.map(Text::into_owned);
        if parent.is_none() {
            self.begin_turn(out);
        }
        if said.is_api_error_message {
            // The result tells the failure; only a refusal is an answer as well.
            self.spoken_error = said.error.map(Text::into_owned);
            if said.message.stop_reason.as_deref() == Some("refusal") {
                for text in blocks.into_iter().filter_map(|block| block.text) {
                    event(
                        out,
                        message(BlockKind::Refusal, text.into_owned(), parent.clone()),
                    );
                }
            }
            return Ok(());
        }
        let synthetic = said.message.model.as_deref() == Some("<synthetic>");
        if parent.is_none() && !synthetic {
            self.meter
                .saw_message(said.message.usage.unwrap_or_default());
        }
        for block in blocks {
            self.assistant_block(block, parent.as_deref(), out);
        }
        Ok(())
    }

    fn assistant_block(&mut self, block: ContentBlock<'_>, parent: Option<&str>, out: &mut Out) {
        let parent = parent.map(str::to_owned);
        match &*block.kind {
            "text" => {
                let text = block.text.filter(|text| !text.trim().is_empty());
                if let Some(text) = text {
                    event(out, message(BlockKind::Text, text.into_owned(), parent));
                }
            }
            "thinking" => {
                let text = block.thinking.filter(|text| !text.trim().is_empty());
                if let Some(text) = text {
                    let thinking = Body::Thinking {
                        text: text.into_owned(),
                        parent_tool_call_id: parent,
                    };
                    event(out, thinking);
                }
            }
            "tool_use" | "server_tool_use" => self.tool_use(block, parent, out),
            _ => {} // redacted thinking and results of the provider's own tools
        }
    }

    fn tool_use(&mut self, block: ContentBlock<'_>, parent: Option<String>, out: &mut Out) {
        let (Some(id), Some(name)) = (block.id, block.name) else {
            return;
        };
        if matches!(&*name, tools::ASK | tools::EXIT_PLAN) {
            let plan = block.input.and_then(plan_of).unwrap_or_default();
            let weight = plan.len();
            self.hidden.insert(&id, plan, weight);
            return;
        }
        let call = tools::started(id.into_owned(), name.into_owned(), block.input, parent);
        let open = OpenTool {
            tool: call.tool,
            parent: call.parent_tool_call_id.clone(),
        };
        self.tools.insert(&call.tool_call_id, open, 0);
        let todos = (call.tool_name == "TodoWrite").then(|| todos(call.args.as_ref()));
        event(out, Body::ToolCallStarted(call));
        if let Some(items) = todos.flatten() {
            event(out, Body::TodoUpdated { items });
        }
    }

    /// Of what goes to the model only tool results are news: the rest is what the user said, what was
    /// said in the user's name, and what sub-agents were told.
    pub(super) fn user(&mut self, said: &User<'_>, out: &mut Out) -> Read {
        for block in blocks(said.message.content)? {
            let Some(id) = block.tool_use_id.as_deref() else {
                continue;
            };
            self.requests.close_tool(id);
            if self.hidden.remove(id).is_some() {
                continue;
            }
            let open = self.tools.remove(id);
            let (tool, parent) = open.map_or((None, None), |open| (Some(open.tool), open.parent));
            let parent = parent.or_else(|| said.parent_tool_use_id.as_deref().map(str::to_owned));
            let work_dir = &self.setup.work_dir;
            let detail = said.tool_use_result;
            let id = id.to_owned();
            let finished = tools::finished(&block, id, tool, parent, detail, work_dir);
            event(out, Body::ToolCallFinished(finished));
        }
        Ok(())
    }
}

/// The blocks of a content; a plain text is one block.
fn blocks(content: &RawValue) -> Result<Vec<ContentBlock<'_>>, serde_json::Error> {
    match content.get().as_bytes().first() {
        Some(b'[') => serde_json::from_str(content.get()),
        Some(_) | None => Ok(vec![ContentBlock::text(serde_json::from_str(
            content.get(),
        )?)]),
    }
}

fn todos(args: Option<&Value>) -> Option<Vec<TodoItem>> {
    let list = args?.get("todos")?.as_array()?;
    let items = list.iter().filter_map(|item| {
        let text = item.get("content")?.as_str()?.to_owned();
        let status = match item.get("status")?.as_str()? {
            "in_progress" => TodoStatus::InProgress,
            "completed" => TodoStatus::Completed,
            _ => TodoStatus::Pending,
        };
        Some(TodoItem { text, status })
    });
    Some(items.collect())
}
