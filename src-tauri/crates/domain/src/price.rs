//! What tokens cost, and how a user writes it: `MODEL=INPUT/CACHED/OUTPUT`, in dollars for a million tokens.
//!
//! Start at [`ModelPrice::parse`].

use std::fmt;

use crate::Usage;

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Read, and in no cache.
    pub input: f64,
    /// Read from a cache.
    pub cached: f64,
    /// Written to a cache.
    pub cache_write: f64,
    /// Written, thinking included.
    pub output: f64,
}

impl Price {
    /// What these tokens cost, in dollars.
    #[must_use]
    pub fn cost(self, tokens: &Usage) -> f64 {
        #[allow(clippy::cast_precision_loss)] // exact up to 9 × 10^15 tokens
        let dollars = |count: u64, price: f64| count as f64 * price / 1_000_000.0;
        dollars(tokens.input_tokens, self.input)
            + dollars(tokens.cached_tokens, self.cached)
            + dollars(tokens.cache_write_tokens, self.cache_write)
            + dollars(tokens.output_tokens, self.output)
    }
}

impl From<[f64; 4]> for Price {
    fn from([input, cached, cache_write, output]: [f64; 4]) -> Self {
        Self {
            input,
            cached,
            cache_write,
            output,
        }
    }
}

/// A price that a user wrote for a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPrice {
    /// The model, as it was written.
    pub model: String,
    /// What its tokens cost; those that go into a cache as those that are read.
    pub price: Price,
}

impl ModelPrice {
    /// Most prices that a user adds.
    pub const MAX: usize = 100;
    /// The highest figure, in dollars.
    const DOLLARS_MAX: f64 = 100_000.0;

    /// Reads `MODEL=INPUT/CACHED/OUTPUT`; nothing when it is something else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (model, figures) = text.split_once('=')?;
        let figures: Vec<f64> = figures
            .split('/')
            .map(|figure| figure.trim().parse().ok())
            .collect::<Option<_>>()?;
        let [input, cached, output] = figures[..] else {
            return None;
        };
        let is_real = |dollars: &f64| (0.0..=Self::DOLLARS_MAX).contains(dollars);
        let model = model.trim();
        let names_one = !model.is_empty() && !model.ends_with('/');
        (names_one && figures.iter().all(is_real)).then(|| Self {
            model: model.to_owned(),
            price: Price::from([input, cached, input, output]),
        })
    }

    /// Reads all of `texts`; nothing when one is no price, or there are more than [`Self::MAX`].
    #[must_use]
    pub fn parse_all(texts: &[String]) -> Option<Vec<Self>> {
        let few = texts.len() <= Self::MAX;
        few.then(|| texts.iter().map(|text| Self::parse(text)).collect())?
    }
}

impl fmt::Display for ModelPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Price {
            input,
            cached,
            output,
            ..
        } = self.price;
        write!(f, "{}={input}/{cached}/{output}", self.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_token_has_its_price() {
        let usage = Usage {
            input_tokens: 1_000_000,
            cached_tokens: 2_000_000,
            output_tokens: 100_000,
            reasoning_tokens: 50_000,
            ..Usage::default()
        };
        let price = Price::from([5.0, 0.5, 5.0, 30.0]);
        assert!((price.cost(&usage) - 9.0).abs() < 1e-9); // 5 + 1 + 3: thinking is output
    }

    #[test]
    fn a_price_is_a_model_and_three_figures() {
        let read = ModelPrice::parse(" openai/My Model = 1 / 0.1/2 ").unwrap();
        assert_eq!(read.to_string(), "openai/My Model=1/0.1/2");
        for bad in [
            "",
            "m",
            "m=1",
            "m=1/2",
            "m=1/2/x",
            "=1/1/1",
            "a/=1/1/1",
            "m=1/-1/2",
            "m=1/NaN/2",
            "m=1/2/inf",
            "m=1/2/100001",
            "m=1/2/3/4",
        ] {
            assert_eq!(ModelPrice::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_list_of_prices_has_a_bound() {
        let prices = |n: usize| -> Vec<String> { (0..n).map(|n| format!("m{n}=1/1/1")).collect() };
        let read = ModelPrice::parse_all(&prices(ModelPrice::MAX)).unwrap();
        assert_eq!(read.len(), ModelPrice::MAX);
        assert_eq!(ModelPrice::parse_all(&prices(ModelPrice::MAX + 1)), None);
    }
}
