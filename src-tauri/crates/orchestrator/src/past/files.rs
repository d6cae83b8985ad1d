//! Reads histories below the user's home. The files are hostile: links are passed over, every directory,
//! file and answer is bounded, and what is no plain file of a session is never opened.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use paddock_boxes::HomeFile;
use paddock_harness::History;

use super::told::{self, Past};
use crate::CommandError;

/// Most entries of directories that are looked at for one harness.
const ENTRIES_MAX: usize = 50_000;
/// How far below a session's own directory the files that belong to it may be.
const BELOW: usize = 4;
/// Most files of one session.
const FILES_MAX: usize = 4096;
/// How much of a history is read to tell what it is.
const HEAD: u64 = 256 << 10;
/// How much of the end of a longer one is read for its title.
const TAIL: u64 = 64 << 10;

/// The own file of a session.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) session: String,
    pub(super) size: u64,
    /// When it was last written to, in milliseconds since 1970.
    pub(super) modified: i64,
    path: PathBuf,
}

/// Every session that `home` has of this kind.
pub(super) fn sessions(home: &Path, history: &History) -> Vec<Found> {
    let mut found = Vec::new();
    walk(home, history, history.depth, &mut |path, parts| {
        let name = parts.last().map(String::as_str).unwrap_or_default();
        let own = parts.len() == history.depth + 1;
        let Some(session) = history.session_of(name).filter(|_| own) else {
            return;
        };
        let Some(meta) = fs::symlink_metadata(path)
            .ok()
            .filter(fs::Metadata::is_file)
        else {
            return;
        };
        let since = meta.modified().ok();
        let since = since.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        found.push(Found {
            session: session.to_owned(),
            size: meta.len(),
            modified: since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(0)),
            path: path.to_owned(),
        });
    });
    found
}

/// What a history says of its session, from its beginning and its end; nothing when it cannot be read.
pub(super) fn look(found: &Found, history: &History) -> Option<Past> {
    let mut file = open(&found.path).ok()?;
    let head = some_of(&mut file, HEAD).ok()?;
    let mut past = told::past(history, &head);
    if found.size <= HEAD {
        return Some(past);
    }
    past.prompts = None;
    let at = SeekFrom::Start(found.size.saturating_sub(TAIL));
    let tail = file.seek(at).and_then(|_| some_of(&mut file, TAIL)).ok()?;
    Some(past.retitled(&told::past(history, &tail)))
}

/// All files of one session, relative to the home and at most `limit` bytes; nothing when there is no such
/// session.
pub(super) fn take(
    home: &Path,
    history: &History,
    session: &str,
    limit: usize,
) -> Result<Option<Vec<HomeFile>>, CommandError> {
    let mut paths = Vec::new();
    let mut has_own = false;
    walk(home, history, history.depth + BELOW, &mut |path, parts| {
        let belongs = |part: &String| part == session || history.session_of(part) == Some(session);
        if parts.iter().any(belongs) && paths.len() < FILES_MAX {
            has_own |= parts.len() == history.depth + 1 && parts.last().is_some_and(belongs);
            paths.push((
                path.to_owned(),
                format!("{}/{}", history.dir, parts.join("/")),
            ));
        }
    });
    if !has_own {
        return Ok(None);
    }
    let mut left = limit as u64;
    let mut files = Vec::new();
    for (from, path) in paths {
        let cannot = |error: io::Error| {
            CommandError::failed(format!("{} cannot be read: {error}", from.display()))
        };
        let mut file = open(&from).map_err(cannot)?;
        let content = some_of(&mut file, left + 1).map_err(cannot)?;
        left = left.checked_sub(content.len() as u64).ok_or_else(|| {
            CommandError::bad(format!(
                "the session is larger than {} MiB, too large to go on with: begin a new task and say what matters of it",
                limit >> 20
            ))
        })?;
        let mode = 0o600;
        files.push(HomeFile {
            path,
            content,
            mode,
        });
    }
    Ok(Some(files))
}

/// Calls `visit` for every plain file at most `depth` directories below the history's own, with the parts of
/// its path below that.
fn walk(home: &Path, history: &History, depth: usize, visit: &mut dyn FnMut(&Path, &[String])) {
    let Some(root) = root(home, history.dir) else {
        return;
    };
    let mut left = ENTRIES_MAX;
    let mut open: Vec<(PathBuf, Vec<String>)> = vec![(root, Vec::new())];
    while let Some((dir, parts)) = open.pop() {
        let Ok(entries) = fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries.flatten() {
            if left == 0 {
                tracing::warn!("there are too many files of sessions: not all were looked at");
                return;
            }
            left -= 1;
            // The kind of the entry itself: a link is neither a directory nor a file.
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
                continue;
            };
            let parts: Vec<String> = parts.iter().cloned().chain([name]).collect();
            if kind.is_file() {
                visit(&entry.path(), &parts);
            } else if kind.is_dir() && parts.len() <= depth {
                open.push((entry.path(), parts));
            }
        }
    }
}

