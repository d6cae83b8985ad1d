//! The file: TOML, taken apart into keys, values and the lines they stand on.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::ConfigError;
use crate::agents::Agents;
use crate::given::Given;
use crate::key::Key;
use crate::provider::Providers;

/// Longest file, in bytes.
const FILE_MAX: u64 = 1 << 20;

/// One value of the file.
#[derive(Debug, PartialEq)]
pub(crate) struct Entry {
    /// Tables and key, with dots.
    pub(crate) key: String,
    pub(crate) given: Given,
    /// The line it stands on, from 1.
    pub(crate) line: usize,
}

/// The text of the file at `path`; nothing when there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(FILE_MAX + 1).read_to_string(&mut text));
    match read {
        Ok(_) if text.len() as u64 > FILE_MAX => Err(ConfigError::TooLong {
            path: path.to_owned(),
            max: FILE_MAX,
        }),
        Ok(_) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ConfigError::Read {
            path: path.to_owned(),
            source,
        }),
    }
}

/// Every value in `text`, which was read from `path`, in the order of their lines.
pub(crate) fn entries(path: &Path, text: &str) -> Result<Vec<Entry>, ConfigError> {
    let document = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
        path: path.to_owned(),
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        message: error.message().trim().replace('\n', ", "),
    })?;
    let mut entries = Vec::new();
    collect(text, "", document.get_ref(), &mut entries);
    entries.sort_by_key(|entry| entry.line);
    Ok(entries)
}

fn collect(text: &str, prefix: &str, table: &DeTable<'_>, entries: &mut Vec<Entry>) {
    for (name, value) in table {
        let key = match prefix {
            "" => name.get_ref().to_string(),
            _ => format!("{prefix}.{}", name.get_ref()),
        };
        if let DeValue::Table(below) = value.get_ref()
            && Key::named(&key).is_none()
            && !below.is_empty()
        {
            collect(text, &key, below, entries);
        } else if !is_table(&key, value.get_ref()) {
            entries.push(Entry {
                key,
                given: given(value.get_ref()),
                line: line_of(text, name.span().start),
            });
        }
    }
}

/// Whether `value` is an empty table in which settings could stand.
fn is_table(key: &str, value: &DeValue<'_>) -> bool {
    let below = |name: &str| {
        name.strip_prefix(key)
            .is_some_and(|rest| rest.starts_with('.'))
    };
    let known = [Providers::TABLE, Agents::TABLE].contains(&key) || Key::names().any(below);
    known && matches!(value, DeValue::Table(_))
}

fn given(value: &DeValue<'_>) -> Given {
    match value {
        DeValue::String(text) => Given::Text(text.to_string()),
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix())
            .map_or(Given::Other("this number"), Given::Whole),
        DeValue::Float(n) => n
            .as_str()
            .parse()
            .map_or(Given::Other("this number"), Given::Number),
        DeValue::Array(values) => {
            let texts = values.iter().map(|value| match value.get_ref() {
                DeValue::String(text) => Some(text.to_string()),
                DeValue::Integer(_)
                | DeValue::Float(_)
                | DeValue::Boolean(_)
                | DeValue::Datetime(_)
                | DeValue::Array(_)
                | DeValue::Table(_) => None,
            });
            texts
                .collect::<Option<_>>()
                .map_or(Given::Other("a list of other things"), Given::List)
        }
        DeValue::Boolean(_) => Given::Other("true or false"),
        DeValue::Datetime(_) => Given::Other("a time"),
        DeValue::Table(_) => Given::Other("a table"),
    }
}

/// The line of byte `at`, from 1.
fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}
