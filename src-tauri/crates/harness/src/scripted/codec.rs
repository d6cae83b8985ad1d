//! One conversation with the scripted agent.

use paddock_domain::{
    Answer, Approval, ApprovalId, ApprovalScope, BlockKind, Body, CondensePolicy, Decision, Delta,
    DeltaKind, ErrorClass, InputId, OfferedCommand, OfferedModel, Offers, PermissionMode, Plan,
    PlanDecision, PlanId, Question, QuestionId, RateLimit, ToolCallFinished, ToolCallStarted,
    ToolKind, TurnOutcome, Usage,
};
use serde_json::{Value, json};

use super::wire::{AskedApproval, AskedQuestion, Line, Outcome, ProposedPlan, Said, kind};
use crate::bounded::Bounded;
use crate::given;
use crate::unknown::unknown;
use crate::{
    CannotSay, Codec, CodecSetup, ContextUse, Heard, Outgoing, UserInput, bodies, registry,
};

/// What it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Question,
    Approval,
    Plan,
}

/// One conversation.
#[derive(Debug)]
pub(super) struct ScriptedCodec {
    setup: CodecSetup,
    /// What it waits for by id, and whether an answer is on its way.
    open: Bounded<(Open, bool)>,
    /// Tool calls that have no result yet.
    tools: Bounded<()>,
    usage: Usage,
    model: Option<String>,
    /// It has named its session, which it does first of all.
    named: bool,
    in_turn: bool,
    told: bool,
    wished: bool,
}

impl ScriptedCodec {
    pub(super) fn new(setup: CodecSetup) -> Self {
        Self {
            usage: setup.usage_before,
            setup,
            open: Bounded::default(),
            tools: Bounded::default(),
            model: None,
            named: false,
            in_turn: false,
            told: false,
            wished: false,
        }
    }

    fn take(&mut self, line: Line, out: &mut Vec<Heard>) -> Option<()> {
        let body = match line {
            Line::Session { id, model } => {
                self.named = true;
                out.push(Heard::Event(Body::AgentSessionNamed { session_id: id }));
                return self.select_model(model?, out);
            }
            Line::TurnStarted {} => {
                let asked_for = std::mem::take(&mut self.told) | std::mem::take(&mut self.wished);
                if !std::mem::replace(&mut self.in_turn, true) && !asked_for {
                    out.push(Heard::TurnBegan);
                }
                return Some(());
            }
            Line::Delta { message, text } => {
                let kind = DeltaKind::Text;
                let key = message;
                out.push(Heard::Delta(Delta {
                    kind,
                    key,
                    text,
                    parent_tool_call_id: None,
                }));
                return Some(());
            }
            Line::Text { text } => bodies::message(BlockKind::Text, text, None),
            Line::Thinking { text } => Body::Thinking {
                text,
                parent_tool_call_id: None,
            },
            Line::ToolStarted { call, kind, input } => {
                self.tools.insert(&call, (), 0);
                Body::ToolCallStarted(started(call, kind, input))
            }
            Line::ToolFinished {
                call,
                ok,
                output,
                exit,
                images,
            } => {
                self.tools.remove(&call);
                let mut unkept = Vec::new();
                for image in &images {
                    given::take(image, &mut unkept);
                }
                Body::ToolCallFinished(ToolCallFinished {
                    tool_call_id: call,
                    is_error: !ok,
                    exit_code: exit,
                    output: Some(output),
                    unkept,
                    ..ToolCallFinished::default()
                })
            }
            Line::Todo { items } => Body::TodoUpdated { items },
            Line::SubagentStarted {
                subagent,
                description,
            } => Body::SubagentStarted {
                tool_call_id: subagent,
                name: "subagent".to_owned(),
                prompt: description,
            },
            Line::SubagentFinished { subagent, ok } => Body::SubagentFinished {
                tool_call_id: subagent,
                is_error: !ok,
            },
            Line::Offers { commands, models } => offers(commands, models),
            Line::Model { model } => return self.select_model(model, out),
            Line::Compacted {
                before_tokens,
                after_tokens,
            } => Body::ContextCondensed {
                policy: CondensePolicy::Requested,
                tokens_before: Some(before_tokens),
                tokens_after: Some(after_tokens),
                summary_text: None,
            },
            Line::Cleared { id } => {
                out.push(Heard::Event(bodies::condensed(CondensePolicy::Cleared)));
                Body::AgentSessionNamed { session_id: id }
            }
            Line::RateLimited { message, resets_at } => Body::RateLimited(RateLimit {
                name: message,
                used: None,
                resets_at,
                blocked: true,
            }),
            Line::Error { message, fatal } => self.failed(fatal, message),
            Line::TurnFinished { outcome } => return self.finish(&outcome, out),
            Line::Usage { .. } => return self.count(&line),
            Line::Question(asked) => self.ask(asked)?,
            Line::Approval(asked) => self.request(asked)?,
            Line::Plan(proposed) => self.propose(proposed)?,
            Line::Withdrawn { id } => self.withdraw(&id)?,
        };
        out.push(Heard::Event(body));
        Some(())
    }

