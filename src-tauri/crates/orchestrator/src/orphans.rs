//! Boxes without a task: shown, taken in as tasks, removed when asked for, never by themselves.
//!
//! A box outlives its journal when somebody deletes the journal or restores an older copy of the data
//! directory. Taken in, it becomes a task like any other: what the box and the repositories still know is
//! written into a new journal under the old id, and an agent that lives is followed from its first word.
//! Removing one is taking it in and purging it, so its work goes into the trash first.
//!
//! Start at [`look`], then [`Orchestrator::adopt_orphan`].

use std::collections::BTreeSet;

use paddock_boxes::{BoxRecord, BoxState, FoundBox, LiveBox, Stage};
use paddock_domain::{
    Body, BoxKind, BoxSpec, Event, HostName, NoticeLevel, PermissionMode, PurgeRequest,
    RepositorySpec, RunId, StateName, Task, TaskId, TaskSpec, Transition,
};
use paddock_git::Claimed;
use paddock_relay_client::protocol::{RunInfo, RunState};
use paddock_store::Draft;

use crate::dispatcher::Input;
use crate::rooms::Rooms;
use crate::{CommandError, Orchestrator, ids};

/// A box that belongs to no task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrphanBox {
    /// The task it says it belongs to.
    pub task_id: TaskId,
    /// Its host.
    pub host: HostName,
    /// A container's name or a directory.
    pub name: String,
    /// What it is made of, where that can be told.
    pub kind: Option<BoxKind>,
    /// How it stands, in a few words.
    pub state: String,
    /// Its repositories, by their paths on the host.
    pub repositories: Vec<String>,
    /// Whether it can be taken in as a task.
    pub adoptable: bool,
    /// What can be done with it.
    pub advice: String,
}

impl OrphanBox {
    fn of(found: FoundBox) -> Self {
        let ready = |record: &&BoxRecord| record.stage == Stage::Ready;
        let adoptable = found.record.as_ref().filter(ready).is_some();
        let id = &found.task_id;
        let advice = if adoptable {
            format!(
                "no task owns this box, and what is in it may be work: `paddock orphans adopt {id}` makes it a task again; `paddock orphans remove {id}` removes it after its work was put into the trash"
            )
        } else {
            format!(
                "what is left of this box cannot be made a task again: look into it, then `paddock orphans remove --force {id}` removes it"
            )
        };
        let record = found.record;
        Self {
            host: HostName::local(),
            name: record
                .as_ref()
                .map_or_else(|| id.to_string(), |record| record.name.clone()),
            kind: record.as_ref().map(|record| record.kind),
            state: state(found.state).to_owned(),
            repositories: record
                .map(|record| record.repositories)
                .unwrap_or_default()
                .into_iter()
                .map(|repository| repository.host_path)
                .collect(),
            adoptable,
            advice,
            task_id: found.task_id,
        }
    }
}

fn state(state: BoxState) -> &'static str {
    match state {
        BoxState::Running => "running",
        BoxState::Ended { oom: true, .. } => "ended: its memory was used up",
        BoxState::Ended { oom: false, .. } => "ended",
        BoxState::NoRelay => "its relay is gone",
        BoxState::HalfMade => "half made, or half removed",
        BoxState::Unreachable => "its engine cannot be asked",
    }
}

/// The boxes that belong to none of the tasks `known`.
pub(crate) async fn look(
    rooms: &Rooms,
    known: &BTreeSet<TaskId>,
) -> Result<Vec<OrphanBox>, CommandError> {
    let found = rooms.boxes.find_besides(known).await;
    let mut found = found.map_err(CommandError::failed)?;
    // Tasks that ended long ago, and tasks that were begun while we looked.
    found.retain(|found| !rooms.store.knows(&found.task_id));
    Ok(found.into_iter().map(OrphanBox::of).collect())
}

