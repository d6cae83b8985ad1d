//! What Claude Code's lines mean.

use paddock_domain::{
    Approval, ApprovalId, ApprovalScope, Block, BlockKind, Body, Choice, CondensePolicy, Delta,
    DeltaKind, NoticeLevel, Plan, PlanId, Question, RateLimit, Timestamp, TodoItem, TodoStatus,
    ToolCallFinished, TurnOutcome,
};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::codec::{ClaudeCodec, OpenTool};
use super::quiet::is_quiet;
use super::requests::{self, Asked, Request, Requests, Wants};
use super::wire::{
    Assistant, ContentBlock, ControlCancel, ControlRequest, ControlResponse, Peek, Questions,
    RateLimitEvent, SetModelResponse, StreamEvent, System, TurnResult, User,
};
use super::{errors, say, tools};
use crate::Heard;
use crate::json::{Text, first_text};
use crate::registry;
use crate::unknown::unknown;

type Out = Vec<Heard>;
type Read = Result<(), serde_json::Error>;

fn event(out: &mut Out, body: Body) {
    out.push(Heard::Event(body));
}

fn read<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, serde_json::Error> {
    serde_json::from_str(line)
}

impl ClaudeCodec {
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
        let peek: Peek<'_>;
        let kind = match first_text(line, "type") {
            Some(kind) => kind,
            None => {
                peek = read(line)?;
                &peek.kind
            }
        };
        match kind {
            "stream_event" => self.stream_event(&read(line)?, out),
            "assistant" => self.assistant(read(line)?, out)?,
            "user" => self.user(&read(line)?, out)?,
            "system" => self.system(line, read(line)?, out),
            "result" => self.result(&read(line)?, out),
            "control_request" => self.control_request(line, &read(line)?, out),
            "control_response" => self.control_response(&read(line)?, out),
            "control_cancel_request" => self.control_cancel(&read(line)?, out),
            "rate_limit_event" => rate_limit(read(line)?, out),
            "conversation_reset" => self.cleared(out),
            other if is_quiet(other, None) => {}
            other => out.push(unknown(
                line.as_bytes(),
                &format!("type `{}`", short(other)),
            )),
        }
        Ok(())
    }

    fn begin_turn(&mut self, out: &mut Out) {
        if self.in_turn {
            return;
        }
        self.in_turn = true;
        let asked_for = std::mem::take(&mut self.told) | std::mem::take(&mut self.wished);
        if !asked_for {
            out.push(Heard::TurnBegan);
        }
    }

    fn select_model(&mut self, model: &str, out: &mut Out) {
        if self.model.as_deref() == Some(model) {
            return;
        }
        self.model = Some(model.to_owned());
        let selected = Body::ModelSelected {
            provider: registry::name("claude"),
            model: model.to_owned(),
            reasoning_effort: self.setup.effort.clone(),
        };
        event(out, selected);
    }

    fn system(&mut self, line: &str, news: System<'_>, out: &mut Out) {
        match &*news.subtype {
            "init" => self.init(news, out),
            "api_retry" => event(out, retry(&news)),
            "compact_boundary" => self.compacted(&news, out),
            "task_started" => self.agent_started(news, out),
            "task_notification" => self.agent_finished(&news, out),
            "informational" => {
                let level = match news.level.as_deref() {
                    Some("warning" | "error") => NoticeLevel::Warning,
                    Some(_) | None => NoticeLevel::Info,
                };
                let text = news.content.map(Text::into_owned).unwrap_or_default();
                event(out, notice(level, text));
            }
            subtype if is_quiet("system", Some(subtype)) => {}
            subtype => {
                let why = format!("system message `{}`", short(subtype));
                out.push(unknown(line.as_bytes(), &why));
            }
        }
    }

    /// Comes again at the start of every turn.
    fn init(&mut self, news: System<'_>, out: &mut Out) {
        if !self.ready {
            self.become_ready(out);
        }
        self.begin_turn(out);
        if let Some(session) = news.session_id
            && self.session.as_deref() != Some(&*session)
        {
            let session_id = session.into_owned();
            self.session = Some(session_id.clone());
            event(out, Body::AgentSessionNamed { session_id });
        }
        if let Some(model) = news.model {
            self.select_model(&model, out);
        }
    }

    fn cleared(&mut self, out: &mut Out) {
        self.meter.saw_reset();
        let condensed = Body::ContextCondensed {
            policy: CondensePolicy::Cleared,
            tokens_before: None,
            tokens_after: None,
            summary_text: None,
        };
        event(out, condensed);
    }

    fn compacted(&mut self, news: &System<'_>, out: &mut Out) {
        let facts = news.compact_metadata.as_ref();
        let tokens_after = facts.and_then(|facts| facts.post_tokens);
        self.meter.saw_compaction(tokens_after);
        let trigger = facts.and_then(|facts| facts.trigger.as_deref());
        let condensed = Body::ContextCondensed {
            policy: match trigger {
                Some("manual") => CondensePolicy::Requested,
                Some(_) | None => CondensePolicy::RollingWindow,
            },
            tokens_before: facts.and_then(|facts| facts.pre_tokens),
            tokens_after,
            summary_text: None,
        };
        event(out, condensed);
    }

    fn agent_started(&mut self, news: System<'_>, out: &mut Out) {
        let is_agent = news.task_type.as_deref() == Some("local_agent");
        let (true, Some(call)) = (is_agent, news.tool_use_id) else {
            return; // a command in the background: its tool call tells all
        };
        self.agents.insert(&call, (), 0);
        let name = news.subagent_type.map(Text::into_owned);
        let started = Body::SubagentStarted {
            tool_call_id: call.into_owned(),
            name: name.unwrap_or_else(|| "agent".to_owned()),
            prompt: news.prompt.map(Text::into_owned).unwrap_or_default(),
        };
        event(out, started);
    }

    fn agent_finished(&mut self, news: &System<'_>, out: &mut Out) {
        let Some(call) = &news.tool_use_id else {
            return;
        };
        if self.agents.remove(call).is_some() {
            let finished = Body::SubagentFinished {
                tool_call_id: call.to_string(),
                is_error: news.status.as_deref() != Some("completed"),
            };
            event(out, finished);
        }
    }

    fn stream_event(&mut self, said: &StreamEvent<'_>, out: &mut Out) {
        let part = &said.event;
        match &*part.kind {
            "content_block_delta" => {
                let Some(delta) = &part.delta else { return };
                let (kind, text) = match (&delta.text, &delta.thinking) {
                    (Some(text), _) => (DeltaKind::Text, text),
                    (None, Some(text)) => (DeltaKind::Thinking, text),
                    (None, None) => return, // a tool's input or a signature
                };
                let message = said.api_message_id.as_deref().unwrap_or(&self.streaming);
                let key = format!("{message}:{}", part.index.unwrap_or_default());
                let text = text.to_string();
                out.push(Heard::Delta(Delta { kind, key, text }));
            }
            "message_start" => {
                let id = part
                    .message
                    .as_ref()
                    .and_then(|message| message.id.as_deref());
                self.streaming.clear();
                self.streaming
                    .extend(id.unwrap_or_default().chars().take(ID_MAX));
            }
            "message_delta" if said.parent_tool_use_id.is_none() => {
                self.meter.saw_message_end(part.usage.unwrap_or_default());
            }
            _ => {} // the beginnings and ends of parts
        }
    }

    fn assistant(&mut self, said: Assistant<'_>, out: &mut Out) -> Read {
        let blocks = blocks(said.message.content)?;
        let parent = said.parent_tool_use_id.map(Text::into_owned);
        if parent.is_none() {
            self.begin_turn(out);
        }
        if said.is_api_error_message {
            // The result tells the failure; only a refusal is an answer as well.
            self.spoken_error = said.error.map(Text::into_owned);
            if said.message.stop_reason.as_deref() == Some("refusal") {
                for text in blocks.into_iter().filter_map(|block| block.text) {
                    event(
                        out,
                        message(BlockKind::Refusal, text.into_owned(), parent.clone()),
                    );
                }
            }
            return Ok(());
        }
        let synthetic = said.message.model.as_deref() == Some("<synthetic>");
        if parent.is_none() && !synthetic {
            self.meter
                .saw_message(said.message.usage.unwrap_or_default());
        }
        for block in blocks {
            self.assistant_block(block, parent.as_deref(), out);
        }
        Ok(())
    }

    fn assistant_block(&mut self, block: ContentBlock<'_>, parent: Option<&str>, out: &mut Out) {
        let parent = parent.map(str::to_owned);
        match &*block.kind {
            "text" => {
                let text = block.text.filter(|text| !text.trim().is_empty());
                if let Some(text) = text {
                    event(out, message(BlockKind::Text, text.into_owned(), parent));
                }
            }
            "thinking" => {
                let text = block.thinking.filter(|text| !text.trim().is_empty());
                if let Some(text) = text {
                    let thinking = Body::Thinking {
                        text: text.into_owned(),
                        parent_tool_call_id: parent,
                    };
                    event(out, thinking);
                }
            }
            "tool_use" | "server_tool_use" => self.tool_use(block, parent, out),
            _ => {} // redacted thinking and results of the provider's own tools
        }
    }

    fn tool_use(&mut self, block: ContentBlock<'_>, parent: Option<String>, out: &mut Out) {
        let (Some(id), Some(name)) = (block.id, block.name) else {
            return;
        };
        if matches!(&*name, tools::ASK | tools::EXIT_PLAN) {
            let plan = block.input.and_then(plan_of).unwrap_or_default();
            let weight = plan.len();
            self.hidden.insert(&id, plan, weight);
            return;
        }
        let call = tools::started(id.into_owned(), name.into_owned(), block.input, parent);
        let open = OpenTool {
            tool: call.tool,
            parent: call.parent_tool_call_id.clone(),
        };
        self.tools.insert(&call.tool_call_id, open, 0);
        let todos = (call.tool_name == "TodoWrite").then(|| todos(call.args.as_ref()));
        event(out, Body::ToolCallStarted(call));
        if let Some(items) = todos.flatten() {
            event(out, Body::TodoUpdated { items });
        }
    }

    /// Of what goes to the model only tool results are news: the rest is what the user said, what was
    /// said in the user's name, and what sub-agents were told.
    fn user(&mut self, said: &User<'_>, out: &mut Out) -> Read {
        for block in blocks(said.message.content)? {
            let Some(id) = block.tool_use_id.as_deref() else {
                continue;
            };
            self.requests.close_tool(id);
            if self.hidden.remove(id).is_some() {
                continue;
            }
            let open = self.tools.remove(id);
            let (tool, parent) = open.map_or((None, None), |open| (Some(open.tool), open.parent));
            let parent = parent.or_else(|| said.parent_tool_use_id.as_deref().map(str::to_owned));
            let work_dir = &self.setup.work_dir;
            let detail = said.tool_use_result;
            let id = id.to_owned();
            let finished = tools::finished(&block, id, tool, parent, detail, work_dir);
            event(out, Body::ToolCallFinished(finished));
        }
        Ok(())
    }

    fn result(&mut self, result: &TurnResult<'_>, out: &mut Out) {
        let had_turn = std::mem::take(&mut self.in_turn) | std::mem::take(&mut self.told);
        let spoken = self.spoken_error.take();
        self.finish_open_tools(out);
        self.requests.close_all();
        let outcome = outcome(result);
        if outcome == TurnOutcome::Failed {
            event(out, failure(result, spoken.as_deref()));
        }
        self.meter.saw_result(result, self.model.as_deref());
        if had_turn {
            event(out, Body::UsageUpdated(self.meter.usage()));
            let duration_ms = result.duration_ms;
            event(
                out,
                Body::TurnFinished {
                    outcome,
                    duration_ms,
                },
            );
        }
    }

    /// A turn that ended takes its calls with it, but for those of sub-agents that go on.
    fn finish_open_tools(&mut self, out: &mut Out) {
        for (id, open) in self.tools.drain() {
            let goes_on = open
                .parent
                .as_deref()
                .is_some_and(|parent| self.agents.contains(parent));
            if goes_on {
                self.tools.insert(&id, open, 0);
                continue;
            }
            let finished = ToolCallFinished {
                tool_call_id: id,
                is_error: true,
                parent_tool_call_id: open.parent,
                ..ToolCallFinished::default()
            };
            event(out, Body::ToolCallFinished(finished));
        }
    }

    fn control_response(&mut self, answer: &ControlResponse<'_>, out: &mut Out) {
        let response = &answer.response;
        let request_id = &*response.request_id;
        let failed = &*response.subtype == "error";
        if request_id == say::GREETING {
            self.become_ready(out);
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

    fn control_cancel(&mut self, cancel: &ControlCancel<'_>, out: &mut Out) {
        if let Some(request) = self.requests.close(&cancel.request_id)
            && !request.answered
        {
            let bodies = requests::withdrawn(&cancel.request_id, &request);
            out.extend(bodies.into_iter().map(Heard::Event));
        }
    }

    fn control_request(&mut self, line: &str, asked: &ControlRequest<'_>, out: &mut Out) {
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

/// Longest id of a message that is kept for its deltas, in characters.
const ID_MAX: usize = 128;

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

fn notice(level: NoticeLevel, text: String) -> Body {
    Body::Notice {
        level,
        phase: None,
        text,
    }
}

fn message(kind: BlockKind, content: String, parent: Option<String>) -> Body {
    Body::AssistantMessage {
        blocks: vec![Block { kind, content }],
        parent_tool_call_id: parent,
    }
}

/// The blocks of a content; a plain text is one block.
fn blocks(content: &RawValue) -> Result<Vec<ContentBlock<'_>>, serde_json::Error> {
    match content.get().as_bytes().first() {
        Some(b'[') => serde_json::from_str(content.get()),
        Some(_) | None => Ok(vec![ContentBlock::text(serde_json::from_str(
            content.get(),
        )?)]),
    }
}

fn plan_of(input: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Input {
        plan: Option<String>,
    }
    let input: Input = serde_json::from_str(input.get()).ok()?;
    input.plan.filter(|plan| !plan.is_empty())
}

fn todos(args: Option<&Value>) -> Option<Vec<TodoItem>> {
    let list = args?.get("todos")?.as_array()?;
    let items = list.iter().filter_map(|item| {
        let text = item.get("content")?.as_str()?.to_owned();
        let status = match item.get("status")?.as_str()? {
            "in_progress" => TodoStatus::InProgress,
            "completed" => TodoStatus::Completed,
            _ => TodoStatus::Pending,
        };
        Some(TodoItem { text, status })
    });
    Some(items.collect())
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
    };
    event(out, Body::ApprovalRequested(Box::new(approval)));
    Some(Wants::Permission { suggestions })
}

/// Most suggested rules that are kept.
const RULES_MAX: usize = 32;

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

fn retry(news: &System<'_>) -> Body {
    let seconds = news.retry_delay_ms.unwrap_or_default() / 1000.0;
    let status = news.error_status.map(|status| format!(" ({status})"));
    let text = format!(
        "a request to the model failed: {}{}; trying again in {seconds:.1} s, attempt {} of {}",
        short(news.error.as_deref().unwrap_or("unknown")),
        status.unwrap_or_default(),
        news.attempt.unwrap_or_default(),
        news.max_retries.unwrap_or_default(),
    );
    notice(NoticeLevel::Warning, text)
}

fn rate_limit(event_: RateLimitEvent<'_>, out: &mut Out) {
    let info = event_.rate_limit_info;
    let blocked = &*info.status == "rejected";
    if &*info.status == "allowed" && info.utilization.is_none() {
        return; // all is well
    }
    let resets_at = info.resets_at.filter(|seconds| seconds.is_finite());
    #[allow(clippy::cast_possible_truncation)] // `as` saturates, and the time is clamped
    let resets_at = resets_at.map(|seconds| Timestamp::from_unix_ms((seconds * 1000.0) as i64));
    let limit = RateLimit {
        name: info
            .rate_limit_type
            .map_or_else(|| "rate limit".to_owned(), Text::into_owned),
        used: info.utilization.filter(|share| share.is_finite()),
        resets_at,
        blocked,
    };
    event(out, Body::RateLimited(limit));
}

fn outcome(result: &TurnResult<'_>) -> TurnOutcome {
    let ended = result.terminal_reason.as_deref().unwrap_or_default();
    if ended.starts_with("aborted") {
        return TurnOutcome::Interrupted;
    }
    // An error of the API comes as a success that `is_error`.
    let failed = result.is_error || result.subtype.as_deref() != Some("success");
    match failed {
        true => TurnOutcome::Failed,
        false => TurnOutcome::Completed,
    }
}

fn failure(result: &TurnResult<'_>, spoken: Option<&str>) -> Body {
    let class = errors::class(result, spoken);
    let errors = result.errors.iter().map(|text| &**text);
    let words = match result.result.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => text.to_owned(),
        None => errors.collect::<Vec<_>>().join("; "),
    };
    let message = format!("{words} ({})", errors::advice(class));
    Body::Error {
        class,
        message,
        raw: None,
        raw_ref: None,
    }
}
