//! What we say to Codex.

use paddock_domain::{InputId, PermissionMode};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::mode;
use crate::{Outgoing, UserInput};

/// Ids of the requests that begin the conversation.
pub(super) const INITIALIZE: &str = "initialize";
pub(super) const THREAD: &str = "thread";

/// Before the id of the input, in the ids of our requests.
pub(super) const PROMPT: &str = "prompt:";
pub(super) const INTERRUPT: &str = "interrupt:";
pub(super) const MODEL: &str = "model:";
pub(super) const EFFORT: &str = "effort:";
pub(super) const COMPACT: &str = "compact:";

pub(super) fn initialize() -> Option<Outgoing> {
    let client =
        json!({"name": "paddock", "title": "Paddock", "version": env!("CARGO_PKG_VERSION")});
    // Questions and plans are experimental in the pinned version.
    let params = json!({"clientInfo": client, "capabilities": {"experimentalApi": true}});
    Outgoing::named(INITIALIZE, &request(INITIALIZE, "initialize", &params))
}

pub(super) fn initialized() -> Option<Outgoing> {
    Outgoing::named("initialized", &json!({"method": "initialized"}))
}

/// What a thread is to be.
pub(super) struct ThreadSpec<'a> {
    pub resume: Option<&'a str>,
    pub fork: bool,
    pub work_dir: &'a str,
    pub model: Option<&'a str>,
    pub effort: Option<&'a str>,
    pub mode: PermissionMode,
}

/// Begins or resumes a thread. `attempt` tells one try from the next.
pub(super) fn thread(spec: &ThreadSpec<'_>, attempt: u32) -> Option<Outgoing> {
    let (method, params) = opening(spec);
    let id = format!("{THREAD}-{attempt}");
    Outgoing::named(&id, &request(&id, method, &params))
}

/// The method that gives such a thread, and its parameters.
pub(super) fn opening(spec: &ThreadSpec<'_>) -> (&'static str, Value) {
    let mut params = Map::new();
    let mut set = |name: &str, value: Value| params.insert(name.to_owned(), value);
    set("cwd", json!(spec.work_dir));
    set("approvalPolicy", json!(approval_policy(spec.mode)));
    set("sandbox", json!("danger-full-access"));
    if let Some(model) = spec.model {
        set("model", json!(model));
    }
    if let Some(effort) = spec.effort {
        set("config", json!({"model_reasoning_effort": effort}));
    }
    let method = match spec.resume {
        Some(thread_id) => {
            set("threadId", json!(thread_id));
            set("excludeTurns", json!(true));
            match spec.fork {
                true => "thread/fork",
                false => "thread/resume",
            }
        }
        None => "thread/start",
    };
    (method, Value::Object(params))
}

/// When the program asks: never, or before every command and change that it does not know as harmless.
fn approval_policy(mode: PermissionMode) -> &'static str {
    match mode {
        PermissionMode::FullAuto => "never",
        PermissionMode::AcceptEdits | PermissionMode::Ask | PermissionMode::Plan => "untrusted",
    }
}

/// How the program is to work on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collaboration {
    /// As it did before.
    Unchanged,
    /// Plan and ask, change nothing.
    Plan,
    /// Carry it out.
    Default,
}

/// A user's message: begins a turn, or joins the one under way.
pub(super) fn prompt(
    id: &InputId,
    thread_id: &str,
    input: &UserInput<'_>,
    how: Collaboration,
    model: &str,
    effort: Option<&str>,
) -> Option<Outgoing> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Params<'a> {
        thread_id: &'a str,
        input: Vec<Input<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        collaboration_mode: Option<Value>,
    }
    #[derive(Serialize)]
    #[serde(tag = "type", rename_all = "camelCase")]
    enum Input<'a> {
        Text { text: &'a str },
        LocalImage { path: &'a str },
    }
    let mode = match how {
        Collaboration::Unchanged => None,
        Collaboration::Plan => Some("plan"),
        Collaboration::Default => Some("default"),
    };
    let settings =
        json!({"model": model, "reasoning_effort": effort, "developer_instructions": null});
    let words = Input::Text { text: input.text };
    let images = input.images.iter();
    let images = images.map(|image| Input::LocalImage { path: &image.path });
    let params = Params {
        thread_id,
        input: std::iter::once(words).chain(images).collect(),
        collaboration_mode: mode.map(|mode| json!({"mode": mode, "settings": settings})),
    };
    Outgoing::new(
        id,
        &request(&format!("{PROMPT}{id}"), "turn/start", &params),
    )
}

