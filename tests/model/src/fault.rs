//! Errors that the model plays, and how often.
//!
//! A fault is played `times` in a row for one prompt and step, then the answer comes and the count
//! starts anew, so that the same prompt behaves alike in the next session. Start at [`Faults`].

use std::collections::HashMap;

use crate::marker::Marker;

/// How many prompts are remembered; beyond it all counts are forgotten.
const MOST_COUNTS: usize = 1024;

/// An HTTP error in place of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) status: u16,
    pub(crate) message: &'static str,
    /// How many times in a row; `None`: always.
    times: Option<u32>,
    /// Seconds to claim in `retry-after`.
    pub(crate) retry_after: Option<u32>,
}

impl Fault {
    /// The fault that a story is made of; `None` when there is no such story.
    pub(crate) fn of_story(marker: &Marker) -> Option<Self> {
        let times = marker.number("times", 2);
        let (status, message, times) = match marker.name.as_str() {
            "err529" => (529, "Overloaded", Some(times)),
            "err503" => (503, "Service unavailable", Some(times)),
            "err500" => (500, "Internal error of the script", Some(times)),
            "err429" => (
                429,
                "This request would exceed your rate limit.",
                Some(times),
            ),
            "err401" => (401, "invalid x-api-key", None),
            "err400" => (400, "the script says this request is invalid", None),
            "toolong" => (
                400,
                "prompt is too long: 212345 tokens > 200000 maximum",
                Some(1),
            ),
            _ => return None,
        };
        Some(Self {
            status,
            message,
            times,
            retry_after: (status == 429).then(|| marker.number("after", 1)),
        })
    }
}

/// The error's kind in Anthropic's words.
pub(crate) fn anthropic_kind(status: u16) -> &'static str {
    match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        503 | 529 => "overloaded_error",
        _ => "api_error",
    }
}

/// How often each fault was played.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    played: HashMap<u64, u32>,
}

/// Whether to play a fault once more.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Play,
    /// Enough: this is the attempt that succeeds.
    Over {
        attempt: u32,
    },
}

impl Faults {
    /// Judges one more request for `fault` at the prompt and step that `key` stands for.
    pub(crate) fn judge(&mut self, key: u64, fault: &Fault) -> Verdict {
        if self.played.len() >= MOST_COUNTS {
            self.played.clear();
        }
        let played = self.played.entry(key).or_default();
        if fault.times.is_none_or(|times| *played < times) {
            *played = played.saturating_add(1);
            return Verdict::Play;
        }
        let attempt = *played + 1;
        self.played.remove(&key);
        Verdict::Over { attempt }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_played_as_often_as_asked_and_then_starts_anew() {
        check("[[fake:err529 times=2]]", "play play over3 play play over3");
    }

    #[test]
    fn a_lasting_fault_never_ends() {
        check("[[fake:err401]]", "play play play play");
    }

    #[test]
    fn only_a_rate_limit_says_when_to_come_back() {
        let fault = |text| Fault::of_story(&Marker::last_in(text).unwrap());
        let after = |text| fault(text).unwrap().retry_after;
        assert_eq!(after("[[fake:err429 after=7]]"), Some(7));
        assert_eq!(after("[[fake:err500]]"), None);
        assert_eq!(fault("[[fake:hello]]"), None);
    }

    fn check(marker: &str, expected: &str) {
        let fault = Fault::of_story(&Marker::last_in(marker).unwrap()).unwrap();
        let mut faults = Faults::default();
        let count = expected.split_whitespace().count();
        let verdicts = (0..count).map(|_| match faults.judge(1, &fault) {
            Verdict::Play => "play".to_owned(),
            Verdict::Over { attempt } => format!("over{attempt}"),
        });
        assert_eq!(verdicts.collect::<Vec<_>>().join(" "), expected);
    }
}
