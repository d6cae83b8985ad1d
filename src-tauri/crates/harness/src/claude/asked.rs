//! The control protocol: what the program asks of us, takes back, and answers.

use paddock_domain::{
    Approval, ApprovalId, ApprovalScope, Body, Choice, NoticeLevel, Plan, PlanId, Question,
};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::codec::ClaudeCodec;
use super::decode::{Out, event, read, short};
use super::requests::{self, Asked, Request, Requests, Wants};
use super::wire::{ControlCancel, ControlRequest, ControlResponse, Questions, SetModelResponse};
use super::{say, tools};
use crate::Heard;
use crate::bodies::notice;
use crate::json::Text;
use crate::unknown::unknown;

/// Most suggested rules that are kept.
const RULES_MAX: usize = 32;

impl ClaudeCodec {
    pub(super) fn control_response(&mut self, answer: &ControlResponse<'_>, out: &mut Out) {
        let response = &answer.response;
        let request_id = &*response.request_id;
        let failed = &*response.subtype == "error";
        if request_id == say::GREETING {
            self.become_ready(out);
            self.learn_offers(response.response, out);
        } else if request_id.starts_with(say::MODEL) && !failed {
            let set: Option<SetModelResponse<'_>> =
                response.response.and_then(|raw| read(raw.get()).ok());
            if let Some(model) = set.and_then(|set| set.model) {
                self.select_model(&model, out);
            }
        }
        if failed {
            let error = response.error.as_deref().unwrap_or("no reason given");
            let text = format!("claude refused `{}`: {error}", short(request_id));
            event(out, notice(NoticeLevel::Warning, text));
        }
    }

    pub(super) fn control_cancel(&mut self, cancel: &ControlCancel<'_>, out: &mut Out) {
        if let Some(request) = self.requests.close(&cancel.request_id)
            && !request.answered
        {
            let bodies = requests::withdrawn(&cancel.request_id, &request);
            out.extend(bodies.into_iter().map(Heard::Event));
        }
    }

    pub(super) fn control_request(
        &mut self,
        line: &str,
        asked: &ControlRequest<'_>,
        out: &mut Out,
    ) {
        let request_id = &*asked.request_id;
        let request = &asked.request;
        let refuse = |out: &mut Out, why: &str| {
            out.push(unknown(line.as_bytes(), why));
            out.extend(say::refusal(request_id, why).map(Heard::Send));
        };
        if &*request.subtype != "can_use_tool" {
            let why = format!("control request `{}`", short(&request.subtype));
            return refuse(out, &why);
        }
        let empty = RawValue::NULL;
        let input = request.input.unwrap_or(empty);
        if input.get().len() > Requests::INPUT_MAX {
            return refuse(
                out,
                "the input of the tool call is too large to be decided on",
            );
        }
        let name = request.tool_name.as_deref().unwrap_or_default();
        let wanted = match name {
            tools::ASK => ask(request_id, input, out),
            tools::EXIT_PLAN => self.propose(asked, input, out),
            _ => approve(asked, name, input, out),
        };
        let Some(wants) = wanted else {
            return refuse(out, "a request that cannot be shown");
        };
        let tool_use_id = request.tool_use_id.as_deref().map(str::to_owned);
        let request = Request {
            tool_use_id,
            input: input.to_owned(),
            wants,
            answered: false,
        };
        self.requests.open(request_id, request);
    }

    /// The plan stands in the request where the agent wrote it to its file, and in the tool call where it
    /// did not.
    fn propose(
        &mut self,
        asked: &ControlRequest<'_>,
        input: &RawValue,
        out: &mut Out,
    ) -> Option<Wants> {
        let call = asked.request.tool_use_id.as_deref();
        let in_call = call.and_then(|id| self.hidden.get(id)).cloned();
        let plan = Plan {
            plan_id: PlanId::parse(&asked.request_id).ok()?,
            text: plan_of(input).or(in_call).unwrap_or_default(),
        };
        event(out, Body::PlanProposed(plan));
        Some(Wants::PlanDecision)
    }
}

pub(super) fn plan_of(input: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Input {
        plan: Option<String>,
    }
    let input: Input = serde_json::from_str(input.get()).ok()?;
    input.plan.filter(|plan| !plan.is_empty())
}

fn ask(request_id: &str, input: &RawValue, out: &mut Out) -> Option<Wants> {
    let asked: Questions<'_> = serde_json::from_str(input.get()).ok()?;
    let mut questions = Vec::new();
    let mut slots = Vec::new();
    for (nth, question) in asked.questions.into_iter().enumerate() {
        let text = question.question.into_owned();
        slots.push(Asked {
            text: text.clone(),
            answer: None,
        });
        let choices = question.options.into_iter().map(|option| Choice {
            label: option.label.into_owned(),
            description: option.description.map(Text::into_owned),
        });
        questions.push(Question {
            question_id: requests::question_id(request_id, nth)?,
            header: question.header.map(Text::into_owned),
            text,
            choices: choices.collect(),
            multiple: question.multi_select,
        });
    }
    if questions.is_empty() {
        return None;
    }
    out.extend(
        questions
            .into_iter()
            .map(|asked| Heard::Event(Body::QuestionAsked(asked))),
    );
    Some(Wants::Answers(slots))
}

fn approve(
    asked: &ControlRequest<'_>,
    name: &str,
    input: &RawValue,
    out: &mut Out,
) -> Option<Wants> {
    let request = &asked.request;
    let call_id = request.tool_use_id.as_deref().map(str::to_owned);
    let call = tools::started(
        call_id.clone().unwrap_or_default(),
        name.to_owned(),
        Some(input),
        None,
    );
    let suggestions = session_rules(request.permission_suggestions);
    let scopes = match suggestions.is_empty() {
        true => vec![ApprovalScope::Once],
        false => vec![ApprovalScope::Once, ApprovalScope::Task],
    };
    let approval = Approval {
        approval_id: ApprovalId::parse(&asked.request_id).ok()?,
        tool_call_id: call_id,
        tool: call.tool,
        summary: tools::summary(&call, request.description.as_deref()),
        tool_name: call.tool_name,
        reason: request.decision_reason.as_deref().map(str::to_owned),
        input: call.args,
        scopes,
        offers: Vec::new(),
    };
    event(out, Body::ApprovalRequested(Box::new(approval)));
    Some(Wants::Permission { suggestions })
}

/// The suggested rules, all for the session: those for the repository would write a file into it.
fn session_rules(suggestions: Option<&RawValue>) -> Vec<Value> {
    let rules = suggestions.and_then(|raw| serde_json::from_str(raw.get()).ok());
    let mut rules: Vec<Value> = rules.unwrap_or_default();
    rules.truncate(RULES_MAX);
    rules.retain(Value::is_object);
    for rule in &mut rules {
        if let Some(destination) = rule.get_mut("destination") {
            *destination = Value::from("session");
        }
    }
    rules
}
