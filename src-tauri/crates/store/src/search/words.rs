//! What of an event can be found: its words, cut to what is worth finding, and their kind.

use std::borrow::Cow;

use paddock_domain::{
    Answer, Approval, Body, Decision, PastMessage, PlanDecision, Question, SearchKind, Speaker,
    ToolCallFinished, ToolCallStarted,
};

/// Most bytes of what was said that are searched.
const SAID_MAX: usize = 16 << 10;
/// Most bytes of a tool's input and output that are searched: half from its beginning, half from its end.
const OUTPUT_MAX: usize = 2 << 10;

/// What stands before and after a match in what the database gives back; in no text that is kept.
pub(super) const MARKS: [char; 2] = ['\u{2}', '\u{3}'];

/// The words of one event.
#[derive(Debug, PartialEq)]
pub(super) struct Words {
    pub(super) kind: SearchKind,
    pub(super) text: String,
}

/// What can be found of `body`; nothing when it says nothing.
pub(super) fn of(body: &Body) -> Option<Words> {
    let (kind, text) = said(body)?;
    let text = clean(&cut(&text, limit(kind)));
    let is_word = text.contains(char::is_alphanumeric);
    is_word.then_some(Words { kind, text })
}

fn limit(kind: SearchKind) -> usize {
    match kind {
        SearchKind::Tool | SearchKind::Output => OUTPUT_MAX,
        SearchKind::Prompt
        | SearchKind::Message
        | SearchKind::Agent
        | SearchKind::Thinking
        | SearchKind::Question
        | SearchKind::Plan
        | SearchKind::Error
        | SearchKind::Notice
        | SearchKind::Branch => SAID_MAX,
    }
}

fn said(body: &Body) -> Option<(SearchKind, String)> {
    let found = match body {
        Body::SessionStarted {
            task_description,
            spec,
            ..
        } => (SearchKind::Prompt, prompt(task_description, &spec.prompt)),
        Body::UserMessage { content, .. } => (SearchKind::Message, content.clone()),
        Body::SessionAdopted { messages, .. } => (SearchKind::Message, before(messages)),
        Body::QuestionAnswered { answer, .. } => (SearchKind::Message, answered(answer.as_ref()?)),
        Body::ApprovalResolved { decision, .. } => {
            (SearchKind::Message, decided(decision.as_ref()?)?)
        }
        Body::PlanResolved { decision, .. } => (SearchKind::Message, judged(decision.as_ref()?)?),
        Body::AssistantMessage { blocks, .. } => {
            let texts = blocks.iter().map(|block| block.content.as_str());
            (SearchKind::Agent, joined(texts))
        }
        Body::ContextCondensed { summary_text, .. } => (SearchKind::Agent, summary_text.clone()?),
        Body::VerificationAttempt {
            summary, issues, ..
        } => {
            let issues = issues.iter().map(String::as_str);
            (
                SearchKind::Agent,
                joined([summary.as_str()].into_iter().chain(issues)),
            )
        }
        Body::Thinking { text, .. } => (SearchKind::Thinking, text.clone()),
        Body::ToolCallStarted(call) => (SearchKind::Tool, called(call)),
        Body::SubagentStarted { name, prompt, .. } => {
            (SearchKind::Tool, joined([name.as_str(), prompt]))
        }
        Body::ToolCallFinished(call) => (SearchKind::Output, gave(call)?),
        Body::CheckFinished(check) => (
            SearchKind::Output,
            joined([check.command.as_str(), &check.output]),
        ),
        Body::QuestionAsked(question) => (SearchKind::Question, asked(question)),
        Body::ApprovalRequested(approval) => (SearchKind::Question, wanted(approval)),
        Body::PlanProposed(plan) => (SearchKind::Plan, plan.text.clone()),
        Body::TodoUpdated { .. } => return None, // the same list, again and again
        Body::Error { message, raw, .. } => (
            SearchKind::Error,
            joined([message.as_str(), raw.as_deref().unwrap_or_default()]),
        ),
        Body::RunEnded { stderr_tail, .. } => (SearchKind::Error, stderr_tail.clone()),
        Body::RateLimited(_) | Body::Retrying(_) => return None,
        Body::StateChanged { cause, .. } => (SearchKind::Notice, cause.clone()?),
        Body::Notice { text, .. } | Body::WishFailed { why: text, .. } => {
            (SearchKind::Notice, text.clone())
        }
        Body::BranchClaimed {
            repository,
            branch,
            base,
            ..
        } => (
            SearchKind::Branch,
            joined([branch.as_str(), base, repository]),
        ),
        Body::CommitMade {
            commit, subject, ..
        } => (SearchKind::Branch, joined([subject.as_str(), commit])),
        Body::BranchPushed {
            remote,
            branch,
            commit,
            ..
        } => (
            SearchKind::Branch,
            joined([branch.as_str(), remote, commit]),
        ),
        Body::RepositoryRelinked { path, .. } => (SearchKind::Branch, path.clone()),
        Body::ProviderSwitched { reason, .. } => (SearchKind::Notice, reason.clone()),
        // Found as the message that it becomes.
        Body::FollowUpQueued { .. }
        | Body::FollowUpEdited { .. }
        | Body::FollowUpRemoved { .. }
        | Body::FollowUpsOrdered { .. }
        | Body::PlaceMoved { .. }
        | Body::PutAside { .. }
        | Body::TakenUp {}
        | Body::Archived {}
        | Body::Unarchived {}
        | Body::ModelSelected { .. }
        | Body::ToolDeclared { .. }
        | Body::TerminalOutput { .. }
        | Body::SessionEnded { .. }
        | Body::BoxCreated { .. }
        | Body::RunStarted { .. }
        | Body::AgentSessionNamed { .. }
        | Body::TurnFinished { .. }
        | Body::SubagentFinished { .. }
        | Body::UsageUpdated(_)
        | Body::ContextMeasured { .. }
        | Body::RetryEnded {}
        | Body::ResumeScheduled { .. }
        | Body::ResumeCancelled {}
        | Body::AgentSilent { .. }
        | Body::AgentStirred {}
        | Body::AgentOffers(_)
        | Body::AgentTuned { .. }
        | Body::CondensingWished { .. }
        | Body::DiffStat { .. }
        | Body::WinnerPicked { .. } => return None,
    };
    Some(found)
}

