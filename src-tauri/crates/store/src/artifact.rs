//! Large texts beside the journal, each in a file named by its hash.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use paddock_domain::{ArtifactRef, TaskId};
use sha2::{Digest, Sha256};

use crate::layout::Layout;
use crate::{StoreError, file};

/// The artifacts of one task, written by its journal's writer alone.
#[derive(Debug)]
pub(crate) struct Artifacts {
    task: TaskId,
    dir: PathBuf,
    /// Written and not yet made durable.
    unsynced: Vec<File>,
    /// Whether they could not be made durable once: they are written again before the next try.
    in_doubt: bool,
}

impl Artifacts {
    /// Most files held open until they are made durable.
    const UNSYNCED_MAX: usize = 32;

    pub(crate) fn new(layout: &Layout, task: &TaskId) -> Self {
        Self {
            task: task.clone(),
            dir: layout.task_artifacts(task),
            unsynced: Vec::new(),
            in_doubt: false,
        }
    }

    /// Stores `text`, cut at [`ArtifactRef::MAX`] bytes. The same text is stored once.
    pub(crate) fn keep(&mut self, text: &str) -> Result<ArtifactRef, StoreError> {
        let (body, mark) = cut(text);
        let sha256 = self.keep_parts(&[body.as_bytes(), mark.as_bytes()])?;
        Ok(ArtifactRef {
            path: format!("artifacts/{}/{sha256}", self.task),
            sha256,
            size: text.len() as u64,
        })
    }

    /// Stores `content` as it is; gives its hash. The same content is stored once.
    pub(crate) fn keep_bytes(&mut self, content: &[u8]) -> Result<String, StoreError> {
        self.keep_parts(&[content])
    }

    fn keep_parts(&mut self, parts: &[&[u8]]) -> Result<String, StoreError> {
        let mut hash = Sha256::new();
        parts.iter().for_each(|part| hash.update(part));
        let sha256 = hex(&hash.finalize());
        let path = self.dir.join(&sha256);
        let whole: usize = parts.iter().map(|part| part.len()).sum();
        if fs::symlink_metadata(&path).map_or(true, |found| found.len() != whole as u64) {
            self.write(&path, parts)
                .map_err(|source| StoreError::io("storing", &path, source))?;
        }
        Ok(sha256)
    }

    fn write(&mut self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        file::make_private_dir(&self.dir)?;
        let half = self.dir.join(".half");
        let written = (|| {
            let mut file = file::open_private(&half)?;
            file.set_len(0)?;
            parts.iter().try_for_each(|part| file.write_all(part))?;
            fs::rename(&half, path)?;
            Ok(file)
        })();
        match written {
            Ok(file) => self.unsynced.push(file),
            Err(error) => {
                let _ = fs::remove_file(&half); // gives its room back; it is overwritten in any case
                return Err(error);
            }
        }
        if self.unsynced.len() >= Self::UNSYNCED_MAX {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes every artifact durable. To be called before a journal line that refers to one is.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        if self.unsynced.is_empty() {
            return Ok(());
        }
        let again = std::mem::replace(&mut self.in_doubt, true);
        for file in &mut self.unsynced {
            if again {
                write_again(file)?;
            }
            file.sync_data()?;
        }
        file::sync_dir(&self.dir)?;
        if let Some(all) = self.dir.parent() {
            file::sync_dir(all)?;
        }
        self.unsynced.clear();
        self.in_doubt = false;
        Ok(())
    }
}

/// Writes a file's content again as it is: what could not be made durable counts as written until then.
fn write_again(file: &mut File) -> io::Result<()> {
    let mut content = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut content)?;
    file.rewind()?;
    file.write_all(&content)
}

/// Reads an artifact, at most `limit` bytes of it.
pub(crate) fn read(
    layout: &Layout,
    task: &TaskId,
    sha256: &str,
    limit: u64,
) -> Result<Bytes, StoreError> {
    let path = layout.artifact(task, sha256)?;
    match file::read_up_to(&path, limit) {
        Ok(content) => Ok(content.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(StoreError::NoSuchArtifact {
            task: task.clone(),
            sha256: sha256.to_owned(),
        }),
        Err(source) => Err(StoreError::io("reading", path, source)),
    }
}

/// `text` as far as an artifact holds it, and the mark that says when that is not all.
fn cut(text: &str) -> (&str, &'static str) {
    if text.len() <= ArtifactRef::MAX {
        return (text, "");
    }
    let end = text.floor_char_boundary(ArtifactRef::MAX - ArtifactRef::CUT_MARK.len());
    (text.get(..end).unwrap_or_default(), ArtifactRef::CUT_MARK)
}

/// `bytes` as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digit = |n: u8| DIGITS.get(usize::from(n)).copied().unwrap_or('0');
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_artifact_is_named_by_the_hash_of_what_it_holds() {
        let data = tempfile::tempdir().unwrap();
        let (layout, id) = (Layout::new(data.path()), TaskId::parse("t1").unwrap());
        let kept = Artifacts::new(&layout, &id).keep("abc").unwrap();
        let sha = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(kept.sha256, sha);
        assert_eq!(kept.path, format!("artifacts/t1/{sha}"));
        assert_eq!(read(&layout, &id, sha, 8).unwrap(), "abc");
    }

    #[test]
    fn a_text_over_the_limit_is_cut_between_characters_and_says_so() {
        let text = "ä".repeat(ArtifactRef::MAX / 2 + 1);
        let (body, mark) = cut(&text);
        assert_eq!(mark, "[TRUNCATED]");
        assert!(body.len() + mark.len() <= ArtifactRef::MAX);
        assert!(body.len() + mark.len() + 2 > ArtifactRef::MAX);
        let exact = "x".repeat(ArtifactRef::MAX);
        assert_eq!(cut(&exact), (exact.as_str(), ""));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_an_artifact_s_place_is_not_followed() {
        let data = tempfile::tempdir().unwrap();
        let (layout, id) = (Layout::new(data.path()), TaskId::parse("t1").unwrap());
        let sha = "0".repeat(64);
        fs::create_dir_all(layout.task_artifacts(&id)).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", layout.artifact(&id, &sha).unwrap()).unwrap();
        let refused = read(&layout, &id, &sha, 8).unwrap_err();
        assert!(
            refused.to_string().contains("not a plain file"),
            "{refused}"
        );
    }
}