pub(super) fn interrupt(id: &InputId, thread_id: &str, turn_id: &str) -> Option<Outgoing> {
    let params = json!({"threadId": thread_id, "turnId": turn_id});
    let rpc_id = format!("{INTERRUPT}{id}");
    Outgoing::new(id, &request(&rpc_id, "turn/interrupt", &params))
}

pub(super) fn set_model(id: &InputId, thread_id: &str, model: &str) -> Option<Outgoing> {
    let params = json!({"threadId": thread_id, "model": model});
    let rpc_id = format!("{MODEL}{id}");
    Outgoing::new(id, &request(&rpc_id, "thread/settings/update", &params))
}

pub(super) fn set_effort(id: &InputId, thread_id: &str, effort: &str) -> Option<Outgoing> {
    let params = json!({"threadId": thread_id, "effort": effort});
    let rpc_id = format!("{EFFORT}{id}");
    Outgoing::new(id, &request(&rpc_id, "thread/settings/update", &params))
}

/// From the next turn on it asks as `mode` says, and plans or not.
pub(super) fn set_mode(
    id: &InputId,
    thread_id: &str,
    mode: PermissionMode,
    model: &str,
    effort: Option<&str>,
) -> Option<Outgoing> {
    let settings =
        json!({"model": model, "reasoning_effort": effort, "developer_instructions": null});
    let how = match mode {
        PermissionMode::Plan => "plan",
        PermissionMode::FullAuto | PermissionMode::AcceptEdits | PermissionMode::Ask => "default",
    };
    let params = json!({
        "threadId": thread_id,
        "approvalPolicy": approval_policy(mode),
        "collaborationMode": {"mode": how, "settings": settings},
    });
    let rpc_id = mode::request_id(mode, id);
    Outgoing::new(id, &request(&rpc_id, "thread/settings/update", &params))
}

/// Has it shorten its context, in a turn of its own.
pub(super) fn compact(id: &InputId, thread_id: &str) -> Option<Outgoing> {
    let params = json!({"threadId": thread_id});
    let rpc_id = format!("{COMPACT}{id}");
    Outgoing::new(id, &request(&rpc_id, "thread/compact/start", &params))
}

/// The answer to a request of the program's.
pub(super) fn result(id: &InputId, rpc_id: &RawValue, result: &Value) -> Option<Outgoing> {
    Outgoing::new(id, &answer(rpc_id, result))
}

/// An answer that the codec gives by itself.
pub(super) fn own_result(rpc_id: &RawValue, result: &Value) -> Option<Outgoing> {
    Outgoing::named(&own_id(rpc_id), &answer(rpc_id, result))
}

/// No, to a request that we do not know; unanswered it would keep the program waiting.
pub(super) fn refusal(rpc_id: &RawValue, why: &str) -> Option<Outgoing> {
    // Not by `json!`: an id with a torn escape in it would not be a value.
    #[derive(Serialize)]
    struct Line<'a> {
        id: &'a RawValue,
        error: Value,
    }
    let line = Line {
        id: rpc_id,
        error: json!({"code": METHOD_NOT_FOUND, "message": why}),
    };
    Outgoing::named(&own_id(rpc_id), &line)
}

/// JSON-RPC's code for a method that is not offered.
const METHOD_NOT_FOUND: i32 = -32601;

fn own_id(rpc_id: &RawValue) -> String {
    let visible = rpc_id.get().chars().filter(char::is_ascii_graphic);
    let tail: String = visible.take(50).collect();
    format!("reply-{tail}")
}

fn answer<'a>(rpc_id: &'a RawValue, result: &'a Value) -> impl Serialize + use<'a> {
    #[derive(Serialize)]
    struct Line<'a> {
        id: &'a RawValue,
        result: &'a Value,
    }
    Line { id: rpc_id, result }
}

pub(super) fn request<'a, P: Serialize>(
    id: &'a str,
    method: &'static str,
    params: &'a P,
) -> impl Serialize {
    #[derive(Serialize)]
    struct Line<'a, P> {
        id: &'a str,
        method: &'static str,
        params: &'a P,
    }
    Line { id, method, params }
}
