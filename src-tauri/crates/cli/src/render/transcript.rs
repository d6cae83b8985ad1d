//! What happened, as a person reads it: one event after the other, text live as it is said.
//!
//! The invariant: a message that streamed is not printed again when it arrives whole. Pure: events in, text
//! out.

mod asked;

use std::fmt::Write as _;

use paddock_domain::{
    BlockKind, Body, CondensePolicy, Condensing, Delta, DeltaKind, Event, NoticeLevel, PastMessage,
    PlanDecision, RunExit, Speaker, StateName, ToolCallFinished, ToolCallStarted, ToolKind,
    TurnOutcome,
};

use super::standing::retried;
use super::{Paint, Tone, clean};

/// Most characters of a line that sums something up.
const LINE_MAX: usize = 140;
/// Most lines of a failed command's output that are shown, from its end.
const TAIL_LINES: usize = 12;

/// A transcript under way.
pub(crate) struct Transcript {
    paint: Paint,
    live: bool,
    /// What has streamed of messages that did not arrive whole yet, by key.
    streamed: Vec<(String, String)>,
    mid_line: bool,
}

impl Transcript {
    /// A transcript; `live` shows pieces of messages as they come.
    pub(crate) fn new(paint: Paint, live: bool) -> Self {
        Self {
            paint,
            live,
            streamed: Vec::new(),
            mid_line: false,
        }
    }

    /// A piece of a message.
    pub(crate) fn delta(&mut self, delta: &Delta) -> String {
        // Sub-agents speak at once: each of their messages is printed when it is whole.
        if !self.live || delta.kind != DeltaKind::Text || delta.parent_tool_call_id.is_some() {
            return String::new();
        }
        let last = self
            .streamed
            .last_mut()
            .filter(|(key, _)| *key == delta.key);
        let start = if let Some((_, said)) = last {
            said.push_str(&delta.text);
            String::new()
        } else {
            self.streamed.push((delta.key.clone(), delta.text.clone()));
            self.end_line()
        };
        let text = clean(&delta.text);
        self.mid_line = !text.ends_with('\n');
        start + &text
    }

    /// The stream begins anew behind history: what is under way is told again from its beginning.
    pub(crate) fn rejoin(&mut self) -> String {
        self.streamed.clear();
        self.end_line()
    }

    /// An event.
    pub(crate) fn event(&mut self, event: &Event) -> String {
        let text = self.text_of(&event.body);
        if text.is_empty() {
            return text;
        }
        if let Body::AssistantMessage { .. } = event.body {
            return text;
        }
        let mut whole = self.end_line();
        whole.push_str(&text);
        whole
    }

    fn end_line(&mut self) -> String {
        if std::mem::take(&mut self.mid_line) {
            "\n".to_owned()
        } else {
            String::new()
        }
    }

