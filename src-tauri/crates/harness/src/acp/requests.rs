//! What an agent waits for: permissions, answers and decisions on plans.
//!
//! The protocol has one request for all three. A request stays here until the log shows that it was
//! answered, so that a replay sees what the live run saw.

use paddock_domain::{
    Answer, Approval, ApprovalId, ApprovalScope, Body, Choice, Decision, InputId, Plan,
    PlanDecision, PlanId, Question, QuestionId,
};
use serde_json::value::RawValue;

use super::calls::Call;
use super::say::{self, Outcome};
use super::wire::PermissionOption;
use crate::bounded::Bounded;
use crate::{CannotSay, Outgoing};

/// What kinds of answers are called in the protocol.
const ALLOW_ONCE: &str = "allow_once";
const ALLOW_ALWAYS: &str = "allow_always";
const REJECT: [&str; 2] = ["reject_once", "reject_always"];

/// The ACP kind of a call that ends planning.
const SWITCH_MODE: &str = "switch_mode";

/// A request that the agent waits for.
#[derive(Debug)]
struct Request {
    /// Its JSON-RPC id, as it came.
    rpc_id: Box<RawValue>,
    wants: Wants,
    options: Vec<PermissionOption>,
    /// An answer is on its way.
    answered: bool,
}

/// What an agent wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    Permission,
    Answer,
    PlanDecision,
}

impl Wants {
    /// What a request for a call of this kind, with these options, is after.
    pub(super) fn of(kind: Option<&str>, options: &[PermissionOption]) -> Self {
        if is_question(options) {
            Self::Answer
        } else if kind == Some(SWITCH_MODE) {
            Self::PlanDecision
        } else {
            Self::Permission
        }
    }
}

/// Requests by our key for them: unique in the task, where the agent's ids begin anew in each run.
#[derive(Debug, Default)]
pub(super) struct Requests(Bounded<Request>);

impl Requests {
    /// Takes a request in; the event that tells it, or nothing when its ids are no ids.
    pub(super) fn open(
        &mut self,
        rpc_id: &RawValue,
        call_id: &str,
        wants: Wants,
        call: &Call,
        options: Vec<PermissionOption>,
    ) -> Option<Body> {
        let key = format!("{call_id}#{}", rpc_id.get().trim_matches('"'));
        let body = match wants {
            Wants::Answer => Body::QuestionAsked(question(&key, call, &options)?),
            Wants::PlanDecision => Body::PlanProposed(plan(&key, call)?),
            Wants::Permission => {
                let approval = approval(&key, call_id, call, &options)?;
                Body::ApprovalRequested(Box::new(approval))
            }
        };
        let request = Request {
            rpc_id: rpc_id.to_owned(),
            wants,
            options,
            answered: false,
        };
        self.0.insert(&key, request, rpc_id.get().len());
        Some(body)
    }

    /// The log shows an answer to the request of this JSON-RPC id.
    pub(super) fn close(&mut self, rpc_id: &RawValue) {
        self.0
            .retain(|request| request.rpc_id.get() != rpc_id.get());
    }

    pub(super) fn close_all(&mut self) {
        self.0.drain();
    }

    /// Answers to everything that waits, for a turn that is being cancelled.
    pub(super) fn cancel(&mut self) -> Vec<Outgoing> {
        let mut outgoing = Vec::new();
        self.0.each_mut(|request| {
            if !std::mem::replace(&mut request.answered, true) {
                outgoing.extend(say::own_outcome(&request.rpc_id, Outcome::Cancelled));
            }
        });
        outgoing
    }

    /// Takes back everything that waits, for a session that is to be forgotten: the agent is answered, and who
    /// was asked is told, whether an answer is on its way or not, since a replay does not know of that.
    pub(super) fn withdraw(&mut self) -> (Vec<Outgoing>, Vec<Body>) {
        let outgoing = self.cancel();
        let withdrawn = self.0.drain().into_iter();
        let withdrawn = withdrawn.filter_map(|(key, request)| withdrawn_of(&key, request.wants));
        (outgoing, withdrawn.collect())
    }

    pub(super) fn answer(
        &mut self,
        id: &InputId,
        question: &QuestionId,
        answer: &Answer,
    ) -> Result<Option<Outgoing>, CannotSay> {
        let request = self.waiting(question.as_str(), Wants::Answer)?;
        let (chosen, text) = (answer.choices.first(), answer.text.as_deref());
        let fits = |option: &&PermissionOption| Some(&option.name) == chosen;
        let option = match (request.options.iter().find(fits), text) {
            (Some(option), None) if answer.choices.len() == 1 => option.option_id.clone(),
            _ => {
                let reason = "this agent takes exactly one of the choices and no text of your own; \
                              interrupt it and say the rest in a message";
                return Err(CannotSay::Unfit { reason });
            }
        };
        Ok(request.reply(id, &option, None))
    }

