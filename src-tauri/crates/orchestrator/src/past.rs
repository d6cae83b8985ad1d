//! Sessions that users had with agent programs outside Paddock: listed, and gone on with by a new task.
//!
//! Invariants: only the files of the one session that was chosen leave the user's home, never a login, a
//! setting or another session; nothing is followed out of it; every read is bounded. What was said before
//! is told in the journal from the copy that the task keeps, so the user's own file may go meanwhile.
//!
//! Start at [`Orchestrator::past_sessions`], then [`Orchestrator::adopt_session`].

mod files;
mod paths;
mod told;

use std::path::PathBuf;
use std::sync::Arc;

use paddock_boxes::{HomeFile, LiveBox, pack_home, unpack_home};
use paddock_domain::{
    Body, HarnessName, Origin, OriginKind, OriginSession, PastSession, Task, TaskId, TaskSpec,
    Timestamp,
};
use paddock_harness::{Harness, History, find, registry};

use crate::brief::Brief;
use crate::creation::Created;
use crate::rooms::Rooms;
use crate::runner::Order;
use crate::work::Work;
use crate::work::fork::SESSION_MAX;
use crate::{CommandError, Orchestrator, ids};
use files::Found;
use told::Past;

/// Most sessions that one answer tells of.
const LISTED_MAX: usize = 500;
/// Most histories that are looked into for one answer, newest first.
const LOOKED_AT_MAX: usize = 2000;

/// Which sessions are wanted.
#[derive(Clone, Debug)]
pub struct PastWish {
    /// Only of this harness.
    pub harness: Option<HarnessName>,
    /// Only those that worked in this directory, or below it.
    pub repository: Option<String>,
    /// Only those whose title, directory or id holds this.
    pub words: Option<String>,
    /// How many at most.
    pub limit: usize,
}

impl PastWish {
    fn wants(&self, session: &PastSession) -> bool {
        let directory = session.directory.as_deref().unwrap_or_default();
        let here = |wanted: &str| std::path::Path::new(directory).starts_with(wanted);
        let says = |wanted: &str| {
            let wanted = wanted.to_lowercase();
            let mut texts = [&session.title, directory, &session.session_id].into_iter();
            texts.any(|text| text.to_lowercase().contains(&wanted))
        };
        self.repository.as_deref().is_none_or(here) && self.words.as_deref().is_none_or(says)
    }
}

impl Orchestrator {
    /// Sessions in the user's home that a task could go on with, newest first.
    ///
    /// # Errors
    /// [`CommandError::Bad`] for a harness whose sessions cannot be read, [`CommandError::Failed`] when the home
    /// cannot be.
    pub async fn past_sessions(&self, wish: PastWish) -> Result<Vec<PastSession>, CommandError> {
        let harnesses = match &wish.harness {
            Some(name) => vec![readable(name)?],
            None => registry()
                .iter()
                .filter_map(|harness| Some((*harness, harness.history()?)))
                .collect(),
        };
        let home = home(&self.rooms)?;
        let mut listed = blocking(move || Ok(list(&home, &harnesses, &wish))).await?;
        self.name_tasks(&mut listed);
        Ok(listed)
    }

    /// Creates a task that goes on with the session `session_id` of the user's own home. The user's files stay
    /// as they are: the task works on a copy, under the session's own name.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] when there is no such session, [`CommandError::Bad`] when it is too large, and
    /// what keeps a task from being created.
    pub async fn adopt_session(
        &self,
        session_id: &str,
        mut spec: TaskSpec,
    ) -> Result<Created, CommandError> {
        spec.check()?;
        if spec.origin.is_some() {
            return Err(CommandError::bad(
                "`origin` is written by Paddock: leave it out",
            ));
        }
        let (harness, history) = readable(&spec.harness)?;
        let _alone = match &spec.request_key {
            Some(key) => self.rooms.keys.hold(key).await,
            None => None,
        };
        if let Some(task) = spec
            .request_key
            .as_ref()
            .and_then(|key| self.created_with(key))
        {
            return known(task, session_id);
        }
        self.rooms.disk.admit()?;
        if harness.session_files(session_id).is_none() {
            return Err(no_session(&spec.harness, session_id));
        }
        let (home, wanted) = (home(&self.rooms)?, session_id.to_owned());
        let taken = blocking(move || files::take(&home, &history, &wanted, SESSION_MAX)).await?;
        let taken = taken.ok_or_else(|| no_session(&spec.harness, session_id))?;
        let past =
            own(&taken, &history, session_id).map(|file| told::past(&history, &file.content));
        let id = ids::new_task();
        let archive = pack_home(&taken).map_err(CommandError::failed)?;
        let archive = self.rooms.store.put_archive(&id, archive).await;
        spec.origin = Some(Box::new(Origin {
            kind: OriginKind::Session,
            task_id: None,
            seq: None,
            session: Some(OriginSession {
                session_id: session_id.to_owned(),
                archive: archive.map_err(|error| self.rooms.not_written(&error))?,
            }),
            brief: past.map(|past| Brief::of_past(&past.messages)),
            files: Vec::new(),
        }));
        self.begin(id, spec).await
    }

