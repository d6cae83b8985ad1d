//! A task's work tree, opened outside of the window: the one thing that the page has the shell do.
//!
//! The page names a task and a way, never a path. Where the work tree lies is what the server says, and it
//! says so for a box that is a worktree alone: a container keeps its files to itself. What agents may have
//! put in the folder's place is not followed.
//!
//! Start at [`open_box`].

use std::io;
use std::path::{Path, PathBuf};

use paddock_client::{Client, ClientError};
use paddock_domain::TaskId;
use serde::Deserialize;

use crate::desktop::Desktop;

/// What a folder is opened with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum With {
    /// What the desktop shows folders with.
    Folder,
    /// An editor.
    Editor,
}

/// Why it was not opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CannotOpen {
    /// The page named no task.
    #[error("that is no task's id")]
    NoTask,
    /// The server does not say where.
    #[error("the server does not say where the box lies: {0}")]
    Server(#[from] ClientError),
    /// The box is no worktree.
    #[error("the box has no folder on this machine: open a terminal in it instead")]
    NoFolder,
    /// There is no folder at that place, or something else is.
    #[error("there is no folder at {0}: revive the task to have it made again")]
    Gone(PathBuf),
    /// The desktop has nothing that opens it.
    #[error("nothing here opens {folder}: {source}")]
    Desktop {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Opens the work tree of the task that the page calls `task`.
///
/// # Errors
/// [`CannotOpen`].
pub(crate) async fn open_box(
    client: &Client,
    desktop: &dyn Desktop,
    task: &str,
    with: With,
) -> Result<(), CannotOpen> {
    let task = TaskId::parse(task).map_err(|_| CannotOpen::NoTask)?;
    let said = client.terminals(&task).await?.folder;
    let folder = PathBuf::from(said.ok_or(CannotOpen::NoFolder)?);
    if !is_folder(&folder) {
        return Err(CannotOpen::Gone(folder));
    }
    let opened = desktop.show(&folder, with);
    opened.map_err(|source| CannotOpen::Desktop { folder, source })
}

/// Whether a folder stands there, and no link to another.
fn is_folder(path: &Path) -> bool {
    let is_dir = |meta: std::fs::Metadata| meta.file_type().is_dir();
    path.is_absolute() && path.symlink_metadata().is_ok_and(is_dir)
}

#[cfg(test)]
mod tests;
