//! Names that a task can start from: branches, branches of remotes, tags.
//!
//! Start at [`branch_names`].

use paddock_domain::{BranchKind, BranchName, BranchNames, Timestamp};
use paddock_exec::Place;

use crate::git::{Git, LOOK, must};
use crate::{GitError, Oid};

/// Most names that are listed.
pub const MOST_NAMES: usize = 200;

const PLACES: [(&str, BranchKind); 3] = [
    ("refs/heads/", BranchKind::Local),
    ("refs/remotes/", BranchKind::Remote),
    ("refs/tags/", BranchKind::Tag),
];

/// At most `limit` names of the repository with the git directory `git_dir` that begin with `prefix`,
/// or have a part after a `/` that does, in any case; most recent first, but by name where nothing
/// narrows down a great many.
///
/// # Errors
/// [`GitError`].
pub async fn branch_names(
    place: &dyn Place,
    git_dir: &str,
    prefix: &str,
    limit: usize,
) -> Result<BranchNames, GitError> {
    let limit = limit.clamp(1, MOST_NAMES);
    let git = Git::bare(git_dir);
    // To tell which are recent, git reads what every one of them stands for.
    let order = match prefix.is_empty() && has_many(place, &git).await? {
        true => "--sort=refname",
        false => "--sort=-creatordate",
    };
    let list = git.command([
        "for-each-ref",
        "--ignore-case",
        "--sort=refname",
        order,
        &format!("--count={}", limit + MARGIN),
        "--format=%(refname)%00%(objecttype)%00%(*objecttype)%00%(objectname)%00%(*objectname)%00%(creatordate:unix)%00%(symref)",
    ]);
    let list = list.args(patterns(prefix));
    let text = must(place, &list, LOOK).await?.text();
    let mut items: Vec<_> = text.lines().filter_map(name_in).collect();
    let more = items.len() > limit;
    items.truncate(limit);
    Ok(BranchNames { items, more })
}

/// How many refs are put in order of time.
const SORTED: usize = 5000;

async fn has_many(place: &dyn Place, git: &Git) -> Result<bool, GitError> {
    let most = format!("--count={}", SORTED + 1);
    let probe = git.command(["for-each-ref", &most, "--format=."]);
    let dots = must(place, &probe, LOOK).await?.stdout;
    Ok(dots.iter().filter(|byte| **byte == b'.').count() > SORTED)
}

/// How many refs that are no names may come among those asked for: heads of remotes, odd tags.
const MARGIN: usize = 20;

fn patterns(prefix: &str) -> Vec<String> {
    let prefix: String = prefix.chars().filter(|c| !c.is_control()).collect();
    if prefix.is_empty() {
        return PLACES.map(|(at, _)| at.to_owned()).to_vec();
    }
    let mut plain = String::new();
    for letter in prefix.chars() {
        if matches!(letter, '*' | '?' | '[' | '\\') {
            plain.push('\\');
        }
        plain.push(letter);
    }
    let of = |at: &str| {
        ["", "**/"].map(|deep| {
            [
                format!("{at}{deep}{plain}*"),
                format!("{at}{deep}{plain}*/**"),
            ]
        })
    };
    let all = PLACES.iter().flat_map(|(at, _)| of(at)).flatten();
    all.collect()
}

/// Reads one line; nothing for what names no commit.
fn name_in(line: &str) -> Option<BranchName> {
    let fields: Vec<&str> = line.split('\0').collect();
    let [full, kind, peeled_kind, oid, peeled, seconds, symref] = fields[..] else {
        return None;
    };
    if !symref.is_empty() {
        return None;
    }
    let commit = match (kind, peeled_kind) {
        ("commit", _) => Oid::parse(oid)?,
        (_, "commit") => Oid::parse(peeled)?,
        _ => return None,
    };
    let (at, kind) = PLACES.iter().find(|(at, _)| full.starts_with(at))?;
    let seconds: i64 = seconds.parse().unwrap_or(0);
    Some(BranchName {
        name: full[at.len()..].to_owned(),
        kind: *kind,
        commit: commit.as_str().to_owned(),
        committed_at: Timestamp::from_unix_ms(seconds.saturating_mul(1000)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_text_and_no_pattern() {
        assert_eq!(patterns("a*")[0], "refs/heads/a\\**");
        assert_eq!(patterns("")[2], "refs/tags/");
        assert_eq!(patterns("x").len(), 12);
    }
}
