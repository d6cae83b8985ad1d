//! Whether a repository is sound.

use paddock_exec::Place;

use crate::git::{Git, WORK, ask};
use crate::{GitError, Repository};

/// How many problems are listed.
const MOST_PROBLEMS: usize = 100;

/// What is wrong with the objects of `repository`, in git's words; empty when nothing is.
///
/// # Errors
/// [`GitError`] when git cannot be run.
pub async fn fsck(place: &dyn Place, repository: &Repository) -> Result<Vec<String>, GitError> {
    let check = Git::bare(&repository.git_dir).command([
        "fsck",
        "--full",
        "--no-dangling",
        "--no-progress",
    ]);
    let output = ask(place, &check, WORK).await?;
    if output.exit.is_success() {
        return Ok(Vec::new());
    }
    let said = format!("{}\n{}", output.text(), output.error_text());
    let mut problems: Vec<_> = said
        .lines()
        .filter(|line| !line.is_empty())
        .take(MOST_PROBLEMS)
        .map(str::to_owned)
        .collect();
    if problems.is_empty() {
        problems.push(format!("`git fsck` ended with {:?}", output.exit));
    }
    Ok(problems)
}
