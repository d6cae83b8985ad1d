//! Act: carries out one effect, beside the runner, and says what became of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use paddock_boxes::{BoxError, HomeFile, LiveBox};
use paddock_domain::{Body, ErrorClass, NoticeLevel, Phase, RunId, Task, TaskState, Transition};
use paddock_harness::{CodecSetup, Harness, LaunchRequest};
use paddock_relay_client::protocol::{
    ClientId, DiffRepo, DiffRequest, Launch, RefusalCode, Spawn, Stdio, Stop,
};
use paddock_relay_client::{DiffStream, RelayError};
use tokio::sync::mpsc;

use super::note::Note;
use super::run::{LiveRun, relay_id};
use super::{Runner, error, ids};
use crate::plan::{BoxSeen, Effect, RunSeen};
use crate::rooms::Rooms;
use crate::work::branches;
use crate::{place, provider};

/// What became of an effect.
pub(super) enum Outcome {
    Claimed(Result<Vec<Body>, SetupError>),
    Raised(Result<Reached, SetupError>),
    Found(Result<Option<Reached>, BoxError>),
    Started(Result<Box<LiveRun>, SetupError>),
    Followed(Result<Option<Box<LiveRun>>, RelayError>),
    Stopped(Result<(), RelayError>),
    Removed(Result<(), String>),
}

/// A box that answers, and its live statistics.
pub(super) struct Reached {
    place: Arc<LiveBox>,
    diffs: Option<DiffStream>,
}

/// Setting up failed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct SetupError {
    pub(crate) class: ErrorClass,
    pub(crate) message: String,
}

impl SetupError {
    pub(crate) fn new(class: ErrorClass, cause: impl std::fmt::Display) -> Self {
        Self {
            class,
            message: cause.to_string(),
        }
    }
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
            Effect::RemoveBox => {
                Some(async move { Outcome::Removed(remove(&rooms, &task).await) }.boxed())
            }
            Effect::Record(_) | Effect::CloseRun(_) => None,
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
            Outcome::Found(Ok(Some(reached))) => self.reach(reached),
            Outcome::Found(Ok(None)) => self.seen.place = BoxSeen::Absent,
            Outcome::Found(Err(BoxError::BoxEnded { oom, .. })) => self.box_ended(oom),
            Outcome::Found(Err(BoxError::RelayDead { .. })) => self.box_ended(false),
            Outcome::Found(Err(error)) => self.try_again("the box cannot be reached", &error),
            Outcome::Followed(Ok(Some(run))) => self.join(*run).await,
            Outcome::Followed(Ok(None)) => self.seen.run = RunSeen::None,
            Outcome::Followed(Err(error)) => self.try_again("the run cannot be followed", &error),
            Outcome::Stopped(Ok(())) if self.run.is_some() => self.seen.run = RunSeen::Ending,
            Outcome::Stopped(Ok(())) => self.seen.run = RunSeen::Unknown,
            Outcome::Stopped(Err(error)) => self.try_again("the run cannot be stopped", &error),
            Outcome::Removed(Ok(())) => {
                self.lose_box();
                self.seen.run = RunSeen::None;
                self.seen.place = BoxSeen::Absent;
            }
            Outcome::Removed(Err(error)) => self.try_again("the box cannot be removed", &error),
        }
    }

    fn try_again(&mut self, what: &'static str, error: &dyn std::fmt::Display) {
        tracing::warn!(task.id = %self.task().task_id, %error, "{what}; trying again");
        self.retry.failed();
    }

    async fn setup_failed(&mut self, failure: SetupError) {
        if let Err(error) = self
            .write(vec![error(failure.class, failure.message)])
            .await
        {
            return self.cannot_write(&error);
        }
        let setting_up = self.task().machine().apply(Transition::Failed).is_ok();
        if setting_up {
            // Whatever was half made is looked for and removed, branches included.
            self.seen.place = BoxSeen::Unknown;
            self.record(Transition::Failed).await;
        }
    }

    async fn box_raised(&mut self, reached: Reached) {
        let record = &reached.place.record;
        if self.task().box_name.as_deref() != Some(&record.name) {
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
    }

    async fn join(&mut self, run: LiveRun) {
        self.run = Some(run);
        self.seen.run = RunSeen::Joining;
        self.catch_up().await;
    }

    async fn start_run(&mut self) -> Option<BoxFuture<'static, Outcome>> {
        let place = self.place.clone()?;
        let task = self.task();
        let harness = paddock_harness::find(task.spec.harness.as_str())?;
        let open = task.run.as_ref().filter(|run| run.exit.is_none());
        let run_id = match open {
            Some(run) => run.run_id.clone(),
            None => {
                let run_id = ids::new_run();
                let started = Body::RunStarted {
                    harness: task.spec.harness.clone(),
                    version: place.record.program.version.clone(),
                    resumed: task.agent_session.is_some() && harness.abilities().resume,
                };
                let mut draft = self.draft(started, None);
                draft.run_id = Some(run_id.clone());
                if let Err(error) = self.append(vec![draft]).await {
                    self.cannot_write(&error);
                    return None;
                }
                run_id
            }
        };
        let (rooms, task) = (self.rooms.clone(), self.task().clone());
        let notes = self.notes.0.clone();
        let started = async move { spawn(&rooms, &task, harness, place, run_id, &notes).await };
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
        let codec = harness.codec(codec_setup(task, &place));
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
            u64::try_from(self.rooms.settings.stop_grace.as_millis()).unwrap_or(u64::MAX);
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
    let setup = |error: BoxError| SetupError::new(ErrorClass::Setup, error);
    let again = matches!(task.machine(), TaskState::Provisioning { again: true });
    let standing = rooms.boxes.record(&task.task_id).map_err(setup)?;
    let place = match standing {
        Some(record) if again => rooms.boxes.restart(&record).await.map_err(setup)?,
        None if again => {
            let gone = "the task's box is gone; its commits and its journal are kept. Start a new task from its branch";
            return Err(SetupError::new(ErrorClass::Setup, gone));
        }
        Some(_) | None => {
            let request = place::request(rooms, task)?;
            let say = |text: String| {
                let level = NoticeLevel::Info;
                let notice = Body::Notice {
                    level,
                    phase: Some(Phase::Provisioning),
                    text,
                };
                // A full line drops progress, nothing else.
                let _ = notes.try_send(Note::Write(vec![notice]));
            };
            rooms
                .boxes
                .provision(&request, &|step| say(step.to_string()))
                .await
                .map_err(setup)?
        }
    };
    Ok(reached(place, task).await)
}

