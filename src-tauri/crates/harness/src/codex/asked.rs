//! What the program asks of us, and takes back.

use paddock_domain::{
    Approval, ApprovalId, ApprovalScope, Body, Choice, PermissionMode, Question, ToolKind,
};
use serde_json::json;
use serde_json::value::RawValue;

use super::codec::CodexCodec;
use super::decode::{Out, Read, event};
use super::requests::{self, Asked, Request, Wants};
use super::wire::{AskParams, Call, ResolvedParams};
use super::{items, say};
use crate::Heard;
use crate::json::Text;

/// Most characters of a summary beside the tool's name.
const SUMMARY_MAX: usize = 200;

impl CodexCodec {
    pub(super) fn ask(&mut self, line: &str, tool: ToolKind, name: &str, out: &mut Out) -> Read {
        let call: Call<'_, AskParams<'_>> = serde_json::from_str(line)?;
        let Some(rpc_id) = call.id else { return Ok(()) };
        let accepts_edits = match self.setup.permission_mode {
            PermissionMode::FullAuto => true,
            PermissionMode::AcceptEdits => tool == ToolKind::Edit,
            PermissionMode::Plan => tool == ToolKind::Edit && !self.planning,
            PermissionMode::Ask => false,
        };
        if accepts_edits {
            let accept = say::own_result(rpc_id, &json!({"decision": "accept"}));
            out.extend(accept.map(Heard::Send));
            return Ok(());
        }
        let params = &call.params;
        let item = params.item_id.as_deref().unwrap_or("item");
        let key = requests::key(item, rpc_id);
        let command = params.command.as_deref().map(items::unwrapped);
        let first = command.and_then(|command| command.lines().next());
        // Of a change the request tells no more than the call, which came before it.
        let path = self.tools.get(item).and_then(|open| open.path.as_deref());
        let what = first.or(path).unwrap_or("change files");
        let Ok(approval_id) = ApprovalId::parse(&key) else {
            return Err(serde::de::Error::custom("the id of a request is no id"));
        };
        let approval = Approval {
            approval_id,
            tool_call_id: params.item_id.as_deref().map(str::to_owned),
            tool,
            tool_name: name.to_owned(),
            summary: format!(
                "{name}: {}",
                what.chars().take(SUMMARY_MAX).collect::<String>()
            ),
            reason: params.reason.as_deref().map(str::to_owned),
            input: command.map(|command| json!({"command": command, "cwd": params.cwd.as_deref()})),
            scopes: vec![ApprovalScope::Once, ApprovalScope::Task],
            offers: Vec::new(),
        };
        event(out, Body::ApprovalRequested(Box::new(approval)));
        self.open_request(&key, rpc_id, Wants::Permission);
        Ok(())
    }

    pub(super) fn ask_user(&mut self, line: &str, out: &mut Out) -> Read {
        let call: Call<'_, AskParams<'_>> = serde_json::from_str(line)?;
        let Some(rpc_id) = call.id else { return Ok(()) };
        let key = requests::key(call.params.item_id.as_deref().unwrap_or("item"), rpc_id);
        let mut asked = Vec::new();
        let mut questions = Vec::new();
        for (nth, question) in call.params.questions.into_iter().enumerate() {
            let Some(question_id) = requests::question_id(&key, nth) else {
                return Err(serde::de::Error::custom("the id of a request is no id"));
            };
            asked.push(Asked {
                id: question.id.into_owned(),
                answer: None,
            });
            let choices = question.options.into_iter().flatten().map(|option| Choice {
                label: option.label.into_owned(),
                description: option.description.map(Text::into_owned),
            });
            questions.push(Question {
                question_id,
                header: question.header.map(Text::into_owned),
                text: question.question.into_owned(),
                choices: choices.collect(),
                multiple: false,
            });
        }
        out.extend(
            questions
                .into_iter()
                .map(|asked| Heard::Event(Body::QuestionAsked(asked))),
        );
        self.open_request(&key, rpc_id, Wants::Answers(asked));
        Ok(())
    }

    fn open_request(&mut self, key: &str, rpc_id: &RawValue, wants: Wants) {
        let request = Request {
            rpc_id: rpc_id.to_owned(),
            wants,
            answered: false,
        };
        self.requests.open(key, request);
    }

    pub(super) fn resolved(&mut self, params: &ResolvedParams<'_>, out: &mut Out) {
        let Some((key, request)) = self.requests.close(params.request_id.get()) else {
            return;
        };
        if !request.answered {
            let bodies = requests::withdrawn(&key, &request);
            out.extend(bodies.into_iter().map(Heard::Event));
        }
    }
}
