//! What the boxes of one data directory have in common.

use std::path::PathBuf;

/// Where things are and what a box gets when its task does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxesSettings {
    /// Paddock's data directory; boxes stand in `boxes/` below it. Absolute.
    pub data_dir: PathBuf,
    /// The static relay binary on the host.
    pub relay_binary: PathBuf,
    /// Where agent programs are installed.
    pub toolbox_dir: PathBuf,
    /// Where the engine listens, when the user said so; it is looked for otherwise.
    pub engine: Option<String>,
    /// What a box gets when its task does not say.
    pub defaults: BoxDefaults,
}

/// What a box gets when its task does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxDefaults {
    /// The container's image.
    pub image: String,
    /// Most memory, in MiB.
    pub memory_mib: u64,
    /// Most processors; all of the host's when absent.
    pub cpus: Option<f64>,
    /// Most processes and threads.
    pub pids: u64,
}

impl Default for BoxDefaults {
    /// A Debian with git, 8 GiB, all processors, 4096 processes.
    fn default() -> Self {
        Self {
            image: "buildpack-deps:bookworm-scm".to_owned(),
            memory_mib: 8 * 1024,
            cpus: None,
            pids: 4096,
        }
    }
}
