//! Files that their owner alone may read, replaced whole.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Result, Write};
use std::path::Path;

/// Writes `text` to `path`, for the owner's eyes only; a reader sees the old file or the new one.
pub(crate) fn write_private(path: &Path, text: &str) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = Path::new(&beside);
    match std::fs::remove_file(beside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let put = || {
        let mut file = create(beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(beside, path)
    };
    put().inspect_err(|_| {
        // What is half written is no use to anybody, and on a full disk in the way.
        let _ = std::fs::remove_file(beside);
    })
}

/// As [`write_private`]; on a full disk over what stands there, whose room is taken already. A reader may
/// then see neither the old text nor the new one for a moment.
pub(crate) fn write_private_in_need(path: &Path, text: &str) -> Result<()> {
    match write_private(path, text) {
        Err(error) if error.kind() == ErrorKind::StorageFull => {
            let mut file = OpenOptions::new().write(true).open(path)?;
            file.write_all(text.as_bytes())?;
            file.set_len(text.len() as u64)
        }
        ended => ended,
    }
}

/// What stands in `path`; what `make` makes is written there when nothing does.
pub(super) fn read_or_make(path: &Path, make: impl FnOnce() -> String) -> Result<String> {
    match std::fs::read_to_string(path) {
        Ok(text) if !text.trim().is_empty() => {
            close_to_others(path)?;
            Ok(text)
        }
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => {
            let text = make();
            write_private(path, &format!("{text}\n"))?;
            Ok(text)
        }
    }
}

#[cfg(unix)]
fn create(path: &Path) -> Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

#[cfg(not(unix))]
fn create(path: &Path) -> Result<File> {
    // The data directory lies in the user's own profile, which others may not read.
    OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(unix)]
fn close_to_others(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if std::fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
        tracing::warn!(file = %path.display(), "others could read it; now only its owner may");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)] // the other half can fail
fn close_to_others(_: &Path) -> Result<()> {
    Ok(())
}
