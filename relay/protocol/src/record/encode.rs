//! Writing records. Every function appends one whole record, newline included, to a buffer that its
//! caller writes to the log in one piece.
//!
//! This is the path of every byte that an agent prints: lines are scanned once for what must be
//! escaped, and copied in runs.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::LineKind;
use crate::{Exit, InputId, RelayId};

/// The record of a start.
pub fn start(
    out: &mut Vec<u8>,
    at_ms: u64,
    program: &str,
    pid: Option<u32>,
    relay: Option<RelayId>,
) {
    open(out, "start", at_ms);
    field(out, "program", program);
    if let Some(pid) = pid {
        number(out, "pid", u64::from(pid));
    }
    if let Some(relay) = relay {
        field(out, "relay", &relay.to_string());
    }
    close(out);
}

/// The record of one line (without its newline) or terminal chunk.
pub fn line(out: &mut Vec<u8>, kind: LineKind, at_ms: u64, line: &[u8]) {
    open(out, kind.name(), at_ms);
    content(out, line);
    close(out);
}

/// The record of a message.
pub fn input(out: &mut Vec<u8>, at_ms: u64, id: &InputId, by: &str, message: &[u8]) {
    open(out, "in", at_ms);
    field(out, "id", id.as_str());
    field(out, "by", by);
    content(out, message);
    close(out);
}

/// The record of a message that did not reach the agent.
pub fn undelivered(out: &mut Vec<u8>, at_ms: u64, id: &InputId, why: &str) {
    open(out, "undelivered", at_ms);
    field(out, "id", id.as_str());
    field(out, "why", why);
    close(out);
}

/// The record of a torn tail of `bytes` bytes that was cut.
pub fn torn(out: &mut Vec<u8>, at_ms: u64, bytes: u64) {
    open(out, "torn", at_ms);
    number(out, "bytes", bytes);
    close(out);
}

/// The last record.
///
/// # Errors
/// Never in practice: an [`Exit`] has no key that is not text.
pub fn exit(out: &mut Vec<u8>, at_ms: u64, exit: &Exit) -> Result<(), serde_json::Error> {
    open(out, "exit", at_ms);
    out.extend_from_slice(b",\"exit\":");
    serde_json::to_writer(&mut *out, exit)?;
    close(out);
    Ok(())
}

/// A line too long to be held in memory, written in pieces: [`LineOpening::open`], then
/// [`LineOpening::piece`] for all of it in order, then [`LineOpening::close`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOpening {
    /// All pieces together are UTF-8.
    Text,
    /// Anything; every piece but the last has a multiple of three bytes.
    Base64,
}

impl LineOpening {
    /// Begins the record.
    pub fn open(self, out: &mut Vec<u8>, kind: LineKind, at_ms: u64) {
        open(out, kind.name(), at_ms);
        out.extend_from_slice(match self {
            Self::Text => b",\"s\":\"",
            Self::Base64 => b",\"b\":\"",
        });
    }

    /// Goes on with it.
    pub fn piece(self, out: &mut Vec<u8>, piece: &[u8]) {
        match self {
            Self::Text => escape(out, piece),
            Self::Base64 => base64(out, piece),
        }
    }

    /// Ends it. `cut` bytes of the line were dropped.
    pub fn close(self, out: &mut Vec<u8>, cut: Option<u64>) {
        out.push(b'"');
        if let Some(cut) = cut {
            number(out, "cut", cut);
        }
        close(out);
    }
}

/// How many bytes `text` takes between the quotes of a JSON string.
#[must_use]
pub fn escaped_len(text: &[u8]) -> usize {
    text.iter()
        .map(|byte| ESCAPED_LEN[usize::from(*byte)])
        .map(usize::from)
        .sum()
}

fn open(out: &mut Vec<u8>, kind: &str, at_ms: u64) {
    out.extend_from_slice(b"{\"k\":\"");
    out.extend_from_slice(kind.as_bytes());
    out.extend_from_slice(b"\",\"t\":");
    // Writing to a vector cannot fail.
    let _ = write!(out, "{at_ms}");
}

fn close(out: &mut Vec<u8>) {
    out.extend_from_slice(b"}\n");
}

fn number(out: &mut Vec<u8>, name: &str, value: u64) {
    let _ = write!(out, ",\"{name}\":{value}");
}

fn field(out: &mut Vec<u8>, name: &str, text: &str) {
    let _ = write!(out, ",\"{name}\":\"");
    escape(out, text.as_bytes());
    out.push(b'"');
}

fn content(out: &mut Vec<u8>, bytes: &[u8]) {
    let opening = match std::str::from_utf8(bytes) {
        Ok(_) => LineOpening::Text,
        Err(_) => LineOpening::Base64,
    };
    out.extend_from_slice(match opening {
        LineOpening::Text => b",\"s\":\"",
        LineOpening::Base64 => b",\"b\":\"",
    });
    opening.piece(out, bytes);
    out.push(b'"');
}

fn base64(out: &mut Vec<u8>, bytes: &[u8]) {
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    // The room is exact, so this cannot fail; were it wrong, the record would hold zero bytes.
    let written = BASE64.encode_slice(bytes, &mut out[start..]).unwrap_or(0);
    out.truncate(start + written);
}

/// 1 for a byte that stands for itself in a JSON string, else the length of its escape.
const ESCAPED_LEN: [u8; 256] = {
    let mut table = [1; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = 6;
        byte += 1;
    }
    table[b'\n' as usize] = 2;
    table[b'\r' as usize] = 2;
    table[b'\t' as usize] = 2;
    table[b'"' as usize] = 2;
    table[b'\\' as usize] = 2;
    table
};

fn escape(out: &mut Vec<u8>, text: &[u8]) {
    out.reserve(text.len() + text.len() / 8);
    let mut copied = 0;
    for (at, &byte) in text.iter().enumerate() {
        if ESCAPED_LEN[usize::from(byte)] == 1 {
            continue;
        }
        out.extend_from_slice(&text[copied..at]);
        copied = at + 1;
        escape_byte(out, byte);
    }
    out.extend_from_slice(&text[copied..]);
}

fn escape_byte(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    match byte {
        b'"' => out.extend_from_slice(b"\\\""),
        b'\\' => out.extend_from_slice(b"\\\\"),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'\t' => out.extend_from_slice(b"\\t"),
        other => {
            let (high, low) = (HEX[usize::from(other >> 4)], HEX[usize::from(other & 15)]);
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
        }
    }
}
