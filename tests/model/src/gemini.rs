//! Gemini's `generateContent`, for agents that speak it.
//!
//! Source: the public Gemini API reference. Start at [`read`], [`whole`] and [`tape`].

use serde_json::{Value, json};

use crate::answer::{Answer, Block};
use crate::bind::Input;
use crate::conversation::{Conversation, Message, Role, Shape, Tool, flat, list, string};
use crate::fault::Fault;
use crate::story::Ending;
use crate::tape::Tape;

/// Reads a request; the path names the model and whether to stream.
pub(crate) fn read(body: &Value) -> Conversation {
    let offers = list(body, "tools").iter();
    let tools = offers.flat_map(|offer| list(offer, "functionDeclarations"));
    let tools = tools.map(|tool| {
        let schemas = [&tool["parametersJsonSchema"], &tool["parameters"]];
        let schema = schemas.into_iter().find(|schema| schema.is_object());
        Tool {
            name: string(tool, "name"),
            schema: schema.cloned().unwrap_or_default(),
            shape: Shape::Function,
        }
    });
    let config = &body["generationConfig"];
    let schemas = [&config["responseJsonSchema"], &config["responseSchema"]];
    Conversation {
        system: flat(&body["systemInstruction"]["parts"]),
        messages: list(body, "contents").iter().map(message).collect(),
        tools: tools.collect(),
        schema: schemas.into_iter().find(|s| s.is_object()).cloned(),
        ..Conversation::default()
    }
}

fn message(value: &Value) -> Message {
    let role = match value["role"].as_str() {
        Some("model") => Role::Assistant,
        _ => Role::User,
    };
    let mut texts = Vec::new();
    let mut message = Message::text(role, String::new());
    for part in list(value, "parts") {
        if part["text"].is_string() && part["thought"] != true {
            texts.push(string(part, "text"));
        }
        if part["functionResponse"].is_object() {
            let response = &part["functionResponse"]["response"];
            message.results.push(response.to_string());
        }
        message.images += usize::from(part["inlineData"].is_object());
    }
    message.text = texts.join("\n");
    message
}

/// Writes an answer as one document.
pub(crate) fn whole(answer: &Answer) -> Value {
    document(answer, &json!(parts(answer)), Some(finish(answer)))
}

/// Writes an answer as events: one for each part.
pub(crate) fn tape(answer: &Answer) -> Tape {
    let mut tape = Tape::default();
    tape.pause(answer.wait);
    for part in parts(answer) {
        tape.data(&document(answer, &json!([part]), None).to_string());
        tape.pause(answer.pace);
    }
    if answer.ending == Ending::Dropped {
        tape.cut();
        return tape;
    }
    let nothing = json!([{"text": ""}]);
    tape.data(&document(answer, &nothing, Some(finish(answer))).to_string());
    tape
}

/// The body of an error.
pub(crate) fn error(fault: &Fault) -> Value {
    let status = match fault.status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        429 => "RESOURCE_EXHAUSTED",
        503 | 529 => "UNAVAILABLE",
        _ => "INTERNAL",
    };
    let mut error = json!({"code": fault.status, "message": fault.message, "status": status});
    if let Some(seconds) = fault.retry_after {
        let kind = "type.googleapis.com/google.rpc.RetryInfo";
        error["details"] = json!([{"@type": kind, "retryDelay": format!("{seconds}s")}]);
    }
    json!({ "error": error })
}

fn parts(answer: &Answer) -> Vec<Value> {
    let numbered = answer.blocks.iter().enumerate();
    let parts = numbered.map(|(index, block)| match block {
        Block::Thinking(text) => json!({"text": text, "thought": true}),
        Block::Text(text) => json!({ "text": text }),
        Block::Call(bound) => {
            let arguments = match &bound.input {
                Input::Object(object) | Input::Grouped { object, .. } => object.clone(),
                Input::Text(text) => json!({ "input": text }),
            };
            let id = answer.block_id("call", index);
            json!({"functionCall": {"id": id, "name": bound.name, "args": arguments}})
        }
    });
    parts.collect()
}

fn document(answer: &Answer, parts: &Value, finish: Option<&str>) -> Value {
    let usage = answer.usage;
    let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    if let Some(finish) = finish {
        candidate["finishReason"] = json!(finish);
    }
    json!({
        "candidates": [candidate], "modelVersion": answer.model, "responseId": answer.id("resp"),
        "usageMetadata": {
            "promptTokenCount": usage.input, "candidatesTokenCount": usage.output,
            "totalTokenCount": usage.input + usage.output,
            "cachedContentTokenCount": usage.cached, "thoughtsTokenCount": usage.reasoning,
        },
    })
}

fn finish(answer: &Answer) -> &'static str {
    match answer.ending {
        Ending::Cut => "MAX_TOKENS",
        Ending::Refused => "SAFETY",
        Ending::Whole | Ending::Dropped => "STOP",
    }
}