    fn text_of(&mut self, body: &Body) -> String {
        match body {
            Body::UserMessage {
                content,
                attachments,
                ..
            } => {
                let you = self.paint.text(Tone::Strong, "you");
                let files = attachments.iter().map(|file| {
                    let (name, size) = (&file.name, super::size(file.size));
                    self.quiet(&format!("with {name} ({}, {size})", file.media_type))
                });
                let files: String = files.collect();
                format!("{you}  {}\n{files}", clean(content.trim_end()))
            }
            Body::FollowUpQueued { content, .. } => {
                self.quiet(&format!("queued for after the turn: {content}"))
            }
            Body::FollowUpEdited { content, .. } => {
                self.quiet(&format!("queued message changed to: {content}"))
            }
            Body::FollowUpRemoved { .. } => self.quiet("a queued message was removed"),
            Body::FollowUpsOrdered { .. } => self.quiet("the queued messages were put in order"),
            Body::PlaceMoved { .. } => self.quiet("moved in the line for a place"),
            Body::PutAside { .. } => self.quiet("put aside"),
            Body::TakenUp {} => self.quiet("taken up again"),
            Body::Archived {} => self.quiet("put into the archive"),
            Body::Unarchived {} => self.quiet("taken out of the archive"),
            Body::AssistantMessage {
                blocks,
                parent_tool_call_id,
            } => {
                let said: Vec<_> = blocks
                    .iter()
                    .map(|block| match block.kind {
                        BlockKind::Text | BlockKind::Refusal => block.content.as_str(),
                    })
                    .collect();
                self.message(&said.join("\n"), parent_tool_call_id.is_some())
            }
            Body::ToolCallStarted(call) => self.tool(call),
            Body::ToolCallFinished(call) => self.tool_result(call),
            Body::TodoUpdated { items } => {
                let done = items
                    .iter()
                    .filter(|item| item.status == paddock_domain::TodoStatus::Completed);
                self.quiet(&format!("todo {}/{}", done.count(), items.len()))
            }
            Body::QuestionAsked(question) => self.question(question),
            Body::QuestionAnswered { answer, .. } => self.answered(answer.as_ref()),
            Body::ApprovalRequested(approval) => self.approval(approval),
            Body::ApprovalResolved {
                decision,
                rules,
                by_rule,
                ..
            } => self.decided(decision.as_ref(), rules, *by_rule),
            Body::PlanProposed(plan) => {
                format!(
                    "{}\n{}\n",
                    self.paint.text(Tone::Attention, "plan"),
                    clean(plan.text.trim_end())
                )
            }
            Body::PlanResolved { decision, .. } => self.quiet(match decision {
                Some(PlanDecision::Approve { .. }) => "plan approved",
                Some(PlanDecision::Reject { .. }) => "plan rejected",
                None => "plan withdrawn",
            }),
            Body::TurnFinished {
                outcome,
                duration_ms,
            } => self.turn_end(*outcome, *duration_ms),
            Body::Error { message, .. } => {
                format!(
                    "{} {}\n",
                    self.paint.text(Tone::Failure, "error"),
                    clean(message)
                )
            }
            Body::Notice { level, text, .. } => match level {
                NoticeLevel::Info => self.quiet(text),
                NoticeLevel::Warning => {
                    format!(
                        "{} {}\n",
                        self.paint.text(Tone::Attention, "note"),
                        clean(text)
                    )
                }
            },
            Body::RunEnded { exit, .. } => self.run_end(*exit),
            Body::StateChanged { to, cause, .. } => self.state(*to, cause.as_deref()),
            Body::BranchClaimed {
                branch,
                base,
                repository,
                ..
            } => self.quiet(&format!("branch {branch} from {base} in {repository}")),
            Body::BoxCreated { name, image, .. } => {
                let image = image
                    .as_deref()
                    .map(|image| format!(" of {image}"))
                    .unwrap_or_default();
                self.quiet(&format!("box {name}{image}"))
            }
            Body::RunStarted {
                harness,
                version,
                resumed,
                account,
                ..
            } => {
                let how = if *resumed { "goes on" } else { "starts" };
                let account = account.as_ref();
                let by = account.map(|name| format!(" with account {name}")).unwrap_or_default();
                self.quiet(&format!("{harness} {version} {how}{by}"))
            }
            Body::SubagentStarted { name, .. } => self.quiet(&format!("sub-agent {name}")),
            Body::CommitMade {
                commit, subject, ..
            } => self.quiet(&format!(
                "commit {} {subject}",
                commit.get(..10).unwrap_or(commit)
            )),
            Body::RepositoryRelinked { repository, path } => {
                self.quiet(&format!("{repository} is at {path} now"))
            }
            Body::BranchPushed { remote, branch, .. } => {
                self.quiet(&format!("pushed to {remote}/{branch}"))
            }
            Body::CheckFinished(check) => {
                let ended = match check.exit_code {
                    Some(0) => "passed".to_owned(),
                    Some(code) => format!("failed with {code}"),
                    None => "did not end".to_owned(),
                };
                self.quiet(&format!("check `{}` {ended}", check.command))
            }
            Body::WinnerPicked { winner, .. } => self.quiet(&format!("task {winner} was chosen")),
            Body::Retrying(retry) => self.attention(&retried(retry)),
            Body::RateLimited(limit) if limit.blocked => {
                let until = limit
                    .resets_at
                    .map(|at| format!(" until {at}"))
                    .unwrap_or_default();
                format!(
                    "{} {}{until}\n",
                    self.paint.text(Tone::Attention, "limit"),
                    clean(&limit.name)
                )
            }
            Body::ResumeScheduled { resume_at, .. } => {
                self.attention(&format!("goes on by itself at {resume_at}"))
            }
            Body::ResumeCancelled {} => self.quiet("does not go on by itself"),
            Body::AgentSilent { since_at } => self.attention(&format!(
                "the agent says and does nothing since {since_at}: `paddock interrupt` ends the turn, `paddock restart` the agent"
            )),
            Body::AgentStirred {} => self.quiet("the agent works again"),
            Body::AgentTuned {
                model,
                effort,
                permission_mode,
                account,
            } => {
                let mode = permission_mode.map(|mode| format!("{mode:?}"));
                let account = account.as_ref().map(|name| format!("account {name}"));
                let words = [model.clone(), effort.clone(), mode, account];
                let words: Vec<_> = words.into_iter().flatten().collect();
                self.quiet(&format!("from now on {}", clean(&words.join(", "))))
            }
            Body::SessionAdopted { harness, session_id, messages, left_out, .. } => {
                self.adopted(&format!("{harness} {session_id}"), messages, *left_out)
            }
            Body::ContextCondensed { policy, .. } => self.quiet(condensed(*policy)),
            Body::CondensingWished { what, .. } => self.quiet(match what {
                Condensing::Compact => "you asked for a shorter context",
                Condensing::Clear => "you asked for an empty context",
            }),
            Body::WishFailed { why, .. } => self.attention(why),
            Body::VerificationAttempt {
                passed, summary, ..
            } => {
                let tone = if *passed {
                    Tone::Success
                } else {
                    Tone::Failure
                };
                format!("{} {}\n", self.paint.text(tone, "verified"), clean(summary))
            }
            Body::ProviderSwitched {
                to_provider,
                reason,
                ..
            } => self.quiet(&format!("{to_provider} takes over: {reason}")),
            Body::SessionEnded { reason, .. } => self.quiet(&format!("ended: {reason}")),
            Body::SessionStarted { .. }
            | Body::ModelSelected { .. }
            | Body::Thinking { .. }
            | Body::ToolDeclared { .. }
            | Body::TerminalOutput { .. }
            | Body::AgentSessionNamed { .. }
            | Body::AgentOffers(_)
            | Body::SubagentFinished { .. }
            | Body::UsageUpdated(_)
            | Body::ContextMeasured { .. }
            | Body::RetryEnded {}
            | Body::RateLimited(_)
            | Body::DiffStat { .. } => String::new(),
        }
    }

