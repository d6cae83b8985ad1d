//! OpenAI Chat Completions, for agents that speak nothing newer.
//!
//! Source: the public Chat Completions reference. Start at [`read`], [`whole`] and [`tape`].

use serde_json::{Value, json};

use crate::answer::{Answer, Block};
use crate::bind::Input;
use crate::conversation::{Conversation, Message, Role, Shape, Tool, flat, list, string};
use crate::story::Ending;
use crate::tape::{Tape, pieces};

/// Reads a request.
pub(crate) fn read(body: &Value) -> Conversation {
    let is_system =
        |message: &&Value| message["role"] == "system" || message["role"] == "developer";
    let (system, spoken): (Vec<&Value>, Vec<&Value>) =
        list(body, "messages").iter().partition(is_system);
    let system: Vec<String> = system.iter().map(|m| flat(&m["content"])).collect();
    let tools = list(body, "tools").iter().map(|tool| Tool {
        name: string(&tool["function"], "name"),
        schema: tool["function"]["parameters"].clone(),
        shape: Shape::Function,
    });
    let format = &body["response_format"];
    let schema = match format["type"].as_str() {
        Some("json_object") => Some(json!({"type": "object"})),
        _ => Some(format["json_schema"]["schema"].clone()).filter(Value::is_object),
    };
    Conversation {
        model: string(body, "model"),
        stream: body["stream"] == true,
        system: system.join("\n"),
        messages: spoken.into_iter().map(message).collect(),
        tools: tools.collect(),
        schema,
        ..Conversation::default()
    }
}

fn message(value: &Value) -> Message {
    let text = flat(&value["content"]);
    match value["role"].as_str() {
        Some("tool") => Message::result(text),
        Some("assistant") => Message::text(Role::Assistant, text),
        _ => {
            let parts = list(value, "content").iter();
            Message {
                images: parts.filter(|part| part["type"] == "image_url").count(),
                ..Message::text(Role::User, text)
            }
        }
    }
}

/// Writes an answer as one document.
pub(crate) fn whole(answer: &Answer) -> Value {
    let mut message = json!({"role": "assistant", "content": said(answer)});
    let calls = calls(answer);
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let choice =
        json!({"index": 0, "message": message, "logprobs": null, "finish_reason": finish(answer)});
    json!({
        "id": answer.id("chatcmpl"), "object": "chat.completion", "created": 1_760_000_000,
        "model": answer.model, "choices": [choice], "usage": usage(answer),
    })
}

/// Writes an answer as events.
pub(crate) fn tape(answer: &Answer) -> Tape {
    let mut tape = Tape::default();
    add(
        &mut tape,
        answer,
        &json!({"role": "assistant", "content": ""}),
        None,
    );
    tape.pause(answer.wait);
    for piece in pieces(&said(answer)) {
        add(&mut tape, answer, &json!({"content": piece}), None);
        tape.pause(answer.pace);
    }
    for (index, call) in calls(answer).into_iter().enumerate() {
        let mut begun = call.clone();
        begun["index"] = json!(index);
        begun["function"]["arguments"] = json!("");
        add(&mut tape, answer, &json!({"tool_calls": [begun]}), None);
        for piece in pieces(&string(&call["function"], "arguments")) {
            let more = json!({"index": index, "function": {"arguments": piece}});
            add(&mut tape, answer, &json!({"tool_calls": [more]}), None);
        }
    }
    if answer.ending == Ending::Dropped {
        tape.cut();
        return tape;
    }
    add(&mut tape, answer, &json!({}), Some(finish(answer)));
    let mut last = chunk(answer, &json!([]));
    last["usage"] = usage(answer);
    tape.data(&last.to_string());
    tape.data("[DONE]");
    tape
}

fn add(tape: &mut Tape, answer: &Answer, delta: &Value, finish: Option<&str>) {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish, "logprobs": null});
    tape.data(&chunk(answer, &json!([choice])).to_string());
}

fn chunk(answer: &Answer, choices: &Value) -> Value {
    json!({
        "id": answer.id("chatcmpl"), "object": "chat.completion.chunk", "created": 1_760_000_000,
        "model": answer.model, "choices": choices,
    })
}

fn said(answer: &Answer) -> String {
    let texts = answer.blocks.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.as_str()),
        Block::Thinking(_) | Block::Call(_) => None,
    });
    texts.collect()
}

fn calls(answer: &Answer) -> Vec<Value> {
    let numbered = answer.blocks.iter().enumerate();
    let calls = numbered.filter_map(|(index, block)| match block {
        Block::Text(_) | Block::Thinking(_) => None,
        Block::Call(bound) => {
            let arguments = match &bound.input {
                Input::Object(object) | Input::Grouped { object, .. } => object.to_string(),
                Input::Text(text) => json!({ "input": text }).to_string(),
            };
            let function = json!({"name": bound.name, "arguments": arguments});
            let id = answer.block_id("call", index);
            Some(json!({"id": id, "type": "function", "function": function}))
        }
    });
    calls.collect()
}

fn finish(answer: &Answer) -> &'static str {
    match answer.ending {
        Ending::Cut => "length",
        Ending::Refused => "content_filter",
        Ending::Whole | Ending::Dropped if answer.calls() => "tool_calls",
        Ending::Whole | Ending::Dropped => "stop",
    }
}

fn usage(answer: &Answer) -> Value {
    let usage = answer.usage;
    json!({
        "prompt_tokens": usage.input, "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    })
}
