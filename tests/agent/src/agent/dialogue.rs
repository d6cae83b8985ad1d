//! What a turn asks of the user: questions, approvals, plans.
//!
//! Invariant: what was asked is answered once or withdrawn, unless the process dies. Start at
//! [`Turn::ask`].

use super::News;
use super::turn::{Stop, Turn};
use crate::message::{ApprovalDecision, Input, PlanDecision, QuestionOption, Said, ToolInput};
use crate::script::Asked;

impl Turn<'_> {
    /// Asks all of `questions` at once, and says what was answered to each.
    pub(super) fn ask(&mut self, questions: Vec<Asked>) -> Result<(), Stop> {
        let mut asked = Vec::new();
        for one in questions {
            let question = self.new_id('q');
            let options = one.options.into_iter().map(|label| {
                let description = format!("Choose {label}");
                QuestionOption { label, description }
            });
            self.say(&Said::Question {
                question: question.clone(),
                header: "Question".into(),
                text: one.question,
                options: options.collect(),
                multiple: one.multiple,
            })?;
            asked.push(question);
        }
        let mut answered = vec![String::new(); asked.len()];
        let mut open = asked.clone();
        while !open.is_empty() {
            let (of, answers) = self.reply(&open, |reply| {
                if let Input::Answer { question, answers } = reply {
                    Ok((question, answers))
                } else {
                    Err(reply)
                }
            })?;
            open.retain(|one| *one != of);
            for (question, words) in asked.iter().zip(&mut answered) {
                if *question == of {
                    *words = answers.join(", ");
                }
            }
        }
        self.text(format!("You answered: {}", answered.join("; ")))
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
        let (_, (decision, message, edited)) =
            self.reply(std::slice::from_ref(&approval), |reply| {
                if let Input::Approval {
                    approval,
                    decision,
                    message,
                    command,
                } = reply
                {
                    Ok((approval, (decision, message, command)))
                } else {
                    Err(reply)
                }
            })?;
        match decision {
            ApprovalDecision::Allow => {
                let edited = edited.map(|command| ToolInput::Bash { command });
                self.tool_as(call, &edited.unwrap_or(input))
            }
            ApprovalDecision::Deny => self.text(format!("Denied: {}", message.unwrap_or_default())),
        }
    }

    pub(super) fn plan(&mut self, text: String) -> Result<(), Stop> {
        let plan = self.new_id('p');
        self.say(&Said::Plan {
            plan: plan.clone(),
            text,
        })?;
        let (_, (decision, message)) = self.reply(std::slice::from_ref(&plan), |reply| {
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
            PlanDecision::Accept => self.text(match message {
                Some(edited) => format!("Plan accepted as edited: {edited}"),
                None => "Plan accepted.".into(),
            }),
            PlanDecision::Reject => {
                self.text(format!("Plan rejected: {}", message.unwrap_or_default()))?;
                Err(Stop::Enough)
            }
        }
    }

    /// Waits for the reply to one of `open`, and says to which; `pick` takes the kind of reply that is wanted apart.
    fn reply<T>(
        &mut self,
        open: &[String],
        pick: impl Fn(Input) -> Result<(String, T), Input>,
    ) -> Result<(String, T), Stop> {
        while !self.agent.ended {
            match self.agent.listen()? {
                News::Reply(input) => match pick(input) {
                    Ok((of, reply)) if open.contains(&of) => return Ok((of, reply)),
                    Ok((of, _)) => self.agent.complain(format!("nothing waits for {of}"))?,
                    Err(other) => self.agent.refuse(&other)?,
                },
                News::Interrupt => break,
                News::Nothing | News::Finished(_) => {}
            }
        }
        for id in open {
            self.say(&Said::Withdrawn { id: id.clone() })?;
        }
        Err(Stop::Interrupted)
    }
}
