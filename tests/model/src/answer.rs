//! A reply with its tools bound, its ids given and its tokens counted: all that a dialect writes.
//!
//! Start at [`Answer::new`].

use std::time::Duration;

use crate::bind::{self, Bound};
use crate::conversation::Conversation;
use crate::story::{Ending, Part, Reply};

/// A block of an answer.
#[derive(Debug)]
pub(crate) enum Block {
    Thinking(String),
    Text(String),
    Call(Bound),
}

/// Tokens to claim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    pub(crate) input: u64,
    pub(crate) cached: u64,
    pub(crate) output: u64,
    pub(crate) reasoning: u64,
}

/// An answer, ready to be written.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) model: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) ending: Ending,
    pub(crate) wait: Duration,
    pub(crate) pace: Duration,
    pub(crate) usage: Usage,
    /// Part of every id, unlike that of any other answer.
    id: String,
}

impl Answer {
    /// Makes `reply` an answer to `conversation`; `id` must be new.
    pub(crate) fn new(reply: Reply, conversation: &Conversation, id: String) -> Self {
        let usage = usage(&reply, conversation);
        let blocks = reply.parts.into_iter().map(|part| match part {
            Part::Think(text) => Block::Thinking(text),
            Part::Say(text) => Block::Text(text),
            Part::Call(call) => Block::Call(bind::bind(&call, &conversation.tools)),
        });
        Self {
            model: conversation.model.clone(),
            blocks: blocks.collect(),
            ending: reply.ending,
            wait: reply.wait,
            pace: reply.pace,
            usage,
            id,
        }
    }

    /// Whether it calls a tool.
    pub(crate) fn calls(&self) -> bool {
        let mut blocks = self.blocks.iter();
        blocks.any(|block| matches!(block, Block::Call(_)))
    }

    /// The id of the whole answer.
    pub(crate) fn id(&self, prefix: &str) -> String {
        format!("{prefix}_fake_{}", self.id)
    }

    /// The id of block `index`.
    pub(crate) fn block_id(&self, prefix: &str, index: usize) -> String {
        format!("{prefix}_fake_{}{index:02}", self.id)
    }
}

/// A token for every four bytes, as a rule of thumb, and three quarters of the input from cache.
fn usage(reply: &Reply, conversation: &Conversation) -> Usage {
    let tokens = |text: &str| (text.len() / 4) as u64;
    let input = (conversation.bytes / 4).max(60) as u64;
    let input = reply.input_tokens.unwrap_or(input);
    let mut usage = Usage {
        input,
        cached: input / 4 * 3,
        output: 5,
        reasoning: 0,
    };
    for part in &reply.parts {
        match part {
            Part::Think(text) => {
                usage.output += tokens(text);
                usage.reasoning += tokens(text);
            }
            Part::Say(text) => usage.output += tokens(text).max(1),
            Part::Call(_) => usage.output += 40,
        }
    }
    usage
}
