//! Looks for secrets and large binaries in what is about to leave.
//!
//! Only added lines count, commit by commit: a secret that a later commit removes is still in the
//! history that would be pushed. Everything is read as text, so that no attribute of a repository
//! can hide a file by calling it binary. What cannot be scanned is a finding of its own.
//!
//! Start at [`scan`].

mod finding;
mod patch;
mod rules;

use bytes::Bytes;
use paddock_exec::{Command, ExecError, Limits, Place};

pub use finding::{Finding, blocking};

use crate::diff::PLAIN;
use crate::git::{Git, LOOK, WORK, must};
use crate::{GitError, Oid, Repository};
use patch::Patch;

/// What is scanned and what counts as large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanLimits {
    /// A binary file of more bytes is a finding.
    pub binary_bytes: u64,
    /// Changes of more bytes than this are not scanned, which is a finding.
    pub patch_bytes: usize,
}

impl Default for ScanLimits {
    /// 500 KB and 256 MiB.
    fn default() -> Self {
        Self {
            binary_bytes: 500_000,
            patch_bytes: 256 << 20,
        }
    }
}

/// What the commits of `head` that `base` does not have would give away, in `repository` on the host.
///
/// # Errors
/// [`GitError`]; nothing may be pushed then.
pub async fn scan(
    place: &dyn Place,
    repository: &Repository,
    base: &Oid,
    head: &Oid,
    limits: ScanLimits,
) -> Result<Vec<Finding>, GitError> {
    let git = Git::bare(&repository.git_dir);
    let list = git.command([
        "rev-list",
        "--reverse",
        head.as_str(),
        &format!("^{base}"),
        "--",
    ]);
    let commits = must(place, &list, LOOK).await?.stdout;
    let show = patches(&git)
        .args(["--stdin", "--root", "-c"])
        .stdin(commits);
    scan_patches(place, &git, &show, limits).await
}

/// What going from the tree `from` to the tree `to` would give away.
pub(crate) async fn scan_trees(
    place: &dyn Place,
    git: &Git,
    from: &Oid,
    to: &Oid,
    limits: ScanLimits,
) -> Result<Vec<Finding>, GitError> {
    let show = patches(git).args([from.as_str(), to.as_str(), "--"]);
    scan_patches(place, git, &show, limits).await
}

fn patches(git: &Git) -> Command {
    git.command([
        "diff-tree",
        "-r",
        "-p",
        "-U0",
        "--text",
        "--full-index",
        "--no-renames",
    ])
    .args(PLAIN)
}

async fn scan_patches(
    place: &dyn Place,
    git: &Git,
    show: &Command,
    limits: ScanLimits,
) -> Result<Vec<Finding>, GitError> {
    let bound = Limits {
        stdout: limits.patch_bytes,
        ..WORK
    };
    let text = match must(place, show, bound).await {
        Ok(output) => output.stdout,
        Err(GitError::Exec(ExecError::TooMuchOutput { .. })) => {
            return Ok(vec![Finding::unscanned(limits.patch_bytes)]);
        }
        Err(other) => return Err(other),
    };
    let (opaque, files): (Vec<_>, Vec<_>) = Patch::read(&text).into_iter().partition(|f| f.opaque);
    let contents = contents(place, git, &opaque, bound).await?;
    let shown = opaque
        .iter()
        .zip(&contents)
        .map(|(file, content)| file.with(content));
    let files: Vec<_> = files.into_iter().chain(shown).collect();
    let mut findings: Vec<_> = files.iter().flat_map(secrets_in).collect();
    findings.extend(large_among(place, git, &files, limits.binary_bytes).await?);
    findings.sort_by(|a, b| (&a.path, a.line, a.rule).cmp(&(&b.path, b.line, b.rule)));
    findings.dedup_by(|a, b| a.id == b.id);
    Ok(findings)
}

/// What is in `files`, of which git showed nothing.
async fn contents(
    place: &dyn Place,
    git: &Git,
    files: &[Patch<'_>],
    limits: Limits,
) -> Result<Vec<Bytes>, GitError> {
    let mut contents = Vec::new();
    for file in files {
        let Some(blob) = &file.blob else {
            contents.push(Bytes::new());
            continue;
        };
        let show = git.command(["cat-file", "blob", blob.as_str()]);
        contents.push(must(place, &show, limits).await?.stdout);
    }
    Ok(contents)
}

fn secrets_in(file: &Patch<'_>) -> Vec<Finding> {
    let lines = file.added.iter().filter(|line| !line.text.contains(&0));
    let found = lines.flat_map(|line| {
        let secrets = rules::secrets_in(line.text);
        secrets.into_iter().map(|secret| (line.number, secret))
    });
    found
        .map(|(line, secret)| Finding::secret(file, line, secret.rule, secret.text))
        .collect()
}

async fn large_among(
    place: &dyn Place,
    git: &Git,
    files: &[Patch<'_>],
    limit: u64,
) -> Result<Vec<Finding>, GitError> {
    let binary = files.iter().filter(|file| file.is_binary());
    let binaries: Vec<_> = binary.filter_map(|f| Some((f.blob.as_ref()?, f))).collect();
    let questions: String = binaries
        .iter()
        .map(|(blob, _)| format!("{blob}\n"))
        .collect();
    let check = git
        .command(["cat-file", "--batch-check=%(objectsize)"])
        .stdin(questions);
    let answers = must(place, &check, LOOK).await?.text();
    let sizes = answers.lines().map(|line| line.parse().unwrap_or(u64::MAX));
    let large = binaries.iter().zip(sizes).filter(|(_, size)| *size > limit);
    Ok(large
        .map(|((_, file), size)| Finding::large(file, size))
        .collect())
}
