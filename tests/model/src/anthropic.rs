//! Anthropic Messages, as Claude Code speaks it.
//!
//! Source: the public Messages API reference, and what Claude Code 2.1 sends. Start at [`read`],
//! [`whole`] and [`tape`].

use serde_json::{Value, json};

use crate::answer::{Answer, Block};
use crate::bind::Input;
use crate::conversation::{Conversation, Message, Role, Shape, Tool, flat, list, string};
use crate::fault;
use crate::story::Ending;
use crate::tape::{Tape, pieces};

/// Stands where a real answer has its proof of thinking.
const SIGNATURE: &str = "c2NyaXB0ZWQtc2lnbmF0dXJl";

/// Reads a request.
pub(crate) fn read(body: &Value) -> Conversation {
    let tools = list(body, "tools").iter().map(|tool| Tool {
        name: string(tool, "name"),
        schema: tool["input_schema"].clone(),
        shape: Shape::Function,
    });
    let schemas = [
        &body["output_config"]["format"]["schema"],
        &body["output_format"]["schema"],
    ];
    Conversation {
        model: string(body, "model"),
        stream: body["stream"] == true,
        system: flat(&body["system"]),
        messages: list(body, "messages").iter().map(message).collect(),
        tools: tools.collect(),
        schema: schemas.into_iter().find(|s| s.is_object()).cloned(),
        ..Conversation::default()
    }
}

fn message(value: &Value) -> Message {
    let role = match value["role"].as_str() {
        Some("assistant") => Role::Assistant,
        Some("system") => Role::System,
        _ => Role::User,
    };
    if let Value::String(text) = &value["content"] {
        return Message::text(role, text.clone());
    }
    let mut texts = Vec::new();
    let mut message = Message::text(role, String::new());
    for part in list(value, "content") {
        match part["type"].as_str() {
            Some("text") => texts.push(string(part, "text")),
            Some("tool_result") => {
                message.results.push(flat(&part["content"]));
                let inside = list(part, "content").iter();
                message.images += inside.filter(|part| part["type"] == "image").count();
            }
            Some("image" | "document") => message.images += 1,
            _ => {}
        }
    }
    message.text = texts.join("\n");
    message
}

/// Writes an answer as one document.
pub(crate) fn whole(answer: &Answer) -> Value {
    let blocks: Vec<Value> = (0..answer.blocks.len()).map(|n| block(answer, n)).collect();
    let mut document = head(answer);
    document["content"] = json!(blocks);
    document["stop_reason"] = json!(stop_reason(answer));
    document["usage"] = usage(answer, answer.usage.output);
    document
}

/// Writes an answer as events.
pub(crate) fn tape(answer: &Answer) -> Tape {
    let mut tape = Tape::default();
    let start = json!({"type": "message_start", "message": head(answer)});
    tape.event("message_start", &start);
    tape.event("ping", &json!({"type": "ping"}));
    tape.pause(answer.wait);
    for index in 0..answer.blocks.len() {
        stream_block(&mut tape, answer, index);
    }
    if answer.ending == Ending::Dropped {
        tape.cut();
        return tape;
    }
    let stop = json!({"stop_reason": stop_reason(answer), "stop_sequence": null});
    let usage = usage(answer, answer.usage.output);
    let end = json!({"type": "message_delta", "delta": stop, "usage": usage});
    tape.event("message_delta", &end);
    tape.event("message_stop", &json!({"type": "message_stop"}));
    tape
}

/// The body of an error.
pub(crate) fn error(status: u16, message: &str) -> Value {
    let kind = fault::anthropic_kind(status);
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_fake"})
}

fn stream_block(tape: &mut Tape, answer: &Answer, index: usize) {
    let whole = block(answer, index);
    let mut empty = whole.clone();
    let deltas: Vec<Value> = match &answer.blocks[index] {
        Block::Thinking(text) => {
            empty["thinking"] = json!("");
            empty["signature"] = json!("");
            let thought = pieces(text)
                .into_iter()
                .map(|piece| json!({"type": "thinking_delta", "thinking": piece}));
            let signed = json!({"type": "signature_delta", "signature": SIGNATURE});
            thought.chain([signed]).collect()
        }
        Block::Text(text) => {
            empty["text"] = json!("");
            let said = pieces(text).into_iter();
            said.map(|piece| json!({"type": "text_delta", "text": piece}))
                .collect()
        }
        Block::Call(_) => {
            empty["input"] = json!({});
            let input = whole["input"].to_string();
            let written = pieces(&input).into_iter();
            let delta = |piece| json!({"type": "input_json_delta", "partial_json": piece});
            written.map(delta).collect()
        }
    };
    let start = json!({"type": "content_block_start", "index": index, "content_block": empty});
    tape.event("content_block_start", &start);
    for delta in deltas {
        let delta = json!({"type": "content_block_delta", "index": index, "delta": delta});
        tape.event("content_block_delta", &delta);
        tape.pause(answer.pace);
    }
    let stop = json!({"type": "content_block_stop", "index": index});
    tape.event("content_block_stop", &stop);
}

fn block(answer: &Answer, index: usize) -> Value {
    match &answer.blocks[index] {
        Block::Thinking(text) => {
            json!({"type": "thinking", "thinking": text, "signature": SIGNATURE})
        }
        Block::Text(text) => json!({"type": "text", "text": text}),
        Block::Call(bound) => {
            let input = match &bound.input {
                Input::Object(object) | Input::Grouped { object, .. } => object.clone(),
                Input::Text(text) => json!({ "input": text }),
            };
            let id = answer.block_id("toolu", index);
            json!({"type": "tool_use", "id": id, "name": bound.name, "input": input})
        }
    }
}

fn head(answer: &Answer) -> Value {
    json!({
        "id": answer.id("msg"), "type": "message", "role": "assistant", "model": answer.model,
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage(answer, 1),
    })
}

fn stop_reason(answer: &Answer) -> &'static str {
    match answer.ending {
        Ending::Cut => "max_tokens",
        Ending::Refused => "refusal",
        Ending::Whole | Ending::Dropped if answer.calls() => "tool_use",
        Ending::Whole | Ending::Dropped => "end_turn",
    }
}

fn usage(answer: &Answer, output: u64) -> Value {
    let usage = answer.usage;
    json!({
        "input_tokens": usage.input - usage.cached, "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached, "output_tokens": output, "service_tier": "standard",
    })
}
