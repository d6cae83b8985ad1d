//! What we say to an agent of the Agent Client Protocol.
//!
//! The ids of our requests are texts that say what they were for, so that a response is understood
//! without remembering the request.

use paddock_domain::{InputId, PermissionMode};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::base64::Base64;
use crate::mode;
use crate::{Outgoing, UserInput};

/// Version of the protocol that we speak.
pub(super) const PROTOCOL: u64 = 1;

/// Ids of the requests that begin the conversation.
pub(super) const INITIALIZE: &str = "initialize";
pub(super) const SESSION: &str = "session-";
/// Before the name of a setting.
pub(super) const SETTING: &str = "setting-";
/// Before the number of the round, in the name of a setting that only waits for the past to be told.
pub(super) const PAST: &str = "past-";
/// Before the id of the input, in the id of a prompt.
pub(super) const PROMPT: &str = "prompt:";
/// The same for a command that has the context shortened.
pub(super) const COMPACT: &str = "compact:";
/// Before the id of the input, in the id of a change of the model.
pub(super) const MODEL: &str = "model:";

/// JSON-RPC's code for a method that is not offered.
const METHOD_NOT_FOUND: i32 = -32601;

/// Offers no file system and no terminal: the agent works in the box and has both there.
pub(super) fn initialize() -> Option<Outgoing> {
    let none = json!({"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false});
    let us = json!({"name": "paddock", "title": "Paddock", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": PROTOCOL, "clientCapabilities": none, "clientInfo": us});
    Outgoing::named(INITIALIZE, &request(INITIALIZE, "initialize", &params))
}

/// How a session is had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    New,
    /// The agent goes on without telling the past.
    Resume,
    /// The agent tells the past first.
    Load,
}

/// Begins a session, or goes on with `session`. `attempt` tells one try from the next.
pub(super) fn open(
    how: Opening,
    session: Option<&str>,
    work_dir: &str,
    attempt: u32,
) -> Option<Outgoing> {
    let mut params = json!({"cwd": work_dir, "mcpServers": []});
    let method = match how {
        Opening::New => "session/new",
        Opening::Resume => "session/resume",
        Opening::Load => "session/load",
    };
    if let (Opening::Resume | Opening::Load, Some(session)) = (how, session) {
        params["sessionId"] = json!(session);
    }
    let id = format!("{SESSION}{attempt}");
    Outgoing::named(&id, &request(&id, method, &params))
}

/// A choice for the session, by whichever of the protocol's ways the agent has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way<'a> {
    Mode,
    Model,
    Option(&'a str),
}

/// The parameters that choose `value`, and the method.
fn choice(session: &str, way: Way<'_>, value: &str) -> (&'static str, Value) {
    match way {
        Way::Mode => (
            "session/set_mode",
            json!({"sessionId": session, "modeId": value}),
        ),
        Way::Model => (
            "session/set_model",
            json!({"sessionId": session, "modelId": value}),
        ),
        Way::Option(option) => (
            "session/set_config_option",
            json!({"sessionId": session, "configId": option, "value": value}),
        ),
    }
}

/// Chooses `value` before the first prompt; `name` says what is chosen.
pub(super) fn setting(name: &str, session: &str, way: Way<'_>, value: &str) -> Option<Outgoing> {
    let (method, params) = choice(session, way, value);
    let id = format!("{SETTING}{name}");
    Outgoing::named(&id, &request(&id, method, &params))
}

/// Asks for what no agent offers: its refusal comes after whatever the agent told before it read this.
pub(super) fn past(name: &str) -> Option<Outgoing> {
    let id = format!("{SETTING}{name}");
    Outgoing::named(&id, &request(&id, "_paddock/past", &json!({})))
}

/// Chooses a model because a user asked for it.
pub(super) fn set_model(
    id: &InputId,
    session: &str,
    way: Way<'_>,
    model: &str,
) -> Option<Outgoing> {
    let (method, params) = choice(session, way, model);
    Outgoing::new(id, &request(&format!("{MODEL}{id}"), method, &params))
}

/// Chooses a permission mode because a user asked for it: `value` is the agent's name for `mode`.
pub(super) fn set_mode(
    id: &InputId,
    session: &str,
    way: Way<'_>,
    mode: PermissionMode,
    value: &str,
) -> Option<Outgoing> {
    let (method, params) = choice(session, way, value);
    Outgoing::new(id, &request(&mode::request_id(mode, id), method, &params))
}

/// A user's message: one turn. `what` is [`PROMPT`] or [`COMPACT`].
pub(super) fn prompt(
    what: &str,
    id: &InputId,
    session: &str,
    input: &UserInput<'_>,
) -> Option<Outgoing> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Params<'a> {
        session_id: &'a str,
        prompt: Vec<Part<'a>>,
    }
    #[derive(Serialize)]
    #[serde(tag = "type", rename_all = "lowercase")]
    enum Part<'a> {
        Text {
            text: &'a str,
        },
        Image {
            #[serde(rename = "mimeType")]
            media_type: &'a str,
            data: Base64<'a>,
        },
    }
    let words = Part::Text { text: input.text };
    let images = input.images.iter().map(|image| Part::Image {
        media_type: &image.media_type,
        data: Base64(&image.data),
    });
    let params = Params {
        session_id: session,
        prompt: std::iter::once(words).chain(images).collect(),
    };
    Outgoing::new(
        id,
        &request(&format!("{what}{id}"), "session/prompt", &params),
    )
}

