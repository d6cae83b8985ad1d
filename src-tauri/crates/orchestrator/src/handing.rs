//! A task that goes on otherwise: as a fork beside itself, or with another agent in its place.

use std::sync::Arc;

use paddock_domain::{Contender, ForkRequest, HandOffRequest, Task, TaskId, TaskSpec};

use crate::creation::Created;
use crate::runner::Order;
use crate::work::fork::ForkWish;
use crate::{CommandError, Orchestrator, ids};

impl Orchestrator {
    /// Begins another task where this one stands: with a branch and a box of its own, from its commits and,
    /// when asked for, its files as they are; the conversation goes on with a copy of the agent's session,
    /// or is told in a few words.
    ///
    /// # Errors
    /// [`CommandError::NotNow`] while there is no box, [`CommandError::Failed`] when it does not answer, and
    /// what keeps a task from being created.
    pub async fn fork(&self, id: &TaskId, request: ForkRequest) -> Result<Created, CommandError> {
        let parent = self.task(id)?;
        let key = request.request_key.clone();
        let _alone = match &key {
            Some(key) => self.rooms.keys.hold(key).await,
            None => None,
        };
        if let Some(key) = &key
            && let Some(task) = self.created_with(key)
        {
            return known_fork(task, id);
        }
        let mut spec = spec(&parent, request.clone());
        spec.check()?;
        let same_agent = spec.harness == parent.spec.harness;
        let wish = ForkWish {
            fork: ids::new_task(),
            uncommitted: request.uncommitted,
            same_agent,
        };
        let fork = wish.fork.clone();
        let seed = self.order(id, |reply| Order::Fork(wish, reply)).await?;
        spec.repositories = seed.repositories;
        spec.origin = Some(Box::new(seed.origin));
        self.begin(fork, spec).await
    }

    /// Lets another agent go on with a task, in the same box.
    ///
    /// # Errors
    /// [`CommandError::NotNow`] while a turn is under way, [`CommandError::NotFound`] when that agent is not
    /// installed, [`CommandError::Conflict`] when the box cannot run it.
    pub async fn hand_off(&self, id: &TaskId, request: HandOffRequest) -> Result<(), CommandError> {
        self.order(id, |reply| Order::HandOff(request, reply)).await
    }

    /// Tasks that were forked from `id`, oldest first.
    #[must_use]
    pub fn forks_of(&self, id: &TaskId) -> Vec<Arc<Task>> {
        let snapshot = self.snapshot();
        let is_fork = |task: &&Arc<Task>| {
            let origin = task.spec.origin.as_ref();
            origin.and_then(|origin| origin.task_id.as_ref()) == Some(id)
        };
        snapshot.tasks.values().filter(is_fork).cloned().collect()
    }
}

fn known_fork(task: Arc<Task>, parent: &TaskId) -> Result<Created, CommandError> {
    let origin = task.spec.origin.as_ref();
    if origin.and_then(|origin| origin.task_id.as_ref()) != Some(parent) {
        return Err(CommandError::conflict(format!(
            "this key was used for task {}, which is no fork of this one: use a new key",
            task.task_id
        )));
    }
    let is_new = false;
    Ok(Created { task, is_new })
}

/// What is asked for of the fork; its repositories are told by the box.
fn spec(parent: &Task, request: ForkRequest) -> TaskSpec {
    let mut spec = TaskSpec::clone(&parent.spec);
    spec.prompt = request.prompt;
    spec.attachments = request.attachments;
    spec.title = request.title;
    spec.request_key = request.request_key;
    spec.group = None;
    spec.origin = None;
    if let Some(with) = request.with {
        let same = with.harness == spec.harness;
        let Contender {
            harness,
            harness_version,
            model,
            effort,
        } = with;
        spec.account = spec.account.filter(|_| same);
        spec.harness = harness;
        spec.harness_version = harness_version;
        spec.model = model;
        spec.effort = effort;
    }
    spec
}
