//! A streamed answer as a list of beats, so that dialects are pure and only the server keeps time.
//!
//! Start at [`Tape`].

use std::time::Duration;

use serde_json::Value;

/// Bytes of text in one piece of a stream.
const PIECE: usize = 24;

/// One thing to do on the wire.
#[derive(Debug, PartialEq)]
pub(crate) enum Beat {
    /// One server-sent event, complete with its empty line.
    Event(String),
    Pause(Duration),
    /// Break the connection.
    Break,
}

/// The beats of one answer.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    beats: Vec<Beat>,
}

impl Tape {
    /// Adds an event with a name.
    pub(crate) fn event(&mut self, name: &str, data: &Value) {
        let event = format!("event: {name}\ndata: {data}\n\n");
        self.beats.push(Beat::Event(event));
    }

    /// Adds an event that is data alone.
    pub(crate) fn data(&mut self, data: &str) {
        self.beats.push(Beat::Event(format!("data: {data}\n\n")));
    }

    /// Adds a silence.
    pub(crate) fn pause(&mut self, length: Duration) {
        if !length.is_zero() {
            self.beats.push(Beat::Pause(length));
        }
    }

    /// Breaks the connection here.
    pub(crate) fn cut(&mut self) {
        self.beats.push(Beat::Break);
    }

    /// The beats, in order.
    pub(crate) fn into_beats(self) -> Vec<Beat> {
        self.beats
    }
}

/// Parts `text` into the pieces of a stream; at least one, and never inside a character.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > PIECE {
        let end = (PIECE..=rest.len()).find(|end| rest.is_char_boundary(*end));
        let (piece, more) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = more;
    }
    pieces.push(rest);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_to_the_text_again() {
        for text in ["", "short", &"ä".repeat(100), &"x".repeat(48)] {
            let pieces = pieces(text);
            assert_eq!(pieces.concat(), text);
            assert!(pieces.iter().all(|piece| piece.len() <= PIECE + 3));
        }
    }
}
