//! Where things are inside a box, and what things are called.

use std::collections::BTreeSet;
use std::path::Path;

use sha2::{Digest, Sha256};

use paddock_domain::{BoxKind, Program, TaskId};

use crate::error::text;
use crate::{BoxDirs, BoxError, BoxRecord};

/// The work directory in a container.
pub(crate) const WORK: &str = "/work";
/// The agent's home in a container.
pub(crate) const HOME: &str = "/home/agent";
/// What the relay serves in a container.
pub(crate) const RELAY_DIR: &str = "/run/paddock";
/// The relay in a container.
pub(crate) const RELAY: &str = "/opt/paddock/paddock-relay";
/// The toolbox in a container.
pub(crate) const TOOLBOX: &str = "/opt/paddock/toolbox";
/// Borrowed objects in a container, numbered.
pub(crate) const OBJECTS: &str = "/srv/objects";

/// Carries the task's id.
pub(crate) const TASK_LABEL: &str = "dev.paddock.task";
/// Carries which data directory the box belongs to.
pub(crate) const DATA_LABEL: &str = "dev.paddock.data";
/// Carries the version of Paddock that made the container.
pub(crate) const VERSION_LABEL: &str = "dev.paddock.version";

/// What tells the boxes of one data directory from those of others: the start of its path's hash.
pub(crate) fn data_mark(data_dir: &Path) -> String {
    let real = data_dir.canonicalize();
    let path = real.as_deref().unwrap_or(data_dir);
    let hash = Sha256::digest(path.as_os_str().as_encoded_bytes());
    hash.iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The name of a task's container.
pub(crate) fn container_name(task: &TaskId, data_mark: &str) -> String {
    format!("paddock-{task}-{}", data_mark.get(..6).unwrap_or(data_mark))
}

/// Names for the directories of repositories: the last part of each path, told apart, without
/// anything that would have to be quoted.
pub(crate) fn repository_names<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    for path in paths {
        let plain = plain_name(path);
        let numbered = (2..).map(|n| format!("{plain}-{n}"));
        let name = std::iter::once(plain.clone())
            .chain(numbered)
            .find(|name| !taken.contains(name));
        let name = name.unwrap_or(plain);
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

fn plain_name(path: &str) -> String {
    let last = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let keep = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let plain: String = last
        .chars()
        .map(|c| if keep(c) { c } else { '-' })
        .take(60)
        .collect();
    match plain.trim_matches(['.', '-']) {
        "" => "repository".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

/// The paths of one box, as what runs in it sees them.
pub(crate) struct Inside {
    /// The parent of all repositories.
    pub(crate) work: String,
    pub(crate) home: String,
    pub(crate) tmp: String,
    /// The agent program.
    pub(crate) program: String,
    /// The Node that runs it.
    pub(crate) node: Option<String>,
}

impl Inside {
    pub(crate) fn of(record: &BoxRecord, dirs: &BoxDirs, toolbox: &Path) -> Result<Self, BoxError> {
        let program = &record.program;
        let shared = match record.kind {
            BoxKind::Container => TOOLBOX.to_owned(),
            BoxKind::Worktree => text(toolbox)?,
        };
        let (work, home, tmp) = match record.kind {
            BoxKind::Container => (WORK.to_owned(), HOME.to_owned(), "/tmp".to_owned()),
            BoxKind::Worktree => (text(&dirs.work)?, text(&dirs.home)?, text(&dirs.tmp)?),
        };
        let own = match record.kind {
            BoxKind::Container => format!("{TOOLBOX}/{}", below_toolbox(program)),
            BoxKind::Worktree => program.dir.clone(),
        };
        Ok(Self {
            work,
            home,
            tmp,
            program: format!("{own}/{}", program.program),
            node: program.node.as_ref().map(|node| format!("{shared}/{node}")),
        })
    }

    /// Where the agent works: the repository's directory, or the parent of several.
    pub(crate) fn work_dir(&self, record: &BoxRecord) -> String {
        match record.repositories.as_slice() {
            [only] => format!("{}/{}", self.work, only.name),
            _ => self.work.clone(),
        }
    }

    /// Where the box sees the objects that lie at `host` on the host.
    pub(crate) fn objects(record: &BoxRecord, host: &str) -> String {
        match (
            record.kind,
            record.objects.iter().position(|dir| dir == host),
        ) {
            (BoxKind::Container, Some(n)) => format!("{OBJECTS}/{n}"),
            (BoxKind::Container | BoxKind::Worktree, _) => host.to_owned(),
        }
    }
}

/// Where a program lies below a toolbox.
pub(crate) fn below_toolbox(program: &Program) -> String {
    format!("{}/{}", program.harness, program.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_are_named_after_their_directories_and_told_apart() {
        let names = repository_names(["/a/my app", "/b/my app", "/c/größe.rs/", "/", "/x/.."]);
        assert_eq!(
            names,
            [
                "my-app",
                "my-app-2",
                "größe.rs",
                "repository",
                "repository-2"
            ]
        );
    }

    #[test]
    fn a_container_is_named_after_its_task_and_its_data_directory() {
        let task = TaskId::parse("01abc").unwrap();
        let (one, other) = (data_mark(Path::new("/one")), data_mark(Path::new("/other")));
        assert_eq!(one.len(), 12);
        assert_ne!(container_name(&task, &one), container_name(&task, &other));
        assert!(container_name(&task, &one).starts_with("paddock-01abc-"));
    }
}
