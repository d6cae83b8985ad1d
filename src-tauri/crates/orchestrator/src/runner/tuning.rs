//! Changes of how an agent works, while its run lives: model, effort, permission mode; compact and clear.
//!
//! A choice is journalled and folded into the task's specification, so that a later run is launched by it. To
//! the run that lives it is said at once where its harness can; where it cannot, it is refused and nothing is
//! written. So it is with a wish to compact or to clear. Whatever was written is said, also where the connection
//! breaks or Paddock dies before the agent has it; where it cannot be said any more, `wish_failed` tells.

use paddock_domain::{AccountName, Body, Condensing, InputId, PermissionMode, StateName, TaskSpec};
use paddock_harness::{Abilities, Codec, Harness, Outgoing};

use super::{Runner, judging};
use crate::CommandError;
use crate::accounts::{self, own_run};
use crate::tuning::Tuning;

impl Runner {
    /// Changes how the agent works.
    pub(super) async fn tune(&mut self, tuning: Tuning) -> Result<(), CommandError> {
        let harness = self.harness()?;
        check(&tuning, harness)?;
        self.check_account(tuning.account.as_ref())?;
        let (bodies, abilities) = (tuning.bodies(), harness.abilities());
        if self.runs() && !bodies.iter().all(|body| can_be_said(body, &abilities)) {
            return Err(CommandError::bad(KEEPS));
        }
        for body in bodies {
            let told = self.as_told(&body, harness);
            let cannot = || CommandError::bad(KEEPS);
            self.tell(body, |codec, id| say(codec, id, &told).ok_or_else(cannot))
                .await?;
        }
        Ok(())
    }

    /// Whether an agent of the task's harness runs, as far as the journal knows.
    fn runs(&self) -> bool {
        own_run(self.task()).is_some_and(|run| run.exit.is_none())
    }

    /// A key reaches an agent with its launch, and never later.
    fn check_account(&self, account: Option<&AccountName>) -> Result<(), CommandError> {
        let Some(account) = account else {
            return Ok(());
        };
        let mut wished = TaskSpec::clone(&self.task().spec);
        wished.account = Some(account.clone());
        accounts::check_spec(&self.rooms, &wished)?;
        if self.runs() {
            return Err(CommandError::conflict(
                "an agent keeps the account that it was started with: stop the task, change it, and revive it",
            ));
        }
        Ok(())
    }

    /// An agent whose plan is approved accepts its own edits from then on; with rules that deny it is told to
    /// ask all the same, for the agents that did not take it with the decision. One that cannot be told keeps
    /// what it has.
    pub(super) async fn ask_after_planning(&mut self) -> Result<(), CommandError> {
        let mode = self.task().spec.permission_mode;
        let harness = self.harness()?;
        let body = Body::AgentTuned {
            model: None,
            effort: None,
            permission_mode: Some(mode),
            account: None,
        };
        let told = self.as_told(&body, harness);
        if told == body || !harness.abilities().mode_switch {
            return Ok(());
        }
        self.tell(body, |codec, id| {
            Ok::<_, CommandError>(say(codec, id, &told).unwrap_or_default())
        })
        .await
    }

    /// Shortens the agent's context, or empties it.
    pub(super) async fn condense(
        &mut self,
        what: Condensing,
        about: Option<String>,
    ) -> Result<(), CommandError> {
        let body = Body::CondensingWished { what, about };
        if !can_be_said(&body, &self.harness()?.abilities()) {
            return Err(CommandError::bad("this agent cannot do that"));
        }
        if self.task().turn.is_some() {
            return Err(CommandError::conflict(
                "the agent is in the middle of a turn: interrupt it, or wait for its end",
            ));
        }
        if self.task().has_open_requests() {
            return Err(CommandError::conflict(
                "the agent waits for a decision: answer it first",
            ));
        }
        // Without a connection to an agent at rest it is said when the run is joined again.
        let rests = self.runs() && self.task().state == StateName::Waiting;
        if !rests && self.talking().is_none() {
            return Err(CommandError::conflict(
                "the agent does not run: revive the task first",
            ));
        }
        let busy = || {
            CommandError::conflict("the agent is not ready for that: try again when it is at rest")
        };
        let told = body.clone();
        self.tell(body, |codec, id| say(codec, id, &told).ok_or_else(busy))
            .await
    }

