//! What the task has used, from figures that agents give per turn, per request, or not at all.

use paddock_domain::{Cost, Usage};

use super::wire::{ContextUpdate, GeminiTokens, Tokens};
use crate::ContextUse;

/// Adds up what the agent tells of.
#[derive(Debug)]
pub(super) struct Meter {
    usage: Usage,
    /// What earlier sessions of the task have cost; the agent counts its session alone.
    cost_before: f64,
    /// Requests of this turn were counted one by one: its sum must not count again.
    counted: bool,
}

impl Meter {
    pub(super) fn new(before: Usage) -> Self {
        Self {
            cost_before: before.cost.map_or(0.0, |cost| cost.usd),
            usage: before,
            counted: false,
        }
    }

    /// The agent goes on with a session whose cost it counts itself.
    pub(super) fn counts_earlier_runs(&mut self) {
        self.cost_before = 0.0;
    }

    /// Another session begins, which costs nothing yet.
    pub(super) fn begins_anew(&mut self) {
        self.cost_before = self.usage.cost.map_or(0.0, |cost| cost.usd);
        self.usage.context_used = None;
    }

    /// What one request used.
    pub(super) fn saw_request(&mut self, tokens: Tokens) {
        self.counted = true;
        self.add(tokens);
    }

    /// What the turn used.
    pub(super) fn saw_turn(&mut self, tokens: Tokens) {
        if !self.counted {
            self.add(tokens);
        }
    }

    pub(super) fn saw_gemini(&mut self, tokens: &GeminiTokens) {
        self.saw_turn(Tokens {
            input_tokens: tokens.input_tokens,
            output_tokens: tokens.output_tokens,
            ..Tokens::default()
        });
    }

    pub(super) fn saw_context(&mut self, context: &ContextUpdate) {
        self.usage.context_used = context.used.or(self.usage.context_used);
        self.usage.context_limit = context.size.or(self.usage.context_limit);
        let dollars = context.cost.as_ref().filter(|cost| cost.currency == "USD");
        if let Some(cost) = dollars.filter(|cost| cost.amount.is_finite() && cost.amount >= 0.0) {
            self.usage.cost = Some(Cost::reported(self.cost_before + cost.amount));
        }
    }

    /// How full the context is now.
    pub(super) fn context(&self) -> Option<ContextUse> {
        ContextUse::of(self.usage.context_used, self.usage.context_limit)
    }

    /// What the whole task has used, at the end of a turn.
    pub(super) fn end_turn(&mut self) -> Usage {
        self.counted = false;
        self.usage
    }

    fn add(&mut self, tokens: Tokens) {
        let sum = |to: &mut u64, n: Option<u64>| *to = to.saturating_add(n.unwrap_or_default());
        let cached = tokens.cached_read_tokens.unwrap_or_default();
        // Some count what came from a cache as input too, some do not: those that do say more input
        // than cache.
        let input = tokens.input_tokens.unwrap_or_default();
        let fresh = match input >= cached {
            true => input - cached,
            false => input,
        };
        sum(&mut self.usage.input_tokens, Some(fresh));
        sum(&mut self.usage.cached_tokens, Some(cached));
        sum(
            &mut self.usage.cache_write_tokens,
            tokens.cached_write_tokens,
        );
        sum(&mut self.usage.output_tokens, tokens.output_tokens);
        sum(&mut self.usage.reasoning_tokens, tokens.thought_tokens);
    }
}
