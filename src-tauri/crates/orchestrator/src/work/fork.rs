//! What a fork begins with: the commits and files of the box as it is now, the agent's session where the
//! agent can go on with a copy of it, and the journal in a few words where it cannot.
//!
//! Nothing of the task that is forked changes, but that its commits are on the host afterwards.
//!
//! Start at [`seed`].

use bytes::Bytes;
use paddock_boxes::{LiveBox, pack_home};
use paddock_domain::{
    ErrorClass, Event, Origin, OriginFiles, OriginKind, OriginSession, RepositorySpec, Task, TaskId,
};
use paddock_harness::{Harness, find};

use super::Work;
use crate::brief::{Before, Brief};
use crate::rooms::Rooms;
use crate::runner::SetupError;
use crate::{CommandError, past};

/// Most bytes of an agent's session that are carried to a fork; a larger one is told of in words.
pub(crate) const SESSION_MAX: usize = 64 << 20;

/// Which fork is to be made.
#[derive(Clone, Debug)]
pub(crate) struct ForkWish {
    /// The task that it will be.
    pub(crate) fork: TaskId,
    /// Whether files that no commit holds come along.
    pub(crate) uncommitted: bool,
    /// Whether the same agent program serves it, which may know the session.
    pub(crate) same_agent: bool,
}

/// Where a fork begins.
#[derive(Clone, Debug)]
pub(crate) struct ForkSeed {
    /// Its repositories, from where the box stands.
    pub(crate) repositories: Vec<RepositorySpec>,
    /// Where it came from.
    pub(crate) origin: Origin,
}

/// Takes what the fork begins with.
pub(crate) async fn seed(work: &Work, wish: ForkWish) -> Result<ForkSeed, CommandError> {
    let _one = work.one_at_a_time.lock().await;
    let place = work.place()?;
    let (mut repositories, mut files) = (Vec::new(), Vec::new());
    for checkout in work.checkouts().await? {
        let (host, to) = (&work.rooms.host, &checkout.repository);
        let (fork, base) = (&wish.fork, &checkout.base);
        let point = paddock_git::fork_point(
            place.place(),
            &checkout.dir,
            host,
            to,
            fork,
            base,
            wish.uncommitted,
        )
        .await
        .map_err(CommandError::failed)?;
        repositories.push(RepositorySpec {
            path: checkout.path.clone(),
            base: Some(point.head.to_string()),
            branch: None,
        });
        files.extend(point.files.map(|commit| OriginFiles {
            repository: checkout.path.clone(),
            commit: commit.to_string(),
        }));
    }
    let session = match wish.same_agent {
        true => session(work, place, &wish.fork).await,
        false => None,
    };
    let task = &work.task;
    Ok(ForkSeed {
        repositories,
        origin: Origin {
            kind: OriginKind::Fork,
            task_id: Some(task.task_id.clone()),
            seq: Some(task.last_seq),
            session,
            brief: Some(brief(work).await?),
            files,
        },
    })
}

/// The journal in a few words, for an agent that has nothing else to go on with.
async fn brief(work: &Work) -> Result<String, CommandError> {
    let reader = work.rooms.store.reader(&work.task.task_id);
    let mut brief = Brief::default();
    let take = |json: &[u8]| {
        if let Ok(event) = serde_json::from_slice::<Event>(json) {
            brief.take(&event);
        }
    };
    let read = reader.each_line(0, reader.last_seq(), take).await;
    read.map_err(CommandError::failed)?;
    Ok(brief.tell(&work.task, Before::Fork))
}

/// The agent's session, put among the artifacts of the fork; nothing where there is none to be had.
async fn session(work: &Work, place: &LiveBox, fork: &TaskId) -> Option<OriginSession> {
    let task = &work.task;
    let session_id = task.agent_session.clone()?;
    let harness = find(task.spec.harness.as_str())?;
    let wanted = harness.session_files(&session_id)?;
    let found = place.read_home(wanted.dir, &wanted.part, SESSION_MAX).await;
    let kept = match found {
        Ok(files) if files.is_empty() => return None,
        Ok(files) => pack_home(&files),
        Err(error) => Err(error),
    };
    let kept: Result<Bytes, String> = kept.map_err(|error| error.to_string());
    let kept = match kept {
        Ok(archive) => work.rooms.store.put_archive(fork, archive).await,
        Err(error) => {
            tracing::warn!(task.id = %task.task_id, %error, "the session cannot be read; the fork is told of it in words");
            return None;
        }
    };
    match kept {
        Ok(archive) => Some(OriginSession {
            session_id,
            archive,
        }),
        Err(error) => {
            tracing::warn!(task.id = %task.task_id, %error, "the session cannot be kept; the fork is told of it in words");
            None
        }
    }
}

/// Puts the session that `task` came with into its box, as if it had been there from the first.
pub(crate) async fn bring_session(
    rooms: &Rooms,
    task: &Task,
    harness: &dyn Harness,
    place: &LiveBox,
) -> Result<(), SetupError> {
    let Some(session) = task.session_to_fork() else {
        return Ok(());
    };
    if harness.session_files(&session.session_id).is_none() {
        return Ok(());
    }
    let setup = |error: &dyn std::fmt::Display| SetupError::new(ErrorClass::Setup, error);
    let (id, limit) = (&task.task_id, (SESSION_MAX as u64) * 2);
    let archive = rooms.store.archive_of(id, &session.archive, limit).await;
    let archive = archive.map_err(|error| setup(&error))?;
    let mut files = paddock_boxes::unpack_home(&archive)?;
    let origin = task.spec.origin.as_ref();
    if let Some(before) = origin.and_then(|origin| origin.task_id.as_ref()) {
        // A worktree box has its task's id in its paths; agents name their files after where they work.
        for file in &mut files {
            file.path = file.path.replace(before.as_str(), id.as_str());
            file.content = replaced(&file.content, before.as_str(), id.as_str());
        }
    }
    if origin.is_some_and(|origin| origin.kind == OriginKind::Session)
        && let Some(history) = harness.history()
    {
        past::settle(&mut files, &history, &session.session_id, place);
    }
    place.write_home(&files).await?;
    Ok(())
}

/// `content` with `to` in place of every `from`.
fn replaced(content: &[u8], from: &str, to: &str) -> Vec<u8> {
    let (from, mut rest) = (from.as_bytes(), content);
    let mut whole = Vec::with_capacity(content.len());
    while let Some(first) = from.first() {
        let Some(at) = rest.iter().position(|byte| byte == first) else {
            break;
        };
        let (before, found) = rest.split_at(at);
        whole.extend_from_slice(before);
        match found.strip_prefix(from) {
            Some(after) => {
                whole.extend_from_slice(to.as_bytes());
                rest = after;
            }
            None => {
                whole.push(*first);
                rest = found.get(1..).unwrap_or_default();
            }
        }
    }
    whole.extend_from_slice(rest);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mention_of_the_first_task_becomes_one_of_the_fork() {
        let told = |text: &str| String::from_utf8(replaced(text.as_bytes(), "abc", "xyz")).unwrap();
        assert_eq!(
            told("/b/abc/work ab abcabc abd"),
            "/b/xyz/work ab xyzxyz abd"
        );
        assert_eq!(told(""), "");
        assert_eq!(told("aab"), "aab");
    }
}
