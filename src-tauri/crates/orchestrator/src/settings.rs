//! What an orchestrator needs to know before it starts.
//!
//! Doors make it with [`OrchestratorSettings::new`] from what the user configured, so that every door
//! starts the same orchestrator.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;
use std::time::Duration;

use paddock_boxes::{BoxDefaults, BoxesSettings};
use paddock_config::Settings;
use paddock_domain::{BoxKind, Network};
use paddock_git::ScanLimits;
use paddock_harness::Prices;
use paddock_secrets::SecretString;
use paddock_store::Retention;

/// Where things are, how much at once, and whose keys.
#[derive(Clone)]
pub struct OrchestratorSettings {
    /// Where journals, artifacts, the index and boxes are.
    pub data_dir: PathBuf,
    /// Boxes, their engine and their toolbox.
    pub boxes: BoxesSettings,
    /// The box of a task that asks for none; a container where there is an engine when absent.
    pub default_box: Option<BoxKind>,
    /// Most tasks at work at once on one host.
    pub parallel_tasks: usize,
    /// Below this many free bytes on the disk of `data_dir` no new work is taken.
    pub disk_low_bytes: u64,
    /// How long a purge can be undone.
    pub purge_window: Duration,
    /// How long what is in the trash is kept; until somebody drops it when absent.
    pub trash_keep: Option<Duration>,
    /// How long a task has rested when its journal is compressed.
    pub compress_after: Duration,
    /// How long what purged tasks leave is kept.
    pub retention: Retention,
    /// Whether tasks go on by themselves when a usage limit is lifted, where they do not say.
    pub resume_on_limit: bool,
    /// After how long without output and without work an agent is called silent.
    pub silent_after: Duration,
    /// How long an agent has to end by itself when it is stopped.
    pub stop_grace: Duration,
    /// What the scan before a push looks for.
    pub scan: ScanLimits,
    /// Findings that always pass the scan, by id or by rule.
    pub scan_allow: Vec<String>,
    /// What tokens cost, for agents that tell no cost.
    pub prices: Arc<Prices>,
    /// The remote that is pushed to when none is named.
    pub remote: String,
    /// What of the network a container reaches when its task does not say.
    pub default_network: Network,
    /// The environment of the program: provider variables are taken from it.
    pub environment: BTreeMap<String, String>,
    /// Provider variables by harness; they come before the environment.
    pub provider: BTreeMap<String, BTreeMap<String, String>>,
    /// What all of this was made from.
    pub configured: Settings,
    /// Whether the system's keychain is asked to keep secrets.
    pub keychain: bool,
    /// The passphrase of the encrypted file that keeps them elsewhere, if the user gives one.
    pub vault_passphrase: Option<SecretString>,
    /// The `scripted` agent program, to be installed where there is no package of it.
    pub scripted_agent: Option<PathBuf>,
    /// This Paddock, as the writer of its runs' input: the same after every restart.
    pub owner: String,
}

/// Programs of ours that the orchestrator starts.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The static relay.
    pub relay: PathBuf,
    /// The `scripted` agent, where it is at hand.
    pub scripted_agent: Option<PathBuf>,
}

impl Programs {
    /// Those that are named, and of the others what stands beside this program; nothing where that cannot be told.
    #[must_use]
    pub fn find(relay: Option<PathBuf>, scripted_agent: Option<PathBuf>) -> Option<Self> {
        let scripted = || Self::beside("scripted").filter(|file| file.is_file());
        Some(Self {
            relay: relay.or_else(|| Self::beside("paddock-relay"))?,
            scripted_agent: scripted_agent.or_else(scripted),
        })
    }

    /// What stands beside this program under `name`.
    #[must_use]
    pub fn beside(name: &str) -> Option<PathBuf> {
        Some(std::env::current_exe().ok()?.parent()?.join(name))
    }
}

/// Holds the passphrase of the encrypted file that keeps secrets.
const PASSPHRASE_VARIABLE: &str = "PADDOCK_VAULT_PASSPHRASE";

/// Where the name under which this data directory writes to its runs is kept.
const OWNER_FILE: &str = "owner";