/// The history's directory, which may be reached over links, but never outside of the home.
fn root(home: &Path, dir: &str) -> Option<PathBuf> {
    let home = home.canonicalize().ok()?;
    let root = home.join(dir).canonicalize().ok()?;
    root.starts_with(&home).then_some(root)
}

/// Opens a plain file; no link, no pipe that never says anything.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    Ok(file)
}

fn some_of(file: &mut File, most: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.take(most).read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0b8e2a52-7c1f-4a63-9a0e-1b2c3d4e5f60";
    const OTHER: &str = "1b8e2a52-7c1f-4a63-9a0e-1b2c3d4e5f60";

    fn history() -> History {
        paddock_harness::find("claude").unwrap().history().unwrap()
    }

    /// A home with these files.
    fn home(files: &[(&str, &str)]) -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        home
    }

    fn said(text: &str) -> String {
        format!(r#"{{"type":"user","cwd":"/r","message":{{"content":"{text}"}}}}"#)
    }

    #[test]
    fn only_the_files_of_the_session_are_taken() {
        let own = said("mend it");
        let home = home(&[
            (&format!(".claude/projects/-r/{ID}.jsonl"), &own),
            (&format!(".claude/projects/-r/{ID}/subagents/a.jsonl"), "x"),
            (&format!(".claude/projects/-r/{OTHER}.jsonl"), "y"),
            (".claude/projects/-r/memory/m.md", "z"),
            (".claude/.credentials.json", "secret"),
            (".claude/settings.json", "secret"),
        ]);
        let taken = take(home.path(), &history(), ID, 1 << 20).unwrap().unwrap();
        let mut paths: Vec<_> = taken.iter().map(|file| file.path.clone()).collect();
        paths.sort();
        assert_eq!(
            paths,
            [
                format!(".claude/projects/-r/{ID}.jsonl"),
                format!(".claude/projects/-r/{ID}/subagents/a.jsonl")
            ]
        );
        assert!(
            take(home.path(), &history(), "2b8e2a52-nobody", 1 << 20)
                .unwrap()
                .is_none()
        );
        let listed = sessions(home.path(), &history());
        assert_eq!(listed.len(), 2);
    }

    #[test]
    fn a_session_that_is_too_large_is_refused_and_still_listed() {
        let words = said("mend it");
        let long = format!("{words}\n{}", "x".repeat(600 << 10));
        let home = home(&[(&format!(".claude/projects/-r/{ID}.jsonl"), &long)]);
        let refused = take(home.path(), &history(), ID, 100 << 10);
        assert!(
            matches!(refused, Err(CommandError::Bad { .. })),
            "{refused:?}"
        );
        let listed = sessions(home.path(), &history());
        let past = look(&listed[0], &history()).unwrap();
        assert_eq!((past.title().as_str(), past.prompts), ("mend it", None));
        assert_eq!(listed[0].size, long.len() as u64);
    }

    #[test]
    fn a_title_at_the_end_of_a_long_history_is_found() {
        let title = r#"{"type":"custom-title","customTitle":"The login"}"#;
        let long = format!("{}\n{}\n{title}\n", said("mend it"), "x".repeat(600 << 10));
        let home = home(&[(&format!(".claude/projects/-r/{ID}.jsonl"), &long)]);
        let listed = sessions(home.path(), &history());
        assert_eq!(look(&listed[0], &history()).unwrap().title(), "The login");
    }

    #[cfg(unix)]
    #[test]
    fn links_pipes_and_what_is_outside_are_passed_over() {
        use std::os::unix::fs::symlink;
        let outside = home(&[(&format!("-r/{ID}.jsonl"), &said("secret"))]);
        let inside = home(&[(".claude/projects/-r/notes.txt", "")]);
        let dir = inside.path().join(".claude/projects");
        let target = outside.path().join(format!("-r/{ID}.jsonl"));
        symlink(&target, dir.join(format!("-r/{ID}.jsonl"))).unwrap();
        symlink(outside.path().join("-r"), dir.join("-linked")).unwrap();
        fs::create_dir(dir.join("-d")).unwrap();
        fs::create_dir(dir.join(format!("-d/{OTHER}.jsonl"))).unwrap();
        assert!(sessions(inside.path(), &history()).is_empty());
        assert!(
            take(inside.path(), &history(), ID, 1 << 20)
                .unwrap()
                .is_none()
        );
        assert!(open(&dir.join(format!("-r/{ID}.jsonl"))).is_err());

        let elsewhere = home(&[]);
        fs::create_dir(elsewhere.path().join(".claude")).unwrap();
        symlink(outside.path(), elsewhere.path().join(".claude/projects")).unwrap();
        assert!(sessions(elsewhere.path(), &history()).is_empty());
        assert!(sessions(&elsewhere.path().join("nobody"), &history()).is_empty());
    }
}
