//! What the task has used, from figures that the program counts per process.

use paddock_domain::{Cost, CostSource, Usage};

use super::wire::{MessageUsage, TurnResult};

/// Adds up. The program counts per process and begins again from zero when the conversation is cleared;
/// a count that fell is taken for that.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// What was used before the program's present count began.
    base: Usage,
    /// The program's present count.
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

    /// Takes the figures of a turn's end; `model` is the one in use.
    pub(super) fn saw_result(&mut self, result: &TurnResult<'_>, model: Option<&str>) {
        let count = counted(result);
        let fell = total(&count) < total(&self.count) || usd(&count) < usd(&self.count);
        if fell {
            self.base = sum(&self.base, &self.count);
        }
        self.count = count;
        let windows = result.model_usage.iter();
        let of_model = windows.clone().find(|(name, _)| model == Some(&***name));
        let window = match of_model {
            Some((_, usage)) => usage.context_window,
            None => windows.filter_map(|(_, usage)| usage.context_window).max(),
        };
        self.context_limit = window.or(self.context_limit);
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

fn counted(result: &TurnResult<'_>) -> Usage {
    let mut count = Usage::default();
    for usage in result.model_usage.values() {
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
    let real = result
        .total_cost_usd
        .filter(|usd| usd.is_finite() && *usd >= 0.0);
    count.cost = real.map(|usd| Cost {
        usd,
        source: CostSource::Reported,
    });
    count
}

fn sum(a: &Usage, b: &Usage) -> Usage {
    let cost = match (a.cost, b.cost) {
        (Some(a), Some(b)) => Some(Cost {
            usd: a.usd + b.usd,
            source: b.source,
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

fn usd(usage: &Usage) -> f64 {
    usage.cost.map_or(0.0, |cost| cost.usd)
}
