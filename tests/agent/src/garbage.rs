//! Lines that are no messages, to see what a reader makes of them.
//!
//! Start at [`Garbage::lines`].

use serde_json::json;

const DEPTH: usize = 10_000;
const HUGE: usize = 2 * 1024 * 1024;
/// Longest line that a prompt can ask for, in bytes.
const HUGEST: usize = 256 * 1024 * 1024;

/// A kind of garbage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Garbage {
    Bytes,
    Broken,
    Unknown,
    Scalar,
    Empty,
    Nul,
    Deep,
    Huge(usize),
    Wrong,
    CarriageReturn,
}

impl Garbage {
    const ALL: [Self; 10] = [
        Self::Bytes,
        Self::Broken,
        Self::Unknown,
        Self::Scalar,
        Self::Empty,
        Self::Nul,
        Self::Deep,
        Self::Huge(HUGE),
        Self::Wrong,
        Self::CarriageReturn,
    ];

    /// The kinds that `text` names, all when it names none; `None` when one is unknown.
    pub(crate) fn read(text: &str) -> Option<Vec<Self>> {
        let named: Option<Vec<Self>> = text.split_whitespace().map(Self::named).collect();
        named.map(|named| {
            if named.is_empty() {
                Self::ALL.to_vec()
            } else {
                named
            }
        })
    }

    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "bytes" => Self::Bytes,
            "broken" => Self::Broken,
            "unknown" => Self::Unknown,
            "scalar" => Self::Scalar,
            "empty" => Self::Empty,
            "nul" => Self::Nul,
            "deep" => Self::Deep,
            "huge" => Self::Huge(HUGE),
            "wrong" => Self::Wrong,
            "cr" => Self::CarriageReturn,
            other => {
                let bytes = other.strip_prefix("huge=")?.parse().ok()?;
                Self::Huge(std::cmp::min(bytes, HUGEST))
            }
        })
    }

    /// The lines, without their line breaks; `message` is a fresh id for a text.
    pub(crate) fn lines(self, message: &str) -> Vec<Vec<u8>> {
        match self {
            Self::Bytes => vec![b"\xff\xfe not \xc3\x28 text".to_vec()],
            Self::Broken => vec![br#"{"type":"text","message":"t0.0","te"#.to_vec()],
            Self::Unknown => vec![
                json!({"type": "from_the_future", "n": 1})
                    .to_string()
                    .into(),
            ],
            Self::Scalar => ["42", "null", "\"text\"", "[1,2]"].map(Vec::from).to_vec(),
            Self::Empty => vec![Vec::new()],
            Self::Nul => vec![b"before\0after".to_vec()],
            Self::Deep => vec![[vec![b'['; DEPTH], vec![b']'; DEPTH]].concat()],
            Self::Huge(bytes) => vec![sized(message, bytes)],
            Self::Wrong => wrong(),
            Self::CarriageReturn => {
                let text = "this line ends in CR LF";
                vec![format!("{}\r", said(message, text)).into()]
            }
        }
    }
}

fn said(message: &str, text: &str) -> String {
    json!({"type": "text", "message": message, "text": text}).to_string()
}

/// A valid message of exactly `bytes` bytes, or the shortest one.
fn sized(message: &str, bytes: usize) -> Vec<u8> {
    let frame = said(message, "").len();
    said(message, &"x".repeat(bytes.saturating_sub(frame))).into()
}

/// Known types with fields missing or of the wrong type.
fn wrong() -> Vec<Vec<u8>> {
    let lines = [
        json!({"type": "text"}),
        json!({"type": "text", "message": 7, "text": ["a"]}),
        json!({"type": "tool_finished", "call": "c9.9"}),
        json!({"type": "turn_finished", "turn": "one", "outcome": "excellent"}),
        json!({"type": 5}),
        json!({"no_type": true}),
    ];
    lines.map(|line| line.to_string().into()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_line_is_as_long_as_asked() {
        assert_eq!(Garbage::Huge(5000).lines("t1.1")[0].len(), 5000);
    }

    #[test]
    fn none_named_means_all_and_an_unknown_kind_is_no_step() {
        assert_eq!(Garbage::read("").unwrap().len(), Garbage::ALL.len());
        assert_eq!(
            Garbage::read("huge=9 cr"),
            Some(vec![Garbage::Huge(9), Garbage::CarriageReturn])
        );
        assert_eq!(Garbage::read("nonsense"), None);
    }
}