    pub(super) fn decide(
        &mut self,
        id: &InputId,
        approval: &ApprovalId,
        decision: &Decision,
    ) -> Result<Option<Outgoing>, CannotSay> {
        let request = self.waiting(approval.as_str(), Wants::Permission)?;
        match decision {
            Decision::Allow { input: Some(_), .. } => {
                let reason = "this agent takes no edited input; deny it and say what to do instead";
                Err(CannotSay::Unfit { reason })
            }
            Decision::Allow { scope, input: None } => {
                let kind = match scope {
                    ApprovalScope::Once => ALLOW_ONCE,
                    ApprovalScope::Task => ALLOW_ALWAYS,
                    ApprovalScope::Repository | ApprovalScope::Everywhere => {
                        let reason = "this agent offers no such scope; allow it for the task";
                        return Err(CannotSay::Unfit { reason });
                    }
                };
                let option = request.option(&[kind])?;
                Ok(request.reply(id, &option, None))
            }
            Decision::Deny { message, interrupt } => match request.option(&REJECT) {
                Ok(option) if !interrupt => Ok(request.reply(id, &option, message.as_deref())),
                // A cancelled request ends the turn; so does one that cannot be refused.
                Ok(_) | Err(_) => {
                    request.answered = true;
                    Ok(say::outcome(id, &request.rpc_id, Outcome::Cancelled))
                }
            },
        }
    }

    pub(super) fn decide_plan(
        &mut self,
        id: &InputId,
        plan: &PlanId,
        decision: &PlanDecision,
    ) -> Result<Option<Outgoing>, CannotSay> {
        let request = self.waiting(plan.as_str(), Wants::PlanDecision)?;
        let (option, words) = match decision {
            PlanDecision::Approve { text } => (
                request.option(&[ALLOW_ONCE, ALLOW_ALWAYS])?,
                text.as_deref(),
            ),
            PlanDecision::Reject { comment } => (request.option(&REJECT)?, comment.as_deref()),
        };
        Ok(request.reply(id, &option, words))
    }

    fn waiting(&mut self, key: &str, wants: Wants) -> Result<&mut Request, CannotSay> {
        let request = self.0.get_mut(key);
        let waits = |request: &&mut Request| !request.answered && request.wants == wants;
        request.filter(waits).ok_or_else(|| CannotSay::gone(key))
    }
}

impl Request {
    /// The first option of one of these kinds.
    fn option(&self, kinds: &[&str]) -> Result<String, CannotSay> {
        let reason = "this agent does not offer that";
        let option = first_of(&self.options, kinds).ok_or(CannotSay::Unfit { reason })?;
        Ok(option.to_owned())
    }

    fn reply(&mut self, id: &InputId, option: &str, words: Option<&str>) -> Option<Outgoing> {
        self.answered = true;
        say::outcome(id, &self.rpc_id, Outcome::Selected(option, words))
    }
}

/// Nobody is to answer the request of this key any more.
fn withdrawn_of(key: &str, wants: Wants) -> Option<Body> {
    Some(match wants {
        Wants::Permission => Body::ApprovalResolved {
            approval_id: ApprovalId::parse(key).ok()?,
            decision: None,
            rules: Vec::new(),
            by_rule: false,
        },
        Wants::Answer => Body::QuestionAnswered {
            question_id: QuestionId::parse(key).ok()?,
            answer: None,
        },
        Wants::PlanDecision => Body::PlanResolved {
            plan_id: PlanId::parse(key).ok()?,
            decision: None,
        },
    })
}

/// The option that lets the call go ahead this once.
pub(super) fn allowing(options: &[PermissionOption]) -> Option<&str> {
    first_of(options, &[ALLOW_ONCE, ALLOW_ALWAYS])
}

/// The first option of the first of these kinds that there is.
fn first_of<'o>(options: &'o [PermissionOption], kinds: &[&str]) -> Option<&'o str> {
    let of_kind = |kind: &&str| options.iter().find(|option| option.kind == **kind);
    let found = kinds.iter().find_map(of_kind);
    found.map(|option| option.option_id.as_str())
}

/// Kimi asks its questions as permissions: `q0_opt_0`, `q0_opt_1`, …, `q0_skip`.
fn is_question(options: &[PermissionOption]) -> bool {
    let is_choice = |id: &str| {
        let rest = id.strip_prefix('q').unwrap_or_default();
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.starts_with("_opt_")
    };
    options.iter().any(|option| is_choice(&option.option_id))
}

fn question(key: &str, call: &Call, options: &[PermissionOption]) -> Option<Question> {
    let choices = options
        .iter()
        .filter(|option| !REJECT.contains(&option.kind.as_str()));
    Some(Question {
        question_id: QuestionId::parse(key).ok()?,
        header: None,
        text: call.shown().to_owned(),
        choices: choices
            .map(|option| Choice {
                label: option.name.clone(),
                description: None,
            })
            .collect(),
        multiple: false,
    })
}

fn plan(key: &str, call: &Call) -> Option<Plan> {
    let text = call.text("plan").unwrap_or(call.shown());
    Some(Plan {
        plan_id: PlanId::parse(key).ok()?,
        text: text.to_owned(),
    })
}

fn approval(
    key: &str,
    call_id: &str,
    call: &Call,
    options: &[PermissionOption],
) -> Option<Approval> {
    let has = |kind: &str| options.iter().any(|option| option.kind == kind);
    let mut scopes = vec![ApprovalScope::Once];
    if has(ALLOW_ALWAYS) {
        scopes.push(ApprovalScope::Task);
    }
    Some(Approval {
        approval_id: ApprovalId::parse(key).ok()?,
        tool_call_id: Some(call_id.to_owned()),
        tool: call.tool(),
        tool_name: call.tool_name(),
        summary: call.summary(),
        reason: None,
        input: call.input().cloned(),
        scopes,
        offers: Vec::new(),
    })
}
