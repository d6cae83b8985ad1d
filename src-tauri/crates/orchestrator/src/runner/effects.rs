//! Act: carries out one effect, beside the runner, and says what became of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use paddock_boxes::{BoxError, LiveBox, Stage};
use paddock_domain::{
    Body, ErrorClass, NoticeLevel, PermissionMode, Phase, Program, RunId, Task, TaskState,
};
use paddock_harness::{CodecSetup, Harness, LaunchRequest, Tallied};
use paddock_relay_client::protocol::{
    ClientId, DiffRepo, DiffRequest, Launch, RefusalCode, Spawn, Stdio, Stop,
};
use paddock_relay_client::{DiffStream, RelayError};
use paddock_store::StoreError;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::again::{self, condense, without_session};
use super::hand_off;
use super::note::Note;
use super::run::{LiveRun, relay_id};
use super::setup::SetupError;
use super::{Runner, ids, judging, removal};
use crate::plan::{BoxSeen, Effect, RunSeen};
use crate::rooms::Rooms;
use crate::terminals::close_agents;
use crate::work::{branches, fork};
use crate::{accounts, place, provider};

/// What became of an effect.
pub(super) enum Outcome {
    Claimed(Result<Vec<Body>, SetupError>),
    Raised(Result<Reached, SetupError>),
    Found(Result<Option<Reached>, BoxError>),
    Started(Result<Box<LiveRun>, SetupError>),
    Followed(Result<Option<Box<LiveRun>>, RelayError>),
    Stopped(Result<(), RelayError>),
    Condensed(Result<String, StoreError>),
    Ended(Result<(), BoxError>),
    Removed(Result<(), String>),
}

/// A box that answers, and its live statistics.
pub(super) struct Reached {
    place: Arc<LiveBox>,
    diffs: Option<DiffStream>,
    /// It was made just now, and holds nothing of what was in the box before it.
    is_new: bool,
}

impl Runner {
    /// Starts an effect that takes time.
    pub(super) async fn begin(&mut self, effect: Effect) {
        let (rooms, task) = (self.rooms.clone(), self.task().clone());
        self.doing = match effect {
            Effect::ClaimBranches => {
                Some(async move { Outcome::Claimed(branches::claim(&rooms, &task).await) }.boxed())
            }
            Effect::RaiseBox => {
                let notes = self.notes.0.clone();
                let raised = async move { raise(&rooms, &task, &notes).await };
                Some(raised.map(Outcome::Raised).boxed())
            }
            Effect::FindBox => {
                Some(async move { Outcome::Found(find(&rooms, &task).await) }.boxed())
            }
            Effect::StartRun => self.start_run().await,
            Effect::FollowRun => self.follow_run(),
            Effect::StopRun => self.stop_run(),
            Effect::EndBox => Some(async move { Outcome::Ended(end(&rooms, &task).await) }.boxed()),
            Effect::RemoveBox => {
                self.removal.under_way = true;
                let (unkept, notes) = (self.removal.unkept, self.notes.0.clone());
                let removed = async move { removal::remove(&rooms, &task, unkept, &notes).await };
                Some(removed.map(Outcome::Removed).boxed())
            }
            Effect::Record(_) | Effect::CloseRun(_) | Effect::SendNext => None,
        };
    }

