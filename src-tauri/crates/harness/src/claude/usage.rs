//! What the task has used.
//!
//! The program tells what came since its last result, which adds up exactly. Its running totals do not:
//! they begin anew when the conversation is cleared, and go on from an earlier run where that came to
//! an orderly end. They are used only where there is nothing better.

use paddock_domain::{Cost, Usage};

use super::wire::{MessageUsage, TurnResult, UsageByModel};
use crate::ContextUse;

/// Adds up.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// What is certain.
    base: Usage,
    /// The program's running total, where that is all it tells; one that fell has begun anew.
    count: Usage,
    context_used: Option<u64>,
    context_limit: Option<u64>,
}

impl Meter {
    pub(super) fn new(before: Usage) -> Self {
        Self {
            base: before,
            ..Self::default()
        }
    }

    /// A message of the main conversation: all that the model read for it is in the context.
    pub(super) fn saw_message(&mut self, usage: MessageUsage) {
        let read = usage.read();
        if read > 0 {
            self.context_used = Some(read);
        }
    }

    /// The true end of a streamed message.
    pub(super) fn saw_message_end(&mut self, usage: MessageUsage) {
        let read = usage.read();
        if read > 0 {
            let written = usage.output_tokens.unwrap_or_default();
            self.context_used = Some(read.saturating_add(written));
        }
    }

    pub(super) fn saw_compaction(&mut self, tokens_after: Option<u64>) {
        self.context_used = tokens_after.or(self.context_used);
    }

    /// The conversation was cleared.
    pub(super) fn saw_reset(&mut self) {
        self.context_used = None;
    }

    /// Takes the figures of a turn's end; `model` is the one in use.
    pub(super) fn saw_result(&mut self, result: &TurnResult<'_>, model: Option<&str>) {
        if let Some(fresh) = &result.model_usage_since_last_result {
            self.base = sum(&self.base, &counted(fresh));
        } else {
            let count = counted(&result.model_usage);
            if total(&count) < total(&self.count) {
                self.base = sum(&self.base, &self.count);
            }
            self.count = count;
        }
        let windows = result.model_usage.iter();
        let of_model = windows.clone().find(|(name, _)| model == Some(&***name));
        let window = match of_model {
            Some((_, usage)) => usage.context_window,
            None => windows.filter_map(|(_, usage)| usage.context_window).max(),
        };
        self.context_limit = window.or(self.context_limit);
    }

    /// How full the context is now.
    pub(super) fn context(&self) -> Option<ContextUse> {
        ContextUse::of(self.context_used, self.context_limit)
    }

    /// What the whole task has used.
    pub(super) fn usage(&self) -> Usage {
        Usage {
            context_used: self.context_used,
            context_limit: self.context_limit,
            ..sum(&self.base, &self.count)
        }
    }
}

fn counted(models: &UsageByModel<'_>) -> Usage {
    let mut count = Usage::default();
    for usage in models.values() {
        let add = |to: &mut u64, n: Option<u64>| *to = to.saturating_add(n.unwrap_or_default());
        add(&mut count.input_tokens, usage.input_tokens);
        add(&mut count.cached_tokens, usage.cache_read_input_tokens);
        add(
            &mut count.cache_write_tokens,
            usage.cache_creation_input_tokens,
        );
        add(&mut count.output_tokens, usage.output_tokens);
        add(&mut count.reasoning_tokens, usage.thinking_tokens);
    }
    let costs = models.values().filter_map(|usage| usage.cost_usd);
    let real = costs.filter(|usd| usd.is_finite() && *usd >= 0.0);
    count.cost = real.reduce(|a, b| a + b).map(Cost::reported);
    count
}

fn sum(a: &Usage, b: &Usage) -> Usage {
    let cost = match (a.cost, b.cost) {
        (Some(a), Some(b)) => Some(Cost {
            usd: a.usd + b.usd,
            ..b
        }),
        (one, other) => one.or(other),
    };
    Usage {
        input_tokens: a.input_tokens.saturating_add(b.input_tokens),
        cached_tokens: a.cached_tokens.saturating_add(b.cached_tokens),
        cache_write_tokens: a.cache_write_tokens.saturating_add(b.cache_write_tokens),
        output_tokens: a.output_tokens.saturating_add(b.output_tokens),
        reasoning_tokens: a.reasoning_tokens.saturating_add(b.reasoning_tokens),
        context_used: None,
        context_limit: None,
        cost,
    }
}

fn total(usage: &Usage) -> u64 {
    usage.input_tokens.saturating_add(usage.output_tokens)
}
