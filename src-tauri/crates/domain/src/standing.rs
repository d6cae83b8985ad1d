//! How a task stands beside its state: held up by a usage limit, or with an agent that has fallen silent.
//!
//! Both follow from the journal alone. A limit ends with the next message, silence with the next word of the
//! agent.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Body, ErrorClass, Event, PermissionMode, Task, Timestamp, Transition, TurnOutcome};

/// A usage limit at which a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageLimit {
    /// Which limit, in the provider's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When the turn ended at it.
    pub reached_at: Timestamp,
    /// When it is lifted, as far as the provider says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resets_at: Option<Timestamp>,
    /// When the task goes on by itself; absent when it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_at: Option<Timestamp>,
    /// Whether a user said that it is not to go on by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancelled: bool,
}

impl Task {
    /// Folds in what an event says of limits and of silence; before what it says of anything else.
    pub(crate) fn record_standing(&mut self, event: &Event) {
        self.record_retry(event);
        if event.source.is_some() {
            self.silent_since = None;
        }
        if let Body::AgentSilent { since_at } = &event.body {
            self.silent_since = Some(*since_at);
        } else if let Body::AgentStirred {} | Body::RunEnded { .. } = &event.body {
            self.silent_since = None;
        } else if let Body::UserMessage { .. } = &event.body {
            self.silent_since = None;
            self.limit = None;
        } else if let Body::TurnFinished { outcome, .. } = &event.body {
            self.silent_since = None;
            self.end_at_limit(*outcome, event.ts);
        } else {
            self.record_appointment(&event.body);
        }
    }

    fn record_appointment(&mut self, body: &Body) {
        if let Body::ResumeScheduled { attempt, .. } = body {
            self.resumes = *attempt;
        }
        let Some(limit) = &mut self.limit else { return };
        if let Body::ResumeScheduled { resume_at, .. } = body {
            limit.resume_at = Some(*resume_at);
            limit.cancelled = false;
        } else if let Body::ResumeCancelled {} = body {
            limit.resume_at = None;
            limit.cancelled = true;
        } else if let Body::Archived {}
        | Body::StateChanged {
            on: Transition::StopRequested | Transition::PurgeRequested,
            ..
        } = body
        {
            // Who ends it does not want it to begin again by itself.
            limit.resume_at = None;
            limit.cancelled = true;
        }
    }

    /// How the agent is to work from now on; a later run is launched so.
    pub(crate) fn tune(&mut self, change: &Body) {
        let Body::AgentTuned {
            model,
            effort,
            permission_mode,
            account,
        } = change
        else {
            return;
        };
        if let (Some(mode), Some(run)) = (permission_mode, &mut self.run) {
            // A program that asks for more than the user wants goes on doing so.
            let stricter = run
                .asks_as
                .is_some_and(|told| told != self.spec.permission_mode);
            if !stricter || *mode == PermissionMode::Plan {
                run.asks_as = Some(*mode);
            }
        }
        if effort.is_some() {
            // What was told before is told of the effort before.
            self.effort = None;
        }
        let spec = std::sync::Arc::make_mut(&mut self.spec);
        spec.model = model.clone().or_else(|| spec.model.take());
        spec.effort = effort.clone().or_else(|| spec.effort.take());
        spec.account = account.clone().or_else(|| spec.account.take());
        spec.permission_mode = permission_mode.unwrap_or(spec.permission_mode);
    }