/// Ends the turn.
pub(super) fn cancel(id: &InputId, session: &str) -> Option<Outgoing> {
    let params = json!({"sessionId": session});
    let line = json!({"jsonrpc": "2.0", "method": "session/cancel", "params": params});
    Outgoing::new(id, &line)
}

/// What a permission request gets for an answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome<'a> {
    /// One of its options; with words that follow as a message of their own.
    Selected(&'a str, Option<&'a str>),
    /// The turn is being cancelled.
    Cancelled,
}

impl Outcome<'_> {
    fn as_json(&self) -> Value {
        match self {
            Self::Selected(option, words) => {
                let mut result = json!({"outcome": {"outcome": "selected", "optionId": option}});
                if let Some(words) = words {
                    result["_meta"] = json!({"paddock_then_say": words});
                }
                result
            }
            Self::Cancelled => json!({"outcome": {"outcome": "cancelled"}}),
        }
    }
}

/// A user's answer to a permission request.
pub(super) fn outcome(id: &InputId, rpc_id: &RawValue, outcome: Outcome<'_>) -> Option<Outgoing> {
    Outgoing::new(id, &answer(rpc_id, &outcome.as_json()))
}

/// An answer that the codec gives by itself.
pub(super) fn own_outcome(rpc_id: &RawValue, outcome: Outcome<'_>) -> Option<Outgoing> {
    Outgoing::named(&own_id(rpc_id), &answer(rpc_id, &outcome.as_json()))
}

/// No, to a request that we do not know; unanswered it would keep the agent waiting.
pub(super) fn refusal(rpc_id: &RawValue, why: &str) -> Option<Outgoing> {
    // Not by `json!`: an id with a torn escape in it would not be a value.
    #[derive(Serialize)]
    struct Line<'a> {
        jsonrpc: &'static str,
        id: &'a RawValue,
        error: Value,
    }
    let line = Line {
        jsonrpc: "2.0",
        id: rpc_id,
        error: json!({"code": METHOD_NOT_FOUND, "message": why}),
    };
    Outgoing::named(&own_id(rpc_id), &line)
}

/// The id of an input that the codec makes for the agent's request `rpc_id`.
fn own_id(rpc_id: &RawValue) -> String {
    format!("reply-{}", plain(rpc_id))
}

/// The id of the message that follows the refusal of `rpc_id`.
pub(super) fn words_id(rpc_id: &RawValue) -> Option<InputId> {
    InputId::parse(&format!("denial-{}", plain(rpc_id))).ok()
}

fn plain(rpc_id: &RawValue) -> String {
    let visible = rpc_id.get().chars().filter(char::is_ascii_graphic);
    visible.filter(|c| *c != '"').take(50).collect()
}

fn answer<'a>(rpc_id: &'a RawValue, result: &'a Value) -> impl Serialize + use<'a> {
    #[derive(Serialize)]
    struct Line<'a> {
        jsonrpc: &'static str,
        id: &'a RawValue,
        result: &'a Value,
    }
    Line {
        jsonrpc: "2.0",
        id: rpc_id,
        result,
    }
}

pub(super) fn request<'a, P: Serialize>(
    id: &'a str,
    method: &'static str,
    params: &'a P,
) -> impl Serialize {
    #[derive(Serialize)]
    struct Line<'a, P> {
        jsonrpc: &'static str,
        id: &'a str,
        method: &'static str,
        params: &'a P,
    }
    Line {
        jsonrpc: "2.0",
        id,
        method,
        params,
    }
}
