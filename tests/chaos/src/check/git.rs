//! Git: the host's repository is whole, its checkout untouched, and what the agent made is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use paddock_kit::{Fingerprint, Repository};
use serde_json::Value;

use super::{Case, Violation};
use crate::account::Page;
use crate::journal::{kind, text};

const WHOLE: &str = "git objects are intact";
const UNTOUCHED: &str = "the host's checkout is untouched";
const COMMITS: &str = "what was committed is on the branch";
const FILES: &str = "what was written is in the box, on the branch, or in the trash";

/// The host's repository as it was before the round.
#[derive(Debug)]
pub(crate) struct Checkout {
    pub(crate) repository: Repository,
    pub(crate) remote: Repository,
    before: Fingerprint,
}

impl Checkout {
    pub(crate) fn take(repository: Repository, remote: Repository) -> anyhow::Result<Self> {
        let before = repository.fingerprint()?;
        Ok(Self {
            repository,
            remote,
            before,
        })
    }

    /// Holds that objects are whole and the checkout is as it was.
    pub(crate) fn check(&self) -> Vec<Violation> {
        let mut found = Vec::new();
        for repository in [&self.repository, &self.remote] {
            let fsck = repository.git(&["fsck", "--full", "--no-dangling", "--no-progress"]);
            if let Err(error) = fsck {
                found.push(Violation::of(WHOLE, format!("{error:#}")));
            }
        }
        match self.repository.fingerprint() {
            Ok(now) if now == self.before => {}
            Ok(now) => {
                let differs = |(path, print): &(&String, &String)| now.get(*path) != Some(*print);
                let changed: Vec<_> = self
                    .before
                    .iter()
                    .filter(differs)
                    .map(|(path, _)| path)
                    .collect();
                let new = now.keys().filter(|path| !self.before.contains_key(*path));
                let how = format!("changed: {changed:?}, new: {:?}", new.collect::<Vec<_>>());
                found.push(Violation::of(UNTOUCHED, how));
            }
            Err(error) => found.push(Violation::of(UNTOUCHED, format!("{error:#}"))),
        }
        found
    }
}

/// What the agent's record says that it made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    /// Subjects of commits.
    commits: BTreeSet<String>,
    /// Files and what is in them.
    files: BTreeMap<String, String>,
    branch: Option<String>,
    task: String,
}

impl Held {
    /// What the agents of one task made, by their own record.
    pub(crate) fn of(case: &Case, task: &str) -> Self {
        let mut held = Self {
            task: task.to_owned(),
            ..Self::default()
        };
        let mut started: BTreeMap<String, Value> = BTreeMap::new();
        let pages = case.account.lives.iter().flat_map(|life| &life.pages);
        for page in pages {
            let Page::Said(line) = page else { continue };
            let Ok(line) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            let call = text(&line, "call").to_owned();
            match kind(&line) {
                "session" => started.clear(),
                "tool_started" => drop(started.insert(call, line["input"].clone())),
                "tool_finished" if line["ok"] == true => {
                    if let Some(input) = started.remove(&call) {
                        held.made(&input);
                    }
                }
                _ => {}
            }
        }
        let claimed = case
            .history
            .iter()
            .rfind(|told| kind(&told.event) == "branch_claimed");
        held.branch = claimed.map(|told| text(&told.event, "branch").to_owned());
        held
    }

    /// How many commits.
    pub(crate) fn commits(&self) -> usize {
        self.commits.len()
    }

    fn made(&mut self, input: &Value) {
        if let (Some(path), Some(content)) = (input["path"].as_str(), input["content"].as_str()) {
            self.files.insert(path.to_owned(), content.to_owned());
        }
        let subject = text(input, "command").split_once("git commit -m '");
        if let Some((_, subject)) = subject {
            self.commits
                .insert(subject.trim_end_matches('\'').to_owned());
        }
    }