    fn select_model(&mut self, model: String, out: &mut Vec<Heard>) -> Option<()> {
        if !model.is_empty() && self.model.as_ref() != Some(&model) {
            self.model = Some(model.clone());
            out.push(Heard::Event(Body::ModelSelected {
                provider: registry::name("scripted"),
                model,
                reasoning_effort: None,
            }));
        }
        Some(())
    }

    /// A run that ends before it has named its session does not know the one it was to go on with.
    fn failed(&self, fatal: bool, message: String) -> Body {
        match &self.setup.resume {
            Some(session) if fatal && !self.named => {
                bodies::session_lost("scripted", session, &message)
            }
            Some(_) | None => bodies::error(ErrorClass::Agent, message),
        }
    }

    /// Its figures are those of a turn or less; ours are those of the task.
    fn count(&mut self, line: &Line) -> Option<()> {
        if let Line::Usage {
            input_tokens,
            output_tokens,
            cached_tokens,
            context_window,
        } = line
        {
            let usage = &mut self.usage;
            usage.input_tokens = usage.input_tokens.saturating_add(*input_tokens);
            usage.output_tokens = usage.output_tokens.saturating_add(*output_tokens);
            usage.cached_tokens = usage.cached_tokens.saturating_add(*cached_tokens);
            usage.context_used = Some(input_tokens.saturating_add(*cached_tokens));
            usage.context_limit = context_window.or(usage.context_limit);
        }
        Some(())
    }

    fn finish(&mut self, outcome: &Outcome, out: &mut Vec<Heard>) -> Option<()> {
        self.in_turn = false;
        self.open.drain();
        for (call, ()) in self.tools.drain() {
            out.push(Heard::Event(bodies::broken_off(call, None)));
        }
        let outcome = match outcome {
            Outcome::Completed => TurnOutcome::Completed,
            Outcome::Interrupted => TurnOutcome::Interrupted,
            Outcome::Failed => TurnOutcome::Failed,
        };
        out.push(Heard::Event(Body::UsageUpdated(self.usage)));
        out.push(Heard::Event(Body::TurnFinished {
            outcome,
            duration_ms: None,
        }));
        Some(())
    }

    fn ask(&mut self, asked: AskedQuestion) -> Option<Body> {
        let question_id = QuestionId::parse(&asked.question).ok()?;
        self.open
            .insert(&asked.question, (Open::Question, false), 0);
        Some(Body::QuestionAsked(Question {
            question_id,
            header: asked.header,
            text: asked.text,
            choices: asked.options,
            multiple: asked.multiple,
        }))
    }

    fn request(&mut self, asked: AskedApproval) -> Option<Body> {
        let approval_id = ApprovalId::parse(&asked.approval).ok()?;
        self.open
            .insert(&asked.approval, (Open::Approval, false), 0);
        let call = started(asked.call, asked.kind, asked.input);
        let what = call.command.as_deref().or(call.path.as_deref());
        Some(Body::ApprovalRequested(Box::new(Approval {
            approval_id,
            summary: format!("{}: {}", call.tool_name, what.unwrap_or_default()),
            tool_call_id: Some(call.tool_call_id),
            tool: call.tool,
            tool_name: call.tool_name,
            reason: asked.reason,
            input: call.args,
            scopes: vec![ApprovalScope::Once],
            offers: Vec::new(),
        })))
    }

    fn propose(&mut self, proposed: ProposedPlan) -> Option<Body> {
        let plan_id = PlanId::parse(&proposed.plan).ok()?;
        self.open.insert(&proposed.plan, (Open::Plan, false), 0);
        let text = proposed.text;
        Some(Body::PlanProposed(Plan { plan_id, text }))
    }

    fn withdraw(&mut self, id: &str) -> Option<Body> {
        let (open, _) = self.open.remove(id)?;
        Some(match open {
            Open::Question => Body::QuestionAnswered {
                question_id: QuestionId::parse(id).ok()?,
                answer: None,
            },
            Open::Approval => Body::ApprovalResolved {
                approval_id: ApprovalId::parse(id).ok()?,
                decision: None,
                rules: Vec::new(),
                by_rule: false,
            },
            Open::Plan => Body::PlanResolved {
                plan_id: PlanId::parse(id).ok()?,
                decision: None,
            },
        })
    }

    /// A word that is said between two turns alone.
    fn at_rest(&self, id: &InputId, word: &str) -> Option<Vec<Outgoing>> {
        let line = json!({"type": word, "id": id});
        let outgoing = || Outgoing::new(id, &line).into_iter().collect();
        (!self.in_turn && !self.told && !self.wished).then(outgoing)
    }

    /// Says `line` in answer to `open`, once.
    fn reply(
        &mut self,
        id: &InputId,
        open: Open,
        open_id: &str,
        line: &Value,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        match self.open.get_mut(open_id) {
            Some((kind, answered)) if *kind == open && !*answered => *answered = true,
            Some(_) | None => return Err(CannotSay::gone(open_id)),
        }
        Ok(Outgoing::new(id, line).into_iter().collect())
    }
}

