//! One request and its reply.
//!
//! Invariant: whatever is sent, the client gets an HTTP reply, and the record gets one entry.
//! Start at [`answer`].

use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use http_body_util::channel::{Channel, Sender};
use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::body::Incoming;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::anthropic;
use crate::choice::{self, Choice};
use crate::dialect::{Dialect, Request, forced_story};
use crate::fault::{Fault, Faults, Verdict};
use crate::record::{Record, SeenRequest};
use crate::story::{self, Ending, Step};
use crate::tape::{Beat, Tape};

/// Largest body that is read.
const MOST_BODY: usize = 64 * 1024 * 1024;
/// Events that wait for a slow reader.
const EVENTS_IN_FLIGHT: usize = 16;
/// Time for what was said to leave before the connection breaks: a broken body is not flushed.
const BEFORE_A_BREAK: Duration = Duration::from_millis(50);

/// The models that the list names.
const MODELS: [&str; 6] = [
    "claude-opus-5-5",
    "claude-sonnet-4-5",
    "claude-haiku-4-5",
    "gpt-5.5",
    "gpt-5",
    "scripted",
];

type Body = Either<Full<Bytes>, Channel<Bytes, io::Error>>;
type Response = hyper::Response<Body>;

/// What outlives a request.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    faults: Mutex<Faults>,
    record: Mutex<Record>,
    answers: AtomicU64,
    /// Sets the ids of this server's answers apart from those of another.
    seed: RandomState,
}

impl Desk {
    /// The requests seen, oldest first.
    pub(crate) fn seen(&self) -> Vec<SeenRequest> {
        locked(&self.record).all()
    }

