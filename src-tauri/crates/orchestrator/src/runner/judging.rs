//! What becomes of an agent's requests: rules decide what they can, users the rest.
//!
//! Level-triggered: whatever is open is held against the rules as they are, when it comes, after a restart and
//! whenever a rule is made or taken back. A decision of rules is journalled with them and told to the agent as
//! a user's is.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use paddock_domain::{
    Answer, Approval, ApprovalId, ApprovalScope, Body, Decision, KeepRule, PermissionMode,
    PlanDecision, PlanId, QuestionId, Rule, RuleReach, RuleVerdict, Task, ToolKind,
};
use paddock_policy::{Asked, AskedPath, Judged, RepositoryDir, Setting, asked, judge, offers};

use super::Runner;
use super::run::LiveRun;
use crate::CommandError;
use crate::rules::{self, RuleWish};

/// What was held against the rules already, and against which.
#[derive(Default)]
pub(super) struct Judging {
    rules: Option<Arc<Vec<Rule>>>,
    left: BTreeSet<ApprovalId>,
}

impl Runner {
    /// Decides what rules decide of all that is open.
    pub(super) async fn judge_open(&mut self) {
        if self.task().approvals.is_empty() {
            self.judging.left.clear();
            return;
        }
        let rules = self.rooms.rules.now();
        if !self
            .judging
            .rules
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, &rules))
        {
            self.judging.left.clear();
            self.judging.rules = Some(rules.clone());
        }
        while let Some(approval) = self.next_unjudged() {
            let Some((decision, by)) = self.judged(&rules, &approval) else {
                self.judging.left.insert(approval.approval_id);
                continue;
            };
            let id = approval.approval_id.clone();
            if let Err(error) = self.resolve(id.clone(), decision, by, true).await {
                tracing::warn!(task.id = %self.task().task_id, %error, "a rule's decision could not be told; the user is asked");
                self.judging.left.insert(id);
            }
        }
    }

    fn next_unjudged(&mut self) -> Option<Approval> {
        // Only an agent that hears it can be told.
        self.talking()?;
        let open = self.task().approvals.iter();
        let mut left = open.filter(|approval| !self.judging.left.contains(&approval.approval_id));
        left.next().cloned()
    }

    /// What rules and the permission mode make of `approval`; nothing when the user is to be asked.
    fn judged(&self, rules: &[Rule], approval: &Approval) -> Option<(Decision, Vec<Rule>)> {
        let task = self.task();
        let asked = self.asked(approval);
        let repositories = rules::paths(task);
        let setting = Setting {
            task: Some(&task.task_id),
            repositories: &repositories,
        };
        let judgement = judge(rules, setting, &asked);
        match judgement.judged {
            Judged::Allow => Some((allow_once(), judgement.rules)),
            Judged::Deny => {
                let rule = judgement.rules.first()?;
                Some((denied_by(rule), judgement.rules))
            }
            // The program asks for more than the user wants to be asked, so that rules can deny.
            Judged::Ask => {
                let told = task.run.as_ref().and_then(|run| run.asks_as);
                let stricter = told.is_some_and(|told| told != task.spec.permission_mode);
                let free = match task.spec.permission_mode {
                    PermissionMode::FullAuto => !judgement.obscure,
                    PermissionMode::AcceptEdits => {
                        matches!(asked, Asked::Edit { .. } | Asked::Read { .. })
                            && judgement.doubt.is_none()
                    }
                    PermissionMode::Ask | PermissionMode::Plan => false,
                };
                (stricter && free).then(|| (allow_once(), Vec::new()))
            }
        }
    }

    /// What `approval` asks for, with the links on its way looked at.
    fn asked(&self, approval: &Approval) -> Asked {
        let Some(place) = &self.place else {
            return Asked::Unknown;
        };
        let dirs = repository_dirs(&place.repositories);
        let mut asked = asked(approval, &place.work_dir, &dirs);
        let work = self.rooms.boxes.dirs(&self.task().task_id).work;
        if let Asked::Edit { paths } | Asked::Read { paths } = &mut asked {
            for path in paths {
                path.doubt = path.doubt.or_else(|| leads_elsewhere(&work, &dirs, path));
            }
        }
        asked
    }

    /// A user's decision, with the rules that are to hold from now on.
    pub(super) async fn decide(
        &mut self,
        id: ApprovalId,
        decision: Decision,
        keep: Option<KeepRule>,
    ) -> Result<(), CommandError> {
        let mut open = self.task().approvals.iter();
        let Some(approval) = open.find(|open| open.approval_id == id).cloned() else {
            return must_be_open(false, "approval", &id);
        };
        let keep = keep.or_else(|| kept_by_scope(&decision, &approval));
        let made = match keep {
            Some(keep) => {
                let wishes = self.wishes(&approval, &decision, keep)?;
                // First the rule: a crash in between decides by it.
                self.rooms.rules.add(wishes).await?
            }
            None => Vec::new(),
        };
        self.resolve(id, decision, made, false).await
    }

    /// The rules that `keep` asks for.
    fn wishes(
        &self,
        approval: &Approval,
        decision: &Decision,
        keep: KeepRule,
    ) -> Result<Vec<RuleWish>, CommandError> {
        let task = self.task();
        let first = approval.offers.first().map(|offer| offer.subjects.clone());
        let subjects = if keep.subjects.is_empty() {
            first.unwrap_or_default()
        } else {
            keep.subjects
        };
        if subjects.is_empty() {
            return Err(CommandError::bad(
                "no rule can cover this: decide on it once, or write a rule of your own",
            ));
        }
        let reach = match keep.scope {
            ApprovalScope::Once => return Ok(Vec::new()),
            ApprovalScope::Task => RuleReach::Task {
                task_id: task.task_id.clone(),
            },
            ApprovalScope::Repository => match task.repositories.as_slice() {
                [only] => RuleReach::Repository {
                    path: only.path.clone(),
                },
                _ => {
                    return Err(CommandError::bad(
                        "the task has not exactly one repository: choose the task or everywhere",
                    ));
                }
            },
            ApprovalScope::Everywhere => RuleReach::Everywhere,
        };
        let verdict = match decision {
            Decision::Allow { .. } => RuleVerdict::Allow,
            Decision::Deny { .. } => RuleVerdict::Deny,
        };
        let wish = |subject| RuleWish {
            verdict,
            reach: reach.clone(),
            subject,
            made_in: Some(task.task_id.clone()),
        };
        Ok(subjects.into_iter().map(wish).collect())
    }

    /// Answers a question of the agent's.
    pub(super) async fn answer_question(
        &mut self,
        id: QuestionId,
        text: Answer,
    ) -> Result<(), CommandError> {
        let open = self
            .task()
            .questions
            .iter()
            .any(|question| question.question_id == id);
        must_be_open(open, "question", &id)?;
        let body = Body::QuestionAnswered {
            question_id: id.clone(),
            answer: Some(text.clone()),
        };
        self.tell(body, |codec, input| codec.answer(input, &id, &text))
            .await
    }

    /// Decides on the agent's plan.
    pub(super) async fn decide_plan(
        &mut self,
        id: PlanId,
        decision: PlanDecision,
    ) -> Result<(), CommandError> {
        let open = self
            .task()
            .plan
            .as_ref()
            .is_some_and(|plan| plan.plan_id == id);
        must_be_open(open, "plan", &id)?;
        let body = Body::PlanResolved {
            plan_id: id.clone(),
            decision: Some(decision.clone()),
        };
        let then = self.told_after_planning(self.harness()?);
        self.tell(body, |codec, input| {
            codec.decide_plan(input, &id, &decision, then)
        })
        .await?;
        if let PlanDecision::Approve { .. } = decision
            && let Err(error) = self.ask_after_planning().await
        {
            // The plan is decided all the same; the rules hold by what Paddock answers.
            tracing::warn!(task.id = %self.task().task_id, %error, "the agent was not told to ask after its plan");
        }
        Ok(())
    }

    /// Writes a decision and tells the agent.
    async fn resolve(
        &mut self,
        id: ApprovalId,
        decision: Decision,
        rules: Vec<Rule>,
        by_rule: bool,
    ) -> Result<(), CommandError> {
        let said = as_agents_hear(&decision, !rules.is_empty());
        let body = Body::ApprovalResolved {
            approval_id: id.clone(),
            decision: Some(decision),
            rules,
            by_rule,
        };
        self.tell(body, |codec, input| codec.decide(input, &id, &said))
            .await
    }
}

