//! What follows from all that an agent said, whichever it is: what its tokens cost where it tells no cost, how full
//! its context is while a turn goes on, and that a retry has succeeded.
//!
//! A tally stands behind a codec and hears each line's meaning before anybody else. Like the codec it depends on the
//! run's log alone, so that decoding a log again gives the same. A cost that the program tells always wins.

use std::sync::Arc;

use paddock_domain::{Body, Cost, CostSource, DeltaKind, Usage};

use crate::{Codec, CodecSetup, ContextUse, Harness, Heard, Prices};

/// A codec with its tally: what is heard through it is whole.
pub struct Tallied {
    codec: Box<dyn Codec>,
    tally: Tally,
}

impl Tallied {
    /// The codec of `harness` for one run, and a tally by these prices.
    #[must_use]
    pub fn new(harness: &dyn Harness, setup: CodecSetup, prices: Arc<Prices>) -> Self {
        let tally = Tally::new(&setup, prices);
        let codec = harness.codec(setup);
        Self { codec, tally }
    }

    /// As [`Codec::hear`], with what follows from it.
    pub fn hear(&mut self, line: &[u8], out: &mut Vec<Heard>) {
        let begin = out.len();
        self.codec.hear(line, out);
        self.tally.hear(self.codec.as_ref(), out, begin);
    }
}

impl std::ops::Deref for Tallied {
    type Target = dyn Codec;

    fn deref(&self) -> &Self::Target {
        self.codec.as_ref()
    }
}

impl std::ops::DerefMut for Tallied {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.codec.as_mut()
    }
}

/// The figures of one run.
#[derive(Debug)]
struct Tally {
    prices: Arc<Prices>,
    /// What earlier runs of the task used and cost.
    before: Usage,
    /// What was used when it was last told.
    counted: Usage,
    /// What the tokens of this run that have a price cost by it.
    estimate: Option<f64>,
    /// Some tokens of this run have no price.
    leaves_out: bool,
    model: Option<String>,
    context: Option<ContextUse>,
    is_retrying: bool,
}

impl Tally {
    /// A context is told again when it has changed by this part of its limit.
    const CONTEXT_STEP: u64 = 100;
    /// Or by this many tokens, where its limit is not known.
    const CONTEXT_TOKENS: u64 = 2_000;

    /// A tally of a run that begins so.
    fn new(setup: &CodecSetup, prices: Arc<Prices>) -> Self {
        let before = setup.usage_before;
        Self {
            prices,
            before,
            counted: before,
            estimate: None,
            leaves_out: false,
            model: setup.model.clone(),
            context: ContextUse::of(before.context_used, before.context_limit),
            is_retrying: false,
        }
    }

    /// Takes in what `codec` made of one line, from `begin` on, and adds what follows from it.
    fn hear(&mut self, codec: &dyn Codec, heard: &mut Vec<Heard>, begin: usize) {
        let mut answered = None;
        for (at, meaning) in heard.iter_mut().enumerate().skip(begin) {
            match meaning {
                Heard::Event(body) => self.take(body),
                Heard::Delta(delta) if self.is_retrying && delta.kind != DeltaKind::ToolOutput => {
                    self.is_retrying = false;
                    answered = Some(at);
                }
                Heard::Delta(_) | Heard::Send(_) | Heard::TurnBegan => {}
            }
        }
        if let Some(at) = answered {
            heard.insert(at, Heard::Event(Body::RetryEnded {}));
        }
        heard.extend(self.measure(codec.context()).map(Heard::Event));
    }

    fn take(&mut self, body: &mut Body) {
        if let Body::ModelSelected { model, .. } = body {
            self.model = Some(model.clone());
        } else if let Body::UsageUpdated(usage) = body {
            self.price(usage);
            self.context = ContextUse::of(usage.context_used, usage.context_limit);
        } else if let Body::Retrying(_) = body {
            self.is_retrying = true;
        } else if matches!(
            body,
            Body::AssistantMessage { .. }
                | Body::Thinking { .. }
                | Body::ToolCallStarted(_)
                | Body::TurnFinished { .. }
        ) {
            // Whoever folds these knows that it is over.
            self.is_retrying = false;
        }
    }

    /// The cost, where the program does not tell it, and whether it leaves something out.
    fn price(&mut self, usage: &mut Usage) {
        let fresh = since(usage, &self.counted);
        self.counted = *usage;
        if is_told(usage, &self.before) {
            self.add_what_was_before(usage);
            return;
        }
        if !is_nothing(&fresh) {
            let model = self.model.as_deref();
            match model.and_then(|model| self.prices.of(model)) {
                Some(price) => *self.estimate.get_or_insert(0.0) += price.cost(&fresh),
                None => self.leaves_out = true,
            }
        }
        let partial = self.leaves_out || leaves_out(&self.before);
        let before = self.before.cost;
        usage.cost = match self.estimate {
            Some(usd) => Some(Cost {
                usd: usd + before.map_or(0.0, |cost| cost.usd),
                source: CostSource::Estimated,
                partial,
            }),
            None => before.map(|cost| Cost { partial, ..cost }),
        };
    }

    /// A sum that holds an estimate of an earlier run is none that the program told, and one after tokens without
    /// a price is not whole.
    fn add_what_was_before(&self, usage: &mut Usage) {
        let Some(cost) = &mut usage.cost else {
            return;
        };
        cost.partial = leaves_out(&self.before);
        if let Some(before) = self.before.cost
            && before.source == CostSource::Estimated
            && cost.usd >= before.usd
        {
            cost.source = CostSource::Estimated;
        }
    }

    /// Tells how full the context is when that has changed enough.
    fn measure(&mut self, now: Option<ContextUse>) -> Option<Body> {
        let now = now?;
        let enough = self.context.is_none_or(|told| {
            let moved = now.used.abs_diff(told.used);
            match now.limit.or(told.limit) {
                Some(limit) => moved.saturating_mul(Self::CONTEXT_STEP) >= limit.max(1),
                None => moved >= Self::CONTEXT_TOKENS,
            }
        });
        if !enough {
            return None;
        }
        self.context = Some(now);
        Some(Body::ContextMeasured {
            used: now.used,
            limit: now.limit,
        })
    }
}

/// Whether the program told a cost: one that is not just what was there before it.
fn is_told(usage: &Usage, before: &Usage) -> bool {
    usage.cost.is_some() && usage.cost != before.cost
}

/// Whether the cost of `usage` leaves out some of its tokens.
fn leaves_out(usage: &Usage) -> bool {
    let is_unpriced = || !is_nothing(&since(usage, &Usage::default()));
    usage.cost.map_or_else(is_unpriced, |cost| cost.partial)
}

/// What was used since.
fn since(now: &Usage, then: &Usage) -> Usage {
    Usage {
        input_tokens: now.input_tokens.saturating_sub(then.input_tokens),
        cached_tokens: now.cached_tokens.saturating_sub(then.cached_tokens),
        cache_write_tokens: now
            .cache_write_tokens
            .saturating_sub(then.cache_write_tokens),
        output_tokens: now.output_tokens.saturating_sub(then.output_tokens),
        ..Usage::default()
    }
}

fn is_nothing(tokens: &Usage) -> bool {
    *tokens == Usage::default()
}

#[cfg(test)]
mod tests;