fn offers(commands: Vec<String>, models: Vec<String>) -> Body {
    let mut offers = Offers::default();
    offers.set_commands(commands.into_iter().map(|name| OfferedCommand {
        name,
        ..OfferedCommand::default()
    }));
    offers.set_models(models.into_iter().map(|id| OfferedModel {
        id,
        ..OfferedModel::default()
    }));
    Body::AgentOffers(offers)
}

impl Codec for ScriptedCodec {
    fn greet(&mut self) -> Vec<Outgoing> {
        Vec::new()
    }

    fn hear(&mut self, line: &[u8], out: &mut Vec<Heard>) {
        if line.trim_ascii().is_empty() {
            return;
        }
        match serde_json::from_slice::<Line>(line) {
            // A withdrawal of what is not open, or an id that is none, means nothing to anyone.
            Ok(taken) => drop(self.take(taken, out)),
            Err(error) => out.push(unknown(line, &error.to_string())),
        }
    }

    fn context(&self) -> Option<ContextUse> {
        ContextUse::of(self.usage.context_used, self.usage.context_limit)
    }

    fn said(&mut self, _: &InputId, bytes: &[u8]) {
        let Ok(said) = serde_json::from_slice::<Said>(bytes) else {
            return;
        };
        if said.kind == "prompt" {
            self.told |= !self.in_turn;
        }
        let answered = said.question.or(said.approval).or(said.plan);
        if let Some(id) = answered {
            self.open.remove(&id);
        }
    }

    fn prompt_with(&mut self, id: &InputId, input: &UserInput<'_>) -> Vec<Outgoing> {
        let text = input.text;
        self.wished |= !self.in_turn;
        let line = json!({"type": "prompt", "id": id, "text": text});
        Outgoing::new(id, &line).into_iter().collect()
    }

    fn answer(
        &mut self,
        id: &InputId,
        question: &QuestionId,
        answer: &Answer,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let answers: Vec<&String> = answer.choices.iter().chain(&answer.text).collect();
        let line = json!({"type": "answer", "id": id, "question": question, "answers": answers});
        self.reply(id, Open::Question, question.as_str(), &line)
    }

    fn decide(
        &mut self,
        id: &InputId,
        approval: &ApprovalId,
        decision: &Decision,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let mut line = json!({"type": "approval", "id": id, "approval": approval});
        let mut ends_turn = false;
        match decision {
            Decision::Allow { input: None, .. } => line["decision"] = json!("allow"),
            Decision::Allow {
                input: Some(input), ..
            } => {
                let Some(command) = input.get("command").filter(|one| one.is_string()) else {
                    let reason = "the scripted agent takes an edited command alone";
                    return Err(CannotSay::Unfit { reason });
                };
                line["decision"] = json!("allow");
                line["command"] = command.clone();
            }
            Decision::Deny { message, interrupt } => {
                line["decision"] = json!("deny");
                if let Some(message) = message {
                    line["message"] = json!(message);
                }
                ends_turn = *interrupt;
            }
        }
        let mut outgoing = self.reply(id, Open::Approval, approval.as_str(), &line)?;
        if ends_turn {
            let tail: String = id.as_str().chars().take(50).collect();
            let line = json!({"type": "interrupt", "id": format!("interrupt-{tail}")});
            outgoing.extend(Outgoing::named(&format!("interrupt-{tail}"), &line));
        }
        Ok(outgoing)
    }

    fn decide_plan(
        &mut self,
        id: &InputId,
        plan: &PlanId,
        decision: &PlanDecision,
        _: PermissionMode,
    ) -> Result<Vec<Outgoing>, CannotSay> {
        let (word, message) = match decision {
            PlanDecision::Approve { text } => ("accept", text),
            PlanDecision::Reject { comment } => ("reject", comment),
        };
        let mut line = json!({"type": "plan", "id": id, "plan": plan, "decision": word});
        if let Some(message) = message {
            line["message"] = json!(message);
        }
        self.reply(id, Open::Plan, plan.as_str(), &line)
    }

    fn interrupt(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        let line = json!({"type": "interrupt", "id": id});
        Some(Outgoing::new(id, &line).into_iter().collect())
    }

    fn set_model(&mut self, id: &InputId, model: &str) -> Option<Vec<Outgoing>> {
        let line = json!({"type": "set_model", "id": id, "model": model});
        Some(Outgoing::new(id, &line).into_iter().collect())
    }

    fn compact(&mut self, id: &InputId, _: Option<&str>) -> Option<Vec<Outgoing>> {
        self.at_rest(id, "compact")
    }

    fn clear(&mut self, id: &InputId) -> Option<Vec<Outgoing>> {
        self.at_rest(id, "clear")
    }
}

fn started(call: String, name: String, input: Value) -> ToolCallStarted {
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    let tool: ToolKind = kind(&name);
    ToolCallStarted {
        tool_call_id: call,
        tool,
        tool_name: name,
        command: text("command"),
        path: text("path"),
        cwd: None,
        server: None,
        timeout_s: None,
        args: Some(input),
        args_ref: None,
        parent_tool_call_id: None,
    }
}
