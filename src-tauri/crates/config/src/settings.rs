//! Every setting, typed and with its default.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use paddock_domain::{BoxKind, ModelPrice, Network, PermissionMode};

use crate::{Agents, Documented, Origin, Providers, Shown, Sources, key};

/// All that can be chosen. Made by [`Settings::load`].
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Where journals, artifacts, the index and boxes are.
    pub data_dir: PathBuf,
    /// Where agent programs are installed.
    pub toolbox_dir: PathBuf,
    /// Where the server listens.
    pub listen: SocketAddr,
    /// What is logged, as a `tracing` filter.
    pub log: String,
    /// The container engine.
    pub engine: EngineSettings,
    /// What a task is when it does not say.
    pub task: TaskSettings,
    /// What a box gets when its task does not say.
    pub place: BoxSettings,
    /// How much at once.
    pub limits: Limits,
    /// Removing boxes.
    pub purge: PurgeSettings,
    /// What is kept before something destructive.
    pub trash: TrashSettings,
    /// What is kept of tasks that are over.
    pub journal: JournalSettings,
    /// Ending agents.
    pub stop: StopSettings,
    /// Branches and remotes.
    pub git: GitSettings,
    /// What is looked for before a push.
    pub scan: ScanSettings,
    /// What tokens cost.
    pub costs: CostSettings,
    /// Sessions that users had with agents outside Paddock.
    pub sessions: SessionSettings,
    /// Where secrets are kept.
    pub vault: VaultSettings,
    /// Keys and addresses of model providers, by harness.
    pub provider: Providers,
    /// Agents that the user adds, by name.
    pub agents: Agents,
    /// Who chose what, by key; what is missing here is the default.
    pub(crate) origins: BTreeMap<String, Origin>,
    /// Where all of it was read from.
    pub(crate) sources: Read,
}

/// Where settings were read from; it does not tell two settings apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Read(pub(crate) Option<Arc<Sources>>);

impl PartialEq for Read {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// What tokens cost, for agents that tell tokens and no cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostSettings {
    /// Prices of the user's own, before those of the list.
    pub prices: Vec<ModelPrice>,
}

/// What a task is when it does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSettings {
    /// Its agent, by name.
    pub harness: String,
    /// Its model, where its agent is that one; the agent's default when absent.
    pub model: Option<String>,
    /// What its agent may do without asking.
    pub permission_mode: PermissionMode,
}

/// The container engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSettings {
    /// Where it listens: `/path`, `unix:///path` or `tcp://host:port`. It is looked for in the usual
    /// places when absent.
    pub socket: Option<String>,
}

/// What a box gets when its task does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxSettings {
    /// What it is made of; a container where there is an engine when absent.
    pub default_kind: Option<BoxKind>,
    /// The container's image: any with git in it.
    pub image: String,
    /// Most memory, in MiB.
    pub memory_mib: u64,
    /// Most processors; all of the host's when absent.
    pub cpus: Option<f64>,
    /// Most processes and threads.
    pub pids: u64,
    /// What of the network a container reaches.
    pub network: Network,
}

/// How much at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Tasks at work at the same time, per host. An agent that waits for its user holds no place.
    pub parallel_tasks: usize,
    /// Below this much free room on the disk of the data directory, in MiB, no new work is taken.
    pub disk_low_mib: u64,
    /// Whether a task goes on by itself when a usage limit is lifted, where it does not say.
    pub resume: bool,
    /// After how long without output and without work an agent is called silent.
    pub silent_after: Duration,
}

/// Removing boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PurgeSettings {
    /// How long a purge can be undone with the box as it was.
    pub window: Duration,
}

/// What is kept before something destructive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrashSettings {
    /// How long it is kept; until somebody drops it when absent.
    pub keep: Option<Duration>,
}

/// What is kept of tasks that are over, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalSettings {
    /// How long a task has rested when its journal is compressed.
    pub compress_after: Duration,
    /// How long a purged task's journal is kept; for ever when absent.
    pub keep: Option<Duration>,
    /// How long a purged task's large outputs are kept; as long as its journal when absent.
    pub keep_artifacts: Option<Duration>,
}

/// Ending agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopSettings {
    /// How long an agent has to end by itself.
    pub grace: Duration,
}

/// Branches and remotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitSettings {
    /// The remote that a sync pushes to.
    pub remote: String,
}

/// What is looked for before a push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanSettings {
    /// A binary file of more bytes is a finding.
    pub max_binary_bytes: u64,
    /// Findings that are let through: paths, `*` for any part of a name.
    pub allow: Vec<String>,
}

/// Sessions that users had with agents outside Paddock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionSettings {
    /// The home directory that they are in; the user's own when absent.
    pub home: Option<PathBuf>,
}

/// Where secrets are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VaultSettings {
    /// Whether the system's keychain is asked at all.
    pub keychain: bool,
}

impl Settings {
    /// The port that is listened on unless another is chosen.
    pub const PORT: u16 = 7230;

    /// What holds when nobody chooses anything and the data directory is `data_dir`.
    #[must_use]
    pub fn defaults(data_dir: &Path) -> Self {
        Self {
            toolbox_dir: Self::toolbox_below(data_dir),
            data_dir: data_dir.to_owned(),
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), Self::PORT),
            log: "info".to_owned(),
            engine: EngineSettings::default(),
            task: TaskSettings {
                harness: "claude".to_owned(),
                model: None,
                permission_mode: PermissionMode::default(),
            },
            place: BoxSettings {
                default_kind: None,
                image: "buildpack-deps:bookworm-scm".to_owned(),
                memory_mib: 8 * 1024,
                cpus: None,
                pids: 4096,
                network: Network::Bridge,
            },
            limits: Limits {
                parallel_tasks: 8,
                disk_low_mib: 512,
                resume: false,
                silent_after: Duration::from_secs(300),
            },
            purge: PurgeSettings {
                window: Duration::from_secs(3600),
            },
            trash: TrashSettings::default(),
            journal: JournalSettings {
                compress_after: Duration::from_secs(7 * 24 * 60 * 60),
                keep: None,
                keep_artifacts: None,
            },
            stop: StopSettings {
                grace: Duration::from_secs(10),
            },
            git: GitSettings {
                remote: "origin".to_owned(),
            },
            scan: ScanSettings {
                max_binary_bytes: 500_000,
                allow: Vec::new(),
            },
            costs: CostSettings::default(),
            sessions: SessionSettings::default(),
            vault: VaultSettings { keychain: true },
            provider: Providers::default(),
            agents: Agents::default(),
            origins: BTreeMap::new(),
            sources: Read::default(),
        }
    }

    /// Every setting there is, in the order of their documentation.
    pub fn documented() -> impl Iterator<Item = Documented> {
        key::documented()
    }

    /// Every setting as it is now and who chose it, secrets not shown.
    #[must_use]
    pub fn shown(&self) -> Vec<Shown> {
        key::shown(self)
    }

    pub(crate) fn toolbox_below(data_dir: &Path) -> PathBuf {
        data_dir.join("toolbox")
    }
}
