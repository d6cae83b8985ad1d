//! What the orchestrator and the server are started with: the settings, and what stands beside the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use paddock_config::{Settings, Sources, UserDirs};
use paddock_orchestrator::{OrchestratorSettings, Programs};
use paddock_server::ServerSettings;

use crate::args::Args;

/// Names the relay program in the environment.
const RELAY_VARIABLE: &str = "PADDOCK_RELAY";
/// Names the `scripted` agent program in the environment, for tests and rehearsal.
const SCRIPTED_VARIABLE: &str = "PADDOCK_SCRIPTED_AGENT";

/// All that is chosen, and by what.
#[derive(Clone, Debug)]
pub(crate) struct Premises {
    pub(crate) settings: Settings,
    config_file: PathBuf,
    environment: BTreeMap<String, String>,
    ui: Option<PathBuf>,
}

impl Premises {
    /// Loads the settings that `args` and this process's environment give.
    pub(crate) fn load(args: &Args) -> Result<Self> {
        let dirs =
            UserDirs::of_this_user().context("this user has no home directory: say --data DIR")?;
        let mut flags: BTreeMap<String, String> = args.set.iter().cloned().collect();
        if let Some(data) = &args.data {
            let data = data
                .to_str()
                .context("the data directory's name is not UTF-8")?;
            flags.insert("data_dir".to_owned(), data.to_owned());
        }
        let environment: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let sources = Sources {
            dirs,
            here: std::env::current_dir().context("the current directory is gone")?,
            file: args.config.clone(),
            env: environment.clone(),
            flags,
        };
        let ui = args.ui.clone().or_else(|| Programs::beside("ui"));
        Ok(Self {
            settings: Settings::load(&sources)?,
            config_file: sources.config_file().0,
            environment,
            ui: ui.filter(|dir| dir.join("index.html").is_file()),
        })
    }

    /// The data directory.
    pub(crate) fn data(&self) -> &Path {
        &self.settings.data_dir
    }

    /// With a scripted agent that no relay can start.
    #[cfg(test)]
    pub(crate) fn with_agent(mut self, program: &Path) -> Self {
        let named = [
            (SCRIPTED_VARIABLE, program),
            (RELAY_VARIABLE, Path::new("/nowhere/relay")),
        ];
        let named = named.map(|(name, path)| (name.to_owned(), path.display().to_string()));
        self.environment.extend(named);
        self
    }

    /// What the server is started with.
    pub(crate) fn server(&self) -> ServerSettings {
        ServerSettings {
            data: self.data().to_owned(),
            listen: self.settings.listen,
            // The window does not mind.
            or_elsewhere: true,
            allow_remote: false,
            hosts: Vec::new(),
            origins: Vec::new(),
            ui: self.ui.clone(),
            config_file: Some(self.config_file.clone()),
        }
    }

    /// What the orchestrator is started with.
    pub(crate) fn orchestrator(&self) -> Result<OrchestratorSettings> {
        let named = |variable| {
            let named = self.environment.get(variable);
            named.filter(|path| !path.is_empty()).map(PathBuf::from)
        };
        let programs = Programs::find(named(RELAY_VARIABLE), named(SCRIPTED_VARIABLE))
            .context("cannot tell where this program is")?;
        let environment = self.environment.clone();
        let settings = OrchestratorSettings::new(&self.settings, programs, environment);
        settings.context("cannot use the data directory")
    }
}