fn must_be_open(
    open: bool,
    what: &'static str,
    id: &impl std::fmt::Display,
) -> Result<(), CommandError> {
    if open {
        return Ok(());
    }
    Err(CommandError::conflict(format!(
        "the agent does not wait for {what} {id} (any more)"
    )))
}

impl LiveRun {
    /// Says with a request which rules would cover it, and how far a permission may reach.
    pub(super) fn offer(&self, body: &mut Body) {
        let Body::ApprovalRequested(approval) = body else {
            return;
        };
        let dirs = repository_dirs(self.repositories());
        let asked = asked(approval, self.work_dir(), &dirs);
        approval.offers = offers(&asked);
        if !approval.offers.is_empty() {
            let repository = (dirs.len() == 1).then_some(ApprovalScope::Repository);
            approval.scopes = [ApprovalScope::Once, ApprovalScope::Task]
                .into_iter()
                .chain(repository)
                .chain([ApprovalScope::Everywhere])
                .collect();
        } else if approval.tool == ToolKind::Bash {
            // What the agent would allow from then on it reads by prefixes.
            approval.scopes = vec![ApprovalScope::Once];
        }
    }
}

/// How an agent program that is `wanted` to ask so is told to, so that rules that deny can: nothing when it cannot be.
pub(super) fn asks_as(
    rules: &[Rule],
    task: &Task,
    wanted: PermissionMode,
    modes: &[PermissionMode],
) -> Option<PermissionMode> {
    if !rules::denies_something(rules, task) {
        return Some(wanted);
    }
    match wanted {
        PermissionMode::FullAuto | PermissionMode::AcceptEdits => modes
            .contains(&PermissionMode::Ask)
            .then_some(PermissionMode::Ask),
        PermissionMode::Ask | PermissionMode::Plan => Some(wanted),
    }
}

