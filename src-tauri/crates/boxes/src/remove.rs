//! Removes a box's directory: all of it, and nothing that is mounted into it.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::{BoxDirs, BoxError};

/// Removes the directory of `dirs`; one that is not there is left alone. The record goes last.
pub(crate) fn remove(dirs: &BoxDirs) -> Result<(), BoxError> {
    if !dirs.root.exists() {
        return Ok(());
    }
    if let Some(mount) = mount_below(&dirs.root)? {
        return Err(BoxError::Mounted {
            mount: mount.display().to_string(),
        });
    }
    for dir in dirs.own() {
        remove_tree(dir)?;
    }
    remove_rest(&dirs.root, &dirs.record())?;
    remove_tree(&dirs.root)
}

fn remove_rest(root: &Path, last: &Path) -> Result<(), BoxError> {
    let entries = fs::read_dir(root).map_err(|e| BoxError::disk(root, e))?;
    for entry in entries.flatten().filter(|entry| entry.path() != last) {
        remove_tree(&entry.path())?;
    }
    Ok(())
}

/// Removes what is at `path`, without following links. Directories that forbid it are opened first:
/// some build tools leave their caches read-only.
fn remove_tree(path: &Path) -> Result<(), BoxError> {
    let removed = match try_remove(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(path);
            try_remove(path)
        }
        other => other,
    };
    removed.map_err(|e| BoxError::disk(path, e))
}

fn try_remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Lets us write every directory below `path` that is ours. What fails shows in the removal.
fn open_up(path: &Path) {
    if path.is_symlink() {
        return;
    }
    let mut waiting = vec![path.to_owned()];
    while let Some(dir) = waiting.pop() {
        let _ = fs::set_permissions(&dir, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(&dir).into_iter().flatten().flatten();
        let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        waiting.extend(below.map(|entry| entry.path()));
    }
}

/// The first mount at or below `root`.
#[cfg(target_os = "linux")]
fn mount_below(root: &Path) -> Result<Option<PathBuf>, BoxError> {
    let table = Path::new("/proc/self/mountinfo");
    let text = fs::read(table).map_err(|e| BoxError::disk(table, e))?;
    let root = root.canonicalize().map_err(|e| BoxError::disk(root, e))?;
    let mut points = text.split(|byte| *byte == b'\n').filter_map(mount_point);
    Ok(points.find(|point| point.starts_with(&root)))
}

/// Elsewhere the engine runs in a virtual machine, and its mounts are not on this file system.
#[cfg(not(target_os = "linux"))]
fn mount_below(_: &Path) -> Result<Option<PathBuf>, BoxError> {
    Ok(None)
}

/// The mount point of a line of `mountinfo`: its fifth field, with four characters written in octal.
fn mount_point(line: &[u8]) -> Option<PathBuf> {
    let field = line.split(|byte| *byte == b' ').nth(4)?;
    let mut path = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((byte, after)) = rest.split_first() {
        let octal = after.first_chunk::<3>().filter(|_| *byte == b'\\');
        let code = octal.and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(code) => {
                path.push(code);
                rest = &after[3..];
            }
            None => {
                path.push(*byte);
                rest = after;
            }
        }
    }
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(&path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_point_with_spaces_is_read() {
        let line = b"36 35 98:0 /mnt1 /mnt/a\\040b\\134c rw,noatime master:1 - ext3 /dev/root rw";
        assert_eq!(mount_point(line), Some(PathBuf::from("/mnt/a b\\c")));
        assert_eq!(mount_point(b""), None);
    }

    #[test]
    fn read_only_directories_go_and_links_are_not_followed() {
        let temp = tempfile::tempdir().unwrap();
        let outside = temp.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("keep"), "x").unwrap();
        let task = paddock_domain::TaskId::parse("t").unwrap();
        let dirs = BoxDirs::of(temp.path(), &task);
        fs::create_dir_all(dirs.home.join("cache/deep")).unwrap();
        fs::write(dirs.home.join("cache/deep/f"), "x").unwrap();
        std::os::unix::fs::symlink(&outside, dirs.home.join("link")).unwrap();
        fs::write(dirs.record(), "{}").unwrap();
        for dir in ["cache/deep", "cache"] {
            let closed = fs::Permissions::from_mode(0o500);
            fs::set_permissions(dirs.home.join(dir), closed).unwrap();
        }
        remove(&dirs).unwrap();
        assert!(!dirs.root.exists());
        assert!(outside.join("keep").exists());
        remove(&dirs).unwrap();
    }
}
