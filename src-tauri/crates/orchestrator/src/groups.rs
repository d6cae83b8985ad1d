//! One prompt on several agents: the tasks of a group are created, checked and chosen from together.
//!
//! A group is the tasks that name it. Each lives as any other; nothing here holds them together but what
//! stands in their journals.

use std::sync::Arc;

use futures_util::future::join_all;
use paddock_domain::{
    CheckResult, Contender, GroupId, PickRequest, RequestKey, Task, TaskGroup, TaskId, TaskSpec,
};

use crate::runner::Order;
use crate::{CommandError, Orchestrator, ids, place};

impl Orchestrator {
    /// Creates one task for each of `contenders` with the prompt and all else of `spec`. What can be told to
    /// fail is refused before the first is made; a repeated key gives the group that is there.
    ///
    /// # Errors
    /// As [`Orchestrator::create`], and [`CommandError::Bad`] for too few or too many contenders.
    pub async fn create_group(
        &self,
        spec: TaskSpec,
        contenders: Vec<Contender>,
        check: Option<String>,
    ) -> Result<GroupId, CommandError> {
        let (count, max) = (contenders.len(), TaskGroup::MEMBERS_MAX);
        if !(2..=max).contains(&count) {
            let message = format!("a group has 2 to {max} tasks, not {count}");
            return Err(CommandError::Bad { message });
        }
        let specs: Result<Vec<_>, _> = (1..)
            .zip(contenders)
            .map(|(nth, contender)| member(&spec, contender, nth))
            .collect();
        let specs = specs?;
        for spec in &specs {
            spec.check()?;
            place::program(&self.rooms, spec)?;
        }
        // Where an earlier try made some of them, the others belong to the same group.
        let made = specs.iter().filter_map(|spec| spec.request_key.as_ref());
        let made = made.filter_map(|key| self.created_with(key));
        let known = made
            .filter_map(|task| task.spec.group.clone())
            .map(|group| group.group_id)
            .next();
        let group_id = known.unwrap_or_else(ids::new_group);
        for mut spec in specs {
            let (group_id, check) = (group_id.clone(), check.clone());
            spec.group = Some(TaskGroup { group_id, check });
            self.create(spec).await?;
        }
        Ok(group_id)
    }

    /// The tasks of a group, oldest first.
    ///
    /// # Errors
    /// [`CommandError::NotFound`].
    pub fn group(&self, id: &GroupId) -> Result<Vec<Arc<Task>>, CommandError> {
        let snapshot = self.snapshot();
        let in_it = |task: &&Arc<Task>| {
            let group = task.spec.group.as_ref();
            group.is_some_and(|group| group.group_id == *id)
        };
        let tasks: Vec<_> = snapshot.tasks.values().filter(in_it).cloned().collect();
        if tasks.is_empty() {
            return Err(CommandError::NotFound {
                what: "group",
                message: format!("there is no group {id}"),
            });
        }
        Ok(tasks)
    }

    /// Runs `command`, or the group's own check, in the box of every task of the group.
    ///
    /// # Errors
    /// [`CommandError::Bad`] without a command.
    pub async fn check_group(
        &self,
        id: &GroupId,
        command: Option<String>,
    ) -> Result<Vec<(TaskId, Result<CheckResult, CommandError>)>, CommandError> {
        let tasks = self.group(id)?;
        let checks = tasks.iter().map(|task| {
            let own = task
                .spec
                .group
                .as_ref()
                .and_then(|group| group.check.clone());
            let command = command.clone().or(own);
            async move {
                let checked = match command {
                    Some(command) => self.check_task(&task.task_id, command).await,
                    None => Err(CommandError::bad("say which command is to be run")),
                };
                (task.task_id.clone(), checked)
            }
        });
        Ok(join_all(checks).await)
    }

    /// Runs `command` in a task's box and writes down how it ended.
    ///
    /// # Errors
    /// [`CommandError::Failed`] when the box does not answer.
    pub async fn check_task(
        &self,
        id: &TaskId,
        command: String,
    ) -> Result<CheckResult, CommandError> {
        if command.trim().is_empty() || command.len() > TaskGroup::CHECK_MAX {
            return Err(paddock_domain::InvalidSpec::BadCheck.into());
        }
        self.order(id, |reply| Order::Check(command, reply)).await
    }

    /// Says which task of a group is the one to keep; the others are purged when asked for, and what they
    /// hold goes into the trash as at every purge.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] when it is not in the group, [`CommandError::WouldLose`] as for a purge;
    /// the choice is written then.
    pub async fn pick(&self, id: &GroupId, request: PickRequest) -> Result<(), CommandError> {
        let tasks = self.group(id)?;
        if !tasks.iter().any(|task| task.task_id == request.task_id) {
            return Err(CommandError::no_such_task(&request.task_id));
        }
        for task in tasks.iter().filter(|task| !task.machine().is_terminal()) {
            let (group, winner) = (id.clone(), request.task_id.clone());
            self.order(&task.task_id, |reply| Order::Pick(group, winner, reply))
                .await?;
        }
        let Some(purge) = request.purge_others else {
            return Ok(());
        };
        let others = tasks.iter().filter(|task| task.task_id != request.task_id);
        let can = paddock_domain::Action::Purge;
        for task in others.filter(|task| task.allowed.contains(&can)) {
            self.purge(&task.task_id, purge).await?;
        }
        Ok(())
    }
}

/// What is asked for of the `nth` task of a group.
fn member(spec: &TaskSpec, contender: Contender, nth: usize) -> Result<TaskSpec, CommandError> {
    let Contender {
        harness,
        harness_version,
        model,
        effort,
    } = contender;
    let own_key = |key: &RequestKey| RequestKey::parse(&format!("{key}/{nth}"));
    let request_key = spec.request_key.as_ref().map(own_key).transpose();
    let request_key = request_key.map_err(CommandError::bad)?;
    let same = harness == spec.harness;
    Ok(TaskSpec {
        account: spec.account.clone().filter(|_| same),
        harness,
        harness_version,
        model,
        effort,
        request_key,
        ..spec.clone()
    })
}
