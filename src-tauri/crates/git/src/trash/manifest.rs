//! What an entry of the trash says of itself, as the message of its commit.
//!
//! The message is all that is needed to bring an entry back: it stands in the user's repository and
//! outlives the task and Paddock's own data. It is written by the host, never by a box, and read with
//! care all the same: anybody can put a ref there.

use paddock_domain::{IgnoredFiles, TaskId, TrashReason};

use crate::Oid;

/// What stands in the message besides its first line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) reason: TrashReason,
    pub(crate) branch: Option<String>,
    pub(crate) head: Option<Oid>,
    pub(crate) extra: Option<Oid>,
    pub(crate) uncommitted: u64,
    pub(crate) ignored: IgnoredFiles,
    pub(crate) others: Vec<(String, Oid)>,
}

/// What earlier builds wrote as the first words of a snapshot.
const EARLIER: &str = "paddock: snapshot ";

impl Manifest {
    /// The message of the commit that keeps work of `task`.
    pub(crate) fn message(&self, task: &TaskId) -> String {
        let reason = self.reason.as_str();
        let mut text = format!("paddock: kept ({reason})\n\nPaddock-Task: {task}\n");
        let mut line = |name: &str, value: &str| {
            // A line break in a value could only come from a name of a ref, which has none.
            text.push_str(&format!("Paddock-{name}: {}\n", value.replace('\n', " ")));
        };
        line("Reason", reason);
        if let Some(branch) = &self.branch {
            line("Branch", branch);
        }
        if let Some(head) = &self.head {
            line("Head", head.as_str());
        }
        if let Some(extra) = &self.extra {
            line("Extra", extra.as_str());
        }
        line("Uncommitted", &self.uncommitted.to_string());
        let IgnoredFiles { files, bytes, kept } = self.ignored;
        let kept = if kept { "kept" } else { "left-out" };
        line("Ignored", &format!("{kept} {files} {bytes}"));
        for (name, commit) in &self.others {
            line("Other", &format!("{commit} {name}"));
        }
        text
    }

    /// Reads the message of `commit`, whose first parent is `parent`. A commit that says nothing is
    /// work by itself.
    pub(crate) fn read(message: &str, commit: &Oid, parent: Option<&Oid>) -> Self {
        let mut manifest = Self::default();
        let mut lines = message
            .lines()
            .filter_map(|line| line.strip_prefix("Paddock-"));
        if lines.clone().next().is_none() {
            let snapshot = message.starts_with(EARLIER);
            manifest.head = if snapshot { parent } else { Some(commit) }.cloned();
            return manifest;
        }
        let all = lines.by_ref().filter_map(|line| line.split_once(": "));
        for (name, value) in all {
            manifest.take(name, value);
        }
        manifest
    }

    fn take(&mut self, name: &str, value: &str) {
        match name {
            "Reason" => {
                let known = TrashReason::ALL
                    .iter()
                    .find(|known| known.as_str() == value);
                self.reason = known.copied().unwrap_or_default();
            }
            "Branch" => self.branch = Some(value.to_owned()),
            "Head" => self.head = Oid::parse(value),
            "Extra" => self.extra = Oid::parse(value),
            "Uncommitted" => self.uncommitted = value.parse().unwrap_or(0),
            "Ignored" => self.ignored = ignored(value),
            "Other" => {
                let other = value.split_once(' ');
                let other = other.and_then(|(oid, name)| Some((name.to_owned(), Oid::parse(oid)?)));
                self.others.extend(other);
            }
            // The task is in the ref's name; a newer Paddock may say more.
            _ => {}
        }
    }
}

fn ignored(value: &str) -> IgnoredFiles {
    let mut words = value.split(' ');
    let kept = words.next() == Some("kept");
    let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    IgnoredFiles {
        files: number(),
        bytes: number(),
        kept,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn oid(digit: char) -> Oid {
        Oid::parse(&digit.to_string().repeat(40)).unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let manifest = Manifest {
            reason: TrashReason::Purge,
            branch: Some("paddock-0".to_owned()),
            head: Some(oid('a')),
            extra: Some(oid('b')),
            uncommitted: 3,
            ignored: IgnoredFiles {
                files: 2,
                bytes: 10,
                kept: true,
            },
            others: vec![
                ("refs/heads/side".to_owned(), oid('c')),
                ("refs/stash@{0}".to_owned(), oid('d')),
            ],
        };
        let text = manifest.message(&TaskId::parse("t1").unwrap());
        assert_eq!(Manifest::read(&text, &oid('e'), None), manifest);
    }

    #[test]
    fn a_commit_that_says_nothing_is_work_by_itself() {
        let plain = Manifest::read("Fix the login\n", &oid('a'), Some(&oid('b')));
        assert_eq!(plain.head, Some(oid('a')));
        let earlier = Manifest::read("paddock: snapshot 3\n", &oid('a'), Some(&oid('b')));
        assert_eq!(earlier.head, Some(oid('b')));
    }

    proptest! {
        #[test]
        fn nothing_that_a_message_can_hold_panics(
            message in "(Paddock-(Head|Other|Ignored|Reason|Uncommitted): [ -~\n]{0,30}\n){0,5}"
        ) {
            let _ = Manifest::read(&message, &oid('a'), None);
        }
    }
}