    fn new_id(&self) -> String {
        let number = self.answers.fetch_add(1, Ordering::Relaxed);
        format!("{:016x}", self.seed.hash_one(number))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A reply and what to call it in the record.
struct Reply {
    response: Response,
    played: String,
}

/// Answers one request.
pub(super) async fn answer(
    desk: Arc<Desk>,
    request: hyper::Request<Incoming>,
) -> Result<Response, Infallible> {
    let (head, body) = request.into_parts();
    let (body, bytes) = match read(body, &head.headers).await {
        Ok(read) => read,
        Err((status, text)) => return Ok(refuse(status, text).response),
    };
    let body = Arc::new(body);
    let path = head.uri.path();
    let (forced, bare) = forced_story(path);
    let reply = match head.method {
        Method::HEAD => document(StatusCode::OK, "(head)", &Value::Null),
        Method::GET => look_up(bare),
        Method::POST => post(&desk, bare, forced, &body, bytes).await,
        _ => refuse(
            StatusCode::METHOD_NOT_ALLOWED,
            "only GET, HEAD and POST are known",
        ),
    };
    let seen = SeenRequest {
        number: 0,
        method: head.method.to_string(),
        path: path.to_owned(),
        headers: head.headers.keys().map(|name| name.to_string()).collect(),
        has_key: has_key(&head.headers, head.uri.query()),
        body,
        status: reply.response.status().as_u16(),
        played: reply.played,
    };
    locked(&desk.record).add(seen, bytes);
    Ok(reply.response)
}

async fn read(body: Incoming, headers: &HeaderMap) -> Result<(Value, usize), (StatusCode, &str)> {
    let encoding = headers.get(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| encoding != "identity") {
        let text = "the scripted model reads no compressed bodies";
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
    }
    match Limited::new(body, MOST_BODY).collect().await {
        Ok(read) => {
            let bytes = read.to_bytes();
            let value = serde_json::from_slice(&bytes).unwrap_or_default();
            Ok((value, bytes.len()))
        }
        Err(_) => {
            let text = "the body is over 64 MiB or broke off";
            Err((StatusCode::PAYLOAD_TOO_LARGE, text))
        }
    }
}

fn has_key(headers: &HeaderMap, query: Option<&str>) -> bool {
    const NAMES: [&str; 3] = ["authorization", "x-api-key", "x-goog-api-key"];
    let mut pairs = query.unwrap_or_default().split('&');
    NAMES.iter().any(|name| headers.contains_key(*name)) || pairs.any(|p| p.starts_with("key="))
}

fn look_up(path: &str) -> Reply {
    if path.contains("/v1beta/") && path.ends_with("/models") {
        let models =
            MODELS.map(|id| json!({"name": format!("models/{id}"), "inputTokenLimit": 1_048_576}));
        return document(StatusCode::OK, "(models)", &json!({ "models": models }));
    }
    if path.trim_end_matches('/').ends_with("/models") {
        let models = MODELS.map(|id| {
            json!({"id": id, "object": "model", "type": "model", "display_name": id, "owned_by": "scripted",
                "created": 1_760_000_000, "created_at": "2026-01-01T00:00:00Z", "context_length": 200_000})
        });
        let list = json!({"object": "list", "data": models, "models": [], "has_more": false,
            "first_id": MODELS[0], "last_id": MODELS[MODELS.len() - 1]});
        return document(StatusCode::OK, "(models)", &list);
    }
    refuse(
        StatusCode::NOT_FOUND,
        "the scripted model knows no such path",
    )
}

async fn post(desk: &Desk, path: &str, forced: Option<&str>, body: &Value, bytes: usize) -> Reply {
    let (dialect, model, stream, condense) = match Request::of_path(path) {
        Request::Answer {
            dialect,
            model,
            stream,
            condense,
        } => (dialect, model, stream, condense),
        Request::Count { field } => {
            let count = json!({ field: (bytes / 4).max(10) });
            return document(StatusCode::OK, "(count)", &count);
        }
        Request::Unknown => {
            return refuse(
                StatusCode::NOT_FOUND,
                "the scripted model knows no such path",
            );
        }
    };
    if !body.is_object() {
        return refuse(StatusCode::BAD_REQUEST, "the body is no JSON object");
    }
    let mut conversation = dialect.read(body);
    conversation.bytes = bytes;
    conversation.condense = condense;
    conversation.stream |= stream;
    conversation.model = model.unwrap_or(conversation.model);
    let Choice { step, label, key } = choice::choose(&conversation, forced);
    let reply = match step {
        Step::Reply(reply) => reply,
        Step::Fault(fault) => match locked(&desk.faults).judge(key, &fault) {
            Verdict::Play => return play_fault(dialect, &fault, &label),
            Verdict::Over { attempt } => story::say(format!("It worked on attempt {attempt}.")),
        },
    };
    let answer = Answer::new(reply, &conversation, desk.new_id());
    if conversation.stream {
        return stream_out(dialect.tape(&answer), label);
    }
    tokio::time::sleep(answer.wait).await;
    match answer.ending {
        Ending::Dropped => stream_out(broken(), label),
        Ending::Whole | Ending::Cut | Ending::Refused => {
            document(StatusCode::OK, &label, &dialect.whole(&answer))
        }
    }
}

/// A reply that breaks off before it says anything.
fn broken() -> Tape {
    let mut tape = Tape::default();
    tape.cut();
    tape
}

fn play_fault(dialect: Dialect, fault: &Fault, label: &str) -> Reply {
    let status = StatusCode::from_u16(fault.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut reply = document(status, label, &dialect.error(fault));
    if let Some(seconds) = fault.retry_after {
        let headers = reply.response.headers_mut();
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    reply
}

fn refuse(status: StatusCode, text: &str) -> Reply {
    document(
        status,
        "(refused)",
        &anthropic::error(status.as_u16(), text),
    )
}

fn document(status: StatusCode, played: &str, value: &Value) -> Reply {
    let text = if value.is_null() {
        String::new()
    } else {
        value.to_string()
    };
    Reply {
        response: respond(status, "application/json", Either::Left(text.into())),
        played: played.to_owned(),
    }
}

fn stream_out(tape: Tape, played: String) -> Reply {
    let (sender, channel) = Channel::new(EVENTS_IN_FLIGHT);
    // Owned by the runtime; it ends with the tape, or when the reader is gone.
    tokio::spawn(play(tape.into_beats(), sender));
    Reply {
        response: respond(StatusCode::OK, "text/event-stream", Either::Right(channel)),
        played,
    }
}

fn respond(status: StatusCode, kind: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    headers.insert(
        header::CACHE_CONTROL,
        header::HeaderValue::from_static("no-cache"),
    );
    headers.insert("request-id", header::HeaderValue::from_static("req_fake"));
    response
}

async fn play(beats: Vec<Beat>, mut sender: Sender<Bytes, io::Error>) {
    for beat in beats {
        match beat {
            Beat::Event(event) => {
                if sender.send_data(event.into()).await.is_err() {
                    return;
                }
            }
            Beat::Pause(length) => tokio::time::sleep(length).await,
            Beat::Break => {
                tokio::time::sleep(BEFORE_A_BREAK).await;
                let error = io::Error::new(io::ErrorKind::ConnectionAborted, "the script says so");
                return sender.abort(error);
            }
        }
    }
}
