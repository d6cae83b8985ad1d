//! What was given for a setting, from a file (typed) or from the environment or a flag (text), and
//! reading it as what the setting needs.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A value as it was given.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// Text of the environment or a flag: a number in it is a number.
    Word(String),
    /// A text of the file.
    Text(String),
    /// A whole number of the file.
    Whole(i64),
    /// Another number of the file.
    Number(f64),
    /// A list of texts of the file.
    List(Vec<String>),
    /// What no setting takes, by its kind.
    Other(&'static str),
}

/// What paths are relative to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) home: &'a Path,
}

impl Given {
    /// The longest text, in bytes.
    const TEXT_MAX: usize = 4096;
    /// The longest list.
    const LIST_MAX: usize = 1024;

    /// A text in one line, not empty.
    pub(crate) fn text(&self) -> Option<&str> {
        let text = match self {
            Self::Word(text) | Self::Text(text) => text,
            Self::Whole(_) | Self::Number(_) | Self::List(_) | Self::Other(_) => return None,
        };
        is_text(text).then_some(text)
    }

    /// A whole number within `bounds`.
    pub(crate) fn whole(&self, bounds: RangeInclusive<u64>) -> Option<u64> {
        let n = match self {
            Self::Word(text) => text.trim().parse().ok()?,
            Self::Whole(n) => u64::try_from(*n).ok()?,
            Self::Text(_) | Self::Number(_) | Self::List(_) | Self::Other(_) => return None,
        };
        bounds.contains(&n).then_some(n)
    }

    /// A number within `bounds`.
    pub(crate) fn number(&self, bounds: RangeInclusive<f64>) -> Option<f64> {
        let n = match self {
            Self::Word(text) => text.trim().parse().ok()?,
            Self::Whole(n) => f64::from(i32::try_from(*n).ok()?),
            Self::Number(n) => *n,
            Self::Text(_) | Self::List(_) | Self::Other(_) => return None,
        };
        bounds.contains(&n).then_some(n)
    }

    /// An address with a port.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        self.text()?.parse().ok()
    }

    /// A path, made absolute.
    pub(crate) fn path(&self, base: Base<'_>) -> Option<PathBuf> {
        let text = self.text()?;
        Some(match text.strip_prefix("~/") {
            Some(below) => base.home.join(below),
            None => base.dir.join(text),
        })
    }

    /// A list of texts; in the environment and in flags separated by commas, and empty for none.
    pub(crate) fn list(&self) -> Option<Vec<String>> {
        let list: Vec<String> = match self {
            Self::List(list) => list.clone(),
            Self::Word(text) if text.trim().is_empty() => Vec::new(),
            Self::Word(text) => text.split(',').map(|part| part.trim().to_owned()).collect(),
            Self::Text(_) | Self::Whole(_) | Self::Number(_) | Self::Other(_) => return None,
        };
        (list.len() <= Self::LIST_MAX && list.iter().all(|text| is_text(text))).then_some(list)
    }

    /// The first of a list that `is_taken` refuses, so that a message can name it; the value itself where each
    /// alone is taken, or it is no list.
    pub(crate) fn at_fault(&self, is_taken: impl Fn(&Self) -> bool) -> Self {
        let list = self.list().unwrap_or_default().into_iter();
        list.map(|text| (text.clone(), Self::List(vec![text])))
            .find(|(_, alone)| !is_taken(alone))
            .map_or_else(|| self.clone(), |(text, _)| Self::Text(text))
    }

    /// The value as it may stand in a message.
    pub(crate) fn shown(&self) -> String {
        let cut = |text: &str| text.chars().take(80).collect::<String>();
        match self {
            Self::Word(text) | Self::Text(text) => format!("{:?}", cut(text)),
            Self::Whole(n) => n.to_string(),
            Self::Number(n) => n.to_string(),
            Self::List(list) => cut(&format!("{list:?}")),
            Self::Other(kind) => (*kind).to_owned(),
        }
    }

    /// What kind of value it is, for messages about secrets.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Word(_) | Self::Text(_) => "this text",
            Self::Whole(_) | Self::Number(_) => "a number",
            Self::List(_) => "a list",
            Self::Other(kind) => kind,
        }
    }
}

fn is_text(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= Given::TEXT_MAX && !text.contains(char::is_control)
}
