//! What an orchestrator needs to know before it starts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use paddock_boxes::BoxesSettings;
use paddock_domain::BoxKind;
use paddock_git::ScanLimits;

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
    /// How long a purge can be undone.
    pub purge_window: Duration,
    /// How long an agent has to end by itself when it is stopped.
    pub stop_grace: Duration,
    /// What the scan before a push looks for.
    pub scan: ScanLimits,
    /// The environment of the program: provider variables are taken from it.
    pub environment: BTreeMap<String, String>,
    /// Provider variables by harness; they come before the environment.
    pub provider: BTreeMap<String, BTreeMap<String, String>>,
    /// The `scripted` agent program, to be installed where there is no package of it.
    pub scripted_agent: Option<PathBuf>,
    /// This Paddock, as the writer of its runs' input: the same after every restart.
    pub owner: String,
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
