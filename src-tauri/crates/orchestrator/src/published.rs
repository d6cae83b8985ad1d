//! What everybody reads, and the way to write it: the dispatcher writes what concerns all tasks, a runner its
//! own task.
//!
//! Invariant: what a runner tells, to whoever asked it or to whoever follows its events, can be read here
//! before it is told. Start at [`Publisher::show`].

use std::collections::BTreeMap;
use std::sync::Arc;

use paddock_domain::{Task, TaskId};
use tokio::sync::watch;

use crate::Snapshot;
use crate::live::Feed;

/// What readers see, and the feeds they subscribe to.
#[derive(Clone, Default)]
pub(crate) struct Published {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) feeds: Arc<BTreeMap<TaskId, Arc<Feed>>>,
}

/// The way to write it.
#[derive(Clone)]
pub(crate) struct Publisher(watch::Sender<Published>);

impl Publisher {
    /// A publisher that begins with `first`, and its readers.
    pub(crate) fn new(first: Published) -> (Self, watch::Receiver<Published>) {
        let (sender, readers) = watch::channel(first);
        (Self(sender), readers)
    }

    /// What is published now. Nothing can be written while it is held.
    pub(crate) fn now(&self) -> watch::Ref<'_, Published> {
        self.0.borrow()
    }

    /// Shows `task` as it is now. Gives whether it stands otherwise than before towards the places of its host:
    /// most lines move nobody in or out of one.
    pub(crate) fn show(&self, task: Arc<Task>) -> bool {
        let mut moved = true;
        self.change(|snapshot| {
            let place = |task: &Task| (task.machine(), task.rank);
            let now = place(&task);
            let old = snapshot.tasks.insert(task.task_id.clone(), task);
            moved = old.is_none_or(|old| place(&old) != now);
        });
        moved
    }

    /// Changes what is seen of all tasks.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Snapshot)) {
        self.0
            .send_modify(|published| change(Arc::make_mut(&mut published.snapshot)));
    }

    /// Changes where events are heard.
    pub(crate) fn change_feeds(&self, change: impl FnOnce(&mut BTreeMap<TaskId, Arc<Feed>>)) {
        self.0
            .send_modify(|published| change(Arc::make_mut(&mut published.feeds)));
    }
}
