//! The git commands that count, and what they print.
//!
//! Invariant: nothing of the repository is changed, not even its index or its objects: untracked files
//! are entered into a private copy of the index, with private objects beside it. The repository's configuration is the agent's: its hooks, file system
//! monitor, external diff and text conversion are off, and the whole runs confined when asked so.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use paddock_relay_protocol::{Confine, DiffRepo, FileDiff, Launch, RepoDiff, limits};

use crate::launch::Marker;
use crate::process::capture::{Captured, capture};
use crate::process::children::WaitStatus;
use crate::serve::Relay;

/// The tree without files, which a repository without commits is compared with.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// How long one git command may take.
const GIT_TIME: Duration = Duration::from_secs(60);

/// Most bytes that one git command may print.
const GIT_OUTPUT: usize = 8 * 1024 * 1024;

/// One repository to be counted.
pub(super) struct Git<'a> {
    pub(super) relay: &'a Relay,
    pub(super) repo: &'a DiffRepo,
    /// Where the private index and objects go.
    pub(super) private: &'a Path,
    pub(super) confine: Option<&'a Confine>,
    /// Tells the commands from all others.
    pub(super) number: u64,
}

impl Git<'_> {
    /// Counts.
    pub(super) async fn count(&self) -> Result<RepoDiff, String> {
        let real = self.prepare().await?;
        let real = real.as_deref();
        let entering = ["add", "--intent-to-add", "--ignore-errors", "--", "."];
        self.run(&entering, real).await?;
        let base = self.base().await?;
        let plainly = ["--no-renames", "--no-ext-diff", "--no-textconv"];
        let comparing = [&["diff", "--numstat", "-z"][..], &plainly, &[&base, "--"]].concat();
        let numbers = self.run(&comparing, real).await?;
        Ok(parse(&self.repo.name, &numbers))
    }

    /// Copies the index; gives the directory of the repository's objects.
    async fn prepare(&self) -> Result<Option<String>, String> {
        let failed = |error: std::io::Error| format!("the index cannot be copied: {error}");
        std::fs::create_dir_all(self.objects()).map_err(failed)?;
        let paths = [
            "rev-parse",
            "--path-format=absolute",
            "--git-path",
            "index",
            "--git-path",
            "objects",
        ];
        let paths = self.run(&paths, None).await?;
        let paths = String::from_utf8_lossy(&paths).into_owned();
        let mut paths = paths.lines();
        match std::fs::copy(paths.next().unwrap_or_default(), self.index()) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            Ok(_) | Err(_) => {}
        }
        Ok(paths.next().map(str::to_owned))
    }

    fn index(&self) -> PathBuf {
        self.private.join("index")
    }

    fn objects(&self) -> PathBuf {
        self.private.join("objects")
    }

    async fn base(&self) -> Result<String, String> {
        match &self.repo.base {
            Some(base) if base.starts_with('-') => Err(format!("`{base}` is no commit")),
            Some(base) => Ok(base.clone()),
            None if self
                .run(&["rev-parse", "--verify", "--quiet", "HEAD"], None)
                .await
                .is_ok() =>
            {
                Ok("HEAD".to_owned())
            }
            None => Ok(EMPTY_TREE.to_owned()),
        }
    }

    /// Runs git; with `real`, the repository's objects, new ones go to the private directory.
    async fn run(&self, args: &[&str], real: Option<&str>) -> Result<Vec<u8>, String> {
        let launch = self.launch(args, real);
        let marker = Marker::exec(self.number);
        let captured =
            capture(&launch, &marker, &self.relay.children, GIT_OUTPUT, GIT_TIME).await?;
        match captured {
            Captured {
                status: WaitStatus::Code(0),
                stdout,
                ..
            } => Ok(stdout),
            Captured {
                status: WaitStatus::Code(_) | WaitStatus::Signal(_),
                stderr,
                ..
            } => {
                let said = String::from_utf8_lossy(&stderr).trim().to_owned();
                Err(format!(
                    "git {} failed: {said}",
                    args.first().unwrap_or(&"")
                ))
            }
        }
    }

    fn launch(&self, args: &[&str], real: Option<&str>) -> Launch {
        const SETTINGS: [&str; 6] = [
            "core.fsmonitor=false",
            "core.hooksPath=/dev/null",
            "core.untrackedCache=false",
            "core.splitIndex=false",
            "diff.ignoreSubmodules=dirty",
            "safe.directory=*",
        ];
        let settings = SETTINGS.iter().flat_map(|setting| ["-c", setting]);
        let variable = |name: &str, value: String| (name.to_owned(), value);
        let mut env = BTreeMap::from([
            variable("GIT_OPTIONAL_LOCKS", "0".to_owned()),
            variable("GIT_TERMINAL_PROMPT", "0".to_owned()),
            variable("LC_ALL", "C".to_owned()),
        ]);
        if let Some(real) = real {
            // In quotes a colon in the path separates nothing.
            let real = format!("\"{}\"", real.replace('\\', "\\\\").replace('"', "\\\""));
            env.extend([
                variable("GIT_INDEX_FILE", self.index().display().to_string()),
                variable("GIT_OBJECT_DIRECTORY", self.objects().display().to_string()),
                variable("GIT_ALTERNATE_OBJECT_DIRECTORIES", real),
            ]);
        }
        let confine = self.confine.cloned().map(|mut confine| {
            let scratch = self.relay.scratch.display().to_string();
            confine
                .read
                .iter_mut()
                .for_each(|read| read.push(scratch.clone()));
            confine.write.push(scratch);
            confine
        });
        Launch {
            program: "git".to_owned(),
            args: settings
                .chain(args.iter().copied())
                .map(str::to_owned)
                .collect(),
            env,
            clear_env: false,
            cwd: Some(self.repo.path.clone()),
            confine,
        }
    }
}

