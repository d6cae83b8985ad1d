//! What the orchestrator and the server are started with: the settings, and what stands beside the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use paddock_api::SettingsView;
use paddock_boxes::{BoxDefaults, BoxesSettings};
use paddock_config::{Settings, Sources, UserDirs};
use paddock_orchestrator::{OrchestratorSettings, ScanLimits};
use paddock_server::ServerSettings;

use crate::args::Args;

/// Who writes to the agents of a data directory, the same after every restart.
const OWNER_FILE: &str = "owner";
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
        let ui = args.ui.clone().or_else(|| beside("ui"));
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

    /// What the server is started with.
    pub(crate) fn server(&self) -> ServerSettings {
        let shown = self.settings.shown().into_iter();
        ServerSettings {
            data: self.data().to_owned(),
            listen: self.settings.listen,
            allow_remote: false,
            hosts: Vec::new(),
            origins: Vec::new(),
            ui: self.ui.clone(),
            view: SettingsView {
                values: shown.map(|shown| (shown.key, shown.value.into())).collect(),
                file: Some(self.config_file.display().to_string()),
            },
        }
    }

    /// What the orchestrator is started with.
    pub(crate) fn orchestrator(&self) -> Result<OrchestratorSettings> {
        let settings = &self.settings;
        let provider = paddock_harness::registry().iter().map(|harness| {
            let name = harness.name();
            let variables = settings.provider.variables(&name);
            let exposed =
                variables.map(|(name, secret)| (name.to_owned(), secret.expose().to_owned()));
            (name.to_string(), exposed.collect())
        });
        Ok(OrchestratorSettings {
            data_dir: settings.data_dir.clone(),
            boxes: self.boxes()?,
            default_box: settings.place.default_kind,
            parallel_tasks: settings.limits.parallel_tasks,
            purge_window: settings.purge.window,
            stop_grace: settings.stop.grace,
            scan: ScanLimits {
                binary_bytes: settings.scan.max_binary_bytes,
                ..ScanLimits::default()
            },
            environment: self.environment.clone(),
            provider: provider.collect(),
            scripted_agent: self
                .program(SCRIPTED_VARIABLE, "scripted")
                .filter(|file| file.is_file()),
            owner: owner(&settings.data_dir)?,
        })
    }

    fn boxes(&self) -> Result<BoxesSettings> {
        let settings = &self.settings;
        let relay = self.program(RELAY_VARIABLE, "paddock-relay");
        Ok(BoxesSettings {
            data_dir: std::path::absolute(&settings.data_dir)?,
            relay_binary: relay.context("cannot tell where this program is")?,
            toolbox_dir: std::path::absolute(&settings.toolbox_dir)?,
            engine: settings.engine.socket.clone(),
            defaults: BoxDefaults {
                image: settings.place.image.clone(),
                memory_mib: settings.place.memory_mib,
                cpus: settings.place.cpus,
                pids: settings.place.pids,
            },
        })
    }

    /// The program that `variable` names, or the one beside this one.
    fn program(&self, variable: &str, name: &str) -> Option<PathBuf> {
        let named = self
            .environment
            .get(variable)
            .filter(|path| !path.is_empty());
        named.map(PathBuf::from).or_else(|| beside(name))
    }
}

/// What stands beside this program.
fn beside(name: &str) -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(name))
}

fn owner(data: &Path) -> Result<String> {
    let file = data.join(OWNER_FILE);
    match std::fs::read_to_string(&file) {
        Ok(owner) if !owner.trim().is_empty() => Ok(owner.trim().to_owned()),
        _ => {
            let owner = format!("paddock-{:016x}", rand::random::<u64>());
            std::fs::write(&file, &owner)
                .with_context(|| format!("cannot write {}", file.display()))?;
            Ok(owner)
        }
    }
}
