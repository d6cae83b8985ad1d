//! The dialects that the port speaks, and which path belongs to which.
//!
//! Start at [`Request::of_path`].

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::conversation::Conversation;
use crate::fault::Fault;
use crate::marker::is_word;
use crate::tape::Tape;
use crate::{anthropic, gemini, openai_chat, openai_responses};

/// A model API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Anthropic,
    Responses,
    Chat,
    Gemini,
}

/// What a POST asks for, by its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// An answer of the model.
    Answer {
        dialect: Dialect,
        /// The model that the path names.
        model: Option<String>,
        stream: bool,
        condense: bool,
    },
    /// A count of tokens; `field` names it in the reply.
    Count {
        field: &'static str,
    },
    Unknown,
}

impl Request {
    /// Reads a path without its story prefix and without its query.
    pub(crate) fn of_path(path: &str) -> Self {
        let answer = |dialect, condense| Self::Answer {
            dialect,
            model: None,
            stream: false,
            condense,
        };
        let (path, method) = path.rsplit_once(':').unwrap_or((path, ""));
        match (path, method) {
            (path, "") if path.ends_with("/messages/count_tokens") => Self::Count {
                field: "input_tokens",
            },
            (path, "") if path.ends_with("/messages") => answer(Dialect::Anthropic, false),
            (path, "") if path.ends_with("/responses") => answer(Dialect::Responses, false),
            (path, "") if path.ends_with("/responses/compact") => answer(Dialect::Responses, true),
            (path, "") if path.ends_with("/chat/completions") => answer(Dialect::Chat, false),
            (_, "countTokens") => Self::Count {
                field: "totalTokens",
            },
            (path, "generateContent" | "streamGenerateContent") => Self::Answer {
                dialect: Dialect::Gemini,
                model: path.rsplit('/').next().map(str::to_owned),
                stream: method.starts_with("stream"),
                condense: false,
            },
            _ => Self::Unknown,
        }
    }
}

/// Parts `/s/NAME/rest` into the story that it forces and `/rest`.
pub(crate) fn forced_story(path: &str) -> (Option<&str>, &str) {
    let parted = path.strip_prefix("/s/").and_then(|rest| {
        let (name, _) = rest.split_once('/')?;
        is_word(name).then(|| (Some(name), &rest[name.len()..]))
    });
    parted.unwrap_or((None, path))
}

impl Dialect {
    /// Reads a request's body.
    pub(crate) fn read(self, body: &Value) -> Conversation {
        match self {
            Self::Anthropic => anthropic::read(body),
            Self::Responses => openai_responses::read(body),
            Self::Chat => openai_chat::read(body),
            Self::Gemini => gemini::read(body),
        }
    }

    /// Writes `answer` as one document.
    pub(crate) fn whole(self, answer: &Answer) -> Value {
        match self {
            Self::Anthropic => anthropic::whole(answer),
            Self::Responses => openai_responses::whole(answer),
            Self::Chat => openai_chat::whole(answer),
            Self::Gemini => gemini::whole(answer),
        }
    }

    /// Writes `answer` as a stream of events.
    pub(crate) fn tape(self, answer: &Answer) -> Tape {
        match self {
            Self::Anthropic => anthropic::tape(answer),
            Self::Responses => openai_responses::tape(answer),
            Self::Chat => openai_chat::tape(answer),
            Self::Gemini => gemini::tape(answer),
        }
    }

    /// The body of an error.
    pub(crate) fn error(self, fault: &Fault) -> Value {
        match self {
            Self::Anthropic => anthropic::error(fault.status, fault.message),
            Self::Responses | Self::Chat => openai_error(fault),
            Self::Gemini => gemini::error(fault),
        }
    }
}

fn openai_error(fault: &Fault) -> Value {
    let (kind, code) = match fault.status {
        400 => ("invalid_request_error", "invalid_value"),
        401 => ("invalid_request_error", "invalid_api_key"),
        429 => ("rate_limit_exceeded", "rate_limit_exceeded"),
        _ => ("server_error", "server_error"),
    };
    json!({"error": {"message": fault.message, "type": kind, "code": code, "param": null}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_is_known_by_its_path() {
        check("/v1/messages", "Anthropic");
        check("/v1/messages/count_tokens", "input_tokens");
        check("/v1/responses", "Responses");
        check("/chat/completions", "Chat");
        check("/v1beta/models/gemini-x:streamGenerateContent", "Gemini");
        check("/v1beta/models/gemini-x:countTokens", "totalTokens");
        check("/v1/elsewhere", "Unknown");
    }

    #[test]
    fn a_story_can_be_forced_by_the_base_url() {
        assert_eq!(
            forced_story("/s/write/v1/messages"),
            (Some("write"), "/v1/messages")
        );
        assert_eq!(forced_story("/v1/messages"), (None, "/v1/messages"));
        assert_eq!(forced_story("/s/[x]/v1"), (None, "/s/[x]/v1"));
    }

    fn check(path: &str, expected: &str) {
        let request = format!("{:?}", Request::of_path(path));
        assert!(request.contains(expected), "{path}: {request}");
    }
}
