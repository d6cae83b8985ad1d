//! Where everything lies below a data directory. Names come from checked ids alone, so no path leaves
//! its task's folder.

use std::path::{Path, PathBuf};

use paddock_domain::TaskId;

use crate::StoreError;

/// The paths of one data directory.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    data: PathBuf,
}

impl Layout {
    /// Begins the folder of a task that is being made; no task id begins so.
    pub(crate) const HALF_MADE: &'static str = ".new-";
    /// Begins the folder of a task that is being removed for good; no task id begins so.
    pub(crate) const GOING: &'static str = ".gone-";
    /// Begins the names of what was cut off a journal.
    pub(crate) const CUT: &'static str = "journal.cut-";
    /// Begins the names of journals as they were before a repair.
    pub(crate) const BEFORE_REPAIR: &'static str = "journal.before-repair-";

    pub(crate) fn new(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
        }
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.data.join("lock")
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.data.join("index.sqlite")
    }

    pub(crate) fn search(&self) -> PathBuf {
        self.data.join("search.sqlite")
    }

    pub(crate) fn tasks(&self) -> PathBuf {
        self.data.join("tasks")
    }

    pub(crate) fn artifacts(&self) -> PathBuf {
        self.data.join("artifacts")
    }

    pub(crate) fn uploads(&self) -> PathBuf {
        self.data.join("uploads")
    }

    pub(crate) fn task(&self, id: &TaskId) -> PathBuf {
        self.tasks().join(id.as_str())
    }

    pub(crate) fn half_made(&self, id: &TaskId) -> PathBuf {
        self.tasks().join(format!("{}{id}", Self::HALF_MADE))
    }

    pub(crate) fn journal(&self, id: &TaskId) -> PathBuf {
        self.task(id).join("journal.jsonl")
    }

    /// The journal when it is compressed.
    pub(crate) fn packed(&self, id: &TaskId) -> PathBuf {
        self.task(id).join("journal.jsonl.zst")
    }

    /// A journal that is being written in another form; removed when it is met.
    pub(crate) fn half_journal(&self, id: &TaskId) -> PathBuf {
        self.task(id).join("journal.half")
    }

    /// What was cut off the end of a journal, or stood where another form of it was right.
    pub(crate) fn cut(&self, id: &TaskId, n: u32) -> PathBuf {
        self.task(id).join(format!("{}{n}", Self::CUT))
    }

    /// A journal as it was before it was repaired.
    pub(crate) fn before_repair(&self, id: &TaskId, n: u32) -> PathBuf {
        self.task(id).join(format!("{}{n}", Self::BEFORE_REPAIR))
    }

    /// Says that the task's artifacts were removed on purpose.
    pub(crate) fn artifacts_removed(&self, id: &TaskId) -> PathBuf {
        self.task(id).join("artifacts-removed")
    }

    /// The folder of a task that is being removed for good.
    pub(crate) fn going(&self, id: &TaskId) -> PathBuf {
        self.tasks().join(format!("{}{id}", Self::GOING))
    }

    pub(crate) fn archived(&self, id: &TaskId) -> PathBuf {
        self.task(id).join("archived")
    }

    pub(crate) fn task_artifacts(&self, id: &TaskId) -> PathBuf {
        self.artifacts().join(id.as_str())
    }

    /// The file of an artifact.
    ///
    /// # Errors
    /// [`StoreError::NotAnArtifact`] when `sha256` is not 64 lower-case hexadecimal digits.
    pub(crate) fn artifact(&self, id: &TaskId, sha256: &str) -> Result<PathBuf, StoreError> {
        checked(sha256).map(|sha256| self.task_artifacts(id).join(sha256))
    }

    /// The file of an upload.
    ///
    /// # Errors
    /// [`StoreError::NotAnArtifact`] when `sha256` is not 64 lower-case hexadecimal digits.
    pub(crate) fn upload(&self, sha256: &str) -> Result<PathBuf, StoreError> {
        checked(sha256).map(|sha256| self.uploads().join(sha256))
    }
}

/// `sha256` as the name of a file.
fn checked(sha256: &str) -> Result<&str, StoreError> {
    let digit = |c: u8| matches!(c, b'0'..=b'9' | b'a'..=b'f');
    if sha256.len() == 64 && sha256.bytes().all(digit) {
        return Ok(sha256);
    }
    Err(StoreError::NotAnArtifact {
        offered: sha256.chars().take(80).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_hash_is_no_artifact() {
        let layout = Layout::new(Path::new("/data"));
        let id = TaskId::parse("t1").unwrap();
        let long = "a".repeat(65);
        let upper = "A".repeat(64);
        let dotted = format!("../{}", "a".repeat(61));
        for bad in ["", "..", "../t2/x", "/etc/passwd", &long, &upper, &dotted] {
            assert!(layout.artifact(&id, bad).is_err(), "{bad:?} was taken");
        }
        let good = layout.artifact(&id, &"0a".repeat(32)).unwrap();
        assert!(good.starts_with("/data/artifacts/t1"));
    }
}
