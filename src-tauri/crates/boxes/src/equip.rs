//! Another agent program in a box that stands, and an agent's own files from one box to another.
//!
//! A box that sees the whole toolbox can run any program of it. What an agent keeps in its home is hostile
//! like all that a box holds: only plain files with plain paths are carried, and never more than was said.

use std::io::Read as _;
use std::path::{Component, Path};

use bytes::Bytes;
use paddock_domain::{BoxKind, Program};
use paddock_exec::{Command, Limits};

use crate::layout::Inside;
use crate::{BoxError, BoxRecord, Boxes, HomeFile, LiveBox, home};

/// How many files of one session are carried.
const FILES_MAX: usize = 4096;

impl Boxes {
    /// Whether `program` can be run in the box of `record` as it stands.
    #[must_use]
    pub fn can_run(&self, record: &BoxRecord, program: &Program) -> bool {
        let known =
            record.program.harness == program.harness && record.program.version == program.version;
        match record.kind {
            BoxKind::Worktree => true,
            BoxKind::Container => {
                let toolbox = &self.inner.settings.toolbox_dir;
                known || (record.whole_toolbox && Path::new(&program.dir).starts_with(toolbox))
            }
        }
    }

    /// Makes `program` the one that runs in the box of `record` from now on.
    ///
    /// # Errors
    /// [`BoxError::Disk`] when the record cannot be written.
    pub fn equip(&self, record: &BoxRecord, program: &Program) -> Result<(), BoxError> {
        let dirs = self.dirs(&record.task_id);
        // Others write into it too: what they wrote stays.
        let Some(now) = BoxRecord::read(&dirs)? else {
            return Ok(());
        };
        let program = program.clone();
        BoxRecord { program, ..now }.write(&dirs)
    }

    /// Where the box of `record` sees `program`, and the Node that runs it.
    ///
    /// # Errors
    /// [`BoxError`] for paths that are not UTF-8.
    pub fn launcher(
        &self,
        record: &BoxRecord,
        program: &Program,
    ) -> Result<(String, Option<String>), BoxError> {
        let record = BoxRecord {
            program: program.clone(),
            ..record.clone()
        };
        let dirs = self.dirs(&record.task_id);
        let inside = Inside::of(&record, &dirs, &self.inner.settings.toolbox_dir)?;
        Ok((inside.program, inside.node))
    }
}

impl LiveBox {
    /// The plain files below `dir` of the home whose paths hold `part`, at most `limit` bytes together.
    ///
    /// # Errors
    /// [`BoxError::Disk`] when they cannot be read or are too many.
    pub async fn read_home(
        &self,
        dir: &str,
        part: &str,
        limit: usize,
    ) -> Result<Vec<HomeFile>, BoxError> {
        let failed = |error: std::io::Error| BoxError::disk(Path::new(&self.home), error);
        let find = Command::new("find").args([
            "-P",
            dir,
            "-type",
            "f",
            "-path",
            &format!("*{part}*"),
            "-print0",
        ]);
        let find = find.cwd(&self.home);
        let found = self.place().check(&find, Limits::default()).await;
        let found = found.map_err(|e| failed(std::io::Error::other(e)))?;
        let names: Vec<String> = found
            .stdout
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .take(FILES_MAX)
            .collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let pack = Command::new("tar")
            .args(["-c", "-f", "-", "--"])
            .args(names)
            .cwd(&self.home);
        let limits = Limits {
            stdout: limit,
            ..Limits::default()
        };
        let packed = self.place().check(&pack, limits).await;
        let packed = packed.map_err(|e| failed(std::io::Error::other(e)))?;
        unpack_home(&packed.stdout)
    }
}

/// `files` as one archive.
///
/// # Errors
/// [`BoxError::BadHomeFile`] for a path that leads elsewhere.
pub fn pack_home(files: &[HomeFile]) -> Result<Bytes, BoxError> {
    home::pack(files).map(Bytes::from)
}

/// The plain files of an archive; everything else in it is passed over.
///
/// # Errors
/// [`BoxError::Disk`] when it is no archive.
pub fn unpack_home(archive: &[u8]) -> Result<Vec<HomeFile>, BoxError> {
    let failed = |error: std::io::Error| BoxError::disk(Path::new("home"), error);
    let mut files = Vec::new();
    for entry in tar::Archive::new(archive).entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        let path = entry.path().map_err(failed)?.into_owned();
        let plain = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let Some(path) = path.to_str().filter(|_| plain).map(str::to_owned) else {
            continue;
        };
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let mut content = Vec::new();
        entry.read_to_end(&mut content).map_err(failed)?;
        let mode = 0o600;
        files.push(HomeFile {
            path,
            content,
            mode,
        });
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_come_out_of_an_archive() {
        let mut archive = tar::Builder::new(Vec::new());
        let mut add = |path: &str, kind: tar::EntryType| {
            let mut header = tar::Header::new_gnu();
            header.set_size(0);
            header.set_entry_type(kind);
            if kind == tar::EntryType::Symlink {
                header.set_link_name("/etc/passwd").unwrap();
            }
            let name = &mut header.as_old_mut().name;
            name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            archive.append(&header, std::io::empty()).unwrap();
        };
        add("a/b.jsonl", tar::EntryType::Regular);
        add("../evil", tar::EntryType::Regular);
        add("/etc/evil", tar::EntryType::Regular);
        add("link", tar::EntryType::Symlink);
        let files = unpack_home(&archive.into_inner().unwrap()).unwrap();
        let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a/b.jsonl"]);
        let again = unpack_home(&pack_home(&files).unwrap()).unwrap();
        assert_eq!(again, files);
    }
}
