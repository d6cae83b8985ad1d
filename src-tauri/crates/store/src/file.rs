//! Files and directories that only their owner may read, and making them last.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Makes the directory `path` and what is missing above it, readable by its owner alone. One that is
/// there stays as it is: it may be shared by the user's wish.
pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Opens `path` for reading and writing, made if it is not there, readable by its owner alone.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    private().create(true).truncate(false).open(path)
}

/// Makes the file `path`, readable by its owner alone; refused when it is there.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    private().create_new(true).open(path)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Opens the plain file `path` for reading and writing. Anything else that stands there (a link, a
/// pipe, a directory) is refused rather than followed or waited for.
pub(crate) fn open_plain(path: &Path, write: bool) -> io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a plain file",
        ));
    }
    OpenOptions::new().read(true).write(write).open(path)
}

/// Reads the plain file `path`, at most `limit` bytes of it.
pub(crate) fn read_up_to(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open_plain(path, false)?
        .take(limit)
        .read_to_end(&mut content)?;
    Ok(content)
}

/// Removes the database `path` with what SQLite keeps beside it. What is in the way shows when one is opened
/// there.
pub(crate) fn remove_database(path: &Path) {
    for beside in ["", "-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(beside);
        let _ = fs::remove_file(PathBuf::from(name)); // most of them are seldom there
    }
}

/// Makes what was created, renamed or removed in the directory `path` last.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(path)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = path; // such systems cannot open a directory and order its changes themselves
    Ok(())
}
