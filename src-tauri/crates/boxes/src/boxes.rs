//! The boxes of one data directory: make, reach, revive, stop, remove.

use std::sync::Arc;

use paddock_docker::{ContainerState, EngineError, Search};
use paddock_domain::{BoxKind, TaskId};
use paddock_relay_client::RelayClient;

use crate::engine_link::{EngineLink, Linked};
use crate::locate::locate;
use crate::reach::Reach;
use crate::{
    BoxDirs, BoxError, BoxRecord, BoxesSettings, LiveBox, Stage, Toolbox, container, layout,
    provision, remove, worktree,
};

/// The boxes of one data directory. Cheap to clone.
///
/// What is done with one box must not overlap: each task has one runner.
#[derive(Clone)]
pub struct Boxes {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) settings: BoxesSettings,
    pub(crate) link: EngineLink,
    /// What the labels of our containers say of the data directory.
    pub(crate) data_mark: String,
}

impl Boxes {
    /// The boxes below `settings.data_dir`, on the engine that is found when one is needed.
    #[must_use]
    pub fn new(settings: BoxesSettings) -> Self {
        let search = Search::from_environment(settings.engine.clone());
        Self::with_search(settings, search)
    }

    /// The same, with another way to look for the engine.
    #[must_use]
    pub fn with_search(settings: BoxesSettings, search: Search) -> Self {
        let inner = Inner {
            data_mark: layout::data_mark(&settings.data_dir),
            link: EngineLink::new(search),
            settings,
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Where agent programs are installed.
    #[must_use]
    pub fn toolbox(&self) -> Toolbox {
        Toolbox::new(self.inner.settings.toolbox_dir.clone())
    }

    /// The directories of a task's box, whether they are there or not.
    #[must_use]
    pub fn dirs(&self, task: &TaskId) -> BoxDirs {
        BoxDirs::of(&self.inner.settings.data_dir, task)
    }

    /// The record of a task's box; none when there is no box.
    ///
    /// # Errors
    /// [`BoxError::BadRecord`] when it is there and cannot be read.
    pub fn record(&self, task: &TaskId) -> Result<Option<BoxRecord>, BoxError> {
        BoxRecord::read(&self.dirs(task))
    }

    /// Connects to a box that stands and runs. What a relay that is gone has left running in a worktree
    /// box is ended: nobody owns it.
    ///
    /// # Errors
    /// [`BoxError::BoxGone`], [`BoxError::BoxEnded`], [`BoxError::RelayDead`],
    /// [`BoxError::RelaySilent`], [`BoxError::RelayForeign`], [`BoxError::HalfMade`], or that the engine
    /// cannot be asked.
    pub async fn attach(&self, record: &BoxRecord) -> Result<LiveBox, BoxError> {
        self.ensure_made(record)?;
        let connected = self.connect(record).await;
        if let (Err(BoxError::RelayDead { .. }), BoxKind::Worktree) = (&connected, record.kind) {
            worktree::sweep(&worktree::mark(&record.task_id, &self.inner.data_mark)).await?;
        }
        let (relay, reach) = connected?;
        self.live(record, relay, reach)
    }

    /// Connects to the box of a task; none where the task has none.
    ///
    /// # Errors
    /// [`BoxError::BadRecord`], and what [`Boxes::attach`] says.
    pub async fn find(&self, task: &TaskId) -> Result<Option<LiveBox>, BoxError> {
        match self.record(task)? {
            Some(record) => self.attach(&record).await.map(Some),
            None => Ok(None),
        }
    }

    /// Revives a box: its container is started again, or made again when it was removed, or its relay
    /// is started again. The work is kept. A box that runs is only connected to.
    ///
    /// # Errors
    /// [`BoxError::HalfMade`], [`BoxError::BoxGone`] when its directories are gone, and whatever keeps
    /// it from starting.
    pub async fn restart(&self, record: &BoxRecord) -> Result<LiveBox, BoxError> {
        self.ensure_made(record)?;
        if let Ok((relay, reach)) = self.connect(record).await {
            return self.live(record, relay, reach);
        }
        let (relay, reach) = match record.kind {
            BoxKind::Container => self.restart_container(record).await?,
            BoxKind::Worktree => self.restart_worktree(record).await?,
        };
        self.live(record, relay, reach)
    }

    /// Stops a box and everything that runs in it. Its work, its home and its logs are kept.
    ///
    /// # Errors
    /// That the engine cannot be asked or fails. A box that is stopped or gone is no error.
    pub async fn stop(&self, record: &BoxRecord) -> Result<(), BoxError> {
        match record.kind {
            BoxKind::Container => {
                let engine = self.engine().await?.engine;
                let found = locate(&engine, record, &self.inner.data_mark).await;
                let Some(container) = found.or_else(gone)? else {
                    return Ok(());
                };
                let stopped = engine.stop(&container.id, container::STOP_GRACE_S).await;
                self.noted(stopped).await
            }
            BoxKind::Worktree => {
                let dirs = self.dirs(&record.task_id);
                worktree::stop(record, &dirs, &self.inner.data_mark).await
            }
        }
    }

    /// Removes a box: container, processes, directory. Whatever of it is gone already is no error.
    ///
    /// # Errors
    /// As [`Boxes::remove_task`].
    pub async fn remove(&self, record: &BoxRecord) -> Result<(), BoxError> {
        self.remove_task(&record.task_id).await
    }

    /// Removes whatever there is of the box of `task`, with or without a record.
    ///
    /// # Errors
    /// [`BoxError::Mounted`] when something is mounted in its directory, [`BoxError::Disk`] when a file
    /// cannot be removed, or that the engine cannot be asked where the box may be a container.
    pub async fn remove_task(&self, task: &TaskId) -> Result<(), BoxError> {
        let dirs = self.dirs(task);
        // A record that cannot be read does not keep its box.
        let record = BoxRecord::read(&dirs).ok().flatten();
        if let Some(record) = &record {
            record.at(Stage::Removing).write(&dirs)?;
        }
        match record.as_ref().map(|record| record.kind) {
            Some(BoxKind::Container) => {
                self.remove_containers(task).await?;
                // Carriers end with their relay; one that was stopped cannot.
                worktree::sweep(&worktree::mark(task, &self.inner.data_mark)).await?;
            }
            Some(BoxKind::Worktree) => self.end_worktree(record.as_ref(), &dirs).await?,
            None => {
                self.end_worktree(None, &dirs).await?;
                worktree::sweep(&worktree::mark(task, &self.inner.data_mark)).await?;
                match self.remove_containers(task).await {
                    // No engine, no container; one that comes back shows it as an orphan.
                    Ok(()) | Err(BoxError::NoEngine(_)) => {}
                    Err(other) => return Err(other),
                }
            }
        }
        let removed = tokio::task::spawn_blocking(move || remove::remove(&dirs));
        removed.await.map_err(|e| BoxError::broken(&e))?
    }

    async fn end_worktree(
        &self,
        record: Option<&BoxRecord>,
        dirs: &BoxDirs,
    ) -> Result<(), BoxError> {
        match record {
            Some(record) => worktree::stop(record, dirs, &self.inner.data_mark).await,
            None => Ok(()),
        }
    }

    pub(crate) async fn remove_containers(&self, task: &TaskId) -> Result<(), BoxError> {
        let engine = self.engine().await?.engine;
        let mark = &self.inner.data_mark;
        for container in container::list(&engine, mark, Some(task.as_str())).await? {
            let removed = engine.remove(&container.id).await;
            self.noted(removed).await?;
        }
        Ok(())
    }

    /// The engine that answers.
    pub(crate) async fn engine(&self) -> Result<Linked, BoxError> {
        self.inner.link.get().await.map_err(BoxError::NoEngine)
    }

    /// Passes on what the engine said, and looks for it anew when it is lost.
    pub(crate) async fn noted<T>(&self, said: Result<T, EngineError>) -> Result<T, BoxError> {
        if let Err(error) = &said {
            self.inner.link.note(error).await;
        }
        Ok(said?)
    }

    pub(crate) fn live(
        &self,
        record: &BoxRecord,
        relay: RelayClient,
        reach: Reach,
    ) -> Result<LiveBox, BoxError> {
        LiveBox::new(
            record.clone(),
            relay,
            reach,
            &self.dirs(&record.task_id),
            &self.inner.settings,
            &self.inner.data_mark,
        )
    }

    fn ensure_made(&self, record: &BoxRecord) -> Result<(), BoxError> {
        let task = record.task_id.clone();
        match record.stage {
            _ if !self.dirs(&task).root.is_dir() => Err(BoxError::BoxGone { task }),
            Stage::Making | Stage::Removing => Err(BoxError::HalfMade { task }),
            Stage::Ready => Ok(()),
        }
    }

    async fn connect(&self, record: &BoxRecord) -> Result<(RelayClient, Reach), BoxError> {
        let reach = Reach::socket(&record.task_id, &self.dirs(&record.task_id).relay);
        // The engine is not needed while the socket answers: a box outlives its engine's restart.
        let refusal = match reach.connect().await {
            Ok(relay) => return Ok((relay, reach)),
            Err(refusal) => refusal,
        };
        match record.kind {
            BoxKind::Worktree => {
                let (task, dirs) = (record.task_id.clone(), self.dirs(&record.task_id));
                if worktree::is_dead(&dirs, &refusal) {
                    let source = refusal;
                    return Err(BoxError::RelayDead { task, source });
                }
                Err(BoxError::unreached(&task, refusal))
            }
            BoxKind::Container => {
                let engine = self.engine().await?.engine;
                container::attach(engine, record, &self.inner.data_mark, refusal).await
            }
        }
    }

    async fn restart_container(
        &self,
        record: &BoxRecord,
    ) -> Result<(RelayClient, Reach), BoxError> {
        let engine = self.engine().await?.engine;
        let Some(seen) = locate(&engine, record, &self.inner.data_mark).await? else {
            provision::create(self, record).await?;
            return provision::start_container(self, &record.name, record).await;
        };
        match seen.state {
            // It runs and nothing answers in it: end it, its work is on our disk.
            ContainerState::Running => {
                let stopped = engine.stop(&seen.id, container::STOP_GRACE_S).await;
                self.noted(stopped).await?;
            }
            ContainerState::Created | ContainerState::Ended { .. } => {}
        }
        provision::start_container(self, &seen.id, record).await
    }

    async fn restart_worktree(&self, record: &BoxRecord) -> Result<(RelayClient, Reach), BoxError> {
        // Agents of a relay that was killed would go on beside the new one.
        worktree::sweep(&worktree::mark(&record.task_id, &self.inner.data_mark)).await?;
        let (dirs, inner) = (self.dirs(&record.task_id), &self.inner);
        worktree::start(record, &dirs, &inner.settings, &inner.data_mark).await
    }
}

/// A container whose name another has taken is gone.
pub(crate) fn gone(error: BoxError) -> Result<Option<paddock_docker::Container>, BoxError> {
    if matches!(error, BoxError::Impostor { .. }) {
        return Ok(None);
    }
    Err(error)
}
