//! Questions, permissions, and how they were decided, in a transcript.

use std::fmt::Write as _;

use paddock_domain::{Answer, Approval, Decision, Question, Rule};

use super::{Transcript, one_line};
use crate::render::{Tone, clean};

impl Transcript {
    pub(super) fn question(&self, question: &Question) -> String {
        let mut text = format!(
            "{} {}\n",
            self.paint.text(Tone::Attention, "?"),
            clean(&question.text)
        );
        for (nth, choice) in question.choices.iter().enumerate() {
            let about = choice
                .description
                .as_deref()
                .map(|about| format!("  {}", one_line(about)))
                .unwrap_or_default();
            let _ = writeln!(text, "  {}. {}{about}", nth + 1, clean(&choice.label));
        }
        text
    }

    pub(super) fn answered(&self, answer: Option<&Answer>) -> String {
        match answer {
            Some(answer) => self.quiet(&format!("answered: {}", answer.as_text())),
            None => self.quiet("the question was withdrawn"),
        }
    }

    pub(super) fn approval(&self, approval: &Approval) -> String {
        let mut text = format!(
            "{} {}  {}\n",
            self.paint.text(Tone::Attention, "may it?"),
            clean(&approval.tool_name),
            one_line(&approval.summary)
        );
        if let Some(reason) = &approval.reason {
            let _ = writeln!(text, "  {}", one_line(reason));
        }
        text
    }

    pub(super) fn decided(
        &self,
        decision: Option<&Decision>,
        rules: &[Rule],
        by_rule: bool,
    ) -> String {
        let word = match decision {
            Some(Decision::Allow { .. }) => "allowed",
            Some(Decision::Deny { .. }) => "denied",
            None => return self.quiet("no longer asked for"),
        };
        let rules: Vec<String> = rules.iter().map(ToString::to_string).collect();
        let how = match (by_rule, rules.is_empty()) {
            (true, true) => " by the permission mode".to_owned(),
            (true, false) => format!(" by rule: {}", clean(&rules.join("; "))),
            (false, true) => String::new(),
            (false, false) => format!("; from now on: {}", clean(&rules.join("; "))),
        };
        self.quiet(&format!("{word}{how}"))
    }
}
