//! Files that are put into a box's home.

use std::path::{Component, Path};

use crate::BoxError;

/// A file below the home of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeFile {
    /// Path relative to the home.
    pub path: String,
    /// Its whole content.
    pub content: Vec<u8>,
    /// Unix permission bits.
    pub mode: u32,
}

/// Packs `files`, with the directories that they need.
pub(crate) fn pack(files: &[HomeFile]) -> Result<Vec<u8>, BoxError> {
    let mut archive = tar::Builder::new(Vec::new());
    let packed = |error: std::io::Error| BoxError::disk(Path::new("home"), error);
    for file in files {
        let bad = || BoxError::BadHomeFile {
            path: file.path.clone(),
        };
        let path = Path::new(&file.path);
        let plain = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !plain || file.path.is_empty() || file.path.ends_with('/') {
            return Err(bad());
        }
        let mut header = tar::Header::new_gnu();
        header.set_size(u64::try_from(file.content.len()).unwrap_or(u64::MAX));
        header.set_mode(file.mode & 0o777);
        archive
            .append_data(&mut header, path, file.content.as_slice())
            .map_err(packed)?;
    }
    archive.into_inner().map_err(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> HomeFile {
        HomeFile {
            path: path.to_owned(),
            content: b"x".to_vec(),
            mode: 0o600,
        }
    }

    #[test]
    fn a_file_outside_the_home_is_refused() {
        for bad in ["", "/etc/passwd", "../x", "a/../../x", "a/"] {
            assert!(pack(&[file(bad)]).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn files_are_packed_with_their_modes() {
        let archive = pack(&[file(".codex/config.toml"), file("b")]).unwrap();
        let mut archive = tar::Archive::new(archive.as_slice());
        let entries = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            let path = entry.path().unwrap().display().to_string();
            (path, entry.header().mode().unwrap())
        });
        let entries: Vec<_> = entries.collect();
        assert_eq!(
            entries,
            [
                (".codex/config.toml".to_owned(), 0o600),
                ("b".to_owned(), 0o600)
            ]
        );
    }
}
