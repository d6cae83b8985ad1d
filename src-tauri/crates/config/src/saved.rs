//! What was set in Paddock itself, by its window or its command line: `<data>/settings.json`, between the
//! file that the user writes and the environment.
//!
//! Start at [`Settings::with_saved`], which checks what is to be saved, field by field.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::given::Given;
use crate::{ConfigError, Origin, Providers, Settings};

/// What was set in Paddock itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Saved {
    /// How often it was changed.
    pub revision: u64,
    /// Values by key, as they are typed.
    pub values: BTreeMap<String, String>,
    /// How many tasks work at once on a host, where that was set for it.
    pub parallel_tasks: BTreeMap<String, u64>,
}

/// Why values are not taken, by key.
pub type Refusals = BTreeMap<String, String>;

impl Saved {
    /// The file's name in the data directory.
    pub const FILE: &'static str = "settings.json";

    /// The file in the data directory `data`.
    #[must_use]
    pub fn file(data: &Path) -> PathBuf {
        data.join(Self::FILE)
    }

    /// What was saved in the data directory `data`; nothing where there is no such file.
    pub(crate) fn read(data: &Path) -> Result<Self, ConfigError> {
        let path = Self::file(data);
        let source = match std::fs::read(&path) {
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(saved) => return Ok(saved),
                Err(error) => std::io::Error::other(error),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => error,
        };
        Err(ConfigError::Read { path, source })
    }
}

impl Settings {
    /// These settings read anew, with `saved` in the place of what was saved.
    ///
    /// # Errors
    /// Why values are not taken, each by its key; what has no key, such as a file that cannot be read any
    /// more, stands under the empty one.
    pub fn with_saved(&self, saved: &Saved) -> Result<Self, Refusals> {
        let Some(sources) = &self.sources.0 else {
            return Err(Refusals::from([(
                String::new(),
                "these settings were not loaded".to_owned(),
            )]));
        };
        let mut refusals = Refusals::new();
        for (key, text) in &saved.values {
            if let Some(why) = unsavable(key) {
                refusals.insert(key.clone(), why.to_owned());
                continue;
            }
            let one = Saved {
                values: BTreeMap::from([(key.clone(), text.clone())]),
                ..Saved::default()
            };
            if let Err(error) = Self::layered(sources, &one) {
                let why = without_place(&error, &Given::Word(text.clone()));
                refusals.insert(field(&error).unwrap_or_default(), why);
            }
        }
        if !refusals.is_empty() {
            return Err(refusals);
        }
        Self::layered(sources, saved)
            .map_err(|error| Refusals::from([(String::new(), error.to_string())]))
    }
}

fn unsavable(key: &str) -> Option<&'static str> {
    let table = key.split('.').next();
    if key == "data_dir" {
        return Some("it says where the settings are: give it with --data");
    }
    let is_secret = table == Some(Providers::TABLE);
    is_secret.then_some("keys are kept in the vault: `paddock secret set`")
}

/// The setting that an error is about, where what was saved is at fault.
fn field(error: &ConfigError) -> Option<String> {
    let (ConfigError::UnknownKey { origin, key, .. } | ConfigError::BadValue { origin, key, .. }) =
        error
    else {
        return None;
    };
    matches!(origin, Origin::Saved { .. }).then(|| key.clone())
}

/// What is wrong, beside the field where the user typed what was `given`: of a list, the text that is at fault.
fn without_place(error: &ConfigError, given: &Given) -> String {
    match error {
        ConfigError::BadValue { allowed, found, .. } if *found == given.shown() => {
            format!("give {allowed}")
        }
        ConfigError::BadValue { allowed, found, .. } => {
            format!("{found} cannot be taken: give {allowed}")
        }
        ConfigError::UnknownKey { meant, .. } => match meant {
            Some(meant) => format!("there is no such setting: did you mean `{meant}`?"),
            None => "there is no such setting".to_owned(),
        },
        ConfigError::NoHome
        | ConfigError::Read { .. }
        | ConfigError::TooLong { .. }
        | ConfigError::Syntax { .. } => error.to_string(),
    }
}
