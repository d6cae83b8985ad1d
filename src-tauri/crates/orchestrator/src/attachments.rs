//! Files that users upload, before a message names them.

use bytes::Bytes;
use paddock_domain::{Attachment, TaskId};
use paddock_store::{Store, StoreError};

use crate::{CommandError, Orchestrator, ids};

impl Orchestrator {
    /// Keeps a file until a message names it; gives what a message has to say.
    ///
    /// # Errors
    /// [`CommandError::Bad`] when it is too large, [`CommandError::DiskFull`],
    /// [`CommandError::Overloaded`] when too much waits.
    pub async fn upload(&self, name: &str, content: Bytes) -> Result<Attachment, CommandError> {
        if content.len() > Attachment::SIZE_MAX {
            let max = Attachment::SIZE_MAX >> 20;
            let message =
                format!("a file has at most {max} MiB: put a larger one into a repository");
            return Err(CommandError::Bad { message });
        }
        self.rooms.disk.admit()?;
        let kept = self.rooms.store.upload(content.clone(), ids::now()).await;
        let sha256 = kept.map_err(|error| {
            if matches!(error, StoreError::TooManyUploads { .. }) {
                let what = "the shelf of uploads";
                CommandError::Overloaded { what }
            } else {
                self.rooms.not_written(&error)
            }
        })?;
        Ok(Attachment::of(&content, sha256, name))
    }

    /// The content of an upload.
    ///
    /// # Errors
    /// [`CommandError::NotFound`].
    pub async fn uploaded(&self, sha256: &str) -> Result<Bytes, CommandError> {
        let found = self.rooms.store.uploaded(sha256, ids::now()).await;
        found.map_err(|error| unread(&error))
    }
}

/// Holds `files` against what was uploaded, or against what `task` has of them already.
pub(crate) async fn check(
    store: &Store,
    task: Option<&TaskId>,
    files: &[Attachment],
) -> Result<(), CommandError> {
    Attachment::check(files)?;
    for file in files {
        let content = match own(store, task, &file.sha256).await? {
            Some(content) => content,
            None => store
                .uploaded(&file.sha256, ids::now())
                .await
                .map_err(|error| unread(&error))?,
        };
        let real = Attachment::of(&content, file.sha256.clone(), &file.name);
        if real != *file {
            let name = &file.name;
            let message = format!("`{name}` is not as its upload said: upload it again");
            return Err(CommandError::Bad { message });
        }
    }
    Ok(())
}

/// What `task` has already of the file with this hash.
async fn own(
    store: &Store,
    task: Option<&TaskId>,
    sha256: &str,
) -> Result<Option<Bytes>, CommandError> {
    let Some(task) = task else {
        return Ok(None);
    };
    match store.artifact(task, sha256).await {
        Ok(content) => Ok(Some(content)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(unread(&error)),
    }
}

fn unread(error: &StoreError) -> CommandError {
    CommandError::missing_or_failed("attachment", is_missing(error), error)
}

fn is_missing(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::NoSuchUpload { .. }
            | StoreError::NoSuchArtifact { .. }
            | StoreError::NotAnArtifact { .. }
    )
}
