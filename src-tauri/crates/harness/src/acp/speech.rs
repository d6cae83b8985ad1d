//! Messages and thinking, put together from the chunks in which they come.
//!
//! The protocol has no end of a message: it ends where something else begins.

use paddock_domain::{BlockKind, Body, Delta, DeltaKind};

use crate::{Heard, bodies};

/// Longest message that is put together, in bytes; a longer one becomes several.
const MESSAGE: usize = 1 << 20;

/// How much of the last message is remembered, in characters.
const REMEMBERED: usize = 400;

/// Who speaks, and in which message, as far as the agent says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Speaker<'a> {
    /// The agent's own id of the message.
    pub message: Option<&'a str>,
    /// The call of the sub-agent that speaks.
    pub parent: Option<&'a str>,
}

/// What the agent is saying.
#[derive(Debug, Default)]
pub(super) struct Speech {
    under_way: Option<UnderWay>,
    /// Messages begun in this run; makes their keys.
    begun: u64,
    /// The beginning of the last message that was whole.
    last: String,
}

#[derive(Debug)]
struct UnderWay {
    kind: DeltaKind,
    /// The agent's own id of the message.
    message: Option<String>,
    /// The call of the sub-agent that speaks.
    parent: Option<String>,
    key: String,
    text: String,
}

impl Speech {
    /// Takes a piece of a message in. What it ends comes first.
    pub(super) fn hear(
        &mut self,
        kind: DeltaKind,
        by: Speaker<'_>,
        text: &str,
        out: &mut Vec<Heard>,
    ) {
        let Speaker { message, parent } = by;
        if text.is_empty() {
            return;
        }
        let goes_on = self.under_way.as_ref().is_some_and(|it| {
            it.kind == kind
                && it.message.as_deref() == message
                && it.parent.as_deref() == parent
                && it.text.len() < MESSAGE
        });
        if !goes_on {
            self.end(out);
        }
        let begun = &mut self.begun;
        let under_way = self.under_way.get_or_insert_with(|| {
            *begun += 1;
            UnderWay {
                kind,
                message: message.map(str::to_owned),
                parent: parent.map(str::to_owned),
                key: format!("m{begun}"),
                text: String::new(),
            }
        });
        under_way.text.push_str(text);
        out.push(Heard::Delta(Delta {
            kind,
            key: under_way.key.clone(),
            text: text.to_owned(),
            parent_tool_call_id: under_way.parent.clone(),
        }));
    }

    /// Something else begins: what was being said is whole.
    pub(super) fn end(&mut self, out: &mut Vec<Heard>) {
        let Some(UnderWay {
            kind, text, parent, ..
        }) = self.under_way.take()
        else {
            return;
        };
        self.last = text.chars().take(REMEMBERED).collect();
        out.push(Heard::Event(match kind {
            DeltaKind::Thinking => Body::Thinking {
                text,
                parent_tool_call_id: parent,
            },
            DeltaKind::Text | DeltaKind::ToolOutput => {
                bodies::message(BlockKind::Text, text, parent)
            }
        }));
    }

    /// The beginning of the last message of the turn that ends now.
    pub(super) fn end_turn(&mut self) -> String {
        std::mem::take(&mut self.last)
    }
}