async fn find(rooms: &Rooms, task: &Task) -> Result<Option<Reached>, BoxError> {
    let Some(record) = rooms.boxes.record(&task.task_id)? else {
        return Ok(None);
    };
    let place = rooms.boxes.attach(&record).await?;
    Ok(Some(reached(place, task).await))
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
    }
}

async fn spawn(
    rooms: &Rooms,
    task: &Task,
    harness: &'static dyn Harness,
    place: Arc<LiveBox>,
    run_id: RunId,
    notes: &mpsc::Sender<Note>,
) -> Result<LiveRun, SetupError> {
    let setup = |error: &dyn std::fmt::Display| SetupError::new(ErrorClass::Setup, error);
    let provider = provider::for_box(rooms, harness, &place).await?;
    let session_id = ids::new_uuid();
    let launch = launch(task, harness, &place, &provider, &session_id)?;
    for text in &launch.notices {
        let level = NoticeLevel::Warning;
        let notice = Body::Notice {
            level,
            phase: Some(Phase::Starting),
            text: text.clone(),
        };
        let _ = notes.try_send(Note::Write(vec![notice]));
    }
    let files = launch.files.into_iter().map(|file| HomeFile {
        path: file.path,
        content: file.content.into_bytes(),
        mode: file.mode,
    });
    let files: Vec<_> = files.collect();
    place
        .write_home(&files)
        .await
        .map_err(|error| setup(&error))?;
    let owner = owner(rooms).map_err(|error| setup(&error))?;
    let (program, args) = place::command(&place, launch.args);
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
    match place.relay.spawn(&spawn).await {
        Ok(_) => {}
        // Spawned before a crash of ours: the same run goes on.
        Err(RelayError::Refused(refusal)) if refusal.code == RefusalCode::RunExists => {}
        Err(error) => return Err(setup(&error)),
    }
    let codec = harness.codec(codec_setup(task, &place));
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
        permission_mode: task.spec.permission_mode,
        home: &place.home,
        work_dir: &place.work_dir,
        resume: task
            .agent_session
            .as_deref()
            .filter(|_| harness.abilities().resume),
        session_id,
        provider,
    };
    harness
        .launch(&request)
        .map_err(|error| SetupError::new(provider::class_of(&error), error))
}

fn codec_setup(task: &Task, place: &LiveBox) -> CodecSetup {
    CodecSetup {
        model: task.spec.model.clone(),
        effort: task.spec.effort.clone(),
        permission_mode: task.spec.permission_mode,
        work_dir: place.work_dir.clone(),
        resume: task.agent_session.clone(),
        usage_before: task.usage_before_run,
    }
}

/// This Paddock, as the writer of a run's input.
fn owner(rooms: &Rooms) -> Result<ClientId, RelayError> {
    ClientId::parse(rooms.settings.owner.clone()).map_err(|error| RelayError::Protocol {
        what: error.to_string(),
    })
}

async fn remove(rooms: &Rooms, task: &Task) -> Result<(), String> {
    rooms
        .boxes
        .remove_task(&task.task_id)
        .await
        .map_err(|error| error.to_string())?;
    branches::let_go(rooms, task).await;
    Ok(())
}