    /// What was said before the task: each message in one line.
    fn adopted(&self, session: &str, messages: &[PastMessage], left_out: u64) -> String {
        let all = messages.len() as u64 + left_out;
        let mut text = self.quiet(&format!(
            "goes on with {session}, in which {all} messages were before"
        ));
        for message in messages {
            let who = match message.by {
                Speaker::User => "you",
                Speaker::Agent => "agent",
                Speaker::Tool => "tool",
            };
            text.push_str(&self.quiet(&format!("  {who}: {}", message.text)));
        }
        text
    }

    fn quiet(&self, text: &str) -> String {
        format!("{}\n", self.paint.text(Tone::Quiet, &one_line(text)))
    }

    /// A whole message: what has not streamed of it.
    fn message(&mut self, said: &str, of_subagent: bool) -> String {
        let is_it = |streamed: &(String, String)| {
            let began = streamed.1.trim_end();
            !began.is_empty() && said.trim_end().starts_with(began)
        };
        if let Some(at) = self.streamed.iter().position(is_it) {
            let is_last = at + 1 == self.streamed.len();
            let (_, streamed) = self.streamed.remove(at);
            let rest = said.trim_end().get(streamed.trim_end().len()..);
            let rest = clean(rest.unwrap_or_default());
            let rest = rest.strip_prefix('\n').unwrap_or(&rest);
            if !is_last && rest.is_empty() {
                // It stands above, on a line that has ended since.
                return String::new();
            }
            let end = if self.mid_line || !rest.is_empty() {
                "\n"
            } else {
                ""
            };
            self.mid_line = false;
            return format!("{rest}{end}");
        }
        let start = self.end_line();
        let text = clean(said.trim_end());
        if text.is_empty() {
            return start;
        }
        let text = if of_subagent {
            format!("  {}", text.replace('\n', "\n  "))
        } else {
            text
        };
        format!("{start}{text}\n")
    }

