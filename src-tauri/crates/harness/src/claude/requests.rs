//! What Claude Code waits for: permissions, questions and plans, until they are answered.
//!
//! A request stays here until the log shows that it was answered or withdrawn, so that a replay sees
//! what the live run saw.

use paddock_domain::{
    Answer, ApprovalId, ApprovalScope, Body, Decision, InputId, PermissionMode, PlanDecision,
    PlanId, QuestionId,
};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::launch::permission_mode;
use super::say::{self, Permission};
use crate::bounded::Bounded;
use crate::{CannotSay, Outgoing, UserInput};

/// What the agent is told when a user refuses without a word.
const REFUSED: &str = "The user does not want this.";

/// A request that the agent waits for.
#[derive(Debug)]
pub(super) struct Request {
    pub tool_use_id: Option<String>,
    /// The tool's input as it came.
    pub input: Box<RawValue>,
    pub wants: Wants,
    /// An answer is on its way.
    pub answered: bool,
}

/// What it wants to know.
#[derive(Debug)]
pub(super) enum Wants {
    Permission {
        /// Rules that would permit calls like it for the session.
        suggestions: Vec<Value>,
    },
    Answers(Vec<Asked>),
    PlanDecision,
}

/// One of the questions asked together.
#[derive(Debug)]
pub(super) struct Asked {
    pub text: String,
    pub answer: Option<Answer>,
}

/// The id of the `nth` question of a request.
pub(super) fn question_id(request_id: &str, nth: usize) -> Option<QuestionId> {
    QuestionId::parse(&format!("{request_id}/{nth}")).ok()
}

/// Requests by their id.
#[derive(Debug, Default)]
pub(super) struct Requests(Bounded<Request>);

impl Requests {
    /// Largest input kept, in bytes; a call with a larger one cannot be asked for.
    pub(super) const INPUT_MAX: usize = 8 << 20;

    pub(super) fn open(&mut self, request_id: &str, request: Request) {
        let weight = request.input.get().len();
        self.0.insert(request_id, request, weight);
    }

    /// Forgets a request that the log shows to be answered.
    pub(super) fn close(&mut self, request_id: &str) -> Option<Request> {
        self.0.remove(request_id)
    }

