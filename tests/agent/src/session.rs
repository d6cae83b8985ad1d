//! The session: what a resumed agent still knows.
//!
//! Kept in one small file under the home folder, replaced as a whole. Without a home, or one that
//! cannot be written, nothing is kept and nothing fails. Start at [`Session::fresh`].

use std::fmt;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

const DEFAULT_MODEL: &str = "scripted-1";
/// Most things that one session remembers.
const MOST_MEMORIES: usize = 64;
const LONGEST_ID: usize = 64;
/// Most messages that are written down, and how long each may be, in characters.
const MOST_SAID: (usize, usize) = (64, 400);

/// A session's state.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) model: String,
    /// Turns begun.
    pub(crate) turns: u64,
    remembered: Vec<String>,
    /// Where it works.
    #[serde(default)]
    cwd: Option<String>,
    /// What was said last.
    #[serde(default)]
    said: Vec<Said>,
    #[serde(skip)]
    pub(crate) resumed: bool,
}

/// Something that was said.
#[derive(Debug, Serialize, Deserialize)]
struct Said {
    by: String,
    text: String,
}

/// No such session is kept.
#[derive(Debug)]
pub(crate) struct Unknown {
    id: String,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no session {:?} to resume", self.id)
    }
}

impl std::error::Error for Unknown {}

impl Session {
    /// A new session.
    pub(crate) fn fresh(model: Option<String>) -> Self {
        Self {
            id: format!("s-{:016x}", RandomState::new().hash_one(std::process::id())),
            model: model.unwrap_or_else(|| DEFAULT_MODEL.to_owned()),
            turns: 0,
            remembered: Vec::new(),
            cwd: here(),
            said: Vec::new(),
            resumed: false,
        }
    }

    /// The session `id` as it was kept; `model` takes the place of its model.
    pub(crate) fn resume(id: &str, model: Option<String>) -> Result<Self, Unknown> {
        let unknown = || Unknown { id: id.to_owned() };
        let bytes = file_of(id).and_then(|path| fs::read(path).ok());
        let kept: Self = bytes
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .ok_or_else(unknown)?;
        Ok(Self {
            model: model.unwrap_or(kept.model),
            cwd: here(),
            resumed: true,
            ..kept
        })
    }

    /// The same under an id of its own: the one before stays as it is.
    pub(crate) fn fork(self) -> Self {
        Self {
            id: Self::fresh(None).id,
            ..self
        }
    }

    /// Goes on as a session that knows nothing; the one before stays as it is.
    pub(crate) fn begin_anew(&mut self) {
        *self = Self {
            turns: self.turns,
            ..Self::fresh(Some(self.model.clone()))
        };
        self.keep();
    }

    /// Keeps the session, where that is possible.
    pub(crate) fn keep(&self) {
        let kept = file_of(&self.id).map(|path| {
            let draft = path.with_extension(format!("draft-{}", std::process::id()));
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            fs::write(&draft, serde_json::to_vec(self)?)?;
            fs::rename(draft, path)
        });
        if let Some(Err(error)) = kept {
            eprintln!("scripted: the session is not kept: {error}");
        }
    }

    /// Remembers `text`; the oldest memories give way.
    pub(crate) fn remember(&mut self, text: String) {
        self.remembered.push(text);
        let excess = self.remembered.len().saturating_sub(MOST_MEMORIES);
        self.remembered.drain(..excess);
    }

    /// Writes down what was said; the oldest words give way.
    pub(crate) fn note(&mut self, by: &str, text: &str) {
        let text = text.chars().take(MOST_SAID.1).collect();
        let by = by.to_owned();
        self.said.push(Said { by, text });
        let excess = self.said.len().saturating_sub(MOST_SAID.0);
        self.said.drain(..excess);
    }

    /// All that is remembered, oldest first.
    pub(crate) fn recall(&self) -> String {
        self.remembered.join("; ")
    }
}

fn here() -> Option<String> {
    let here = std::env::current_dir().ok()?;
    here.into_os_string().into_string().ok()
}

fn file_of(id: &str) -> Option<PathBuf> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let is_id = (1..=LONGEST_ID).contains(&id.len()) && id.chars().all(fits);
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty() && is_id)?;
    let folder = PathBuf::from(home).join(".scripted/sessions");
    Some(folder.join(format!("{id}.json")))
}
