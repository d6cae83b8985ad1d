//! Reads stdin on a thread of its own and puts what it hears into the agent's queue.
//!
//! Start at [`listen`].

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

use serde_json::Value;

use crate::command::Finished;
use crate::message::Input;
use crate::record::Record;

/// Longest line that is read, in bytes.
const LONGEST_LINE: usize = 8 * 1024 * 1024;

/// What reaches the agent.
#[derive(Debug)]
pub(crate) enum Heard {
    Input {
        id: String,
        input: Input,
    },
    /// A line that is no input; the text says why.
    Useless(String),
    /// The running command ended.
    Finished(Finished),
    /// Stdin ended.
    End,
}

/// Reads lines until stdin ends, the agent is gone, or `deaf` is set.
pub(crate) fn listen(queue: &SyncSender<Heard>, record: &Record, deaf: &Arc<AtomicBool>) {
    let mut stdin = io::stdin().lock();
    loop {
        let line = read_line(&mut stdin);
        while deaf.load(Ordering::Relaxed) {
            std::thread::park();
        }
        let heard = match line {
            Ok(Line::Whole(line)) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(Line::Whole(line)) => understand(&line, record),
            Ok(Line::TooLong) => Heard::Useless(format!("a line over {LONGEST_LINE} bytes")),
            Ok(Line::End) | Err(_) => Heard::End,
        };
        let end = matches!(heard, Heard::End);
        if queue.send(heard).is_err() || end {
            return;
        }
    }
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
    End,
}

fn read_line(from: &mut impl BufRead) -> io::Result<Line> {
    let (mut line, mut length) = (Vec::new(), 0);
    loop {
        let buffer = from.fill_buf()?;
        if buffer.is_empty() && length == 0 {
            return Ok(Line::End);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        let ended = end.is_some() || buffer.is_empty();
        length += taken;
        if length <= LONGEST_LINE {
            line.extend_from_slice(&buffer[..taken]);
        }
        from.consume(taken + usize::from(end.is_some()));
        // A line break alone has no length, and is no end of stdin.
        length = length.max(1);
        if ended {
            let whole = length <= LONGEST_LINE;
            return Ok(if whole {
                Line::Whole(line)
            } else {
                Line::TooLong
            });
        }
    }
}

fn understand(line: &[u8], record: &Record) -> Heard {
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return note(record, None, None, Some(format!("no JSON: {error}"))),
    };
    let kind = value["type"].as_str().map(str::to_owned);
    let Some(id) = value["id"].as_str().map(str::to_owned) else {
        let text = "an input needs a type and an id".to_owned();
        return note(record, None, kind.as_deref(), Some(text));
    };
    if let failed @ Heard::Useless(_) = note(record, Some(&id), kind.as_deref(), None) {
        return failed;
    }
    match serde_json::from_value(value) {
        Ok(input) => Heard::Input { id, input },
        Err(error) => Heard::Useless(format!("input {id}: {error}")),
    }
}

/// Records what was read; `trouble` is what to tell the agent.
fn note(record: &Record, id: Option<&str>, kind: Option<&str>, trouble: Option<String>) -> Heard {
    match (record.heard(id, kind), trouble) {
        (Ok(()), Some(trouble)) => Heard::Useless(trouble),
        (Ok(()), None) => Heard::End,
        (Err(error), _) => Heard::Useless(format!("the record cannot be written: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_parted_and_the_last_needs_no_line_break() {
        check("a\n\nbc\nd", "a||bc|d");
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_is_read() {
        let long = "x".repeat(LONGEST_LINE + 1);
        check(&format!("a\n{long}\nb\n"), "a|(too long)|b");
    }

    fn check(text: &str, expected: &str) {
        let mut from = io::BufReader::with_capacity(3, text.as_bytes());
        let mut lines = Vec::new();
        loop {
            match read_line(&mut from).unwrap() {
                Line::Whole(line) => lines.push(String::from_utf8(line).unwrap()),
                Line::TooLong => lines.push("(too long)".into()),
                Line::End => break,
            }
        }
        assert_eq!(lines.join("|"), expected);
    }
}
