//! What a turn asks of the user: questions, approvals, plans.
//!
//! Invariant: what was asked is answered once or withdrawn, unless the process dies. Start at
//! [`Turn::ask`].

use super::News;
use super::turn::{Stop, Turn};
use crate::message::{ApprovalDecision, Input, PlanDecision, QuestionOption, Said, ToolInput};

impl Turn<'_> {
    pub(super) fn ask(
        &mut self,
        text: String,
        options: Vec<String>,
        multiple: bool,
    ) -> Result<(), Stop> {
        let question = self.new_id('q');
        let options = options.into_iter().map(|label| {
            let description = format!("Choose {label}");
            QuestionOption { label, description }
        });
        self.say(&Said::Question {
            question: question.clone(),
            header: "Question".into(),
            text,
            options: options.collect(),
            multiple,
        })?;
        let answers = self.reply(&question, |reply| {
            if let Input::Answer { question, answers } = reply {
                Ok((question, answers))
            } else {
                Err(reply)
            }
        })?;
        self.text(format!("You answered: {}", answers.join(", ")))
    }

    pub(super) fn approve(&mut self, command: String) -> Result<(), Stop> {
        let (approval, call) = (self.new_id('a'), self.new_id('c'));
        let input = ToolInput::Bash { command };
        self.say(&Said::Approval {
            approval: approval.clone(),
            call: call.clone(),
            kind: input.kind(),
            input: input.clone(),
            reason: "the script asks for approval".into(),
        })?;
        let (decision, message) = self.reply(&approval, |reply| {
            if let Input::Approval {
                approval,
                decision,
                message,
            } = reply
            {
                Ok((approval, (decision, message)))
            } else {
                Err(reply)
            }
        })?;
        match decision {
            ApprovalDecision::Allow => self.tool_as(call, &input),
            ApprovalDecision::Deny => self.text(format!("Denied: {}", message.unwrap_or_default())),
        }
    }

    pub(super) fn plan(&mut self, text: String) -> Result<(), Stop> {
        let plan = self.new_id('p');
        self.say(&Said::Plan {
            plan: plan.clone(),
            text,
        })?;
        let (decision, message) = self.reply(&plan, |reply| {
            if let Input::Plan {
                plan,
                decision,
                message,
            } = reply
            {
                Ok((plan, (decision, message)))
            } else {
                Err(reply)
            }
        })?;
        match decision {
            PlanDecision::Accept => self.text("Plan accepted.".into()),
            PlanDecision::Reject => {
                self.text(format!("Plan rejected: {}", message.unwrap_or_default()))?;
                Err(Stop::Enough)
            }
        }
    }

    /// Waits for the reply to `id`; `pick` takes the kind of reply that is wanted apart.
    fn reply<T>(
        &mut self,
        id: &str,
        pick: impl Fn(Input) -> Result<(String, T), Input>,
    ) -> Result<T, Stop> {
        while !self.agent.ended {
            match self.agent.listen()? {
                News::Reply(input) => match pick(input) {
                    Ok((of, reply)) if of == id => return Ok(reply),
                    Ok((of, _)) => self.agent.complain(format!("nothing waits for {of}"))?,
                    Err(other) => self.agent.refuse(&other)?,
                },
                News::Interrupt => break,
                News::Nothing | News::Finished(_) => {}
            }
        }
        self.say(&Said::Withdrawn { id: id.to_owned() })?;
        Err(Stop::Interrupted)
    }
}
