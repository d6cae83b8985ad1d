//! What a turn is made of: messages, thoughts, tool calls, sub-agents.

use paddock_domain::{BlockKind, Body, CondensePolicy, PlanId, ToolKind, TurnOutcome};

use super::codec::{Agent, CodexCodec, OpenTool};
use super::decode::{Out, event};
use super::items;
use super::quiet::is_quiet_item;
use super::wire::{Item, ItemParams};
use crate::bodies::message;

impl CodexCodec {
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

    pub(super) fn agent_rests(&mut self, thread: &str, outcome: TurnOutcome, out: &mut Out) {
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

    pub(super) fn item_started(&mut self, params: &ItemParams<'_>, out: &mut Out) {
        let item = &params.item;
        let parent = self.parent(params.thread_id.as_deref());
        if let Some(tool) = items::kind(item) {
            let call = items::started(item, tool, parent);
            let open = OpenTool {
                parent: call.parent_tool_call_id.clone(),
                path: call.path.clone(),
            };
            let weight = call.path.as_ref().map_or(0, String::len);
            self.tools.insert(&item.id, open, weight);
            event(out, Body::ToolCallStarted(call));
        } else if &*item.kind == "subAgentActivity" && item.activity.as_deref() == Some("started") {
            let thread = item.agent_thread_id.as_deref().unwrap_or_default();
            let path = item.agent_path.as_deref().unwrap_or_default();
            let name = path.rsplit('/').next().unwrap_or("agent");
            self.agent_starts(thread, &item.id, name, "", out);
        }
    }

    /// Whether the item is of a kind that is known.
    pub(super) fn item_completed(&mut self, params: &ItemParams<'_>, out: &mut Out) -> bool {
        let item = &params.item;
        let parent = self.parent(params.thread_id.as_deref());
        if let Some(tool) = items::kind(item) {
            self.tool_finished(item, tool, parent, out);
            return true;
        }
        let text = item.text.as_deref().unwrap_or_default();
        match &*item.kind {
            "agentMessage" if text.trim().is_empty() => {}
            "agentMessage" => event(out, message(BlockKind::Text, text.to_owned(), parent)),
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
