//! Keys and addresses of model providers: `provider.<harness>.<VARIABLE>`.
//!
//! Which variables a harness reads is the harness's to know; here they are names and secrets.

use std::collections::BTreeMap;

use paddock_domain::HarnessName;

use crate::Secret;

/// Environment variables for agent programs, by harness. Values are never shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Providers(BTreeMap<HarnessName, BTreeMap<String, Secret>>);

impl Providers {
    /// The table that they stand in.
    pub(crate) const TABLE: &'static str = "provider";
    /// What is allowed as a value, and as the key before it.
    pub(crate) const ALLOWED: &'static str = "a text without line breaks, at most 16384 bytes long";
    /// The shape of the key.
    pub(crate) const SHAPE: &'static str = "provider.<harness>.<VARIABLE>";

    /// The longest value, in bytes.
    const VALUE_MAX: usize = 16 * 1024;
    /// The longest name of a variable, in bytes.
    const NAME_MAX: usize = 128;

    /// The variables chosen for `harness`.
    pub fn variables(&self, harness: &HarnessName) -> impl Iterator<Item = (&str, &Secret)> {
        let chosen = self.0.get(harness).into_iter().flatten();
        chosen.map(|(name, value)| (name.as_str(), value))
    }

    /// Every variable, by its key.
    pub(crate) fn keys(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|(harness, variables)| {
            let key = move |name| format!("{}.{harness}.{name}", Self::TABLE);
            variables.keys().map(key)
        })
    }

    /// Takes `value` for `key`. Fails with nothing when the value is not allowed.
    pub(crate) fn set(&mut self, key: &ProviderKey, value: &str) -> Option<()> {
        let fits = value.len() <= Self::VALUE_MAX && !value.contains(char::is_control);
        if !fits {
            return None;
        }
        let variables = self.0.entry(key.harness.clone()).or_default();
        variables.insert(key.variable.clone(), Secret::new(value.to_owned()));
        Some(())
    }
}

/// The name of one variable of one harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProviderKey {
    harness: HarnessName,
    variable: String,
}

impl ProviderKey {
    /// Reads `provider.<harness>.<VARIABLE>`; nothing when it is not that.
    pub(crate) fn parse(key: &str) -> Option<Self> {
        let below = key.strip_prefix(Providers::TABLE)?.strip_prefix('.')?;
        let (harness, variable) = below.rsplit_once('.')?;
        Self::new(harness, variable)
    }

    /// Reads `<HARNESS>_<VARIABLE>`, the harness without a `_` in it; nothing when it is not that.
    pub(crate) fn of_variable(rest: &str) -> Option<Self> {
        let (harness, variable) = rest.split_once('_')?;
        Self::new(&harness.to_ascii_lowercase(), variable)
    }

    fn new(harness: &str, variable: &str) -> Option<Self> {
        let harness = HarnessName::parse(harness).ok()?;
        let letter = |c: char| c.is_ascii_uppercase() || c == '_';
        let fits = variable.len() <= Providers::NAME_MAX
            && variable.starts_with(letter)
            && variable.chars().all(|c| letter(c) || c.is_ascii_digit());
        fits.then(|| Self {
            harness,
            variable: variable.to_owned(),
        })
    }

    /// The key as it stands in a file.
    pub(crate) fn text(&self) -> String {
        format!("{}.{}.{}", Providers::TABLE, self.harness, self.variable)
    }
}