    /// Tells of wishes that cannot be said any more.
    pub(super) async fn tell_failed(&mut self, wishes: Vec<(InputId, &'static str)>) {
        let failed = |(wish, why): (InputId, &'static str)| Body::WishFailed {
            wish,
            why: why.to_owned(),
        };
        let written = self.write(wishes.into_iter().map(failed).collect()).await;
        if let Err(error) = written {
            self.cannot_write(&error);
            // Joined again, the run is told them once more.
            self.lose_box();
        }
    }

    pub(super) fn harness(&self) -> Result<&'static dyn Harness, CommandError> {
        let name = &self.task().spec.harness;
        paddock_harness::find(name.as_str())
            .ok_or_else(|| CommandError::bad(format!("there is no harness `{name}`")))
    }

    /// What the agent is told of a choice: with rules that deny it goes on asking.
    pub(super) fn as_told(&self, body: &Body, harness: &'static dyn Harness) -> Body {
        let Body::AgentTuned {
            permission_mode: Some(mode),
            ..
        } = body
        else {
            return body.clone();
        };
        Body::AgentTuned {
            model: None,
            effort: None,
            permission_mode: Some(self.told_mode(*mode, harness)),
            account: None,
        }
    }

    /// How an agent is told to ask that is to ask as `mode` says: with rules that deny it goes on asking.
    fn told_mode(&self, mode: PermissionMode, harness: &'static dyn Harness) -> PermissionMode {
        let modes = harness.abilities().permission_modes;
        judging::asks_as(&self.rooms.rules.now(), self.task(), mode, modes).unwrap_or(mode)
    }

    /// How an agent whose plan is approved is told to ask while it carries it out.
    pub(super) fn told_after_planning(&self, harness: &'static dyn Harness) -> PermissionMode {
        self.told_mode(PermissionMode::AcceptEdits, harness)
    }
}

const KEEPS: &str =
    "the agent cannot be told while it runs; stop the task, change it, and revive it";

/// Whether a running agent with these abilities can be told of the choice or wish.
fn can_be_said(body: &Body, abilities: &Abilities) -> bool {
    if let Body::CondensingWished { what, .. } = body {
        return match what {
            Condensing::Compact => abilities.compact,
            Condensing::Clear => abilities.clear,
        };
    }
    let Body::AgentTuned {
        model,
        effort,
        permission_mode,
        account: _,
    } = body
    else {
        return false;
    };
    (model.is_none() || abilities.model_switch)
        && (effort.is_none() || abilities.effort_switch)
        && (permission_mode.is_none() || abilities.mode_switch)
}

/// A choice or a wish as the codec puts it; nothing when the agent cannot be told.
pub(super) fn say(codec: &mut dyn Codec, id: &InputId, body: &Body) -> Option<Vec<Outgoing>> {
    if let Body::CondensingWished { what, about } = body {
        return match what {
            Condensing::Compact => codec.compact(id, about.as_deref()),
            Condensing::Clear => codec.clear(id),
        };
    }
    let Body::AgentTuned {
        model,
        effort,
        permission_mode,
        account: _,
    } = body
    else {
        return None;
    };
    match (model, effort, permission_mode) {
        (Some(model), _, _) => codec.set_model(id, model),
        (None, Some(effort), _) => codec.set_effort(id, effort),
        (None, None, Some(mode)) => codec.set_permission_mode(id, *mode),
        (None, None, None) => Some(Vec::new()),
    }
}

/// What is told of a choice or a wish that cannot be said when its run is joined again.
pub(super) fn not_said(body: &Body) -> &'static str {
    let Body::CondensingWished { what, .. } = body else {
        return "The agent was not told to work otherwise when it was reached again: what was chosen holds from its next run on";
    };
    match what {
        Condensing::Compact => {
            "The agent was not told to shorten its context: it was busy when it was reached again. Ask for it once more when it is at rest"
        }
        Condensing::Clear => {
            "The agent was not told to empty its context: it was busy when it was reached again. Ask for it once more when it is at rest"
        }
    }
}

fn check(tuning: &Tuning, harness: &'static dyn Harness) -> Result<(), CommandError> {
    let abilities = harness.abilities();
    let bad_name = |text: &str| {
        text.is_empty()
            || text.len() > 256
            || text.starts_with('-')
            || text.chars().any(|c| c.is_control() || c.is_whitespace())
    };
    if tuning.model.as_deref().is_some_and(bad_name) {
        return Err(CommandError::bad("this is no name of a model"));
    }
    if let Some(effort) = tuning.effort.as_deref()
        && !abilities.efforts.contains(&effort)
    {
        let known = abilities.efforts.join(", ");
        return Err(CommandError::bad(format!(
            "{} has no effort `{effort}`; there are: {known}",
            harness.name()
        )));
    }
    let unknown = |mode: &PermissionMode| !abilities.permission_modes.contains(mode);
    if tuning.permission_mode.as_ref().is_some_and(unknown) {
        return Err(CommandError::bad(format!(
            "{} has no such permission mode",
            harness.name()
        )));
    }
    Ok(())
}