/// A decision as the agent hears it: what is to hold longer is ours to keep.
pub(super) fn as_agents_hear(decision: &Decision, kept: bool) -> Decision {
    match decision {
        Decision::Allow { input, .. } if kept => Decision::Allow {
            scope: ApprovalScope::Once,
            input: input.clone(),
        },
        Decision::Allow { .. } | Decision::Deny { .. } => decision.clone(),
    }
}

/// A permission that reaches further than once is a rule where one can be made of it.
fn kept_by_scope(decision: &Decision, approval: &Approval) -> Option<KeepRule> {
    match decision {
        Decision::Allow { scope, .. }
            if *scope != ApprovalScope::Once && !approval.offers.is_empty() =>
        {
            Some(KeepRule {
                scope: *scope,
                subjects: Vec::new(),
            })
        }
        Decision::Allow { .. } | Decision::Deny { .. } => None,
    }
}

fn allow_once() -> Decision {
    Decision::Allow {
        scope: ApprovalScope::Once,
        input: None,
    }
}

fn denied_by(rule: &Rule) -> Decision {
    let message = format!(
        "A rule of the user's denies this: {}. Do not try to reach the same by another way; go on without it or say that you cannot.",
        rule.subject
    );
    Decision::Deny {
        message: Some(message),
        interrupt: false,
    }
}

fn repository_dirs(repositories: &[(String, String)]) -> Vec<RepositoryDir> {
    let dirs = repositories.iter().map(|(host_path, dir)| RepositoryDir {
        host_path: host_path.clone(),
        dir: dir.clone(),
    });
    dirs.collect()
}

/// Why a file may be another than its path says: a link stands on the way to it, or it is one.
fn leads_elsewhere(work: &Path, dirs: &[RepositoryDir], path: &AskedPath) -> Option<&'static str> {
    let repository = path.repository.as_ref()?;
    let dir = dirs.iter().find(|dir| dir.host_path == *repository)?;
    let mut at = work.join(dir.dir.rsplit('/').next()?);
    for part in path.path.split('/').filter(|part| !part.is_empty()) {
        at.push(part);
        match std::fs::symlink_metadata(&at) {
            Ok(found) if found.file_type().is_symlink() => {
                return Some("a link stands on the way to it");
            }
            Ok(_) => {}
            // What is not there yet leads nowhere.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(_) => return Some("the way to it cannot be seen"),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str) -> AskedPath {
        AskedPath {
            repository: Some("/host/api".to_owned()),
            path: path.to_owned(),
            doubt: None,
        }
    }

    #[test]
    fn a_link_on_the_way_to_a_file_is_seen() {
        let work = tempfile::tempdir().unwrap();
        let api = work.path().join("api");
        std::fs::create_dir_all(api.join("src")).unwrap();
        std::fs::write(api.join("src/a.rs"), "").unwrap();
        std::os::unix::fs::symlink("/etc", api.join("out")).unwrap();
        std::os::unix::fs::symlink("a.rs", api.join("src/b.rs")).unwrap();
        let dirs = repository_dirs(&[("/host/api".to_owned(), "/work/api".to_owned())]);
        let doubt = |file: &str| leads_elsewhere(work.path(), &dirs, &path(file)).is_some();
        assert!(!doubt("src/a.rs") && !doubt("src/new.rs") && !doubt("new/dir/x"));
        assert!(doubt("out/passwd") && doubt("src/b.rs") && doubt("src/a.rs/x"));
    }

    #[test]
    fn what_we_keep_the_agent_hears_once() {
        let always = Decision::Allow {
            scope: ApprovalScope::Repository,
            input: None,
        };
        assert_eq!(as_agents_hear(&always, true), allow_once());
        assert_eq!(as_agents_hear(&always, false), always);
    }
}
