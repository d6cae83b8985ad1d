//! What is kept how long, and what nothing refers to.
//!
//! Nothing is removed unless somebody set how long it is kept; only purged tasks are concerned. A journal
//! leaves with its artifacts: its folder gets another name first, so that a step that is cut short is
//! finished at the next start. Artifacts that nothing refers to are looked for where no writer can be: in
//! archived tasks, after a time of grace, and never while a journal beside them cannot be read. Any 64
//! hexadecimal digits in it, or in what was cut off it, count as a reference.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use paddock_domain::{Expired, ExpiredKind, TaskId, Timestamp};

use crate::held::Held;
use crate::layout::Layout;
use crate::packed::Packed;
use crate::{Listed, StoreError, file};

/// How long what purged tasks leave is kept; for ever where nothing is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// Journals with their artifacts, from the last thing that happened to the task.
    pub journals: Option<Duration>,
    /// Artifacts alone, from then on.
    pub artifacts: Option<Duration>,
}

impl Retention {
    /// What nothing refers to is left alone for this long: a write that is under way, a clock that is off.
    pub const GRACE: Duration = Duration::from_secs(24 * 60 * 60);

    /// What is to become of the archived task `listed` at the time `now`.
    fn of(&self, listed: &Listed, now: Timestamp) -> Option<ExpiredKind> {
        let age = Duration::from_millis(now.since_ms(listed.updated_at));
        let is_over = |kept: Option<Duration>| kept.is_some_and(|kept| age > kept);
        if is_over(self.journals) {
            return Some(ExpiredKind::Journal);
        }
        is_over(self.artifacts).then_some(ExpiredKind::Artifacts)
    }
}

/// What there is to be removed of the archived task `listed`; artifacts to which nothing refers when `loose`
/// is asked for: its whole journal is read for them.
pub(crate) fn expired(
    layout: &Layout,
    listed: &Listed,
    retention: &Retention,
    loose: bool,
    now: Timestamp,
) -> io::Result<Option<Expired>> {
    let id = &listed.task_id;
    let artifacts = layout.task_artifacts(id);
    let (what, bytes) = match retention.of(listed, now) {
        Some(ExpiredKind::Journal) => {
            let bytes = size(&layout.task(id))? + size(&artifacts)?;
            (ExpiredKind::Journal, bytes)
        }
        Some(ExpiredKind::Artifacts | ExpiredKind::Unreferenced) => {
            (ExpiredKind::Artifacts, size(&artifacts)?)
        }
        None if !loose => return Ok(None),
        None => {
            let loose = unreferenced(layout, id, now)?;
            (
                ExpiredKind::Unreferenced,
                loose.iter().map(|(_, bytes)| bytes).sum(),
            )
        }
    };
    let nothing = bytes == 0 && what != ExpiredKind::Journal;
    Ok((!nothing).then(|| Expired {
        task_id: id.clone(),
        title: listed.title.clone(),
        what,
        bytes,
        since: listed.updated_at,
    }))
}

/// Removes what is expired.
pub(crate) fn remove(layout: &Layout, expired: &Expired, now: Timestamp) -> Result<(), StoreError> {
    let id = &expired.task_id;
    let artifacts = layout.task_artifacts(id);
    let failed = |source| StoreError::io("removing", &artifacts, source);
    match expired.what {
        ExpiredKind::Journal => {
            let going = layout.going(id);
            let moved = fs::rename(layout.task(id), &going);
            moved
                .and_then(|()| file::sync_dir(&layout.tasks()))
                .map_err(|source| StoreError::io("removing", layout.task(id), source))?;
            finish(layout, &format!("{}{id}", Layout::GOING))
        }
        ExpiredKind::Artifacts => {
            let mark = layout.artifacts_removed(id);
            file::open_private(&mark)
                .and_then(|_| file::sync_dir(&layout.task(id)))
                .map_err(|source| StoreError::io("marking", mark, source))?;
            remove_dir(&artifacts).map_err(failed)
        }
        ExpiredKind::Unreferenced => {
            for (path, _) in unreferenced(layout, id, now).map_err(failed)? {
                fs::remove_file(&path)
                    .map_err(|source| StoreError::io("removing", path, source))?;
            }
            Ok(())
        }
    }
}

/// Finishes the removal of the task folder `name`, which has its other name already.
pub(crate) fn finish(layout: &Layout, name: &str) -> Result<(), StoreError> {
    let folder = layout.tasks().join(name);
    let failed = |source| StoreError::io("removing", &folder, source);
    let id = name.strip_prefix(Layout::GOING).map(TaskId::parse);
    if let Some(Ok(id)) = id {
        remove_dir(&layout.task_artifacts(&id)).map_err(failed)?;
    }
    remove_dir(&folder).map_err(failed)
}

fn remove_dir(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Artifacts of a task that has no writer to which nothing refers, with their sizes.
///
/// # Errors
/// When anything that may refer to one cannot be read: then nothing is known to be loose.
fn unreferenced(layout: &Layout, id: &TaskId, now: Timestamp) -> io::Result<Vec<(PathBuf, u64)>> {
    let entries = match fs::read_dir(layout.task_artifacts(id)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut old = Vec::new();
    for entry in entries {
        let entry = entry?;
        let found = entry.metadata()?;
        if found.is_file() && age(&found, now) > Retention::GRACE {
            old.push((entry.path(), found.len()));
        }
    }
    if old.is_empty() {
        return Ok(old);
    }
    let named = referenced(layout, id)?;
    old.retain(|(path, _)| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_none_or(|name| !named.contains(name))
    });
    Ok(old)
}

fn age(found: &Metadata, now: Timestamp) -> Duration {
    let now = Duration::from_millis(u64::try_from(now.unix_ms()).unwrap_or(0));
    let written = found.modified().unwrap_or_else(|_| SystemTime::now());
    let written = written.duration_since(UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(written)
}

/// Everything in the task's folder that could name an artifact.
fn referenced(layout: &Layout, id: &TaskId) -> io::Result<HashSet<String>> {
    let mut named = HashSet::new();
    scan(
        &mut Held::open(layout, id, false)?.text_from(0)?,
        &mut named,
    )?;
    for name in crate::check::kept(layout, id) {
        let kept = file::open_plain(&layout.task(id).join(&name), false)?;
        if Path::new(&name).extension().is_some_and(|end| end == "zst") {
            scan(&mut Packed::open(kept)?.text_from(0)?, &mut named)?;
        } else {
            scan(&mut BufReader::with_capacity(1 << 16, kept), &mut named)?;
        }
    }
    Ok(named)
}

/// Takes every run of exactly 64 hexadecimal digits out of `text`.
fn scan(text: &mut impl BufRead, named: &mut HashSet<String>) -> io::Result<()> {
    let mut digits = String::new();
    loop {
        let part = text.fill_buf()?;
        if part.is_empty() {
            if digits.len() == 64 {
                named.insert(digits);
            }
            return Ok(());
        }
        for &byte in part {
            if !matches!(byte, b'0'..=b'9' | b'a'..=b'f') {
                if digits.len() == 64 {
                    named.insert(digits.clone());
                }
                digits.clear();
            } else if digits.len() <= 64 {
                digits.push(char::from(byte));
            }
        }
        let n = part.len();
        text.consume(n);
    }
}

/// Bytes of the files below `path`; none when it is not there.
pub(crate) fn size(path: &Path) -> io::Result<u64> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let mut bytes = 0;
    for entry in entries {
        let found = entry?.metadata()?;
        bytes += if found.is_file() { found.len() } else { 0 };
    }
    Ok(bytes)
}