impl Orchestrator {
    /// The boxes that belong to no task, looked for now.
    ///
    /// # Errors
    /// [`CommandError::Failed`] when the directory of boxes cannot be read.
    pub async fn orphans(&self) -> Result<Vec<OrphanBox>, CommandError> {
        let known = self.snapshot().tasks.keys().cloned().collect();
        let found = look(&self.rooms, &known).await?;
        self.tell(Input::Orphans(found.clone())).await?;
        Ok(found)
    }

    /// Makes a task of a box without one.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], [`CommandError::Conflict`] when it cannot be taken in.
    pub async fn adopt_orphan(&self, id: &TaskId) -> Result<std::sync::Arc<Task>, CommandError> {
        let orphan = self.orphan(id).await?;
        // One that cannot be read is as good as none.
        let record = self.rooms.boxes.record(id).ok().flatten();
        let record = record.filter(|_| orphan.adoptable).ok_or_else(|| {
            let advice = orphan.advice;
            CommandError::conflict(format!("this box cannot become a task: {advice}"))
        })?;
        let place = self.rooms.boxes.attach(&record).await.ok();
        let bodies = history(&self.rooms, id, &record, place.as_ref()).await;
        let spec = spec(&record);
        let mut journal = self
            .rooms
            .store
            .create(first(id, spec))
            .await
            .map_err(|error| self.rooms.not_written(&error))?;
        let drafts = bodies.into_iter().map(|(run_id, body)| Draft {
            event_id: ids::new_event(),
            ts: ids::now(),
            run_id,
            turn_id: None,
            source: None,
            body,
        });
        let written = journal.append(drafts.collect()).await;
        written.map_err(|error| self.rooms.not_written(&error))?;
        tracing::info!(task.id = %id, "a box without a task was taken in");
        self.tell(Input::Adopt(Box::new(journal))).await?;
        let mut published = self.published.clone();
        let shown = published
            .wait_for(|now| now.snapshot.tasks.contains_key(id))
            .await;
        shown.map(drop).map_err(|_| CommandError::ShuttingDown)?;
        self.orphans().await?;
        self.task(id)
    }

    /// Removes a box without a task, at the request of a user and never otherwise. Its work goes into the
    /// trash of its repositories first; with `force` also what cannot be kept is removed.
    ///
    /// # Errors
    /// [`CommandError::WouldLose`] where its work cannot be kept and `force` was not given.
    pub async fn remove_orphan(&self, id: &TaskId, force: bool) -> Result<(), CommandError> {
        let orphan = self.orphan(id).await?;
        if orphan.adoptable {
            self.adopt_orphan(id).await?;
            let request = PurgeRequest {
                force: true,
                now: true,
                ..PurgeRequest::default()
            };
            return self.purge(id, request).await;
        }
        if !force {
            let message = format!(
                "what is left of this box ({}) cannot be looked into, so nothing of it can be kept. Repeat with force to remove it all the same",
                orphan.state
            );
            return Err(CommandError::WouldLose { message });
        }
        let removed = self.rooms.boxes.remove_task(id).await;
        removed.map_err(CommandError::failed)?;
        self.orphans().await.map(drop)
    }

    async fn orphan(&self, id: &TaskId) -> Result<OrphanBox, CommandError> {
        let all = self.orphans().await?;
        let found = all.into_iter().find(|orphan| orphan.task_id == *id);
        found.ok_or_else(|| CommandError::NotFound {
            what: "orphan",
            message: format!(
                "there is no box without a task under {id}: `paddock orphans` lists them"
            ),
        })
    }
}

