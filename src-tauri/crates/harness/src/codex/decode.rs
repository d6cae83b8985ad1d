//! What Codex's messages mean.

use paddock_domain::{
    Approval, ApprovalId, ApprovalScope, Block, BlockKind, Body, Choice, CondensePolicy, Delta,
    DeltaKind, ErrorClass, NoticeLevel, PermissionMode, Plan, PlanId, Question, RateLimit,
    Timestamp, TodoItem, TodoStatus, ToolCallFinished, ToolKind, TurnOutcome,
};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::codec::{Agent, CodexCodec};
use super::quiet::{is_quiet, is_quiet_item};
use super::requests::{self, Asked, Request, Wants};
use super::wire::{
    AskParams, Asking, Call, DeltaParams, Envelope, ErrorParams, Item, ItemParams, RateLimitParams,
    ReroutedParams, ResolvedParams, Response, SettingsParams, ThreadOpened, TodoParams, TurnError,
    TurnOpened, TurnParams, UsageParams, WarningParams, Window,
};
use super::{errors, items, say};
use crate::json::{Text, first_text};
use crate::unknown::unknown;
use crate::{Heard, registry};

type Out = Vec<Heard>;
type Read = Result<(), serde_json::Error>;

fn event(out: &mut Out, body: Body) {
    out.push(Heard::Event(body));
}

fn params<'l, P: Deserialize<'l>>(line: &'l str) -> Result<P, serde_json::Error> {
    let call: Call<'l, P> = serde_json::from_str(line)?;
    Ok(call.params)
}

impl CodexCodec {
    pub(super) fn decode(&mut self, line: &[u8], out: &mut Out) {
        let Ok(text) = std::str::from_utf8(line) else {
            out.push(unknown(line, "it is not UTF-8"));
            return;
        };
        if text.trim_ascii().is_empty() {
            return;
        }
        if let Err(error) = self.decode_text(text, out) {
            out.push(unknown(line, &error.to_string()));
        }
    }

    fn decode_text(&mut self, line: &str, out: &mut Out) -> Read {
        let envelope: Envelope<'_>;
        let method = match first_text(line, "method") {
            Some(method) => Some(method),
            None => {
                envelope = serde_json::from_str(line)?;
                envelope.method.as_deref()
            }
        };
        let Some(method) = method else {
            return self.response(line, out);
        };
        match method {
            "item/agentMessage/delta" => delta(DeltaKind::Text, params(line)?, out),
            "item/reasoning/summaryTextDelta" | "item/reasoning/textDelta" => {
                delta(DeltaKind::Thinking, params(line)?, out);
            }
            "item/commandExecution/outputDelta" => {
                delta(DeltaKind::ToolOutput, params(line)?, out);
            }
            "item/started" => self.item_started(&params(line)?, out),
            "item/completed" => {
                if !self.item_completed(&params(line)?, out) {
                    out.push(unknown(line.as_bytes(), "an item of an unknown kind"));
                }
            }
            "turn/started" => self.turn_started(&params(line)?, out),
            "turn/completed" => self.turn_completed(&params(line)?, out),
            "error" => self.error(&params(line)?, out),
            "thread/tokenUsage/updated" => self.tokens(&params(line)?),
            "thread/settings/updated" => self.settings(params(line)?, out),
            "account/rateLimits/updated" => self.rate_limits(&params(line)?, out),
            "turn/plan/updated" => todos(params(line)?, out),
            "model/rerouted" => self.rerouted(&params(line)?, out),
            "warning" | "guardianWarning" | "configWarning" => warning(params(line)?, out),
            "serverRequest/resolved" => self.resolved(&params(line)?, out),
            other => self.other(line, other, out)?,
        }
        Ok(())
    }

    /// Requests of the program's, quiet messages, and what is not known.
    fn other(&mut self, line: &str, method: &str, out: &mut Out) -> Read {
        match method {
            "item/commandExecution/requestApproval" => self.ask(line, ToolKind::Bash, "shell", out),
            "item/fileChange/requestApproval" => self.ask(line, ToolKind::Edit, "apply_patch", out),
            "item/tool/requestUserInput" => self.ask_user(line, out),
            quiet if is_quiet(quiet) => Ok(()),
            unknown_method => {
                let method: String = unknown_method.chars().take(80).collect();
                let why = format!("the message `{method}`");
                out.push(unknown(line.as_bytes(), &why));
                let asked: Asking<'_> = serde_json::from_str(line).unwrap_or_default();
                let refusal = asked.id.and_then(|rpc_id| say::refusal(rpc_id, &why));
                out.extend(refusal.map(Heard::Send));
                Ok(())
            }
        }
    }

