//! The agent's own session: how it is lost, forked, and left behind when another agent takes over.

use super::Task;
use crate::{Body, Event, Origin, OriginKind, OriginSession};

impl Task {
    pub(super) fn lose_session(&mut self) {
        let forked = self.session_to_fork().is_some();
        self.origin_spent |= forked;
        self.session_lost |= self.agent_session.take().is_some() || forked;
    }

    /// The session that the task's first run goes on with under a name of its own; nothing once it has one.
    #[must_use]
    pub fn session_to_fork(&self) -> Option<&OriginSession> {
        let fresh = self.agent_session.is_none() && !self.session_lost;
        let origin = self.spec.origin.as_ref().filter(|_| fresh)?;
        origin.session.as_ref().filter(|_| !self.origin_spent)
    }

    /// Whether that session stays as it is beside the run that goes on with it; one that a user had outside
    /// Paddock is a copy by then and goes on under its own name.
    #[must_use]
    pub fn forks_session(&self) -> bool {
        let forked = |origin: &Origin| origin.kind == OriginKind::Fork;
        self.session_to_fork().is_some() && self.spec.origin.as_deref().is_some_and(forked)
    }

    /// Another agent takes over: what it does not know it is told from the journal.
    pub(super) fn hand_over(&mut self, event: &Event) {
        let Body::ProviderSwitched {
            from_provider,
            to_provider,
            to_model,
            to_version,
            to_effort,
            ..
        } = &event.body
        else {
            return;
        };
        let spec = std::sync::Arc::make_mut(&mut self.spec);
        if spec.harness != *to_provider {
            spec.account = None;
        }
        spec.harness = to_provider.clone();
        spec.model.clone_from(to_model);
        spec.harness_version.clone_from(to_version);
        spec.effort.clone_from(to_effort);
        self.model = None;
        self.effort = None;
        self.agent_session = None;
        self.origin_spent = true;
        self.forget_limits();
        self.retry = None;
        if let Some(run) = &self.run {
            self.session_lost = true;
            self.taken_over_from = Some(from_provider.clone());
            // An agent that lives and rests has heard everything.
            if run.exit.is_none() {
                self.run_since_seq = event.seq;
            }
        }
        self.withdraw_requests();
    }
}
