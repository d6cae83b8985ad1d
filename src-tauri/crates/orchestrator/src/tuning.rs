//! How an agent works, changed while it runs.

use std::time::Duration;

use paddock_domain::{AccountName, Body, Condensing, PermissionMode, StateName, TaskId};

use crate::runner::Order;
use crate::{CommandError, Orchestrator};

/// How long an agent that is told to stop may take beyond its grace before a restart gives up.
const ENDED_WITHIN: Duration = Duration::from_secs(20);

/// What is to change; what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Another model, in the harness's words.
    pub model: Option<String>,
    /// Another effort, in the harness's words.
    pub effort: Option<String>,
    /// Another permission mode.
    pub permission_mode: Option<PermissionMode>,
    /// Another account of the harness; only while no agent runs.
    pub account: Option<AccountName>,
}

impl Tuning {
    /// One event a choice: each is told to the agent by itself.
    pub(crate) fn bodies(self) -> Vec<Body> {
        let tuned = |model, effort, permission_mode, account| Body::AgentTuned {
            model,
            effort,
            permission_mode,
            account,
        };
        let all = [
            self.account
                .map(|account| tuned(None, None, None, Some(account))),
            self.model.map(|model| tuned(Some(model), None, None, None)),
            self.effort
                .map(|effort| tuned(None, Some(effort), None, None)),
            self.permission_mode
                .map(|mode| tuned(None, None, Some(mode), None)),
        ];
        all.into_iter().flatten().collect()
    }
}

/// Doors.
impl Orchestrator {
    /// Changes model, effort or permission mode from now on, in the run that lives and in later ones; the
    /// account for later ones.
    ///
    /// # Errors
    /// [`CommandError::Bad`] when the harness has no such thing or cannot be told while it runs;
    /// [`CommandError::Conflict`] for an account while an agent runs.
    pub async fn tune(&self, id: &TaskId, tuning: Tuning) -> Result<(), CommandError> {
        self.order(id, |reply| Order::Tune(tuning, reply)).await
    }

    /// Has the agent shorten its context.
    ///
    /// # Errors
    /// [`CommandError::Conflict`] while the agent is not at rest, [`CommandError::Bad`] when it cannot.
    pub async fn compact(&self, id: &TaskId, about: Option<String>) -> Result<(), CommandError> {
        self.order(id, |reply| {
            Order::Condense(Condensing::Compact, about, reply)
        })
        .await
    }

    /// Has the agent forget the conversation; its work stays.
    ///
    /// # Errors
    /// As [`Self::compact`].
    pub async fn clear(&self, id: &TaskId) -> Result<(), CommandError> {
        self.order(id, |reply| Order::Condense(Condensing::Clear, None, reply))
            .await
    }

    /// Ends the run and starts the agent again in its box, with its session.
    ///
    /// # Errors
    /// [`CommandError::NotNow`].
    pub async fn restart(&self, id: &TaskId) -> Result<(), CommandError> {
        self.stop(id).await?;
        let mut published = self.published.clone();
        let ended = published.wait_for(|now| {
            let task = now.snapshot.tasks.get(id);
            task.is_none_or(|task| task.state != StateName::Stopping)
        });
        let bound = self.rooms.chosen().stop_grace + ENDED_WITHIN;
        match tokio::time::timeout(bound, ended).await {
            Ok(ended) => drop(ended.map_err(|_| CommandError::ShuttingDown)?),
            Err(_) => {
                return Err(CommandError::conflict(
                    "the agent is still being ended: revive the task when it is stopped",
                ));
            }
        }
        self.revive(id).await
    }
}