/// What the box says was asked for; the words are lost with the journal.
fn spec(record: &BoxRecord) -> TaskSpec {
    let title = format!("Found again: {}", record.name);
    TaskSpec {
        prompt: "This task was made from a box whose journal is lost. Look at the work tree, then say what is done and what is not.".to_owned(),
        attachments: Vec::new(),
        title: Some(title),
        repositories: record
            .repositories
            .iter()
            .map(|repository| RepositorySpec {
                path: repository.host_path.clone(),
                base: None,
                branch: None,
            })
            .collect(),
        harness: record.program.harness.clone(),
        harness_version: Some(record.program.version.clone()),
        model: None,
        effort: None,
        account: None,
        resume_on_limit: None,
        permission_mode: PermissionMode::default(),
        host: HostName::local(),
        place: BoxSpec {
            kind: Some(record.kind),
            image: record.image.clone(),
            network: Some(record.network),
            memory_mib: Some(record.memory_mib),
            cpus: record.cpus,
            pids: Some(record.pids),
        },
        request_key: None,
        group: None,
        origin: None,
    }
}

fn first(id: &TaskId, spec: TaskSpec) -> Event {
    Event {
        event_id: ids::new_event(),
        ts: ids::now(),
        seq: 1,
        task_id: id.clone(),
        run_id: None,
        turn_id: None,
        source: None,
        body: Body::SessionStarted {
            task_description: spec.title(),
            project_path: spec.repositories.first().map(|it| it.path.clone()),
            coding_provider: spec.harness.clone(),
            spec: Box::new(spec),
        },
    }
}

/// The life of the box as far as it can be told: branches, the box, and the run that lives in it, whose
/// log tells the rest. Without one, the task is stopped.
async fn history(
    rooms: &Rooms,
    id: &TaskId,
    record: &BoxRecord,
    place: Option<&LiveBox>,
) -> Vec<(Option<RunId>, Body)> {
    let mut bodies = vec![(
        None,
        moved(
            StateName::Pending,
            StateName::Branching,
            Transition::Scheduled,
        ),
    )];
    for repository in &record.repositories {
        let path = &repository.host_path;
        if let Some(claimed) = claimed(rooms, id, path).await {
            bodies.push((
                None,
                Body::BranchClaimed {
                    repository: path.clone(),
                    branch: claimed.branch.to_string(),
                    base: claimed.base.to_string(),
                    base_commit: claimed.base.to_string(),
                    adopted: false,
                },
            ));
        }
    }
    let text = "This task was made from a box that belonged to no task: its journal is lost. What the box still knows of its agent's words follows; what was asked for before is not known";
    let notice = Body::Notice {
        level: NoticeLevel::Warning,
        phase: None,
        text: text.to_owned(),
    };
    let (branching, provisioning) = (StateName::Branching, StateName::Provisioning);
    bodies.push((None, moved(branching, provisioning, Transition::Branched)));
    let created = Body::BoxCreated {
        kind: record.kind,
        name: record.name.clone(),
        image: record.image.clone(),
    };
    bodies.push((None, created));
    bodies.push((None, notice));
    match living_run(place).await {
        Some(run_id) => {
            let ready = moved(provisioning, StateName::Starting, Transition::BoxReady);
            bodies.push((None, ready));
            let started = Body::RunStarted {
                harness: record.program.harness.clone(),
                version: record.program.version.clone(),
                resumed: false,
                account: None,
                asks_as: None,
            };
            bodies.push((Some(run_id), started));
        }
        None => bodies.push((
            None,
            moved(provisioning, StateName::Stopped, Transition::Ended),
        )),
    }
    bodies
}

fn moved(from: StateName, to: StateName, on: Transition) -> Body {
    let cause = Some("found again".to_owned());
    Body::StateChanged {
        from,
        to,
        on,
        cause,
    }
}

async fn claimed(rooms: &Rooms, id: &TaskId, path: &str) -> Option<Claimed> {
    let repository = paddock_git::inspect(&rooms.host, path).await.ok()?;
    paddock_git::claimed(&rooms.host, &repository, id)
        .await
        .ok()?
}

/// The run whose agent lives in the box; none when the box does not answer.
async fn living_run(place: Option<&LiveBox>) -> Option<RunId> {
    let runs = place?.relay.runs().await.ok()?;
    let lives = |run: &&RunInfo| matches!(run.state, RunState::Running);
    RunId::parse(runs.iter().find(lives)?.run.as_str()).ok()
}