    fn is_main(&self, thread: Option<&str>) -> bool {
        match (thread, self.thread.as_deref()) {
            (Some(thread), Some(main)) => thread == main,
            // A recording may begin after the handshake: then all is taken for the conversation.
            (_, _) => true,
        }
    }

    /// The sub-agent's call that a thread belongs to; none for the conversation itself.
    fn parent(&self, thread: Option<&str>) -> Option<String> {
        let other = thread.filter(|_| !self.is_main(thread))?;
        let agent = self.agents.get(other).map(|agent| agent.call.clone());
        Some(agent.unwrap_or_else(|| other.to_owned()))
    }

    fn select_model(&mut self, model: &str, effort: Option<&str>, out: &mut Out) {
        let same = self.model.as_deref() == Some(model) && self.effort.as_deref() == effort;
        if same {
            return;
        }
        self.model = Some(model.to_owned());
        self.effort = effort.map(str::to_owned);
        let selected = Body::ModelSelected {
            provider: registry::name("codex"),
            model: model.to_owned(),
            reasoning_effort: self.effort.clone(),
        };
        event(out, selected);
    }

    fn response(&mut self, line: &str, out: &mut Out) -> Read {
        let response: Response<'_> = serde_json::from_str(line)?;
        // Ids that are no text are not ours.
        let id: Text<'_> = match serde_json::from_str(response.id.get()) {
            Ok(id) => id,
            Err(_) => Text::from(""),
        };
        let failed = response.error.as_ref();
        let failure = failed.map(|error| error.message.as_deref().unwrap_or("no reason given"));
        match (&*id, failure) {
            (say::INITIALIZE, None) => {
                out.extend(say::initialized().map(Heard::Send));
                out.extend(self.open_thread(true).map(Heard::Send));
            }
            (say::INITIALIZE, Some(why)) => event(out, agent_error("did not start", why)),
            (thread, Some(why)) if thread.starts_with(say::THREAD) => self.no_thread(why, out),
            (prompt, Some(why)) if prompt.starts_with(say::PROMPT) => self.not_taken(why, out),
            (interrupt, Some(_)) if interrupt.starts_with(say::INTERRUPT) => {} // too late
            (what, Some(why)) => {
                let what: String = what.chars().take(80).collect();
                let text = format!("codex refused `{what}`: {why}");
                event(out, notice(NoticeLevel::Warning, text));
            }
            (_, None) => self.granted(&id, response.result, out),
        }
        Ok(())
    }

    /// A result of ours, or in a recording that of anyone: a thread or a turn is told by its shape.
    fn granted(&mut self, id: &str, result: Option<&RawValue>, out: &mut Out) {
        let Some(result) = result else { return };
        if let Ok(opened) = serde_json::from_str::<ThreadOpened<'_>>(result.get()) {
            if self.thread.is_none() {
                self.thread_opened(&opened, out);
            }
        } else if let Ok(opened) = serde_json::from_str::<TurnOpened<'_>>(result.get())
            && id.starts_with(say::PROMPT)
            && self.turn.is_none()
            && (self.told || self.wished)
        {
            self.turn_has_id(&opened.turn.id, out);
        }
    }

    fn thread_opened(&mut self, opened: &ThreadOpened<'_>, out: &mut Out) {
        let session_id = opened.thread.id.to_string();
        if self.setup.resume.as_ref() == Some(&session_id) {
            self.meter.counts_earlier_runs();
        }
        self.thread = Some(session_id.clone());
        event(out, Body::AgentSessionNamed { session_id });
        if let Some(model) = &opened.model {
            self.select_model(model, opened.reasoning_effort.as_deref(), out);
        }
        self.release(out);
    }

    /// A session that cannot be resumed is begun anew, and the user is told; where no session can be
    /// had at all, what was said ends in failure.
    fn no_thread(&mut self, why: &str, out: &mut Out) {
        if self.setup.resume.is_some() && self.attempts <= 1 {
            let text = format!(
                "codex does not know its earlier conversation any more and begins a new one: {why}"
            );
            event(out, notice(NoticeLevel::Warning, text));
            out.extend(self.open_thread(false).map(Heard::Send));
            return;
        }
        self.thread_failed = true;
        event(out, agent_error("could not begin a conversation", why));
        if !std::mem::take(&mut self.held).is_empty() {
            self.finish_turn(TurnOutcome::Failed, None, out);
        }
    }

    /// A message was refused.
    fn not_taken(&mut self, why: &str, out: &mut Out) {
        event(out, agent_error("did not take the message", why));
        if self.turn.is_none() {
            self.finish_turn(TurnOutcome::Failed, None, out);
        }
    }

    fn turn_has_id(&mut self, turn: &str, out: &mut Out) {
        self.turn = Some(turn.to_owned());
        if let (Some(id), Some(thread)) = (self.interrupt.take(), &self.thread) {
            out.extend(say::interrupt(&id, thread, turn).map(Heard::Send));
        }
    }

    fn turn_started(&mut self, started: &TurnParams<'_>, out: &mut Out) {
        if !self.is_main(started.thread_id.as_deref()) {
            return;
        }
        let asked_for = std::mem::take(&mut self.told) | std::mem::take(&mut self.wished);
        if self.turn.is_none() && !asked_for {
            out.push(Heard::TurnBegan);
        }
        self.failure_told = false;
        self.turn_has_id(&started.turn.id, out);
    }

    fn turn_completed(&mut self, completed: &TurnParams<'_>, out: &mut Out) {
        let turn = &completed.turn;
        let outcome = match turn.status.as_deref() {
            Some("completed") => TurnOutcome::Completed,
            Some("interrupted") => TurnOutcome::Interrupted,
            Some(_) | None => TurnOutcome::Failed,
        };
        if !self.is_main(completed.thread_id.as_deref()) {
            let thread = completed.thread_id.as_deref().unwrap_or_default();
            self.agent_rests(thread, outcome, out);
            return;
        }
        self.finish_tools(None, out);
        if outcome == TurnOutcome::Failed && !self.failure_told {
            let failure = match &turn.error {
                Some(error) => failure(error),
                None => agent_error("failed", "no reason given"),
            };
            event(out, failure);
        }
        self.finish_turn(outcome, turn.duration_ms, out);
        // A plan is decided on after its turn: requests of a turn end with it.
        if let Some((plan_id, text)) = self.plan.take() {
            self.proposed = Some(plan_id.clone());
            event(out, Body::PlanProposed(Plan { plan_id, text }));
        }
    }

    fn finish_turn(&mut self, outcome: TurnOutcome, duration_ms: Option<u64>, out: &mut Out) {
        self.turn = None;
        self.interrupt = None;
        self.told = false;
        self.failure_told = false;
        self.requests.close_all();
        event(out, Body::UsageUpdated(self.meter.usage()));
        event(
            out,
            Body::TurnFinished {
                outcome,
                duration_ms,
            },
        );
    }

    /// Calls that a turn took with it when it ended.
    fn finish_tools(&mut self, of: Option<&str>, out: &mut Out) {
        for (id, parent) in self.tools.drain() {
            if parent.as_deref() != of {
                self.tools.insert(&id, parent, 0);
                continue;
            }
            let finished = ToolCallFinished {
                tool_call_id: id,
                is_error: true,
                parent_tool_call_id: parent,
                ..ToolCallFinished::default()
            };
            event(out, Body::ToolCallFinished(finished));
        }
    }

    fn agent_starts(&mut self, thread: &str, call: &str, name: &str, prompt: &str, out: &mut Out) {
        if self.agents.contains(thread) {
            return;
        }
        let agent = Agent {
            call: call.to_owned(),
            at_work: true,
        };
        self.agents.insert(thread, agent, call.len());
        let started = Body::SubagentStarted {
            tool_call_id: call.to_owned(),
            name: name.to_owned(),
            prompt: prompt.to_owned(),
        };
        event(out, started);
    }

    fn agent_rests(&mut self, thread: &str, outcome: TurnOutcome, out: &mut Out) {
        let Some(agent) = self.agents.get_mut(thread) else {
            return;
        };
        let call = agent.call.clone();
        if std::mem::replace(&mut agent.at_work, false) {
            self.finish_tools(Some(&call), out);
            let finished = Body::SubagentFinished {
                tool_call_id: call,
                is_error: outcome != TurnOutcome::Completed,
            };
            event(out, finished);
        }
    }

    fn item_started(&mut self, params: &ItemParams<'_>, out: &mut Out) {
        let item = &params.item;
        let parent = self.parent(params.thread_id.as_deref());
        if let Some(tool) = items::kind(item) {
            self.tools.insert(&item.id, parent.clone(), 0);
            event(
                out,
                Body::ToolCallStarted(items::started(item, tool, parent)),
            );
        } else if &*item.kind == "subAgentActivity" && item.activity.as_deref() == Some("started") {
            let thread = item.agent_thread_id.as_deref().unwrap_or_default();
            let path = item.agent_path.as_deref().unwrap_or_default();
            let name = path.rsplit('/').next().unwrap_or("agent");
            self.agent_starts(thread, &item.id, name, "", out);
        }
    }

    /// Whether the item is of a kind that is known.
    fn item_completed(&mut self, params: &ItemParams<'_>, out: &mut Out) -> bool {
        let item = &params.item;
        let parent = self.parent(params.thread_id.as_deref());
        if let Some(tool) = items::kind(item) {
            self.tool_finished(item, tool, parent, out);
            return true;
        }
        let text = item.text.as_deref().unwrap_or_default();
        match &*item.kind {
            "agentMessage" if text.trim().is_empty() => {}
            "agentMessage" => event(
                out,
                Body::AssistantMessage {
                    blocks: vec![Block {
                        kind: BlockKind::Text,
                        content: text.to_owned(),
                    }],
                    parent_tool_call_id: parent,
                },
            ),
            "reasoning" => {
                let text = thought(item);
                if !text.is_empty() {
                    let parent_tool_call_id = parent;
                    event(
                        out,
                        Body::Thinking {
                            text,
                            parent_tool_call_id,
                        },
                    );
                }
            }
            "plan" => {
                self.plan = PlanId::parse(&item.id).ok().map(|id| (id, text.to_owned()));
            }
            "contextCompaction" => event(
                out,
                Body::ContextCondensed {
                    policy: CondensePolicy::RollingWindow,
                    tokens_before: None,
                    tokens_after: None,
                    summary_text: None,
                },
            ),
            "subAgentActivity" => {} // its start was taken; its end is that of its turn
            other => return is_quiet_item(other),
        }
        true
    }

    fn tool_finished(
        &mut self,
        item: &Item<'_>,
        tool: ToolKind,
        parent: Option<String>,
        out: &mut Out,
    ) {
        if self.tools.remove(&item.id).is_none() {
            let started = items::started(item, tool, parent.clone());
            event(out, Body::ToolCallStarted(started));
        }
        let is_spawn = item.tool.as_deref() == Some("spawnAgent");
        if is_spawn && tool == ToolKind::Subagent {
            let prompt = item.prompt.as_deref().unwrap_or_default();
            for thread in item.receiver_thread_ids.iter().flatten() {
                self.agent_starts(thread, &item.id, "agent", prompt, out);
            }
        }
        let finished = items::finished(item, parent, &self.setup.work_dir);
        event(out, Body::ToolCallFinished(finished));
    }

    fn tokens(&mut self, params: &UsageParams<'_>) {
        let thread = params.thread_id.as_deref();
        match thread {
            Some(other) if !self.is_main(thread) => {
                self.meter.saw_other(other, &params.token_usage);
            }
            Some(_) | None => self.meter.saw_main(&params.token_usage),
        }
    }

    fn settings(&mut self, params: SettingsParams<'_>, out: &mut Out) {
        if self.is_main(params.thread_id.as_deref())
            && let Some(model) = params.thread_settings.model
        {
            let effort = params.thread_settings.effort;
            self.select_model(&model, effort.as_deref(), out);
        }
    }

    fn rerouted(&mut self, params: &ReroutedParams<'_>, out: &mut Out) {
        if self.is_main(params.thread_id.as_deref()) {
            let effort = self.effort.clone();
            self.select_model(&params.to_model, effort.as_deref(), out);
        }
    }

    fn error(&mut self, params: &ErrorParams<'_>, out: &mut Out) {
        let error = &params.error;
        if params.will_retry {
            let message = error.message.as_deref().unwrap_or_default();
            let details = error.additional_details.as_deref().unwrap_or_default();
            let text =
                format!("a request to the model failed and is tried again: {message} {details}");
            event(
                out,
                notice(NoticeLevel::Warning, text.trim_end().to_owned()),
            );
        } else if self.is_main(params.thread_id.as_deref()) {
            self.failure_told = true;
            event(out, failure(error));
        } else {
            let message = error.message.as_deref().unwrap_or_default();
            let text = format!("a sub-agent failed: {message}");
            event(out, notice(NoticeLevel::Warning, text));
        }
    }

    fn rate_limits(&mut self, params: &RateLimitParams<'_>, out: &mut Out) {
        let limits = &params.rate_limits;
        let blocked = limits.rate_limit_reached_type.is_some();
        let name = limits.limit_name.as_deref().or(limits.limit_id.as_deref());
        let name = name.unwrap_or("codex");
        for window in [limits.primary, limits.secondary].into_iter().flatten() {
            let minutes = window.window_duration_mins.unwrap_or_default();
            let name = format!("{name} ({minutes} min)");
            let figures = (window.used_percent, window.resets_at, blocked);
            if self.limits.get(&name) != Some(&figures) {
                self.limits.insert(&name, figures, 0);
                event(out, Body::RateLimited(limit(name, window, blocked)));
            }
        }
    }

    fn resolved(&mut self, params: &ResolvedParams<'_>, out: &mut Out) {
        let Some((key, request)) = self.requests.close(params.request_id.get()) else {
            return;
        };
        if !request.answered {
            let bodies = requests::withdrawn(&key, &request);
            out.extend(bodies.into_iter().map(Heard::Event));
        }
    }

    fn ask(&mut self, line: &str, tool: ToolKind, name: &str, out: &mut Out) -> Read {
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
        let Ok(approval_id) = ApprovalId::parse(&key) else {
            return Err(serde::de::Error::custom("the id of a request is no id"));
        };
        let approval = Approval {
            approval_id,
            tool_call_id: params.item_id.as_deref().map(str::to_owned),
            tool,
            tool_name: name.to_owned(),
            summary: match first {
                Some(line) => format!("{name}: {}", line.chars().take(200).collect::<String>()),
                None => format!("{name}: change files"),
            },
            reason: params.reason.as_deref().map(str::to_owned),
            input: command.map(|command| json!({"command": command, "cwd": params.cwd.as_deref()})),
            scopes: vec![ApprovalScope::Once, ApprovalScope::Task],
        };
        event(out, Body::ApprovalRequested(Box::new(approval)));
        self.open_request(&key, rpc_id, Wants::Permission);
        Ok(())
    }

    fn ask_user(&mut self, line: &str, out: &mut Out) -> Read {
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
}