    /// Sees what became of the effect.
    pub(super) async fn take(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Claimed(Ok(bodies)) => {
                if let Err(error) = self.write(bodies).await {
                    self.cannot_write(&error);
                }
            }
            Outcome::Raised(Ok(reached)) => self.box_raised(reached).await,
            Outcome::Started(Ok(run)) => self.join(*run).await,
            Outcome::Claimed(Err(error))
            | Outcome::Raised(Err(error))
            | Outcome::Started(Err(error)) => {
                self.setup_failed(error).await;
            }
            Outcome::Found(Err(foreign @ BoxError::RelayForeign { .. })) => {
                // It will not learn our language: who wants it ended need not wait.
                self.no_link("the relay in the box is of another build", &foreign);
                self.seen.silent = true;
                self.tell_once(foreign.to_string()).await;
            }
            Outcome::Found(found) => self.found(found),
            Outcome::Followed(Ok(Some(run))) => self.join(*run).await,
            Outcome::Followed(Ok(None)) => self.seen.run = RunSeen::None,
            Outcome::Followed(Err(error)) => self.no_link("the run cannot be followed", &error),
            // Its end may have been heard before the relay said that it had ended it.
            Outcome::Stopped(Ok(())) if matches!(self.seen.run, RunSeen::Over(_)) => {}
            Outcome::Stopped(Ok(())) if self.run.is_some() => self.seen.run = RunSeen::Ending,
            Outcome::Stopped(Ok(())) => self.seen.run = RunSeen::Unknown,
            Outcome::Condensed(Ok(brief)) => self.brief = Some(brief),
            Outcome::Condensed(Err(error)) => self.try_again("the journal cannot be read", &error),
            Outcome::Ended(Ok(())) => {
                let why = "it did not answer for long and was ended from outside; its work is kept";
                self.box_over(false, why);
            }
            Outcome::Ended(Err(error)) => self.no_link("the box cannot be ended", &error),
            Outcome::Stopped(Err(error)) => self.try_again("the run cannot be stopped", &error),
            Outcome::Removed(Ok(())) => {
                self.removal.under_way = false;
                self.lose_box();
                self.seen.run = RunSeen::None;
                self.seen.place = BoxSeen::Absent;
            }
            Outcome::Removed(Err(error)) => {
                self.removal.under_way = false;
                self.try_again("the box cannot be removed", &error);
                self.tell_not_removed(error).await;
            }
        }
    }

    /// Sees what is there of the box.
    fn found(&mut self, found: Result<Option<Reached>, BoxError>) {
        match found {
            Ok(Some(reached)) => self.reach(reached),
            Ok(None) => {
                self.seen.place = BoxSeen::Absent;
                let dir = self.rooms.boxes.dirs(&self.task().task_id).root;
                self.connection.ended(&format!(
                    "its directory {} is not there any more; the journal and every commit that was brought out are kept. Put the directory back, or revive the task: it gets a new box from its branch",
                    dir.display()
                ));
            }
            Err(BoxError::BoxEnded { oom, task, exit }) => {
                let why = BoxError::BoxEnded { task, exit, oom };
                self.box_over(oom, &why.to_string());
            }
            Err(
                over @ (BoxError::RelayDead { .. }
                | BoxError::ContainerGone { .. }
                | BoxError::Impostor { .. }),
            ) => self.box_over(false, &over.to_string()),
            Err(error) => self.no_link("the box cannot be reached", &error),
        }
    }

    /// There is no connection yet: it is tried again, and whoever watches is told.
    fn no_link(&mut self, what: &'static str, error: &dyn std::fmt::Display) {
        let last_seq = self.task().last_seq;
        self.seen.silent = self.connection.failed(error, last_seq);
        if self.seen.place == BoxSeen::Unknown {
            self.seen.place = BoxSeen::Unreached;
        }
        self.try_again(what, error);
    }

    pub(super) fn try_again(&mut self, what: &'static str, error: &dyn std::fmt::Display) {
        tracing::warn!(task.id = %self.task().task_id, %error, "{what}; trying again");
        self.retry.failed();
    }

    async fn box_raised(&mut self, reached: Reached) {
        let record = &reached.place.record;
        if reached.is_new || self.task().box_name.as_deref() != Some(&record.name) {
            let created = Body::BoxCreated {
                kind: record.kind,
                name: record.name.clone(),
                image: record.image.clone(),
            };
            if let Err(error) = self.write(vec![created]).await {
                return self.cannot_write(&error);
            }
        }
        self.reach(reached);
    }

    fn reach(&mut self, reached: Reached) {
        self.place = Some(reached.place);
        self.diffs = reached.diffs;
        self.seen.place = BoxSeen::Standing;
        self.seen.silent = false;
        self.reached_at = Some(Instant::now());
        // With a run, the connection stands when its log is heard.
        let open = self
            .task()
            .run
            .as_ref()
            .is_some_and(|run| run.exit.is_none());
        if !open {
            self.linked();
        }
    }

    /// The box is reached, and heard where there is something to hear.
    pub(super) fn linked(&mut self) {
        self.connection.stands();
        self.retry.worked();
    }

    async fn join(&mut self, run: LiveRun) {
        if !self.is_same_log(&run) {
            self.refuse_log().await;
            self.seen.run = RunSeen::None;
            return;
        }
        self.run = Some(run);
        self.seen.run = RunSeen::Joining;
        self.catch_up().await;
    }

    async fn start_run(&mut self) -> Option<BoxFuture<'static, Outcome>> {
        let place = self.place.clone()?;
        let task = self.task();
        let harness = paddock_harness::find(task.spec.harness.as_str())?;
        let program = match hand_off::program(&self.rooms, task, &place.record) {
            Ok(program) => program,
            Err(error) => {
                let failed = SetupError::new(ErrorClass::Setup, error);
                return Some(async move { Outcome::Started(Err(failed)) }.boxed());
            }
        };
        let open = task.run.as_ref().filter(|run| run.exit.is_none());
        let run_id = match open {
            Some(run) => run.run_id.clone(),
            None if task.session_lost && self.brief.is_none() => {
                let (reader, task) = (self.rooms.store.reader(&task.task_id), task.clone());
                let condensed = async move { condense(reader, &task).await };
                return Some(condensed.map(Outcome::Condensed).boxed());
            }
            None => {
                let run_id = ids::new_run();
                let started = Body::RunStarted {
                    harness: task.spec.harness.clone(),
                    version: program.version.clone(),
                    resumed: harness.abilities().resume
                        && (task.agent_session.is_some() || task.session_to_fork().is_some()),
                    account: accounts::of_task(&self.rooms, task),
                    asks_as: judging::asks_as(
                        &self.rooms.rules.now(),
                        task,
                        task.spec.permission_mode,
                        harness.abilities().permission_modes,
                    ),
                };
                // The brief first: a journal torn between the two has no run without it.
                let first = task.run.is_none() && task.session_to_fork().is_none();
                let origin = task.spec.origin.as_ref().filter(|_| first);
                let known = origin.and_then(|origin| origin.brief.clone());
                let without = |brief| without_session(brief, task);
                let mut bodies = known.map(without).unwrap_or_default();
                let task = self.journal.task();
                let own = self.brief.take();
                bodies.extend(
                    own.map(|brief| without_session(brief, task))
                        .unwrap_or_default(),
                );
                bodies.push(started);
                let in_run = |body| {
                    let mut draft = self.draft(body, None);
                    draft.run_id = Some(run_id.clone());
                    draft
                };
                let drafts = bodies.into_iter().map(in_run).collect();
                if let Err(error) = self.append(drafts).await {
                    self.cannot_write(&error);
                    return None;
                }
                run_id
            }
        };
        let (rooms, task) = (self.rooms.clone(), self.task().clone());
        let notes = self.notes.0.clone();
        let started =
            async move { spawn(&rooms, &task, harness, &program, place, run_id, &notes).await };
        Some(
            started
                .map(|run| Outcome::Started(run.map(Box::new)))
                .boxed(),
        )
    }

    fn follow_run(&self) -> Option<BoxFuture<'static, Outcome>> {
        let place = self.place.clone()?;
        let task = self.task();
        let run_id = task.run.as_ref()?.run_id.clone();
        let harness = paddock_harness::find(task.spec.harness.as_str())?;
        let codec = codec(&self.rooms, harness, task, &place.work_dir);
        let journalled = self
            .journal
            .last_source(&run_id)
            .map(|source| source.offset);
        let owner = owner(&self.rooms);
        let followed = async move {
            match LiveRun::join(place, run_id, owner?, codec, journalled).await {
                Ok(run) => Ok(Some(Box::new(run))),
                Err(RelayError::Refused(refusal)) if refusal.code == RefusalCode::NoSuchRun => {
                    Ok(None)
                }
                Err(error) => Err(error),
            }
        };
        Some(followed.map(Outcome::Followed).boxed())
    }

    fn stop_run(&mut self) -> Option<BoxFuture<'static, Outcome>> {
        let place = self.place.clone()?;
        let run_id = self.task().run.as_ref()?.run_id.clone();
        let grace_ms =
            u64::try_from(self.rooms.chosen().stop_grace.as_millis()).unwrap_or(u64::MAX);
        let interrupt = self.run.as_ref().and_then(LiveRun::farewell);
        let stopped = async move {
            let stop = Stop {
                run: relay_id(&run_id)?,
                grace_ms,
                interrupt,
            };
            place.relay.stop(&stop).await.map(drop)
        };
        Some(stopped.map(Outcome::Stopped).boxed())
    }
}