/// Reads `added TAB deleted TAB path NUL …`; a dash stands for a binary file's numbers.
fn parse(name: &str, numbers: &[u8]) -> RepoDiff {
    let mut diff = RepoDiff {
        name: name.to_owned(),
        ..RepoDiff::default()
    };
    for entry in numbers.split(|byte| *byte == 0) {
        let mut fields = entry.splitn(3, |byte| *byte == b'\t');
        let (Some(added), Some(deleted), Some(path)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let number = |field: &[u8]| std::str::from_utf8(field).ok()?.parse::<u64>().ok();
        let (added, deleted) = (number(added), number(deleted));
        diff.added += added.unwrap_or(0);
        diff.deleted += deleted.unwrap_or(0);
        diff.files_changed += 1;
        if diff.files.len() < limits::DIFF_FILES {
            let path = String::from_utf8_lossy(path).into_owned();
            diff.files.push(FileDiff {
                path,
                added,
                deleted,
            });
        }
    }
    diff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_summed_and_binary_files_have_none() {
        let diff = parse("r", b"3\t1\ta b.txt\0-\t-\timg.png\x000\t7\tt\tab\0");
        assert_eq!((diff.added, diff.deleted, diff.files_changed), (3, 8, 3));
        assert_eq!(
            diff.files[1],
            FileDiff {
                path: "img.png".to_owned(),
                added: None,
                deleted: None
            }
        );
        assert_eq!(diff.files[2].path, "t\tab");
    }

    #[test]
    fn nothing_printed_is_nothing_changed() {
        assert_eq!(parse("r", b"").files_changed, 0);
    }

    #[test]
    fn a_long_list_is_cut_but_counted_whole() {
        let many = b"1\t0\tf\0".repeat(limits::DIFF_FILES + 5);
        let diff = parse("r", &many);
        assert_eq!(
            (diff.files.len(), diff.files_changed),
            (limits::DIFF_FILES, 1005)
        );
    }
}