    fn end_at_limit(&mut self, outcome: TurnOutcome, now: Timestamp) {
        match outcome {
            TurnOutcome::Completed => self.resumes = 0,
            TurnOutcome::Interrupted => {}
            TurnOutcome::Failed | TurnOutcome::RunEnded => {
                let first = self.rate_limit.as_ref();
                let blocked = first.filter(|limit| limit.blocked);
                let quota = self
                    .failure
                    .as_ref()
                    .is_some_and(|failure| failure.class == ErrorClass::Quota);
                if blocked.is_some() || quota {
                    // What is full tells more than a bare refusal, and rejects whether it says so or not.
                    let rejects = first.filter(|limit| limit.rejects());
                    self.limit = Some(UsageLimit {
                        name: first.map(|limit| limit.name.clone()),
                        reached_at: now,
                        resets_at: rejects.and_then(|limit| limit.resets_at),
                        resume_at: None,
                        cancelled: false,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sample::told;

    const QUOTA: &str = r#""type":"error","class":"quota","message":"m""#;
    const FULL: &str = r#""type":"rate_limited","name":"five_hour","resets_at":"2026-01-01T05:00:00.000Z","blocked":true"#;
    const FAILED: &str = r#""turn_id":"n","type":"turn_finished","outcome":"failed""#;
    const SAID: &str = r#""type":"user_message","input_id":"i","content":"c""#;

    #[test]
    fn a_turn_that_fails_at_a_limit_says_until_when_and_a_message_ends_it() {
        let task = told(&[FULL, QUOTA, FAILED]);
        let limit = task.limit.unwrap();
        assert_eq!(limit.name.as_deref(), Some("five_hour"));
        assert_eq!(
            limit.resets_at.unwrap().to_string(),
            "2026-01-01T05:00:00.000Z"
        );
        assert_eq!(told(&[FULL, QUOTA, FAILED, SAID]).limit, None);
    }

    #[test]
    fn an_effort_that_was_told_is_forgotten_when_another_is_asked_for() {
        let told_low =
            r#""type":"model_selected","provider":"pi","model":"m","reasoning_effort":"low""#;
        let asked = r#""type":"agent_tuned","effort":"high""#;
        assert_eq!(told(&[told_low]).effort.as_deref(), Some("low"));
        let task = told(&[told_low, asked]);
        assert_eq!(
            (task.effort, task.spec.effort.as_deref()),
            (None, Some("high"))
        );
    }

    #[test]
    fn of_several_limits_the_one_that_rejects_says_until_when() {
        let week = r#""type":"rate_limited","name":"seven_day","used":0.97,"resets_at":"2026-01-07T00:00:00.000Z","blocked":false"#;
        let limit = told(&[FULL, week, QUOTA, FAILED]).limit.unwrap();
        assert_eq!(limit.name.as_deref(), Some("five_hour"));
        let full = r#""type":"rate_limited","name":"seven_day","used":1.0,"resets_at":"2026-01-07T00:00:00.000Z","blocked":false"#;
        let limit = told(&[full, QUOTA, FAILED]).limit.unwrap();
        let until = limit.resets_at.unwrap().to_string();
        assert_eq!(until, "2026-01-07T00:00:00.000Z");
    }

    #[test]
    fn a_refusal_alone_is_a_limit_without_an_end_and_another_failure_is_none() {
        assert_eq!(told(&[QUOTA, FAILED]).limit.unwrap().resets_at, None);
        let other = r#""type":"error","class":"network","message":"m""#;
        assert_eq!(told(&[other, FAILED]).limit, None);
    }

    #[test]
    fn resumes_are_counted_until_a_turn_ends_well_and_can_be_cancelled() {
        let scheduled =
            r#""type":"resume_scheduled","resume_at":"2026-01-01T05:00:00.000Z","attempt":2"#;
        let cancelled = r#""type":"resume_cancelled""#;
        let task = told(&[QUOTA, FAILED, scheduled]);
        assert_eq!(
            (task.resumes, task.limit.unwrap().resume_at.is_some()),
            (2, true)
        );
        for end in [cancelled, r#""type":"archived""#] {
            let limit = told(&[QUOTA, FAILED, scheduled, end]).limit.unwrap();
            assert_eq!((limit.resume_at, limit.cancelled), (None, true), "{end}");
        }
        let well = r#""turn_id":"m","type":"turn_finished","outcome":"completed""#;
        assert_eq!(told(&[QUOTA, FAILED, scheduled, SAID, well]).resumes, 0);
    }

    #[test]
    fn silence_ends_with_the_next_word_of_the_agent() {
        let silent = r#""type":"agent_silent","since_at":"2026-01-01T00:00:00.000Z""#;
        assert!(told(&[silent]).silent_since.is_some());
        let word = r#""source":{"run_id":"r","offset":1,"index":0},"type":"thinking","text":"x""#;
        assert_eq!(told(&[silent, word]).silent_since, None);
        assert_eq!(
            told(&[silent, r#""type":"agent_stirred""#]).silent_since,
            None
        );
    }
}
