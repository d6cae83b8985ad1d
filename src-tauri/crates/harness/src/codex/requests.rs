//! What Codex waits for: approvals and answers, until they are given.

use paddock_domain::{Answer, ApprovalId, ApprovalScope, Body, Decision, InputId, QuestionId};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::say;
use crate::bounded::Bounded;
use crate::{CannotSay, Outgoing};

/// A request that the program waits for.
#[derive(Debug)]
pub(super) struct Request {
    /// Its JSON-RPC id, as it came.
    pub rpc_id: Box<RawValue>,
    pub wants: Wants,
    /// An answer is on its way.
    pub answered: bool,
}

/// What it wants to know.
#[derive(Debug)]
pub(super) enum Wants {
    Permission,
    Answers(Vec<Asked>),
}

/// One of the questions asked together.
#[derive(Debug)]
pub(super) struct Asked {
    /// The program's own id of it.
    pub id: String,
    pub answer: Option<Answer>,
}

/// Requests by our key for them: unique in the task, where the program's ids begin anew in each run.
#[derive(Debug, Default)]
pub(super) struct Requests(Bounded<Request>);

/// Our key for a request: the item that waits, and the program's id.
pub(super) fn key(item_id: &str, rpc_id: &RawValue) -> String {
    format!("{item_id}#{}", rpc_id.get().trim_matches('"'))
}

/// The id of the `nth` question of a request.
pub(super) fn question_id(key: &str, nth: usize) -> Option<QuestionId> {
    QuestionId::parse(&format!("{key}/{nth}")).ok()
}

impl Requests {
    pub(super) fn open(&mut self, key: &str, request: Request) {
        self.0.insert(key, request, 0);
    }

    /// Forgets the request of this JSON-RPC id.
    pub(super) fn close(&mut self, rpc_id: &str) -> Option<(String, Request)> {
        let mut found = None;
        for (key, request) in self.0.drain() {
            if request.rpc_id.get() == rpc_id {
                found = Some((key, request));
            } else {
                self.open(&key, request);
            }
        }
        found
    }

    pub(super) fn close_all(&mut self) {
        self.0.drain();
    }

    pub(super) fn answer(
        &mut self,
        id: &InputId,
        question: &QuestionId,
        answer: &Answer,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let gone = || CannotSay::gone(question);
        let (key, nth) = question.as_str().rsplit_once('/').ok_or_else(gone)?;
        let request = self.waiting(key).ok_or_else(gone)?;
        let Wants::Answers(asked) = &mut request.wants else {
            return Err(gone());
        };
        let nth: usize = nth.parse().map_err(|_| gone())?;
        let slot = asked.get_mut(nth).ok_or_else(gone)?;
        if slot.answer.is_some() {
            return Err(gone());
        }
        slot.answer = Some(answer.clone());
        if asked.iter().any(|asked| asked.answer.is_none()) {
            return Ok(Vec::new());
        }
        let result = json!({"answers": answers(asked)});
        request.answered = true;
        Ok(say::result(id, &request.rpc_id, &result)
            .into_iter()
            .collect())
    }

    pub(super) fn decide(
        &mut self,
        id: &InputId,
        approval: &ApprovalId,
        decision: &Decision,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let gone = || CannotSay::gone(approval);
        let request = self.waiting(approval.as_str()).ok_or_else(gone)?;
        if !matches!(request.wants, Wants::Permission) {
            return Err(gone());
        }
        let word = match decision {
            Decision::Allow { input: Some(_), .. } => {
                let reason = "codex takes no edited input; deny it and say what to do instead";
                return Err(CannotSay::Unfit { reason });
            }
            Decision::Allow { scope, input: None } => match scope {
                ApprovalScope::Once => "accept",
                ApprovalScope::Task => "acceptForSession",
                ApprovalScope::Repository | ApprovalScope::Everywhere => {
                    let reason = "codex offers no such scope; allow it for the task";
                    return Err(CannotSay::Unfit { reason });
                }
            },
            Decision::Deny {
                interrupt: true, ..
            } => "cancel",
            Decision::Deny {
                interrupt: false, ..
            } => "decline",
        };
        request.answered = true;
        let result = json!({"decision": word});
        Ok(say::result(id, &request.rpc_id, &result)
            .into_iter()
            .collect())
    }

    fn waiting(&mut self, key: &str) -> Option<&mut Request> {
        self.0.get_mut(key).filter(|request| !request.answered)
    }
}

/// What journals get for a request that the program took back.
pub(super) fn withdrawn(key: &str, request: &Request) -> Vec<Body> {
    match &request.wants {
        Wants::Permission => {
            let id = ApprovalId::parse(key).ok();
            let resolved = id.map(|approval_id| Body::ApprovalResolved {
                approval_id,
                decision: None,
                rules: Vec::new(),
                by_rule: false,
            });
            resolved.into_iter().collect()
        }
        Wants::Answers(asked) => (0..asked.len())
            .filter_map(|nth| question_id(key, nth))
            .map(|question_id| Body::QuestionAnswered {
                question_id,
                answer: None,
            })
            .collect(),
    }
}

fn answers(asked: &[Asked]) -> Map<String, Value> {
    let said = asked.iter().map(|asked| {
        let words = asked.answer.iter();
        let words = words.flat_map(|answer| answer.choices.iter().chain(&answer.text));
        let words: Vec<&String> = words.collect();
        (asked.id.clone(), json!({"answers": words}))
    });
    said.collect()
}