    /// Holds that commits are on the branch, and files in the box.
    pub(crate) fn check_standing(&self, checkout: &Checkout, dir: &Path) -> Vec<Violation> {
        let mut found = self.check_commits(checkout);
        for (path, content) in &self.files {
            let file = dir.join("work/repository").join(path);
            let there = std::fs::read_to_string(&file).ok();
            if there.as_ref() != Some(content) {
                found.push(Violation::of(
                    FILES,
                    format!("{path} in the box is {there:?}"),
                ));
            }
        }
        found
    }

    /// Holds that commits are on the branch, and files there or in the trash: the box is gone.
    pub(crate) fn check_purged(&self, checkout: &Checkout) -> Vec<Violation> {
        let mut found = self.check_commits(checkout);
        let trash = format!("refs/paddock/trash/{}", self.task);
        let list = ["for-each-ref", "--format=%(refname)", &trash];
        let refs = checkout.repository.git(&list).unwrap_or_default();
        let places = refs.lines().map(str::to_owned).chain(self.branch.clone());
        let places: Vec<String> = places.collect();
        for (path, content) in &self.files {
            let kept = places.iter().any(|place| {
                let shown = checkout
                    .repository
                    .git(&["show", &format!("{place}:{path}")]);
                shown.is_ok_and(|shown| shown == content.trim_end())
            });
            if !kept {
                let how = format!("{path} is in none of {places:?}");
                found.push(Violation::of(FILES, how));
            }
        }
        found
    }

    fn check_commits(&self, checkout: &Checkout) -> Vec<Violation> {
        let Some(branch) = &self.branch else {
            return Vec::new();
        };
        let there = checkout.repository.subjects(branch).unwrap_or_default();
        let missing = self
            .commits
            .iter()
            .filter(|subject| !there.contains(subject));
        let mut found: Vec<_> = missing
            .map(|subject| Violation::of(COMMITS, format!("{branch} lacks {subject:?}: {there:?}")))
            .collect();
        let mut once = BTreeSet::new();
        let twice = there.iter().filter(|subject| !once.insert(*subject));
        found.extend(
            twice.map(|subject| Violation::of(COMMITS, format!("{branch} has {subject:?} twice"))),
        );
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::broken;
    use super::*;

    fn checkout(dir: &Path) -> Checkout {
        let repository = Repository::sample(&dir.join("repository")).unwrap();
        let remote = repository.with_remote(&dir.join("remote.git")).unwrap();
        Checkout::take(repository, remote).unwrap()
    }

    #[test]
    fn a_lost_object_and_a_changed_checkout_are_seen() {
        let dir = tempfile::tempdir().unwrap();
        let checkout = checkout(dir.path());
        assert_eq!(checkout.check(), []);
        checkout.repository.write("new.txt", "new").unwrap();
        assert_eq!(broken(&checkout.check()), [UNTOUCHED]);
        let blob = checkout
            .repository
            .git(&["rev-parse", "HEAD^{tree}"])
            .unwrap();
        let (fan, rest) = blob.trim().split_at(2);
        let object = checkout
            .repository
            .path
            .join(".git/objects")
            .join(fan)
            .join(rest);
        std::fs::remove_file(object).unwrap();
        assert!(broken(&checkout.check()).contains(&WHOLE));
    }

    #[test]
    fn a_commit_that_is_not_on_the_branch_and_a_file_that_is_nowhere_are_seen() {
        let dir = tempfile::tempdir().unwrap();
        let checkout = checkout(dir.path());
        let mut held = Held {
            branch: Some("HEAD".to_owned()),
            task: "t".to_owned(),
            ..Held::default()
        };
        assert_eq!(held.check_purged(&checkout), []);
        held.made(&serde_json::json!({"command": "git commit -m 'never made'"}));
        assert_eq!(broken(&held.check_purged(&checkout)), [COMMITS]);
        held.made(&serde_json::json!({"path": "a.txt", "content": "a"}));
        assert_eq!(broken(&held.check_purged(&checkout)), [COMMITS, FILES]);
        assert_eq!(
            broken(&held.check_standing(&checkout, dir.path())),
            [COMMITS, FILES]
        );
    }
}
