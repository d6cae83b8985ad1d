//! What we say to Claude Code.

use paddock_domain::InputId;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::base64::Base64;
use crate::{Image, Outgoing, UserInput};

/// Our id of the request that begins the conversation.
pub(super) const GREETING: &str = "greet-0";

/// Before the id of the input that asked for an interrupt.
pub(super) const INTERRUPT: &str = "interrupt:";

/// Before the id of the input that asked for another permission mode.
pub(super) const MODE: &str = "mode:";

/// Before the id of the input that asked for another model.
pub(super) const MODEL: &str = "model:";

pub(super) fn greeting() -> Option<Outgoing> {
    let request = json!({"subtype": "initialize", "hooks": null});
    Outgoing::named(GREETING, &control(GREETING, &request))
}

/// A user's message: a text, or blocks where images come with it.
pub(super) fn user(id: &InputId, input: &UserInput<'_>) -> Option<Outgoing> {
    #[derive(Serialize)]
    struct Line<'a> {
        r#type: &'static str,
        message: Message<'a>,
    }
    #[derive(Serialize)]
    struct Message<'a> {
        role: &'static str,
        content: Content<'a>,
    }
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Content<'a> {
        Text(&'a str),
        Blocks(Vec<Block<'a>>),
    }
    let text = input.text;
    let content = match input.images {
        [] => Content::Text(text),
        images => {
            let words = (!text.is_empty()).then_some(Block::Text { text });
            Content::Blocks(
                words
                    .into_iter()
                    .chain(images.iter().map(Block::of))
                    .collect(),
            )
        }
    };
    let role = "user";
    let message = Message { role, content };
    let r#type = "user";
    Outgoing::new(id, &Line { r#type, message })
}

/// One part of a message.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Block<'a> {
    Text { text: &'a str },
    Image { source: Source<'a> },
}

#[derive(Serialize)]
struct Source<'a> {
    r#type: &'static str,
    media_type: &'a str,
    data: Base64<'a>,
}

impl<'a> Block<'a> {
    fn of(image: &'a Image) -> Self {
        Self::Image {
            source: Source {
                r#type: "base64",
                media_type: &image.media_type,
                data: Base64(&image.data),
            },
        }
    }
}

pub(super) fn interrupt(id: &InputId) -> Option<Outgoing> {
    let request = json!({"subtype": "interrupt"});
    Outgoing::new(id, &control(&format!("{INTERRUPT}{id}"), &request))
}

pub(super) fn set_model(id: &InputId, model: &str) -> Option<Outgoing> {
    let request = json!({"subtype": "set_model", "model": model});
    Outgoing::new(id, &control(&format!("{MODEL}{id}"), &request))
}

pub(super) fn set_permission_mode(id: &InputId, mode: &str) -> Option<Outgoing> {
    let request = json!({"subtype": "set_permission_mode", "mode": mode});
    Outgoing::new(id, &control(&format!("{MODE}{id}"), &request))
}

fn control(request_id: &str, request: &Value) -> Value {
    json!({"type": "control_request", "request_id": request_id, "request": request})
}

/// The answer to a `can_use_tool`.
#[derive(Serialize)]
#[serde(tag = "behavior", rename_all = "lowercase")]
pub(super) enum Permission<'a> {
    Allow {
        #[serde(rename = "updatedInput")]
        input: &'a RawValue,
        #[serde(rename = "updatedPermissions", skip_serializing_if = "Vec::is_empty")]
        permissions: Vec<Value>,
    },
    Deny {
        message: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        interrupt: bool,
    },
}

/// The answer `permission` to the request `request_id`.
pub(super) fn permission(
    id: &InputId,
    request_id: &str,
    permission: &Permission<'_>,
) -> Option<Outgoing> {
    #[derive(Serialize)]
    struct Line<'a> {
        r#type: &'static str,
        response: Response<'a>,
    }
    #[derive(Serialize)]
    struct Response<'a> {
        subtype: &'static str,
        request_id: &'a str,
        response: &'a Permission<'a>,
    }
    let response = Response {
        subtype: "success",
        request_id,
        response: permission,
    };
    let r#type = "control_response";
    Outgoing::new(id, &Line { r#type, response })
}

/// No, to a request that we do not know; unanswered it would keep the program waiting.
pub(super) fn refusal(request_id: &str, why: &str) -> Option<Outgoing> {
    let tail: String = request_id.chars().take(48).collect();
    let response = json!({"subtype": "error", "request_id": request_id, "error": why});
    let line = json!({"type": "control_response", "response": response});
    Outgoing::named(&format!("refuse-{tail}"), &line)
}
