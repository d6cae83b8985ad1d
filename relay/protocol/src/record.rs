//! One line of a run's log: something that the agent said or was told, or the end of it.
//!
//! A record is one JSON object on one line: `k` says what it is, `t` when, in Unix milliseconds. Text is in
//! `s`; what is not UTF-8 (or would grow too much by escaping) is in `b` as base64. A line over its limit has
//! `cut`, the number of bytes dropped at its end.
//!
//! | `k` | what | fields |
//! |---|---|---|
//! | `start` | the agent was started, or an attempt was made | `program`, `pid?`, `relay?` |
//! | `out`, `err` | a line of stdout, of stderr, without its newline | `s` or `b`, `cut?` |
//! | `pty` | a chunk of terminal output | `s` or `b` |
//! | `in` | a message, written before it is delivered | `id`, `by`, `s` or `b` |
//! | `undelivered` | the agent's stdin did not take that message | `id`, `why` |
//! | `torn` | the relay died: a half-written record of so many bytes was cut here | `bytes` |
//! | `exit` | the last record | `exit` |
//!
//! Start at [`Record::decode`]; what is written is in [`encode`].

pub mod encode;

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;

pub use encode::LineOpening;

use crate::{Exit, InputId, RelayId};

/// One record, borrowing from its line where nothing is escaped.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<'a> {
    /// When it was written, in Unix milliseconds of the box's clock.
    pub at_ms: u64,
    /// What happened.
    pub body: Body<'a>,
}

/// What a record tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Body<'a> {
    /// The agent was started, or could not be: then an `Exit` follows.
    Start {
        /// The program, by name.
        program: Cow<'a, str>,
        /// Its process id in the box.
        pid: Option<u32>,
        /// The relay that started it.
        relay: Option<RelayId>,
    },
    /// A line of output.
    Line {
        /// Where it came from.
        kind: LineKind,
        /// The line.
        line: Line<'a>,
    },
    /// A message to the agent.
    In {
        /// Its id.
        id: InputId,
        /// Who wrote it.
        by: Cow<'a, str>,
        /// Its bytes.
        content: Content<'a>,
    },
    /// A message in the log that the agent never got.
    Undelivered {
        /// Its id.
        id: InputId,
        /// What happened.
        why: Cow<'a, str>,
    },
    /// A half-written record was cut here.
    Torn {
        /// Its length.
        bytes: u64,
    },
    /// The end.
    Exit(Exit),
    /// A kind that this build does not know.
    Other {
        /// Its name.
        kind: Cow<'a, str>,
    },
}

/// Where output came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A line of stdout.
    Out,
    /// A line of stderr.
    Err,
    /// A chunk of terminal output.
    Pty,
}

impl LineKind {
    fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::Err => "err",
            Self::Pty => "pty",
        }
    }
}

/// A line without its newline.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'a> {
    /// What it says.
    pub content: Content<'a>,
    /// How many bytes of its end were dropped, when it was over the limit.
    pub cut: Option<u64>,
}

/// Text, or bytes that are none.
#[derive(Clone, Debug, PartialEq)]
pub enum Content<'a> {
    /// UTF-8.
    Text(Cow<'a, str>),
    /// Anything.
    Bytes(Vec<u8>),
}

impl Content<'_> {
    /// The bytes, whatever they are.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// A line of a log was no record.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// Not the JSON of a record.
    #[error("a line of the log is no record: {0}")]
    Json(#[from] serde_json::Error),
    /// Its base64 was not.
    #[error("a record's bytes are not valid base64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// A field that its kind needs was missing.
    #[error("a record of kind `{kind}` lacks `{field}`")]
    Missing {
        /// The record's kind.
        kind: &'static str,
        /// The field.
        field: &'static str,
    },
}

#[derive(Deserialize)]
struct Raw<'a> {
    k: &'a str,
    t: u64,
    #[serde(borrow, default)]
    s: Cow<'a, str>,
    b: Option<&'a str>,
    cut: Option<u64>,
    id: Option<InputId>,
    #[serde(borrow, default)]
    by: Cow<'a, str>,
    #[serde(borrow, default)]
    program: Cow<'a, str>,
    pid: Option<u32>,
    relay: Option<RelayId>,
    #[serde(borrow, default)]
    why: Cow<'a, str>,
    #[serde(default)]
    bytes: u64,
    exit: Option<Exit>,
}

impl<'a> Record<'a> {
    /// Reads one line of a log, with or without its newline.
    ///
    /// # Errors
    /// [`DecodeError`]. A kind that this build does not know is [`Body::Other`], not an error.
    pub fn decode(line: &'a [u8]) -> Result<Self, DecodeError> {
        let raw: Raw<'a> = serde_json::from_slice(line)?;
        let at_ms = raw.t;
        let body = match raw.k {
            "start" => Body::Start {
                program: raw.program,
                pid: raw.pid,
                relay: raw.relay,
            },
            "out" => raw.line(LineKind::Out)?,
            "err" => raw.line(LineKind::Err)?,
            "pty" => raw.line(LineKind::Pty)?,
            "in" => Body::In {
                id: raw.id.ok_or(DecodeError::Missing {
                    kind: "in",
                    field: "id",
                })?,
                by: raw.by,
                content: content(raw.s, raw.b)?,
            },
            "undelivered" => Body::Undelivered {
                id: raw.id.ok_or(DecodeError::Missing {
                    kind: "undelivered",
                    field: "id",
                })?,
                why: raw.why,
            },
            "torn" => Body::Torn { bytes: raw.bytes },
            "exit" => Body::Exit(raw.exit.ok_or(DecodeError::Missing {
                kind: "exit",
                field: "exit",
            })?),
            kind => Body::Other {
                kind: Cow::Borrowed(kind),
            },
        };
        Ok(Self { at_ms, body })
    }
}

impl<'a> Raw<'a> {
    fn line(self, kind: LineKind) -> Result<Body<'a>, DecodeError> {
        let line = Line {
            content: content(self.s, self.b)?,
            cut: self.cut,
        };
        Ok(Body::Line { kind, line })
    }
}

fn content<'a>(text: Cow<'a, str>, base64: Option<&str>) -> Result<Content<'a>, DecodeError> {
    match base64 {
        Some(base64) => Ok(Content::Bytes(BASE64.decode(base64)?)),
        None => Ok(Content::Text(text)),
    }
}

#[cfg(test)]
mod tests;
