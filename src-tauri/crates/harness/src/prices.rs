//! What tokens cost by the list prices of the models' makers, for programs that tell tokens and no cost.
//!
//! A price is for one model, by its id; a date or `-latest` behind it is the same model, any other ending is
//! another one. A model that is not in the list has no price, and nothing is guessed. What a user adds comes first.
//! Not reckoned with: surcharges for long contexts, cheaper night and batch prices, and that a subscription costs
//! nothing by the token.

use paddock_domain::{ModelPrice, Price};

/// The prices there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prices {
    /// A user's own, by model.
    own: Vec<(String, Price)>,
}

/// List prices as of 21 November 2026, standard tier: input, cached input, cache writes, output, in dollars for a
/// million tokens. From the price list in the package of pi 0.87.1 (its `models.generated`, made from the makers'
/// pages), held against published copies of OpenAI's and Google's price pages of September to November 2026; that
/// of GPT-6.1 Sol is from those alone. Models in which they differ, and models that are priced by the length of the
/// prompt alone, are left out. Google's prices of 3.6 to 3.8 Flash hold until 31 December 2026.
const LIST: &[(&str, [f64; 4])] = &[
    ("gpt-6-astra", [10.0, 1.0, 12.5, 50.0]),
    ("gpt-6.1-sol", [2.0, 0.1, 2.5, 10.0]),
    ("gpt-6-sol", [2.0, 0.2, 2.5, 10.0]),
    ("gpt-6-luna", [0.1, 0.01, 0.125, 0.5]),
    ("gpt-5.6-sol", [4.0, 0.4, 5.0, 20.0]),
    ("gpt-5.6-terra", [2.0, 0.2, 2.5, 12.0]),
    ("gpt-5.6-luna", [0.2, 0.02, 0.25, 1.2]),
    ("gpt-5.5", [5.0, 0.5, 5.0, 30.0]),
    ("gpt-5.4", [2.5, 0.25, 2.5, 15.0]),
    ("gpt-5.4-mini", [0.75, 0.075, 0.75, 4.5]),
    ("gpt-5.4-nano", [0.2, 0.02, 0.2, 1.25]),
    ("gpt-5.3-codex", [1.75, 0.175, 1.75, 14.0]),
    ("gpt-5.2", [1.75, 0.175, 1.75, 14.0]),
    ("gpt-5.1", [1.25, 0.125, 1.25, 10.0]),
    ("gpt-5", [1.25, 0.125, 1.25, 10.0]),
    ("gpt-5-mini", [0.25, 0.025, 0.25, 2.0]),
    ("gpt-5-nano", [0.05, 0.005, 0.05, 0.4]),
    ("gpt-4.1", [2.0, 0.5, 2.0, 8.0]),
    ("gpt-4.1-mini", [0.4, 0.1, 0.4, 1.6]),
    ("gpt-4.1-nano", [0.1, 0.025, 0.1, 0.4]),
    ("claude-opus-5-5", [4.0, 0.2, 5.0, 20.0]),
    ("claude-opus-5", [5.0, 0.5, 6.25, 25.0]),
    ("claude-sonnet-5", [2.0, 0.2, 2.5, 10.0]),
    ("claude-sonnet-4-6", [3.0, 0.3, 3.75, 15.0]),
    ("claude-sonnet-4-5", [3.0, 0.3, 3.75, 15.0]),
    ("claude-haiku-4-5", [1.0, 0.1, 1.25, 5.0]),
    ("gemini-3.8-flash", [0.75, 0.075, 0.75, 3.75]),
    ("gemini-3.7-flash", [0.75, 0.075, 0.75, 3.75]),
    ("gemini-3.6-flash", [0.75, 0.075, 0.75, 3.75]),
    ("gemini-3.5-flash", [1.5, 0.15, 1.5, 9.0]),
    ("gemini-3.5-flash-lite", [0.3, 0.03, 0.3, 2.5]),
    ("gemini-3.1-pro-preview", [2.0, 0.2, 2.0, 12.0]),
    ("gemini-3.1-pro-preview-customtools", [2.0, 0.2, 2.0, 12.0]),
    ("gemini-3.1-flash-lite", [0.25, 0.025, 0.25, 1.5]),
    ("gemini-2.5-pro", [1.25, 0.125, 1.25, 10.0]),
    ("gemini-2.5-flash", [0.3, 0.03, 0.3, 2.5]),
];

impl Prices {
    /// The list, and before it what a user wrote.
    #[must_use]
    pub fn with(own: &[ModelPrice]) -> Self {
        let own = own.iter().map(|own| (bare(&own.model), own.price));
        Self { own: own.collect() }
    }

    /// The price of `model` as its harness calls it, where it has one.
    #[must_use]
    pub fn of(&self, model: &str) -> Option<Price> {
        let model = bare(model);
        let own = self.own.iter().find(|(id, _)| is_model(id, &model));
        let listed = || LIST.iter().find(|(id, _)| is_model(id, &model));
        own.map(|(_, price)| *price)
            .or_else(|| listed().map(|(_, figures)| Price::from(*figures)))
    }
}

/// A model's id without the provider before it, as lists write it.
fn bare(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model).trim();
    name.to_lowercase().replace(' ', "-")
}

/// Whether `model` is `id`, perhaps of a certain date.
fn is_model(id: &str, model: &str) -> bool {
    let Some(rest) = model.strip_prefix(id) else {
        return false;
    };
    let date = rest.strip_prefix(['-', '@']).unwrap_or_default();
    let is_date = date.len() >= 8 && date.chars().all(|c| c.is_ascii_digit() || c == '-');
    rest.is_empty() || date == "latest" || is_date
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_by_its_id_and_its_date_and_no_other_is_guessed() {
        let prices = Prices::default();
        let input = |model: &str| prices.of(model).map(|price| price.input);
        assert_eq!(input("gpt-5.5"), Some(5.0));
        assert_eq!(input("openai/gpt-5.5"), Some(5.0));
        assert_eq!(input("paddock/GPT-5.5"), Some(5.0));
        assert_eq!(input("gpt-5-2025-08-07"), Some(1.25));
        assert_eq!(input("claude-haiku-4-5-20251001"), Some(1.0));
        for unknown in [
            "gpt-5.5-pro",
            "gpt-7",
            "fake-gpt",
            "Auto",
            "",
            "gpt-5.3-codex-spark",
        ] {
            assert_eq!(input(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_user_adds_prices_and_sets_others_in_place_of_the_list() {
        let own = ["my/My Model=1/0.1/2", "gpt-5.5=4/0.4/20"];
        let own = own.map(|text| ModelPrice::parse(text).unwrap());
        let prices = Prices::with(&own);
        assert_eq!(prices.of("my-model").unwrap().output, 2.0);
        assert_eq!(prices.of("gpt-5.5").unwrap().input, 4.0);
    }

    #[test]
    fn no_model_is_listed_twice() {
        for (nth, (id, _)) in LIST.iter().enumerate() {
            assert!(LIST[..nth].iter().all(|(other, _)| other != id), "{id}");
        }
    }
}