    /// The agent's sessions in the box of a task: the one that it goes on with, and those before it.
    ///
    /// # Errors
    /// [`CommandError::Bad`] for a harness whose sessions cannot be read, [`CommandError::Failed`] when the box
    /// does not answer.
    pub async fn task_sessions(&self, id: &TaskId) -> Result<Vec<PastSession>, CommandError> {
        readable(&self.task(id)?.spec.harness)?;
        let mut listed = self.order(id, Order::PastSessions).await?;
        self.name_tasks(&mut listed);
        Ok(listed)
    }

    /// Starts the agent of a task again, with another of the sessions in its box.
    ///
    /// # Errors
    /// [`CommandError::NotNow`] while a run is open, [`CommandError::NotFound`] when the box has no such session.
    pub async fn revive_with(&self, id: &TaskId, session_id: &str) -> Result<(), CommandError> {
        let task = self.task(id)?;
        let listed = self.task_sessions(id).await?;
        if !listed
            .iter()
            .any(|session| session.session_id == session_id)
        {
            return Err(no_session(&task.spec.harness, session_id));
        }
        if task.session_lost {
            let message = "the agent has lost its session and begins a new one from the journal: revive the task, then choose";
            return Err(CommandError::conflict(message));
        }
        let session_id = session_id.to_owned();
        self.order(id, |reply| Order::ReviveWith(session_id, reply))
            .await
    }

    /// Says of each session which task goes on with it.
    fn name_tasks(&self, sessions: &mut [PastSession]) {
        let snapshot = self.snapshot();
        for session in sessions {
            let has = |task: &&Arc<Task>| {
                task.agent_session.as_ref() == Some(&session.session_id)
                    && task.spec.harness == session.harness
                    && !task.machine().is_terminal()
            };
            let task = snapshot.tasks.values().find(has);
            session.task_id = task.map(|task| task.task_id.clone());
        }
    }
}

/// What is told in the journal of the session that `task` came with; nothing for any other task.
pub(crate) async fn adopted(rooms: &Rooms, task: &Task) -> Option<Body> {
    let origin = task.spec.origin.as_deref();
    let origin = origin.filter(|origin| origin.kind == OriginKind::Session)?;
    let session = origin.session.as_ref()?;
    let history = find(task.spec.harness.as_str())?.history()?;
    let limit = (SESSION_MAX as u64) * 2;
    let (id, archive) = (&task.task_id, &session.archive);
    let read = async {
        let archive = rooms.store.archive_of(id, archive, limit).await;
        let archive = archive.map_err(CommandError::failed)?;
        let session_id = session.session_id.clone();
        blocking(move || {
            let files = unpack_home(&archive).map_err(CommandError::failed)?;
            let own = own(&files, &history, &session_id);
            Ok(own.map(|file| told::past(&history, &file.content)))
        })
        .await
    };
    let past = match read.await {
        Ok(past) => past?,
        Err(error) => {
            tracing::warn!(task.id = %id, %error, "what was said before cannot be told");
            return None;
        }
    };
    Some(Body::SessionAdopted {
        harness: task.spec.harness.clone(),
        session_id: session.session_id.clone(),
        directory: past.directory,
        messages: past.messages,
        left_out: past.left_out,
    })
}

/// Puts the files of a user's session where its program looks for them in `place`, and lets what they say of
/// the user's repositories be true there: outside its box nothing is the agent's to touch.
pub(crate) fn settle(files: &mut [HomeFile], history: &History, session: &str, place: &LiveBox) {
    let directory =
        own(files, history, session).and_then(|file| told::past(history, &file.content).directory);
    let moves = paths::moves(&place.repositories, directory.as_deref(), &place.work_dir);
    for file in files {
        file.path = history.moved(&file.path, &place.work_dir);
        let content = history.adapted(&file.content);
        file.content = paths::moved(&content, &moves);
    }
}

/// The agent's sessions in a task's box.
pub(crate) async fn in_box(work: &Work) -> Result<Vec<PastSession>, CommandError> {
    let (harness, history) = readable(&work.task.spec.harness)?;
    let place = work.place()?;
    let files = place.read_home(history.dir, "", SESSION_MAX).await;
    let files = files.map_err(CommandError::failed)?;
    let listed = files.iter().filter_map(|file| {
        let id = history.session_of(name_of(&file.path))?;
        let at_its_place = file.path.split('/').count() == depth_of(&history);
        at_its_place.then(|| {
            let past = told::past(&history, &file.content);
            shown(harness, id, past, file.content.len() as u64, None)
        })
    });
    let mut listed: Vec<_> = listed.take(LISTED_MAX).collect();
    listed.sort_by_key(|one| std::cmp::Reverse(one.began_at));
    Ok(listed)
}