    fn tool(&self, call: &ToolCallStarted) -> String {
        let what = match call.tool {
            ToolKind::Bash => call.command.clone(),
            ToolKind::Read | ToolKind::Write | ToolKind::Edit => call.path.clone(),
            ToolKind::Glob
            | ToolKind::Grep
            | ToolKind::Web
            | ToolKind::Mcp
            | ToolKind::Subagent
            | ToolKind::Todo
            | ToolKind::Other => call.args.as_ref().map(ToString::to_string),
        };
        let indent = if call.parent_tool_call_id.is_some() {
            "  "
        } else {
            ""
        };
        let name = self
            .paint
            .text(Tone::Progress, &format!("▸ {}", clean(&call.tool_name)));
        format!(
            "{indent}{name}  {}\n",
            one_line(what.as_deref().unwrap_or_default())
        )
    }

    fn tool_result(&self, call: &ToolCallFinished) -> String {
        if !call.is_error && call.exit_code.unwrap_or(0) == 0 {
            return String::new();
        }
        let code = call
            .exit_code
            .map(|code| format!(" exit {code}"))
            .unwrap_or_default();
        let mut text = format!(
            "{}\n",
            self.paint.text(Tone::Failure, &format!("  ✗{code}"))
        );
        let lines: Vec<_> = call.output.as_deref().unwrap_or_default().lines().collect();
        for line in lines.iter().skip(lines.len().saturating_sub(TAIL_LINES)) {
            let _ = writeln!(text, "    {}", one_line(line));
        }
        text
    }

    fn turn_end(&self, outcome: TurnOutcome, duration_ms: Option<u64>) -> String {
        let (tone, word) = match outcome {
            TurnOutcome::Completed => (Tone::Success, "✓ done"),
            TurnOutcome::Failed => (Tone::Failure, "✗ failed"),
            TurnOutcome::Interrupted => (Tone::Attention, "■ interrupted"),
            TurnOutcome::RunEnded => (Tone::Failure, "✗ the agent ended"),
        };
        let took = duration_ms
            .map(|ms| format!("  {}.{} s", ms / 1000, ms % 1000 / 100))
            .unwrap_or_default();
        format!(
            "{}{}\n",
            self.paint.text(tone, word),
            self.paint.text(Tone::Quiet, &took)
        )
    }

    fn attention(&self, text: &str) -> String {
        format!(
            "{} {}\n",
            self.paint.text(Tone::Attention, "!"),
            clean(text)
        )
    }

    fn run_end(&self, exit: RunExit) -> String {
        match exit {
            RunExit::Code { code: 0 } => String::new(),
            RunExit::Code { code } => self.quiet(&format!("the agent ended with code {code}")),
            RunExit::Signal { signal } => {
                self.quiet(&format!("the agent was ended by signal {signal}"))
            }
            RunExit::NotStarted => self.quiet("the agent could not be started"),
            RunExit::Lost => self.quiet("the agent is gone"),
        }
    }

    fn state(&self, to: StateName, cause: Option<&str>) -> String {
        let cause = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
        match to {
            StateName::Failed | StateName::Crashed => {
                let word = self.paint.text(Tone::Failure, to.as_str());
                format!("{word}{}\n", clean(&cause))
            }
            StateName::Pending
            | StateName::Provisioning
            | StateName::Stopped
            | StateName::Purging
            | StateName::Purged
            | StateName::Pushing => self.quiet(&format!("{to}{cause}")),
            StateName::Branching
            | StateName::Starting
            | StateName::Running
            | StateName::Waiting
            | StateName::Asking
            | StateName::HasPlan
            | StateName::Pulling
            | StateName::Stopping => String::new(),
        }
    }
}

/// The first line of `text`, cut to what fits.
fn one_line(text: &str) -> String {
    let mut lines = text.trim().lines();
    let first = clean(lines.next().unwrap_or_default());
    let more = lines.next().is_some();
    let mut cut: String = first.chars().take(LINE_MAX).collect();
    if more || cut.len() < first.len() {
        cut.push('…');
    }
    cut
}

/// Why the agent's context is another than it was.
fn condensed(policy: CondensePolicy) -> &'static str {
    match policy {
        CondensePolicy::RollingWindow => "context condensed by the agent, as it filled",
        CondensePolicy::Requested => "context condensed, as you asked",
        CondensePolicy::Cleared => "context cleared",
        CondensePolicy::ProviderHandoff => "handed over with a summary",
        CondensePolicy::Forked => "forked with a summary",
        CondensePolicy::SessionLost => "session lost: goes on with a summary",
    }
}

#[cfg(test)]
mod tests;
