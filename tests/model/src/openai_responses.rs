//! OpenAI Responses, as Codex speaks it.
//!
//! Source: the public Responses API reference, and what Codex 0.169 sends: tools also arrive inside
//! the input, in groups, and take plain text as well as JSON. Start at [`read`], [`whole`], [`tape`].

use serde_json::{Value, json};

use crate::answer::{Answer, Block};
use crate::bind::Input;
use crate::conversation::{Conversation, Message, Role, Shape, Tool, flat, list, string};
use crate::story::{Ending, SUMMARY};
use crate::tape::{Tape, pieces};

/// Reads a request.
pub(crate) fn read(body: &Value) -> Conversation {
    let messages = match body["input"].as_str() {
        Some(text) => vec![Message::text(Role::User, text.to_owned())],
        None => list(body, "input").iter().filter_map(message).collect(),
    };
    let brought = list(body, "input").iter().filter(|item| {
        matches!(
            item["type"].as_str(),
            Some("additional_tools" | "tool_search_output")
        )
    });
    let brought = brought.flat_map(|item| list(item, "tools"));
    let schema = &body["text"]["format"]["schema"];
    Conversation {
        model: string(body, "model"),
        stream: body["stream"] == true,
        system: string(body, "instructions"),
        messages,
        tools: list(body, "tools")
            .iter()
            .chain(brought)
            .flat_map(tools)
            .collect(),
        schema: schema.is_object().then(|| schema.clone()),
        ..Conversation::default()
    }
}

fn message(item: &Value) -> Option<Message> {
    let kind = item["type"].as_str().unwrap_or("message");
    let message = match kind {
        "message" => {
            let role = match item["role"].as_str() {
                Some("assistant") => Role::Assistant,
                Some("developer" | "system") => Role::System,
                _ => Role::User,
            };
            let parts = list(item, "content").iter();
            Message {
                images: parts.filter(|part| part["type"] == "input_image").count(),
                ..Message::text(role, flat(&item["content"]))
            }
        }
        "agent_message" => {
            let parts = list(item, "content").iter();
            let texts = parts.map(|part| match part["text"].as_str() {
                Some(text) => text.to_owned(),
                None => string(part, "encrypted_content"),
            });
            let texts: Vec<String> = texts.collect();
            Message::text(Role::User, texts.join("\n"))
        }
        "compaction" | "compaction_summary" => Message::text(Role::User, SUMMARY.to_owned()),
        "additional_tools" => return None,
        output if output.ends_with("_output") => Message::result(flat(&item["output"])),
        call if call.ends_with("_call") || call == "reasoning" => {
            Message::text(Role::Assistant, String::new())
        }
        _ => return None,
    };
    Some(message)
}

fn tools(offer: &Value) -> Vec<Tool> {
    let group = string(offer, "name");
    if offer["type"] != "namespace" {
        return vec![tool(offer, None)];
    }
    // The group named "functions" is no group: its tools are called by their bare names.
    let group = (group != "functions").then_some(group);
    let inner = list(offer, "tools").iter();
    inner.map(|inner| tool(inner, group.clone())).collect()
}

fn tool(offer: &Value, group: Option<String>) -> Tool {
    let name = match offer["name"].as_str() {
        Some(name) => name.to_owned(),
        None => string(offer, "type"),
    };
    let shape = match (group, offer["type"].as_str()) {
        (Some(group), _) => Shape::Grouped(group),
        (None, Some("custom")) => Shape::Custom,
        (None, _) => Shape::Function,
    };
    Tool {
        name,
        schema: offer["parameters"].clone(),
        shape,
    }
}

/// Writes an answer as one document.
pub(crate) fn whole(answer: &Answer) -> Value {
    let mut document = head(answer);
    let items: Vec<Value> = (0..answer.blocks.len()).map(|n| item(answer, n)).collect();
    document["output"] = json!(items);
    document["usage"] = usage(answer);
    document["status"] = json!("completed");
    if answer.ending == Ending::Cut {
        document["status"] = json!("incomplete");
        document["incomplete_details"] = json!({"reason": "max_output_tokens"});
    }
    document
}

/// Writes an answer as events.
pub(crate) fn tape(answer: &Answer) -> Tape {
    let mut events = Events::default();
    events.add("response.created", json!({"response": head(answer)}));
    events.add("response.in_progress", json!({"response": head(answer)}));
    events.tape.pause(answer.wait);
    for index in 0..answer.blocks.len() {
        events.stream_item(answer, index);
    }
    match answer.ending {
        Ending::Dropped => events.tape.cut(),
        Ending::Cut => events.add("response.incomplete", json!({"response": whole(answer)})),
        Ending::Whole | Ending::Refused => {
            events.add("response.completed", json!({"response": whole(answer)}));
        }
    }
    events.tape
}

/// Events with their running number.
#[derive(Default)]
struct Events {
    tape: Tape,
    number: u64,
}

