//! Settings by name: their environment variables, their documentation, and how they are read and shown. What
//! there is stands in [`table`].

mod table;

use crate::given::{Base, Given};
use crate::{Origin, Providers, Secret, Settings};
use table::KEYS;

/// One setting, for documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documented {
    /// Its name in the file: table and key.
    pub key: &'static str,
    /// Its name in the environment.
    pub variable: String,
    /// What can be given.
    pub allowed: &'static str,
    /// What holds when nobody chooses; empty when that is nothing.
    pub default: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// One setting as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its name.
    pub key: String,
    /// Its value; none when it is not chosen and has no default. Secrets are not shown.
    pub value: Option<String>,
    /// Who chose it.
    pub origin: Origin,
}

/// A setting and how it is read.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) allowed: &'static str,
    default: &'static str,
    about: &'static str,
    /// Takes a value; nothing when it is not allowed.
    pub(crate) set: fn(&mut Settings, &Given, Base<'_>) -> Option<()>,
    show: fn(&Settings) -> Option<String>,
}

impl Key {
    /// The setting called `name`.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The setting whose environment variable is `variable`.
    pub(crate) fn of_variable(variable: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.variable() == variable)
    }

    /// The names of all settings.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        KEYS.iter().map(|key| key.name)
    }

    /// The environment variable that sets it.
    pub(crate) fn variable(&self) -> String {
        let name = self.name.replace('.', "_").to_ascii_uppercase();
        format!("{}{name}", Self::PREFIX)
    }

    /// What environment variables of settings begin with.
    pub(crate) const PREFIX: &'static str = "PADDOCK_";
}

pub(crate) fn documented() -> impl Iterator<Item = Documented> {
    let providers = Documented {
        key: Providers::SHAPE,
        variable: "PADDOCK_PROVIDER_<HARNESS>_<VARIABLE>".to_owned(),
        allowed: Providers::ALLOWED,
        default: "",
        about: "An environment variable for an agent program, such as a key or a base URL. It comes \
                before one of the same name in the server's environment, and is never shown.",
    };
    let keys = KEYS.iter().map(|key| Documented {
        key: key.name,
        variable: key.variable(),
        allowed: key.allowed,
        default: key.default,
        about: key.about,
    });
    keys.chain([providers])
}

pub(crate) fn shown(settings: &Settings) -> Vec<Shown> {
    let shown = |key: &str, value: Option<String>| Shown {
        key: key.to_owned(),
        value,
        origin: settings
            .origins
            .get(key)
            .cloned()
            .unwrap_or(Origin::Default),
    };
    let keys = KEYS.iter().map(|key| shown(key.name, (key.show)(settings)));
    let secrets = settings.provider.keys();
    let secrets = secrets.map(|key| shown(&key, Some(Secret::SHOWN.to_owned())));
    keys.chain(secrets).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_default_that_is_documented_is_the_default_that_holds() {
        let settings = Settings::defaults(Path::new("/data"));
        for key in KEYS.iter().filter(|key| !key.name.ends_with("_dir")) {
            let shown = (key.show)(&settings).unwrap_or_default();
            assert_eq!(shown, key.default, "{}", key.name);
        }
    }

    #[test]
    fn what_is_shown_can_be_given_again() {
        let defaults = Settings::defaults(Path::new("/data"));
        let base = Base {
            dir: Path::new("/"),
            home: Path::new("/home/u"),
        };
        // A list is shown as one, and given as one in files only.
        let lists = ["scan.allow", "costs.prices"];
        for key in KEYS.iter().filter(|key| !lists.contains(&key.name)) {
            let Some(text) = (key.show)(&defaults) else {
                continue;
            };
            let mut settings = defaults.clone();
            assert_eq!(
                (key.set)(&mut settings, &Given::Word(text), base),
                Some(()),
                "{}",
                key.name
            );
            assert_eq!(settings, defaults, "{}", key.name);
        }
    }

    #[test]
    fn the_bound_of_prices_that_is_documented_is_the_one_that_holds() {
        let key = Key::named("costs.prices").unwrap();
        let bound = format!("at most {} ", paddock_domain::ModelPrice::MAX);
        assert!(key.allowed.contains(&bound), "{}", key.allowed);
    }

    #[test]
    fn no_two_settings_share_a_variable() {
        let mut variables: Vec<String> = KEYS.iter().map(Key::variable).collect();
        variables.sort();
        variables.dedup();
        assert_eq!(variables.len(), KEYS.len());
    }
}
