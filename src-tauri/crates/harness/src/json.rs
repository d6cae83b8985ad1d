//! Reading lines fast: find out what a line is before taking it apart.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

/// Text of a line, borrowed from it wherever it has no escapes. (`Cow` inside an `Option` would always
/// be copied.)
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Text<'l>(Cow<'l, str>);

impl Text<'_> {
    pub(crate) fn into_owned(self) -> String {
        self.0.into_owned()
    }
}

impl<'l> From<&'l str> for Text<'l> {
    fn from(text: &'l str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl Deref for Text<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'l, 'l> Deserialize<'de> for Text<'l> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Taker;
        impl<'de> Visitor<'de> for Taker {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }
            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        from.deserialize_str(Taker)
    }
}

/// The value of a line's `key` when that comes first in it, as it nearly always does: read without
/// parsing anything. Only plain text values are found.
pub(crate) fn first_text<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let rest = line.strip_prefix("{\"")?.strip_prefix(key)?;
    let rest = rest.strip_prefix("\":\"")?;
    let end = rest.find(['"', '\\'])?;
    (rest.as_bytes().get(end) == Some(&b'"')).then(|| rest.get(..end))?
}

/// A number that may be missing, negative or broken: then it is none. Keeps one odd figure from costing
/// the whole line.
pub(crate) fn lenient<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let number = Option::<serde_json::Number>::deserialize(from)?;
    Ok(number
        .and_then(|number| number.as_u64())
        .and_then(|number| T::try_from(number).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_key_is_found_without_parsing() {
        assert_eq!(first_text(r#"{"type":"user","x":1}"#, "type"), Some("user"));
        assert_eq!(first_text(r#"{"x":1,"type":"user"}"#, "type"), None);
        assert_eq!(first_text(r#"{"type":"us\"er"}"#, "type"), None);
        assert_eq!(first_text(r#"{"type":"user"#, "type"), None);
    }
}