impl OrchestratorSettings {
    /// What `settings`, `programs` and the program's `environment` come to. The data directory must
    /// be there.
    ///
    /// # Errors
    /// That a path cannot be made absolute, or the data directory not be written.
    pub fn new(
        settings: &Settings,
        programs: Programs,
        mut environment: BTreeMap<String, String>,
    ) -> io::Result<Self> {
        let vault_passphrase = environment.remove(PASSPHRASE_VARIABLE);
        crate::added_agents::add(&settings.agents)?;
        let prices = Prices::with(&settings.costs.prices);
        let provider = paddock_harness::registry().iter().map(|harness| {
            let name = harness.name();
            let variables = settings.provider.variables(&name);
            let exposed =
                variables.map(|(name, value)| (name.to_owned(), value.expose().to_owned()));
            (name.to_string(), exposed.collect())
        });
        let scan = ScanLimits {
            binary_bytes: settings.scan.max_binary_bytes,
            ..ScanLimits::default()
        };
        Ok(Self {
            data_dir: settings.data_dir.clone(),
            boxes: boxes(settings, programs.relay)?,
            default_box: settings.place.default_kind,
            default_network: settings.place.network,
            parallel_tasks: settings.limits.parallel_tasks,
            disk_low_bytes: settings.limits.disk_low_mib << 20,
            purge_window: settings.purge.window,
            trash_keep: settings.trash.keep,
            compress_after: settings.journal.compress_after,
            retention: Retention {
                journals: settings.journal.keep,
                artifacts: settings.journal.keep_artifacts,
            },
            resume_on_limit: settings.limits.resume,
            silent_after: settings.limits.silent_after,
            stop_grace: settings.stop.grace,
            scan,
            scan_allow: settings.scan.allow.clone(),
            prices: Arc::new(prices),
            remote: settings.git.remote.clone(),
            environment,
            configured: settings.clone(),
            keychain: settings.vault.keychain,
            vault_passphrase: vault_passphrase
                .filter(|text| !text.is_empty())
                .map(SecretString::from),
            provider: provider.collect(),
            scripted_agent: programs.scripted_agent,
            owner: owner(&settings.data_dir)?,
        })
    }
}

impl OrchestratorSettings {
    /// These with what of `settings` can be taken up while Paddock runs.
    pub(crate) fn taking_up(&self, settings: &Settings) -> Self {
        Self {
            default_box: settings.place.default_kind,
            default_network: settings.place.network,
            parallel_tasks: settings.limits.parallel_tasks,
            resume_on_limit: settings.limits.resume,
            purge_window: settings.purge.window,
            trash_keep: settings.trash.keep,
            compress_after: settings.journal.compress_after,
            retention: Retention {
                journals: settings.journal.keep,
                artifacts: settings.journal.keep_artifacts,
            },
            stop_grace: settings.stop.grace,
            scan: ScanLimits {
                binary_bytes: settings.scan.max_binary_bytes,
                ..self.scan
            },
            scan_allow: settings.scan.allow.clone(),
            remote: settings.git.remote.clone(),
            configured: settings.clone(),
            ..self.clone()
        }
    }
}

/// What boxes are made with.
///
/// # Errors
/// That a path cannot be made absolute.
pub fn boxes(settings: &Settings, relay: PathBuf) -> io::Result<BoxesSettings> {
    Ok(BoxesSettings {
        data_dir: absolute(&settings.data_dir)?,
        relay_binary: std::path::absolute(relay)?,
        toolbox_dir: absolute(&settings.toolbox_dir)?,
        engine: settings.engine.socket.clone(),
        defaults: BoxDefaults {
            image: settings.place.image.clone(),
            memory_mib: settings.place.memory_mib,
            cpus: settings.place.cpus,
            pids: settings.place.pids,
        },
    })
}

/// The name is made once for each data directory and never changes: runs know their writer by it.
fn owner(data: &Path) -> io::Result<String> {
    let file = data.join(OWNER_FILE);
    if let Ok(owner) = std::fs::read_to_string(&file)
        && !owner.trim().is_empty()
    {
        return Ok(owner.trim().to_owned());
    }
    let owner = format!("paddock-{:016x}", rand::random::<u64>());
    std::fs::write(&file, &owner)?;
    Ok(owner)
}

impl std::fmt::Debug for OrchestratorSettings {
    /// Without the environment and the keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OrchestratorSettings")
            .field("data_dir", &self.data_dir)
            .field("parallel_tasks", &self.parallel_tasks)
            .finish_non_exhaustive()
    }
}
