//! Places on hosts, as users see and change them; and the disk that all of it is written to.

use paddock_domain::{Disk, HostName, LineEnd, TaskId};
use tokio::sync::watch;

use crate::dispatcher::Input;
use crate::runner::Order;
use crate::{CommandError, Line, Orchestrator};

/// How many tasks may work at once on one host, at least and at most.
const PARALLEL: std::ops::RangeInclusive<usize> = 1..=256;

impl Orchestrator {
    /// Who works and who waits on `host`.
    #[must_use]
    pub fn line(&self, host: &HostName) -> Line {
        Line::of(&self.snapshot(), host)
    }

    /// Moves a waiting task to an end of the line of its host.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] when it does not wait (any more).
    pub async fn move_in_line(&self, id: &TaskId, end: LineEnd) -> Result<(), CommandError> {
        let written = self.order(id, |reply| Order::Move(end, 0, reply)).await?;
        self.shown(id, written).await
    }

    /// Changes how many tasks may work at once on `host`, for good. Those at work go on.
    ///
    /// # Errors
    /// [`CommandError::Bad`] when `limit` is out of bounds, [`CommandError::NotFound`] for a host on which
    /// nothing is.
    pub async fn set_parallel_tasks(
        &self,
        host: HostName,
        limit: usize,
    ) -> Result<(), CommandError> {
        if !PARALLEL.contains(&limit) {
            let (least, most) = (PARALLEL.start(), PARALLEL.end());
            return Err(CommandError::bad(format!(
                "{limit} parallel tasks are out of bounds: {least} to {most}"
            )));
        }
        if host != HostName::local() && !self.knows(&host) {
            return Err(CommandError::NotFound {
                what: "host",
                message: format!("there is no host {host}"),
            });
        }
        self.rooms.choices.keep_host_limit(&host, limit).await?;
        self.apply_parallel_tasks(host, limit).await
    }

    /// As [`Self::set_parallel_tasks`], until Paddock ends.
    pub(crate) async fn apply_parallel_tasks(
        &self,
        host: HostName,
        limit: usize,
    ) -> Result<(), CommandError> {
        let (told, done) = tokio::sync::oneshot::channel();
        self.tell(Input::Parallel(host, limit, told)).await?;
        done.await.map_err(|_| CommandError::ShuttingDown)
    }

    fn knows(&self, host: &HostName) -> bool {
        let snapshot = self.snapshot();
        snapshot.tasks.values().any(|task| task.spec.host == *host)
    }

    /// The disk that holds the journals.
    #[must_use]
    pub fn disk(&self) -> Disk {
        self.rooms.disk.now()
    }

    /// Hears whenever the state of that disk changes.
    #[must_use]
    pub fn disk_changes(&self) -> watch::Receiver<Disk> {
        self.rooms.disk.subscribe()
    }
}