/// How many parts the path of a session's own file has below the home.
fn depth_of(history: &History) -> usize {
    history.dir.split('/').count() + history.depth + 1
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The file that a session is read from, among all that belong to it.
fn own<'f>(files: &'f [HomeFile], history: &History, session: &str) -> Option<&'f HomeFile> {
    files.iter().find(|file| {
        history.session_of(name_of(&file.path)) == Some(session)
            && file.path.split('/').count() == depth_of(history)
    })
}

fn list(
    home: &std::path::Path,
    harnesses: &[(&'static dyn Harness, History)],
    wish: &PastWish,
) -> Vec<PastSession> {
    let mut found: Vec<(&'static dyn Harness, History, Found)> = Vec::new();
    for (harness, history) in harnesses {
        let files = files::sessions(home, history);
        found.extend(files.into_iter().map(|file| (*harness, *history, file)));
    }
    found.sort_by_key(|(_, _, file)| std::cmp::Reverse(file.modified));
    let looked = found.into_iter().take(LOOKED_AT_MAX);
    let listed = looked.filter_map(|(harness, history, file)| {
        // What nobody said anything in is nothing to go on with.
        let past = files::look(&file, &history).filter(|past| past.prompts != Some(0))?;
        let last_at = Some(Timestamp::from_unix_ms(file.modified));
        Some(shown(harness, &file.session, past, file.size, last_at))
    });
    let listed = listed.filter(|session| wish.wants(session));
    listed.take(wish.limit.min(LISTED_MAX)).collect()
}

fn shown(
    harness: &dyn Harness,
    session: &str,
    past: Past,
    size: u64,
    last_at: Option<Timestamp>,
) -> PastSession {
    PastSession {
        harness: harness.name(),
        session_id: session.to_owned(),
        title: past.title(),
        directory: past.directory,
        began_at: past.began_at,
        last_at,
        size,
        prompts: past.prompts,
        task_id: None,
    }
}

/// The harness of this name, whose sessions can be read.
fn readable(name: &HarnessName) -> Result<(&'static dyn Harness, History), CommandError> {
    let harness = find(name.as_str()).ok_or_else(|| CommandError::NotFound {
        what: "harness",
        message: format!("there is no harness `{name}`"),
    })?;
    let history = harness.history().ok_or_else(|| {
        CommandError::bad(format!(
            "Paddock cannot read the sessions that {name} keeps: begin a new one with it"
        ))
    })?;
    Ok((harness, history))
}

/// The home whose sessions are the user's.
fn home(rooms: &Rooms) -> Result<PathBuf, CommandError> {
    let chosen = rooms.settings.configured.sessions.home.clone();
    let usual = ["HOME", "USERPROFILE"].iter().find_map(|name| {
        let path = rooms.settings.environment.get(*name)?;
        (!path.is_empty()).then(|| PathBuf::from(path))
    });
    chosen.or(usual).ok_or_else(|| CommandError::Failed {
        message: "it is not known where your home is: set `sessions.home`".to_owned(),
    })
}

fn known(task: Arc<Task>, session: &str) -> Result<Created, CommandError> {
    let origin = task.spec.origin.as_deref();
    let origin = origin.filter(|origin| origin.kind == OriginKind::Session);
    let same = origin.and_then(|origin| origin.session.as_ref());
    if same.is_none_or(|same| same.session_id != session) {
        return Err(CommandError::conflict(format!(
            "this key was used for task {}, which goes on with something else: use a new key",
            task.task_id
        )));
    }
    let is_new = false;
    Ok(Created { task, is_new })
}

fn no_session(harness: &HarnessName, session: &str) -> CommandError {
    let session: String = session.chars().take(128).collect();
    CommandError::NotFound {
        what: "session",
        message: format!(
            "{harness} has no session `{session}` there: `paddock sessions` lists those there are"
        ),
    }
}

/// Reads files beside the tasks.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CommandError> + Send + 'static,
) -> Result<T, CommandError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(CommandError::failed)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_chosen_by_where_they_worked_and_by_words() {
        let session = |title: &str, directory: Option<&str>| PastSession {
            harness: HarnessName::parse("claude").unwrap(),
            session_id: "0b8e2a52".to_owned(),
            title: title.to_owned(),
            directory: directory.map(str::to_owned),
            began_at: None,
            last_at: None,
            size: 0,
            prompts: None,
            task_id: None,
        };
        let wish = |repository: Option<&str>, words: Option<&str>| PastWish {
            harness: None,
            repository: repository.map(str::to_owned),
            words: words.map(str::to_owned),
            limit: 1,
        };
        let one = session("Mend the Login", Some("/r/api/src"));
        assert!(wish(None, None).wants(&one));
        assert!(wish(Some("/r/api"), Some("LOGIN")).wants(&one));
        assert!(wish(None, Some("0B8E")).wants(&one));
        assert!(!wish(Some("/r/ap"), None).wants(&one));
        assert!(!wish(Some("/r/api"), None).wants(&session("x", None)));
        assert!(!wish(None, Some("logout")).wants(&one));
    }
}
