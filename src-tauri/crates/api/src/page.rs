//! Long lists come in pages; a cursor says where the next one begins.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Entries of a page when the client does not say.
pub const PAGE_DEFAULT: usize = 50;
/// Most entries of a page.
pub const PAGE_MAX: usize = 200;

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    /// Its entries.
    pub items: Vec<T>,
    /// Where the next page begins; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Where a page begins: the key of the entry before it. Clients hand it back as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct Cursor(String);

/// What was handed back is no cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidCursor;

impl Cursor {
    const MARK: &'static str = "after-";

    /// The cursor of the page that follows the entry `key`.
    #[must_use]
    pub fn after(key: &str) -> Self {
        Self(format!("{}{key}", Self::MARK))
    }

    /// The key of the entry before the page.
    #[must_use]
    pub fn key(&self) -> &str {
        self.0.get(Self::MARK.len()..).unwrap_or_default()
    }

    /// The cursor as it is sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Cursor {
    type Error = InvalidCursor;
    fn try_from(text: String) -> Result<Self, InvalidCursor> {
        if text.starts_with(Self::MARK) {
            Ok(Self(text))
        } else {
            Err(InvalidCursor)
        }
    }
}

impl From<Cursor> for String {
    fn from(cursor: Cursor) -> Self {
        cursor.0
    }
}

impl fmt::Display for InvalidCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is no cursor of ours: leave it out to begin at the first page")
    }
}

impl std::error::Error for InvalidCursor {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_went() {
        let json = serde_json::to_string(&Cursor::after("t1")).unwrap();
        let cursor: Cursor = serde_json::from_str(&json).unwrap();
        assert_eq!(cursor.key(), "t1");
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        assert!(serde_json::from_str::<Cursor>("\"t1\"").is_err());
    }
}
