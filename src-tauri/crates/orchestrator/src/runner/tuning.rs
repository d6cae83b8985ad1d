//! Changes of how an agent works, while its run lives: model, effort, permission mode; compact and clear.
//!
//! A choice is journalled and folded into the task's specification, so that a later run is launched by it. To
//! the run that lives it is said at once where its harness can; where it cannot, it is refused and nothing is
//! written. Compacting and clearing are said as an interrupt is: now, or not at all.

use paddock_domain::{AccountName, Body, InputId, PermissionMode, TaskSpec};
use paddock_harness::{Codec, Harness, Outgoing};

use super::{Runner, ids, judging};
use crate::CommandError;
use crate::accounts::{self, own_run};
use crate::tuning::Tuning;

impl Runner {
    /// Changes how the agent works.
    pub(super) async fn tune(&mut self, tuning: Tuning) -> Result<(), CommandError> {
        let harness = self.harness()?;
        check(&tuning, harness)?;
        self.check_account(tuning.account.as_ref())?;
        for body in tuning.bodies() {
            let live = self.talking().is_some();
            if !live {
                self.write_as(ids::new_event(), body).await?;
                continue;
            }
            let told = self.as_told(&body, harness);
            self.tell(body, |codec, id| say(codec, id, &told).ok_or(CANNOT))
                .await?;
        }
        Ok(())
    }

    /// A key reaches an agent with its launch, and never later.
    fn check_account(&self, account: Option<&AccountName>) -> Result<(), CommandError> {
        let Some(account) = account else {
            return Ok(());
        };
        let mut wished = TaskSpec::clone(&self.task().spec);
        wished.account = Some(account.clone());
        accounts::check_spec(&self.rooms, &wished)?;
        if own_run(self.task()).is_some_and(|run| run.exit.is_none()) {
            return Err(CommandError::conflict(
                "an agent keeps the account that it was started with: stop the task, change it, and revive it",
            ));
        }
        Ok(())
    }

    /// An agent whose plan is approved accepts its own edits from then on; with rules that deny it is told to
    /// ask all the same. One that cannot be told keeps what it has.
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
            Ok(say(codec, id, &told).unwrap_or_default())
        })
        .await
    }

    /// Shortens the agent's context, or empties it.
    pub(super) fn condense(&mut self, what: &Condensing) -> Result<(), CommandError> {
        if self.task().turn.is_some() {
            return Err(CommandError::conflict(
                "the agent is in the middle of a turn: interrupt it, or wait for its end",
            ));
        }
        let Some(run) = self.talking() else {
            return Err(CommandError::conflict(
                "the agent does not run: revive the task first",
            ));
        };
        let id: InputId = ids::new_event().into();
        let said = match what {
            Condensing::Compact(about) => run.codec().compact(&id, about.as_deref()),
            Condensing::Clear => run.codec().clear(&id),
        };
        let messages = said.ok_or_else(|| CommandError::bad("this agent cannot do that"))?;
        if !run.say(messages) {
            return Err(CommandError::Overloaded {
                what: "the line of messages to the agent",
            });
        }
        Ok(())
    }

    pub(super) fn harness(&self) -> Result<&'static dyn Harness, CommandError> {
        let name = &self.task().spec.harness;
        paddock_harness::find(name.as_str())
            .ok_or_else(|| CommandError::bad(format!("there is no harness `{name}`")))
    }

    /// What the agent is told of a choice: with rules that deny it goes on asking.
    fn as_told(&self, body: &Body, harness: &'static dyn Harness) -> Body {
        let Body::AgentTuned {
            permission_mode: Some(mode),
            ..
        } = body
        else {
            return body.clone();
        };
        let mut task = self.task().clone();
        std::sync::Arc::make_mut(&mut task.spec).permission_mode = *mode;
        let modes = harness.abilities().permission_modes;
        let told = judging::asks_as(&self.rooms.rules.now(), &task, modes);
        Body::AgentTuned {
            model: None,
            effort: None,
            permission_mode: told.or(Some(*mode)),
            account: None,
        }
    }
}

/// What is to become of an agent's context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condensing {
    /// Shorter, with what is to be kept in mind.
    Compact(Option<String>),
    /// Empty.
    Clear,
}

const CANNOT: paddock_harness::CannotSay = paddock_harness::CannotSay::Unfit {
    reason: "the agent cannot be told while it runs; stop the task, change it, and revive it",
};

/// A choice as the codec puts it; nothing when the agent cannot be told.
pub(super) fn say(codec: &mut dyn Codec, id: &InputId, body: &Body) -> Option<Vec<Outgoing>> {
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
