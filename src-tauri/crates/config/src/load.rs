//! Putting settings together: each source in its turn, the later over the earlier.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::agents::{AgentKey, Agents};
use crate::closest::{closest, distance};
use crate::document;
use crate::given::{Base, Given};
use crate::key::Key;
use crate::provider::{ProviderKey, Providers};
use crate::saved::Saved;
use crate::settings::Read;
use crate::{ConfigError, Origin, Settings, UserDirs};

/// Where settings come from. All but the file is given by the program.
#[derive(Clone, PartialEq, Eq)]
pub struct Sources {
    /// The user's directories.
    pub dirs: UserDirs,
    /// The directory that paths in the environment and in flags are relative to.
    pub here: PathBuf,
    /// The file, when one was named; it has to be there. Otherwise `PADDOCK_CONFIG` names it, or it is
    /// `paddock.toml` in the user's configuration directory, where there is one.
    pub file: Option<PathBuf>,
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// Settings given as flags: keys (`limits.parallel_tasks`) and texts.
    pub flags: BTreeMap<String, String>,
}

impl fmt::Debug for Sources {
    /// Without the environment and the flags, in which there are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources")
            .field("file", &self.config_file())
            .finish_non_exhaustive()
    }
}

impl Sources {
    /// The file's name in the user's configuration directory.
    pub const FILE: &'static str = "paddock.toml";
    /// The environment variable that names the file.
    pub const CONFIG: &'static str = "PADDOCK_CONFIG";

    /// The file that is read, and whether it has to be there.
    #[must_use]
    pub fn config_file(&self) -> (PathBuf, bool) {
        let named = self.env.get(Self::CONFIG).filter(|path| !path.is_empty());
        let named = self.file.clone().or_else(|| named.map(PathBuf::from));
        match named {
            Some(path) => (self.here.join(path), true),
            None => (self.dirs.config.join(Self::FILE), false),
        }
    }
}

impl Settings {
    /// The settings that `sources` give: defaults, then the file, then what was set in Paddock itself, then
    /// the environment, then flags.
    ///
    /// # Errors
    /// [`ConfigError`] with the first fault: where it stands, and what is allowed there.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        // What was saved stands in the data directory, which nothing that was saved can name.
        let without = Self::layered(sources, &Saved::default())?;
        let saved = Saved::read(&without.data_dir)?;
        if saved.values.is_empty() {
            return Ok(without);
        }
        Self::layered(sources, &saved)
    }

    /// The settings with what `saved` holds between the file and the environment.
    pub(crate) fn layered(sources: &Sources, saved: &Saved) -> Result<Self, ConfigError> {
        let mut settings = Self::defaults(&sources.dirs.data);
        settings.sources = Read(Some(Arc::new(sources.clone())));
        settings.take_file(sources)?;
        settings.take_saved(sources, saved)?;
        settings.take_environment(sources)?;
        settings.take_flags(sources)?;
        if !settings.origins.contains_key("toolbox_dir") {
            settings.toolbox_dir = Self::toolbox_below(&settings.data_dir);
        }
        Ok(settings)
    }

    fn take_file(&mut self, sources: &Sources) -> Result<(), ConfigError> {
        let (path, needed) = sources.config_file();
        let Some(text) = document::read(&path)? else {
            let source = std::io::ErrorKind::NotFound.into();
            return if needed {
                Err(ConfigError::Read { path, source })
            } else {
                Ok(())
            };
        };
        let base = Base {
            dir: path.parent().unwrap_or(Path::new("/")),
            home: &sources.dirs.home,
        };
        for entry in document::entries(&path, &text)? {
            let origin = Origin::File {
                path: path.clone(),
                line: entry.line,
            };
            self.take(&entry.key, &entry.given, base, origin)?;
        }
        Ok(())
    }

    fn take_saved(&mut self, sources: &Sources, saved: &Saved) -> Result<(), ConfigError> {
        for (key, text) in &saved.values {
            let path = Saved::file(&sources.dirs.data);
            let given = Given::Word(text.clone());
            self.take(key, &given, sources.base(), Origin::Saved { path })?;
        }
        Ok(())
    }

    fn take_environment(&mut self, sources: &Sources) -> Result<(), ConfigError> {
        let base = sources.base();
        for (variable, text) in &sources.env {
            let Some(rest) = variable.strip_prefix(Key::PREFIX) else {
                continue;
            };
            let origin = Origin::Environment {
                variable: variable.clone(),
            };
            let given = Given::Word(text.clone());
            if let Some(key) = Key::of_variable(variable) {
                self.take(key.name, &given, base, origin)?;
            } else if let Some(provided) = rest.strip_prefix("PROVIDER_") {
                let key = ProviderKey::of_variable(provided).map(|key| key.text());
                let key = key.unwrap_or_else(|| format!("{}.{provided}", Providers::TABLE));
                self.take(&key, &given, base, origin)?;
            } else if let Some(meant) = slip(variable) {
                return Err(ConfigError::UnknownKey {
                    origin,
                    key: variable.clone(),
                    meant: Some(meant),
                });
            }
        }
        Ok(())
    }

    fn take_flags(&mut self, sources: &Sources) -> Result<(), ConfigError> {
        for (key, text) in &sources.flags {
            let origin = Origin::Flag { key: key.clone() };
            self.take(key, &Given::Word(text.clone()), sources.base(), origin)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        name: &str,
        given: &Given,
        base: Base<'_>,
        origin: Origin,
    ) -> Result<(), ConfigError> {
        let (taken, found, allowed) = if let Some(key) = Key::named(name) {
            let taken = (key.set)(self, given, base);
            let is_taken = |one: &Given| (key.set)(&mut self.clone(), one, base).is_some();
            let found = match taken {
                Some(()) => String::new(),
                None => given.at_fault(is_taken).shown(),
            };
            (taken, found, key.allowed)
        } else if let Some(key) = ProviderKey::parse(name) {
            let text = match given {
                Given::Word(text) | Given::Text(text) => Some(text),
                Given::Whole(_) | Given::Number(_) | Given::List(_) | Given::Other(_) => None,
            };
            let taken = text.and_then(|text| self.provider.set(&key, text));
            (taken, given.kind().to_owned(), Providers::ALLOWED)
        } else if let Some(key) = AgentKey::parse(name) {
            let taken = self.agents.set(&key, given);
            (taken, given.shown(), Agents::ALLOWED)
        } else {
            let meant = match name.split('.').next() {
                Some(Providers::TABLE) => Some(Providers::SHAPE),
                Some(Agents::TABLE) => Some(Agents::SHAPE),
                Some(_) | None => closest(name, Key::names()),
            };
            return Err(ConfigError::UnknownKey {
                origin,
                key: name.to_owned(),
                meant: meant.map(str::to_owned),
            });
        };
        if taken.is_none() {
            return Err(ConfigError::BadValue {
                origin,
                key: name.to_owned(),
                found,
                allowed: allowed.to_owned(),
            });
        }
        self.origins.insert(name.to_owned(), origin);
        Ok(())
    }
}

impl Sources {
    fn base(&self) -> Base<'_> {
        Base {
            dir: &self.here,
            home: &self.dirs.home,
        }
    }
}

/// The variable of a setting that `variable` differs from by a slip. Others that begin like ours are
/// somebody else's business: the environment is shared.
fn slip(variable: &str) -> Option<String> {
    let known = Key::names().filter_map(Key::named).map(Key::variable);
    let mut near = known.filter(|name| distance(variable, name) <= 2);
    near.next()
}