    /// Forgets the request of a tool call that has a result.
    pub(super) fn close_tool(&mut self, tool_use_id: &str) {
        let of_tool = |request: &Request| request.tool_use_id.as_deref() == Some(tool_use_id);
        if self.0.values().any(of_tool) {
            for (id, request) in self.0.drain() {
                if !of_tool(&request) {
                    self.open(&id, request);
                }
            }
        }
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
        let (request_id, nth) = question.as_str().rsplit_once('/').ok_or_else(gone)?;
        let request = self.waiting(request_id).ok_or_else(gone)?;
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
        let answers = answers(asked);
        let input = with_field(&request.input, "answers", Value::Object(answers));
        request.answered = true;
        let permission = Permission::Allow {
            input: &input,
            permissions: Vec::new(),
        };
        Ok(say::permission(id, request_id, &permission)
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
        let Wants::Permission { suggestions } = &request.wants else {
            return Err(gone());
        };
        let edited;
        let permission = match decision {
            Decision::Allow { scope, input } => {
                let permissions = match scope {
                    ApprovalScope::Once => Vec::new(),
                    ApprovalScope::Task if !suggestions.is_empty() => suggestions.clone(),
                    ApprovalScope::Task | ApprovalScope::Repository | ApprovalScope::Everywhere => {
                        let reason = "claude offers no such scope here; allow it once";
                        return Err(CannotSay::Unfit { reason });
                    }
                };
                edited = edited_input(input.as_ref())?;
                let input = edited.as_deref().unwrap_or(&request.input);
                Permission::Allow { input, permissions }
            }
            Decision::Deny { message, interrupt } => Permission::Deny {
                message: message.as_deref().unwrap_or(REFUSED),
                interrupt: *interrupt,
            },
        };
        let outgoing = say::permission(id, approval.as_str(), &permission);
        request.answered = true;
        Ok(outgoing.into_iter().collect())
    }

    /// A plan that the user rewrote goes as a message besides: the program carries out its own file.
    pub(super) fn decide_plan(
        &mut self,
        id: &InputId,
        plan: &PlanId,
        decision: &PlanDecision,
        then: PermissionMode,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let gone = || CannotSay::gone(plan);
        let request = self.waiting(plan.as_str()).ok_or_else(gone)?;
        if !matches!(request.wants, Wants::PlanDecision) {
            return Err(gone());
        }
        request.answered = true;
        let rewritten;
        let mut more = None;
        let permission = match decision {
            PlanDecision::Approve { text } => {
                if let Some(text) = text {
                    rewritten = with_field(&request.input, "plan", json!(text));
                    more = rewritten_plan(id, text);
                } else {
                    rewritten = request.input.clone();
                }
                let mode = permission_mode(then);
                let mode = json!({"type": "setMode", "mode": mode, "destination": "session"});
                Permission::Allow {
                    input: &rewritten,
                    permissions: vec![mode],
                }
            }
            PlanDecision::Reject { comment } => Permission::Deny {
                message: comment.as_deref().unwrap_or(REFUSED),
                interrupt: false,
            },
        };
        let answer = say::permission(id, plan.as_str(), &permission);
        Ok(answer.into_iter().chain(more).collect())
    }

    fn waiting(&mut self, request_id: &str) -> Option<&mut Request> {
        self.0
            .get_mut(request_id)
            .filter(|request| !request.answered)
    }
}

/// What journals get for a request that the agent took back.
pub(super) fn withdrawn(request_id: &str, request: &Request) -> Vec<Body> {
    match &request.wants {
        Wants::Permission { .. } => {
            let id = ApprovalId::parse(request_id).ok();
            let resolved = id.map(|approval_id| Body::ApprovalResolved {
                approval_id,
                decision: None,
                rules: Vec::new(),
                by_rule: false,
            });
            resolved.into_iter().collect()
        }
        Wants::Answers(asked) => (0..asked.len())
            .filter_map(|nth| question_id(request_id, nth))
            .map(|question_id| Body::QuestionAnswered {
                question_id,
                answer: None,
            })
            .collect(),
        Wants::PlanDecision => {
            let id = PlanId::parse(request_id).ok();
            let resolved = id.map(|plan_id| Body::PlanResolved {
                plan_id,
                decision: None,
            });
            resolved.into_iter().collect()
        }
    }
}

/// Answers by question, as the tool wants them.
fn answers(asked: &[Asked]) -> Map<String, Value> {
    let said = asked.iter().map(|asked| {
        let answer = asked.answer.as_ref().map(Answer::as_text);
        (asked.text.clone(), json!(answer.unwrap_or_default()))
    });
    said.collect()
}

fn edited_input(input: Option<&Value>) -> Result<Option<Box<RawValue>>, CannotSay> {
    match input {
        None => Ok(None),
        Some(input) if input.is_object() => Ok(to_raw_value(input).ok()),
        Some(_) => Err(CannotSay::Unfit {
            reason: "the input of a tool is an object",
        }),
    }
}

/// `input` with one field set.
fn with_field(input: &RawValue, field: &str, value: Value) -> Box<RawValue> {
    let mut object: Map<String, Value> = serde_json::from_str(input.get()).unwrap_or_default();
    object.insert(field.to_owned(), value);
    to_raw_value(&object).unwrap_or_else(|_| input.to_owned())
}

fn rewritten_plan(id: &InputId, text: &str) -> Option<Outgoing> {
    let tail: String = id.as_str().chars().take(58).collect();
    let id = InputId::parse(&format!("plan-{tail}")).ok()?;
    let text = format!("I changed the plan. Carry out this one in place of yours:\n\n{text}");
    say::user(&id, &UserInput::words(&text))
}
