//! What the agent left uncommitted: shown first, committed only as shown, never silently.

use paddock_domain::{CommitPreview, CommitRequest};
use paddock_git::{CommitError, PreviewToken};

use super::sync::finding;
use super::{Checkout, Work};
use crate::CommandError;

/// What would be committed, in one repository or in all; repositories without changes are left out.
pub(crate) async fn preview(
    work: &Work,
    repository: Option<&str>,
) -> Result<Vec<CommitPreview>, CommandError> {
    let checkouts = match repository {
        Some(path) => vec![work.pick(Some(path)).await?],
        None => work.checkouts().await?,
    };
    let mut previews = Vec::new();
    for checkout in &checkouts {
        previews.extend(preview_one(work, checkout).await?);
    }
    Ok(previews)
}

async fn preview_one(
    work: &Work,
    checkout: &Checkout,
) -> Result<Option<CommitPreview>, CommandError> {
    let place = work.place()?.place();
    let limits = work.rooms.chosen().scan;
    let preview = match paddock_git::commit_preview(place, &checkout.dir, limits).await {
        Ok(preview) => preview,
        Err(CommitError::Nothing) => return Ok(None),
        Err(error) => return Err(commit_error(error)),
    };
    Ok(Some(CommitPreview {
        repository: checkout.path.clone(),
        files: preview.stat.files,
        more_files: preview.stat.more_files,
        findings: preview
            .findings
            .iter()
            .map(|found| finding(&checkout.path, found))
            .collect(),
        left_out: preview
            .left_out
            .into_iter()
            .chain(preview.embedded)
            .collect(),
        token: preview.token.to_text(),
    }))
}

/// Commits what `request` names, if it is still what was shown; gives the commit.
pub(crate) async fn commit(work: &Work, request: &CommitRequest) -> Result<String, CommandError> {
    let _one = work.one_at_a_time.lock().await;
    let checkout = work.pick(Some(&request.repository)).await?;
    let token = PreviewToken::parse(&request.token).ok_or_else(|| CommandError::Bad {
        message: "this is not the token of a preview".to_owned(),
    })?;
    let place = work.place()?.place();
    let files = request.files.as_deref();
    let commit = paddock_git::commit_chosen(place, &checkout.dir, &request.message, &token, files)
        .await
        .map_err(commit_error)?;
    // Which tells it, as it does what the agent committed.
    super::bring_out::bring_out(work, &checkout).await?;
    Ok(commit.as_str().to_owned())
}

fn commit_error(error: CommitError) -> CommandError {
    if let CommitError::Conflicted { paths } = &error {
        return CommandError::Conflict {
            message: error.to_string(),
            paths: paths.clone(),
        };
    }
    let moved = matches!(
        error,
        CommitError::Changed | CommitError::Busy | CommitError::Underway { .. }
    );
    if moved {
        return CommandError::conflict(error);
    }
    if let CommitError::Git(broke) = error {
        return CommandError::failed(broke);
    }
    CommandError::bad(error)
}
