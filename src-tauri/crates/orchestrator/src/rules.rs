//! The user's rules: what agents may do without asking, and what they may not do.
//!
//! They stand in `<data>/rules.json`, those of one task too; a task's go with it when it is purged. What they
//! cover is decided by the room `policy`; what becomes of an agent's request by its runner.

use std::sync::Arc;

use paddock_domain::{Rule, RuleReach, RuleSubject, RuleVerdict, StateName, TaskId};
use paddock_policy::{Asked, Judgement, Setting, check, judge};

use crate::kept::Kept;
use crate::{CommandError, Orchestrator, ids};

/// All rules, oldest first.
pub(crate) type RuleBook = Kept<Vec<Rule>>;

/// Most rules that are kept.
const RULES_MAX: usize = 1000;
/// The file, below the data directory.
pub(crate) const FILE: &str = "rules.json";

/// What a rule is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleWish {
    /// Whether it allows or denies.
    pub verdict: RuleVerdict,
    /// Where it holds.
    pub reach: RuleReach,
    /// What it is about.
    pub subject: RuleSubject,
    /// The task whose approval it is made from.
    pub made_in: Option<TaskId>,
}

/// Doors.
impl Orchestrator {
    /// All rules, oldest first.
    #[must_use]
    pub fn rules(&self) -> Arc<Vec<Rule>> {
        self.rooms.rules.now()
    }

    /// Makes a rule; one that is there already is given as it is.
    ///
    /// # Errors
    /// [`CommandError::Bad`] for a subject that cannot be one, [`CommandError::NoSuchTask`],
    /// [`CommandError::Conflict`] when there are too many.
    pub async fn add_rule(&self, wish: RuleWish) -> Result<Rule, CommandError> {
        if let RuleReach::Task { task_id } = &wish.reach {
            self.task(task_id)?;
        }
        let rules = self.rooms.rules.add(vec![wish]).await?;
        rules
            .into_iter()
            .next()
            .ok_or_else(|| CommandError::bad("nothing was asked for"))
    }

    /// Takes a rule back; gives it.
    ///
    /// # Errors
    /// [`CommandError::NotFound`].
    pub async fn remove_rule(&self, id: &str) -> Result<Rule, CommandError> {
        let removed = self.rooms.rules.change(|rules| {
            let at = rules
                .iter()
                .position(|rule| rule.rule_id.as_str() == id)
                .ok_or_else(|| CommandError::NotFound {
                    what: "rule",
                    message: format!("there is no rule `{id}`: `paddock rules ls` lists them"),
                })?;
            Ok(rules.remove(at))
        });
        removed.await
    }

    /// What rules make of something, for a task or for a repository, without doing anything.
    ///
    /// # Errors
    /// [`CommandError::NoSuchTask`].
    pub fn test_rules(
        &self,
        asked: &Asked,
        task: Option<&TaskId>,
        repositories: Vec<String>,
    ) -> Result<Judgement, CommandError> {
        let repositories = match task {
            Some(id) => paths(&*self.task(id)?),
            None => repositories,
        };
        let setting = Setting {
            task,
            repositories: &repositories,
        };
        Ok(judge(&self.rooms.rules.now(), setting, asked))
    }
}

impl RuleBook {
    /// Makes rules, all or none of them; those that are there already are given as they are.
    pub(crate) async fn add(&self, wishes: Vec<RuleWish>) -> Result<Vec<Rule>, CommandError> {
        for wish in &wishes {
            check(&wish.subject, wish.verdict).map_err(CommandError::bad)?;
            if let RuleReach::Repository { path } = &wish.reach
                && !std::path::Path::new(path).is_absolute()
            {
                return Err(CommandError::bad(format!(
                    "`{path}` is not an absolute path"
                )));
            }
        }
        let now = ids::now();
        self.change(|rules| {
            let mut made = Vec::new();
            for wish in wishes {
                let same = |rule: &&Rule| {
                    (rule.verdict, &rule.reach, &rule.subject)
                        == (wish.verdict, &wish.reach, &wish.subject)
                };
                if let Some(known) = rules.iter().find(same) {
                    made.push(known.clone());
                    continue;
                }
                if rules.len() >= RULES_MAX {
                    let message = format!("{RULES_MAX} rules are kept already: remove some first");
                    return Err(CommandError::conflict(message));
                }
                let rule = Rule {
                    rule_id: ids::new_rule(),
                    verdict: wish.verdict,
                    reach: wish.reach,
                    subject: wish.subject,
                    made_at: now,
                    made_in: wish.made_in,
                };
                rules.push(rule.clone());
                made.push(rule);
            }
            Ok(made)
        })
        .await
    }

    /// Lets the rules of a task go.
    pub(crate) async fn forget(&self, task: &TaskId) -> Result<(), CommandError> {
        let of_task =
            |rule: &Rule| matches!(&rule.reach, RuleReach::Task { task_id } if task_id == task);
        if !self.now().iter().any(of_task) {
            return Ok(());
        }
        let forgotten = self.change(|rules| {
            rules.retain(|rule| !of_task(rule));
            Ok(())
        });
        forgotten.await
    }
}

/// The repositories of a task, by their paths on the host.
pub(crate) fn paths(task: &paddock_domain::Task) -> Vec<String> {
    task.repositories
        .iter()
        .map(|repository| repository.path.clone())
        .collect()
}

/// Whether a rule that denies holds for a task.
pub(crate) fn denies_something(rules: &[Rule], task: &paddock_domain::Task) -> bool {
    rules.iter().any(|rule| {
        let holds = match &rule.reach {
            RuleReach::Task { task_id } => *task_id == task.task_id,
            RuleReach::Repository { path } => task
                .repositories
                .iter()
                .any(|repository| repository.path == *path),
            RuleReach::Everywhere => true,
        };
        holds && rule.verdict == RuleVerdict::Deny && task.state != StateName::Purged
    })
}