async fn raise(
    rooms: &Rooms,
    task: &Task,
    notes: &mpsc::Sender<Note>,
) -> Result<Reached, SetupError> {
    let again = matches!(task.machine(), TaskState::Provisioning { again: true });
    let standing = rooms.boxes.record(&task.task_id)?;
    let is_new = standing.is_none();
    let place = match standing {
        Some(record) if again && record.stage == Stage::Ready => {
            rooms.boxes.restart(&record).await?
        }
        Some(_) | None => {
            let mut request = place::request(rooms, task)?;
            if again {
                again::from_branches(rooms, task, &mut request).await?;
                // What is left of the box that is gone would go on beside the new one.
                rooms.boxes.remove_task(&task.task_id).await?;
            }
            let say = |text| tell(notes, NoticeLevel::Info, Phase::Provisioning, text);
            rooms
                .boxes
                .provision(&request, &|step| say(step.to_string()))
                .await?
        }
    };
    Ok(Reached {
        is_new,
        ..reached(place, task).await
    })
}

/// Ends the box without asking what runs in it.
async fn end(rooms: &Rooms, task: &Task) -> Result<(), BoxError> {
    match rooms.boxes.record(&task.task_id)? {
        Some(record) => rooms.boxes.stop(&record).await,
        None => Ok(()),
    }
}