fn delta(kind: DeltaKind, params: DeltaParams<'_>, out: &mut Out) {
    out.push(Heard::Delta(Delta {
        kind,
        key: params.item_id.into_owned(),
        text: params.delta.into_owned(),
    }));
}

/// What the agent shows of its thinking: summaries where there are some, else the thoughts themselves.
fn thought(item: &Item<'_>) -> String {
    let summary = item.summary.iter().flatten().map(|part| &**part);
    let text = summary.collect::<Vec<_>>().join("\n\n");
    if !text.is_empty() {
        return text;
    }
    let content = item
        .content
        .and_then(|raw| serde_json::from_str::<Vec<String>>(raw.get()).ok());
    content.unwrap_or_default().join("\n\n")
}

fn todos(params: TodoParams<'_>, out: &mut Out) {
    let items = params.plan.into_iter().map(|step| TodoItem {
        text: step.step.into_owned(),
        status: match &*step.status {
            "inProgress" => TodoStatus::InProgress,
            "completed" => TodoStatus::Completed,
            _ => TodoStatus::Pending,
        },
    });
    let items = items.collect();
    event(out, Body::TodoUpdated { items });
}

/// The program looks for a sandbox though it is to use none; that alone is no news.
fn warning(params: WarningParams<'_>, out: &mut Out) {
    let text = params
        .message
        .or(params.summary)
        .map(Text::into_owned)
        .unwrap_or_default();
    if !text.contains("bubblewrap") {
        event(out, notice(NoticeLevel::Warning, text));
    }
}

fn limit(name: String, window: Window, blocked: bool) -> RateLimit {
    let resets_at = window.resets_at.filter(|seconds| seconds.is_finite());
    #[allow(clippy::cast_possible_truncation)] // `as` saturates, and the time is clamped
    let resets_at = resets_at.map(|seconds| Timestamp::from_unix_ms((seconds * 1000.0) as i64));
    RateLimit {
        name,
        used: Some(window.used_percent / 100.0).filter(|share| share.is_finite()),
        resets_at,
        blocked,
    }
}

fn notice(level: NoticeLevel, text: String) -> Body {
    Body::Notice {
        level,
        phase: None,
        text,
    }
}

fn failure(error: &TurnError<'_>) -> Body {
    let class = errors::class(error);
    let words = error.message.as_deref().unwrap_or("no reason given");
    Body::Error {
        class,
        message: format!("{words} ({})", errors::advice(class)),
        raw: None,
        raw_ref: None,
    }
}

fn agent_error(what: &str, why: &str) -> Body {
    Body::Error {
        class: ErrorClass::Agent,
        message: format!("codex {what}: {why}"),
        raw: None,
        raw_ref: None,
    }
}
