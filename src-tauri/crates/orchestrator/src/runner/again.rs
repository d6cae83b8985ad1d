//! A task that goes on without what it had: a new session where the agent lost its own, a new box where
//! the box is gone.

use paddock_boxes::BoxRequest;
use paddock_domain::{Body, CondensePolicy, ErrorClass, Event, NoticeLevel, Task};
use paddock_git::Oid;
use paddock_store::{JournalReader, StoreError};

use super::SetupError;
use crate::brief::{Before, Brief};
use crate::rooms::Rooms;

/// The journal of `task` in a few words, without messages that its agent has not heard.
pub(super) async fn condense(reader: JournalReader, task: &Task) -> Result<String, StoreError> {
    let last = task.run_since_seq;
    let mut brief = Brief::default();
    let take = |json: &[u8]| {
        if let Ok(event) = serde_json::from_slice::<Event>(json)
            && event.seq <= last
        {
            brief.take(&event);
        }
    };
    reader.each_line(0, last, take).await?;
    let before = match task.taken_over_from {
        Some(_) => Before::HandOff,
        None => Before::Lost,
    };
    let told = brief.tell(task, before);
    // A fork that has lost the session it came with knows nothing of what was before it either.
    let origin = task.spec.origin.as_ref().filter(|_| task.turns == 0);
    Ok(match origin.and_then(|origin| origin.brief.as_deref()) {
        Some(first) => format!("{first}\n\n---\n\n{told}"),
        None => told,
    })
}

/// What the journal says when a new session begins that is told of what was before it.
pub(super) fn without_session(brief: String, task: &Task) -> Vec<Body> {
    let (policy, text) = if let Some(from) = &task.taken_over_from {
        let text = format!(
            "{} takes over from {from}. It is told what the journal says of the task, together with the next message",
            task.spec.harness
        );
        (CondensePolicy::ProviderHandoff, text)
    } else if task.session_lost {
        let text = "The agent has lost its earlier session: a new one begins. It is told what the journal says of the task, together with the next message";
        (CondensePolicy::SessionLost, text.to_owned())
    } else {
        let text = "The agent has no session to go on with: it is told in words what was before, together with the first message";
        (CondensePolicy::Forked, text.to_owned())
    };
    let level = match policy {
        CondensePolicy::SessionLost => NoticeLevel::Warning,
        CondensePolicy::ProviderHandoff
        | CondensePolicy::Forked
        | CondensePolicy::RollingWindow
        | CondensePolicy::Requested
        | CondensePolicy::Cleared => NoticeLevel::Info,
    };
    vec![
        Body::ContextCondensed {
            policy,
            tokens_before: None,
            tokens_after: None,
            summary_text: Some(brief),
        },
        Body::Notice {
            level,
            phase: None,
            text,
        },
    ]
}

/// Lets a new box begin where the task's branches are, not where they began.
pub(super) async fn from_branches(
    rooms: &Rooms,
    task: &Task,
    request: &mut BoxRequest,
) -> Result<(), SetupError> {
    for wanted in &mut request.repositories {
        let git = |error: &dyn std::fmt::Display| SetupError::new(ErrorClass::Git, error);
        let repository = paddock_git::inspect(&rooms.host, &wanted.host_path)
            .await
            .map_err(|error| git(&error))?;
        let (host, branch) = (&rooms.host, &wanted.branch);
        let delivered = paddock_git::delivered(host, &repository, &task.task_id, branch)
            .await
            .map_err(|error| git(&error))?;
        let tip = match delivered {
            Some(commit) => Some(commit),
            None => paddock_git::branch_tip(host, &repository, branch)
                .await
                .map_err(|error| git(&error))?,
        };
        wanted.base =
            tip.ok_or_else(|| branch_gone(&wanted.host_path, branch.as_str(), &wanted.base))?;
        wanted.inspected = Some(repository);
    }
    Ok(())
}

fn branch_gone(path: &str, branch: &str, base: &Oid) -> SetupError {
    let message = format!(
        "the task's box is gone, and {path} has no branch {branch} to make a new one from. Make the branch again (git branch {branch} {base}), then revive the task"
    );
    SetupError::new(ErrorClass::Git, message)
}