async fn find(rooms: &Rooms, task: &Task) -> Result<Option<Reached>, BoxError> {
    match rooms.boxes.find(&task.task_id).await? {
        Some(place) => Ok(Some(reached(place, task).await)),
        None => Ok(None),
    }
}

/// The box with its live statistics, its forwards served again; without what cannot be had of both.
async fn reached(place: LiveBox, task: &Task) -> Reached {
    if let Err(error) = place.serve_forwards().await {
        tracing::warn!(task.id = %task.task_id, %error, "a port of the box leads nowhere for now");
    }
    let repos = place.repositories.iter().map(|(host_path, dir)| {
        let view = task
            .repositories
            .iter()
            .find(|view| view.path == *host_path);
        DiffRepo {
            name: host_path.clone(),
            path: dir.clone(),
            base: view.and_then(|view| view.base_commit.clone()),
        }
    });
    let request = DiffRequest {
        repos: repos.collect(),
        follow: true,
        confine: place.confine(),
    };
    let diffs = if request.repos.is_empty() {
        None
    } else {
        place.relay.diff(&request).await.ok()
    };
    Reached {
        place: Arc::new(place),
        diffs,
        is_new: false,
    }
}

/// Tells the user how a setup goes. A full line drops what is told, nothing else.
fn tell(notes: &mpsc::Sender<Note>, level: NoticeLevel, phase: Phase, text: String) {
    let phase = Some(phase);
    let _ = notes.try_send(Note::Write(vec![Body::Notice { level, phase, text }]));
}