fn joined<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join("\n")
}

/// What user and agent said before the task had the session.
fn before(messages: &[PastMessage]) -> String {
    let said = messages.iter().filter(|message| match message.by {
        Speaker::User | Speaker::Agent => true,
        Speaker::Tool => false,
    });
    joined(said.map(|message| message.text.as_str()))
}

fn prompt(title: &str, prompt: &str) -> String {
    if prompt.starts_with(title) {
        return prompt.to_owned();
    }
    joined([title, prompt])
}

fn answered(answer: &Answer) -> String {
    answer.as_text()
}

fn decided(decision: &Decision) -> Option<String> {
    match decision {
        Decision::Allow { .. } => None,
        Decision::Deny { message, .. } => message.clone(),
    }
}

fn judged(decision: &PlanDecision) -> Option<String> {
    match decision {
        PlanDecision::Approve { text } => text.clone(),
        PlanDecision::Reject { comment } => comment.clone(),
    }
}

fn called(call: &ToolCallStarted) -> String {
    let named = [
        call.tool_name.as_str(),
        call.server.as_deref().unwrap_or_default(),
        call.command.as_deref().unwrap_or_default(),
        call.path.as_deref().unwrap_or_default(),
    ];
    let is_told = call.command.is_some() || call.path.is_some();
    let args = call.args.as_ref().filter(|_| !is_told);
    let args = args.map(strings).unwrap_or_default();
    joined(named.into_iter().chain([args.as_str()]))
}

/// The texts of a tool's input, without its keys and brackets.
fn strings(value: &serde_json::Value) -> String {
    let mut found = String::new();
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        if found.len() > OUTPUT_MAX {
            break;
        }
        match value {
            serde_json::Value::String(text) => {
                found.push_str(text);
                found.push('\n');
            }
            serde_json::Value::Array(items) => left.extend(items.iter().rev()),
            serde_json::Value::Object(fields) => left.extend(fields.values().rev()),
            serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {
            }
        }
    }
    found
}

/// What a call gave that failed. What others gave is mostly files that are found in the repository, and would be
/// most of the index.
fn gave(call: &ToolCallFinished) -> Option<String> {
    let failed = call.is_error || call.exit_code.is_some_and(|code| code != 0);
    call.output.clone().filter(|_| failed)
}

fn asked(question: &Question) -> String {
    let header = question.header.as_deref().unwrap_or_default();
    let choices = question.choices.iter().map(|choice| choice.label.as_str());
    joined([header, question.text.as_str()].into_iter().chain(choices))
}

fn wanted(approval: &Approval) -> String {
    let reason = approval.reason.as_deref().unwrap_or_default();
    joined([approval.tool_name.as_str(), &approval.summary, reason])
}

/// `text` without what the database cannot hold or what marks a match.
fn clean(text: &str) -> String {
    let odd = |c: char| c == '\0' || MARKS.contains(&c);
    text.replace(odd, " ")
}

/// `text`, or its beginning and its end where it has more than `most` bytes.
fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return text.into();
    }
    let head = text.floor_char_boundary(most / 2);
    let tail = text.ceil_char_boundary(text.len() - most / 2);
    format!("{} … {}", &text[..head], &text[tail..]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_output_is_found_by_its_beginning_and_its_end() {
        let output = format!("first {} last", "ü".repeat(OUTPUT_MAX));
        let body = Body::ToolCallFinished(ToolCallFinished {
            output: Some(output),
            is_error: true,
            ..ToolCallFinished::default()
        });
        let words = of(&body).unwrap();
        assert!(words.text.starts_with("first ") && words.text.ends_with(" last"));
        assert!(words.text.len() <= OUTPUT_MAX + " … ".len());
    }

    #[test]
    fn what_would_be_taken_for_a_mark_is_not_kept() {
        let body = Body::Thinking {
            text: "a\u{2}b\u{3}c\0d".to_owned(),
            parent_tool_call_id: None,
        };
        assert_eq!(of(&body).unwrap().text, "a b c d");
    }

    #[test]
    fn what_says_nothing_is_not_there() {
        let body = Body::Thinking {
            text: " -- \n".to_owned(),
            parent_tool_call_id: None,
        };
        assert_eq!(of(&body), None);
    }
}
