//! Rules, and how agents work.

use paddock_api::{
    Accepted, CompactRequest, LimitRequest, Page, RuleQuery, RuleRequest, RuleTest,
    RuleVerdictView, TuneRequest, paths,
};
use paddock_domain::{Offers, Rule, TaskId};
use reqwest::Method;

use crate::call::of;
use crate::query::with_query;
use crate::{Client, ClientError};

type Answer<T> = Result<T, ClientError>;

/// What agents may do without asking, and what not.
impl Client {
    /// Rules, oldest first.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn rules(&self, query: &RuleQuery) -> Answer<Vec<Rule>> {
        let page: Page<Rule> = self.get(&with_query(paths::RULES, query)).await?;
        Ok(page.items)
    }

    /// Makes a rule; one that is there already is given as it is.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Invalid`] says what to write in its place.
    pub async fn add_rule(&self, request: &RuleRequest) -> Answer<Rule> {
        self.post(paths::RULES, request).await
    }

    /// Takes a rule back.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn remove_rule(&self, rule: &str) -> Answer<Rule> {
        let path = paths::fill(paths::RULE, &[rule]);
        self.call(Method::DELETE, &path, None::<&()>).await
    }

    /// What rules make of something; nothing is run.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn test_rules(&self, request: &RuleTest) -> Answer<RuleVerdictView> {
        self.post(paths::RULES_TEST, request).await
    }
}

/// How an agent works.
impl Client {
    /// Changes model, effort or permission mode from now on.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn tune(&self, task: &TaskId, request: &TuneRequest) -> Answer<Accepted> {
        self.post(&of(paths::TASK_TUNE, task), request).await
    }

    /// What the agent's program offers: its own commands, and models that it can be told to use.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn offers(&self, task: &TaskId) -> Answer<Offers> {
        self.get(&of(paths::TASK_OFFERS, task)).await
    }

    /// Has the agent shorten its context.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn compact(&self, task: &TaskId, request: &CompactRequest) -> Answer<Accepted> {
        self.post(&of(paths::TASK_COMPACT, task), request).await
    }

    /// Has the agent forget the conversation.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn clear(&self, task: &TaskId) -> Answer<Accepted> {
        self.tell(&of(paths::TASK_CLEAR, task)).await
    }

    /// Whether a task goes on by itself when the usage limit that holds it up is lifted.
    ///
    /// # Errors
    /// [`ClientError`]; [`paddock_api::ErrorCode::Conflict`] when no limit holds it up.
    pub async fn resume_on_limit(&self, task: &TaskId, resume: bool) -> Answer<Accepted> {
        self.post(&of(paths::TASK_LIMIT, task), &LimitRequest { resume })
            .await
    }

    /// Ends the run and starts the agent again in its box.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn restart(&self, task: &TaskId) -> Answer<Accepted> {
        self.tell(&of(paths::TASK_RESTART, task)).await
    }
}