async fn spawn(
    rooms: &Rooms,
    task: &Task,
    harness: &'static dyn Harness,
    program: &Program,
    place: Arc<LiveBox>,
    run_id: RunId,
    notes: &mpsc::Sender<Note>,
) -> Result<LiveRun, SetupError> {
    let setup = |error: &dyn std::fmt::Display| SetupError::new(ErrorClass::Setup, error);
    let account = task.run.as_ref().and_then(|run| run.account.as_ref());
    let provider = provider::for_box(rooms, harness, account, &place).await?;
    let session_id = ids::new_uuid();
    let launch = launch(task, harness, &place, &provider, &session_id)?;
    for text in launch.notices {
        tell(notes, NoticeLevel::Warning, Phase::Starting, text);
    }
    fork::bring_session(rooms, task, harness, &place).await?;
    place::write_files(&place, launch.files).await?;
    let owner = owner(rooms).map_err(|error| setup(&error))?;
    let (program, args) = place::command(rooms, &place, program, launch.args)?;
    let spawn = Spawn {
        run: relay_id(&run_id).map_err(|error| setup(&error))?,
        launch: Launch {
            program,
            args,
            env: place::environment(&place, launch.env),
            clear_env: false,
            cwd: Some(place.work_dir.clone()),
            confine: place.confine(),
        },
        stdio: Stdio::Pipes,
        owner: Some(owner.clone()),
    };
    // The session has one program at a time.
    let closed = close_agents(&place).await.map_err(|error| setup(&error))?;
    for terminal in closed {
        let text = format!(
            "The agent's own program on the terminal {terminal} was ended: the task goes on with its session"
        );
        tell(notes, NoticeLevel::Info, Phase::Starting, text);
    }
    match place.relay.spawn(&spawn).await {
        Ok(_) => {}
        // Spawned before a crash of ours: the same run goes on.
        Err(RelayError::Refused(refusal)) if refusal.code == RefusalCode::RunExists => {}
        Err(error) => return Err(setup(&error)),
    }
    let codec = codec(rooms, harness, task, &place.work_dir);
    LiveRun::join(place, run_id, owner, codec, None)
        .await
        .map_err(|error| setup(&error))
}

fn launch(
    task: &Task,
    harness: &'static dyn Harness,
    place: &LiveBox,
    provider: &BTreeMap<String, String>,
    session_id: &str,
) -> Result<paddock_harness::LaunchPlan, SetupError> {
    let request = LaunchRequest {
        model: task.spec.model.as_deref(),
        effort: task.spec.effort.as_deref(),
        permission_mode: asked_mode(task),
        home: &place.home,
        work_dir: &place.work_dir,
        resume: resumed(task).filter(|_| harness.abilities().resume),
        fork: task.forks_session(),
        session_id,
        provider,
    };
    harness
        .launch(&request)
        .map_err(|error| SetupError::new(provider::class_of(&error), error))
}

/// The session that a run goes on with: its own, or one that it forks.
fn resumed(task: &Task) -> Option<&str> {
    let own = task.agent_session.as_deref();
    own.or_else(|| Some(task.session_to_fork()?.session_id.as_str()))
}

/// A codec for the task's run. It hears the run's log from its start, so it is set up as the run was begun.
pub(super) fn codec(
    rooms: &Rooms,
    harness: &'static dyn Harness,
    task: &Task,
    work_dir: &str,
) -> Tallied {
    let run = task.run.as_ref();
    let setup = CodecSetup {
        model: task.spec.model.clone(),
        effort: task.spec.effort.clone(),
        permission_mode: asked_mode(task),
        work_dir: work_dir.to_owned(),
        resume: run.and_then(|run| run.goes_on_with.clone()),
        fork: run.is_some_and(|run| run.forks),
        usage_before: task.usage_before_run,
    };
    Tallied::new(harness, setup, rooms.settings.prices.clone())
}

/// How the agent program asks: as its run was told, else as the user wants.
fn asked_mode(task: &Task) -> PermissionMode {
    let told = task.run.as_ref().and_then(|run| run.asks_as);
    told.unwrap_or(task.spec.permission_mode)
}

/// This Paddock, as the writer of a run's input.
fn owner(rooms: &Rooms) -> Result<ClientId, RelayError> {
    ClientId::parse(rooms.settings.owner.clone()).map_err(|error| RelayError::Protocol {
        what: error.to_string(),
    })
}
