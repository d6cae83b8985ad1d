//! Files of this machine that go with words.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use paddock_domain::{Attachment, InvalidSpec};

use crate::{Client, ClientError};

/// Files were not uploaded.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// A file cannot be read.
    #[error("{} cannot be read", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is a directory, or no file at all.
    #[error("{} is no plain file", path.display())]
    NotPlain {
        /// What was named.
        path: PathBuf,
    },
    /// A file is too large.
    #[error("{} is larger than {} MiB", path.display(), Attachment::SIZE_MAX >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// They are too many, or too large together.
    #[error(transparent)]
    TooMuch(#[from] InvalidSpec),
    /// The server did not take one.
    #[error(transparent)]
    Client(#[from] ClientError),
}

impl Client {
    /// Uploads plain files of this machine, for a message to name; one after the other, so that one at a time is
    /// held.
    ///
    /// # Errors
    /// [`FilesError`]. What was uploaded by then is forgotten by the server in time.
    pub async fn upload_files(&self, paths: &[PathBuf]) -> Result<Vec<Attachment>, FilesError> {
        let mut attachments = Vec::new();
        for path in paths {
            let name = path.file_name().and_then(|name| name.to_str());
            let (name, path) = (name.unwrap_or("file"), path.clone());
            let read = tokio::task::spawn_blocking(move || read(&path));
            let content = read.await.unwrap_or_else(|ended| {
                Err(FilesError::Unread {
                    path: name.into(),
                    source: io::Error::other(ended),
                })
            })?;
            attachments.push(self.upload(name, content.into()).await?);
            Attachment::check(&attachments)?;
        }
        Ok(attachments)
    }
}

/// The content of a plain file of no more than [`Attachment::SIZE_MAX`] bytes.
fn read(path: &Path) -> Result<Vec<u8>, FilesError> {
    let unread = |source| FilesError::Unread {
        path: path.to_owned(),
        source,
    };
    // Before it is opened: whoever opens a pipe waits for its other end.
    if !path.metadata().map_err(unread)?.is_file() {
        return Err(FilesError::NotPlain {
            path: path.to_owned(),
        });
    }
    let mut content = Vec::new();
    let file = std::fs::File::open(path).map_err(unread)?;
    let most = Attachment::SIZE_MAX as u64 + 1;
    file.take(most).read_to_end(&mut content).map_err(unread)?;
    if content.len() > Attachment::SIZE_MAX {
        return Err(FilesError::TooLarge {
            path: path.to_owned(),
        });
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_plain_file_or_too_large_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("note.txt");
        std::fs::write(&file, "words").unwrap();
        assert_eq!(read(&file).unwrap(), b"words");
        let refused = read(dir.path()).unwrap_err();
        assert!(matches!(refused, FilesError::NotPlain { .. }), "{refused}");
        let absent = read(&dir.path().join("absent")).unwrap_err();
        assert!(matches!(absent, FilesError::Unread { .. }), "{absent}");
        let large = std::fs::File::create(&file).unwrap();
        large.set_len(Attachment::SIZE_MAX as u64).unwrap();
        assert_eq!(read(&file).unwrap().len(), Attachment::SIZE_MAX);
        large.set_len(Attachment::SIZE_MAX as u64 + 1).unwrap();
        let refused = read(&file).unwrap_err();
        assert!(matches!(refused, FilesError::TooLarge { .. }), "{refused}");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_end_is_not_read() {
        let refused = read(Path::new("/dev/zero")).unwrap_err();
        assert!(matches!(refused, FilesError::NotPlain { .. }), "{refused}");
    }
}
