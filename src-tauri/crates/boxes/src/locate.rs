//! Finds the container of a box whatever its name is by now, and none that only has its name.
//!
//! A container is ours by its labels, which nobody can change while it stands; its name is for people, and
//! people rename things. What carries our name without our labels belongs to somebody else and is never
//! touched.

use paddock_docker::{Container, ContainerState, Engine};

use crate::{BoxError, BoxRecord, container, layout};

/// The container of `record`, whether it runs or not; none when it was removed.
///
/// # Errors
/// [`BoxError::Impostor`] when another container has its name and it is not there under any other, or
/// that the engine cannot be asked.
pub(crate) async fn locate(
    engine: &Engine,
    record: &BoxRecord,
    data_mark: &str,
) -> Result<Option<Container>, BoxError> {
    let named = engine.inspect(&record.name).await?;
    if let Some(named) = named.as_ref().filter(|it| is_ours(it, record, data_mark)) {
        return Ok(Some(named.clone()));
    }
    let task = record.task_id.as_str();
    let listed = container::list(engine, data_mark, Some(task)).await?;
    // Somebody may have made a copy with the same labels: what runs is what we have to do with.
    let runs = |it: &&Container| it.state == ContainerState::Running;
    let Some(found) = listed.iter().find(runs).or(listed.first()) else {
        return match named {
            Some(other) => Err(impostor(&other, record)),
            None => Ok(None),
        };
    };
    tracing::info!(task.id = %record.task_id, name = found.name, "the box's container has another name by now");
    // A list does not say how a container ended.
    Ok(engine.inspect(&found.id).await?)
}

/// Whether the labels of `container` say that it is the box of `record`.
pub(crate) fn is_ours(container: &Container, record: &BoxRecord, data_mark: &str) -> bool {
    let says = |label: &str, value: &str| container.labels.get(label).is_some_and(|it| it == value);
    says(layout::TASK_LABEL, record.task_id.as_str()) && says(layout::DATA_LABEL, data_mark)
}

pub(crate) fn impostor(other: &Container, record: &BoxRecord) -> BoxError {
    BoxError::Impostor {
        task: record.task_id.clone(),
        name: other.name.clone(),
    }
}
