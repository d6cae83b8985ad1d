//! What the task has used, from figures that the program counts per thread.

use paddock_domain::Usage;

use super::wire::{TokenUsage, Tokens};
use crate::ContextUse;
use crate::bounded::Bounded;

/// Adds up the main thread, which counts earlier runs too when it was resumed, and those of its
/// sub-agents.
#[derive(Debug, Default)]
pub(super) struct Meter {
    base: Usage,
    main: Tokens,
    others: Bounded<Tokens>,
    context_used: Option<u64>,
    context_limit: Option<u64>,
}

impl Meter {
    /// `before`: what was used before a thread that does not count it itself.
    pub(super) fn new(before: Usage) -> Self {
        Self {
            base: before,
            ..Self::default()
        }
    }

    /// The thread goes on with what earlier runs of the task said: it counts them itself.
    pub(super) fn counts_earlier_runs(&mut self) {
        self.base = Usage::default();
    }

    /// Another thread begins, which counts from zero.
    pub(super) fn begins_anew(&mut self) {
        self.context_used = None;
        self.base = self.usage();
        self.main = Tokens::default();
        self.others = Bounded::default();
    }

    pub(super) fn saw_main(&mut self, usage: &TokenUsage) {
        self.main = usage.total;
        self.context_used = usage.last.total_tokens.or(self.context_used);
        self.context_limit = usage.model_context_window.or(self.context_limit);
    }

    pub(super) fn saw_other(&mut self, thread: &str, usage: &TokenUsage) {
        self.others.insert(thread, usage.total, size_of::<Tokens>());
    }

    /// How full the context is now.
    pub(super) fn context(&self) -> Option<ContextUse> {
        ContextUse::of(self.context_used, self.context_limit)
    }

    /// What the whole task has used.
    pub(super) fn usage(&self) -> Usage {
        let mut usage = self.base;
        for tokens in self.others.values().chain([&self.main]) {
            add(&mut usage, tokens);
        }
        usage.context_used = self.context_used;
        usage.context_limit = self.context_limit;
        usage
    }
}

fn add(usage: &mut Usage, tokens: &Tokens) {
    let cached = tokens.cached_input_tokens.unwrap_or_default();
    let written = tokens.cache_write_input_tokens.unwrap_or_default();
    let input = tokens.input_tokens.unwrap_or_default();
    let fresh = input.saturating_sub(cached).saturating_sub(written);
    let sum = |to: &mut u64, n: u64| *to = to.saturating_add(n);
    sum(&mut usage.input_tokens, fresh);
    sum(&mut usage.cached_tokens, cached);
    sum(&mut usage.cache_write_tokens, written);
    sum(
        &mut usage.output_tokens,
        tokens.output_tokens.unwrap_or_default(),
    );
    sum(
        &mut usage.reasoning_tokens,
        tokens.reasoning_output_tokens.unwrap_or_default(),
    );
}
