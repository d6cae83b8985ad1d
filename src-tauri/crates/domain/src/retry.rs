//! Requests to the model that failed and are made again: what the agent program tells of it, and until when it
//! counts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Body, ErrorClass, Event, Task, Timestamp};

/// A request to the model failed, and the agent program makes it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Retry {
    /// How often it tries again by now, from 1, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// How often it tries at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts_max: Option<u32>,
    /// What kind of failure it was, where that is plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ErrorClass>,
    /// How the program puts it.
    pub reason: String,
    /// After how many milliseconds it tries again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
}

/// A retry that has not come to an end yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RetryUnderWay {
    /// What was told of it.
    #[serde(flatten)]
    pub retry: Retry,
    /// When it was told.
    pub since_at: Timestamp,
    /// When the program tries again, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
}

impl Retry {
    /// The longest reason that is kept, in characters.
    pub const REASON_MAX: usize = 300;

    /// What a program says of a failure, cut where it is long.
    #[must_use]
    pub fn reason(told: &str) -> String {
        told.trim().chars().take(Self::REASON_MAX).collect()
    }
}

impl Task {
    /// A retry lasts until the model answers, or the turn or the run is over.
    pub(crate) fn record_retry(&mut self, event: &Event) {
        if let Body::Retrying(retry) = &event.body {
            let delay = retry.delay_ms.and_then(|ms| i64::try_from(ms).ok());
            self.retry = Some(RetryUnderWay {
                retry: retry.clone(),
                since_at: event.ts,
                next_at: delay.map(|ms| event.ts.plus_ms(ms)),
            });
        } else if matches!(
            event.body,
            Body::RetryEnded {}
                | Body::AssistantMessage { .. }
                | Body::Thinking { .. }
                | Body::ToolCallStarted(_)
                | Body::TurnFinished { .. }
                | Body::RunEnded { .. }
        ) {
            self.retry = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::RetryUnderWay;
    use crate::sample::told;

    const RETRYING: &str = r#""type":"retrying","attempt":2,"attempts_max":10,"class":"overload","reason":"overloaded","delay_ms":1500"#;

    /// The retry of a task after these events, one a second.
    fn after(lines: &[&str]) -> Option<RetryUnderWay> {
        told(lines).retry
    }

    #[test]
    fn a_retry_says_which_it_is_and_when_the_next_comes() {
        let retry = after(&[RETRYING]).unwrap();
        assert_eq!(
            (retry.retry.attempt, retry.retry.attempts_max),
            (Some(2), Some(10))
        );
        assert_eq!(
            retry.next_at.unwrap().to_string(),
            "2026-01-01T00:00:03.500Z"
        );
    }

    #[test]
    fn it_is_over_with_an_answer_or_with_the_turn_and_not_with_other_news() {
        let answer = r#""type":"assistant_message","blocks":[]"#;
        let end = r#""turn_id":"n","type":"turn_finished","outcome":"failed""#;
        let notice = r#""type":"notice","level":"info","text":"x""#;
        assert_eq!(after(&[RETRYING, answer]), None);
        assert_eq!(after(&[RETRYING, end]), None);
        assert_eq!(after(&[RETRYING, r#""type":"retry_ended""#]), None);
        assert!(after(&[RETRYING, notice]).is_some());
    }
}
