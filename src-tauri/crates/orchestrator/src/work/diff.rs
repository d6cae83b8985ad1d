//! The changes of a task as text.

use paddock_domain::DiffRequest;
use paddock_git::DiffLimits;

use super::Work;
use crate::CommandError;

/// What changed in one repository since its base, as a unified diff.
pub(crate) async fn diff(work: &Work, request: &DiffRequest) -> Result<String, CommandError> {
    let checkout = work.pick(request.repository.as_deref()).await?;
    let place = work.place()?;
    let path = request.path.as_deref();
    let diff = paddock_git::diff(
        place.place(),
        &checkout.dir,
        &checkout.base,
        path,
        DiffLimits::default(),
    )
    .await
    .map_err(CommandError::failed)?;
    if diff.truncated {
        return Ok(format!(
            "{}\n# more follows: ask for single files\n",
            diff.text
        ));
    }
    Ok(diff.text)
}