impl Events {
    fn add(&mut self, kind: &str, mut event: Value) {
        event["type"] = json!(kind);
        event["sequence_number"] = json!(self.number);
        self.number += 1;
        self.tape.event(kind, &event);
    }

    fn stream_item(&mut self, answer: &Answer, index: usize) {
        let whole = item(answer, index);
        let mut begun = whole.clone();
        begun["status"] = json!("in_progress");
        match &answer.blocks[index] {
            Block::Thinking(text) => {
                begun["summary"] = json!([]);
                self.begin(index, &begun);
                self.stream_thought(answer, index, text);
            }
            Block::Text(text) => {
                begun["content"] = json!([]);
                self.begin(index, &begun);
                self.stream_text(answer, index, text);
            }
            Block::Call(_) => {
                let (field, kind) = match whole["type"].as_str() {
                    Some("custom_tool_call") => ("input", "response.custom_tool_call_input"),
                    _ => ("arguments", "response.function_call_arguments"),
                };
                begun[field] = json!("");
                self.begin(index, &begun);
                let input = string(&whole, field);
                self.stream_pieces(answer, index, kind, field, &input);
            }
        }
        let done = json!({"output_index": index, "item": whole});
        self.add("response.output_item.done", done);
    }

    fn begin(&mut self, index: usize, item: &Value) {
        let event = json!({"output_index": index, "item": item});
        self.add("response.output_item.added", event);
    }

    fn stream_thought(&mut self, answer: &Answer, index: usize, text: &str) {
        let id = item(answer, index)["id"].clone();
        let part = |text: &str| {
            let part = json!({"type": "summary_text", "text": text});
            json!({"item_id": id, "output_index": index, "summary_index": 0, "part": part})
        };
        self.add("response.reasoning_summary_part.added", part(""));
        let kind = "response.reasoning_summary_text";
        self.stream_pieces(answer, index, kind, "text", text);
        self.add("response.reasoning_summary_part.done", part(text));
    }

    fn stream_text(&mut self, answer: &Answer, index: usize, text: &str) {
        let id = item(answer, index)["id"].clone();
        let part = |text: &str| {
            let part = json!({"type": "output_text", "text": text, "annotations": []});
            json!({"item_id": id, "output_index": index, "content_index": 0, "part": part})
        };
        self.add("response.content_part.added", part(""));
        self.stream_pieces(answer, index, "response.output_text", "text", text);
        self.add("response.content_part.done", part(text));
    }

    /// Streams `text` as `KIND.delta` events and one `KIND.done` that holds it in `field`.
    fn stream_pieces(
        &mut self,
        answer: &Answer,
        index: usize,
        kind: &str,
        field: &str,
        text: &str,
    ) {
        let id = item(answer, index)["id"].clone();
        let event =
            json!({"item_id": id, "output_index": index, "content_index": 0, "summary_index": 0});
        for piece in pieces(text) {
            let mut delta = event.clone();
            delta["delta"] = json!(piece);
            self.add(&format!("{kind}.delta"), delta);
            self.tape.pause(answer.pace);
        }
        let mut done = event;
        done[field] = json!(text);
        self.add(&format!("{kind}.done"), done);
    }
}

fn item(answer: &Answer, index: usize) -> Value {
    let id = |prefix| answer.block_id(prefix, index);
    match &answer.blocks[index] {
        Block::Thinking(text) => json!({
            "id": id("rs"), "type": "reasoning", "encrypted_content": "c2NyaXB0ZWQ=",
            "summary": [{"type": "summary_text", "text": text}],
        }),
        Block::Text(text) => json!({
            "id": id("msg"), "type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}],
        }),
        Block::Call(bound) => {
            let mut call =
                json!({"status": "completed", "call_id": id("call"), "name": bound.name});
            match &bound.input {
                Input::Text(text) => {
                    call["id"] = json!(id("ctc"));
                    call["type"] = json!("custom_tool_call");
                    call["input"] = json!(text);
                }
                Input::Object(object) | Input::Grouped { object, .. } => {
                    call["id"] = json!(id("fc"));
                    call["type"] = json!("function_call");
                    call["arguments"] = json!(object.to_string());
                }
            }
            if let Input::Grouped { group, .. } = &bound.input {
                call["namespace"] = json!(group);
            }
            call
        }
    }
}

fn head(answer: &Answer) -> Value {
    json!({
        "id": answer.id("resp"), "object": "response", "created_at": 1_760_000_000,
        "status": "in_progress", "model": answer.model, "output": [], "parallel_tool_calls": true,
        "tool_choice": "auto", "tools": [], "usage": null, "error": null, "metadata": {},
        "incomplete_details": null, "instructions": null, "temperature": 1.0, "top_p": 1.0,
    })
}

fn usage(answer: &Answer) -> Value {
    let usage = answer.usage;
    json!({
        "input_tokens": usage.input, "input_tokens_details": {"cached_tokens": usage.cached},
        "output_tokens": usage.output, "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.input + usage.output,
    })
}
