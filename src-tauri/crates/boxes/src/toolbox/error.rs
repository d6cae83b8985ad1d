//! Why an agent program cannot be had.

use std::io;
use std::path::Path;

/// Something about the toolbox failed. Every text says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolboxError {
    /// It is not in the toolbox.
    #[error("{harness}{} is not installed: run `paddock harness install {harness}`", of(version.as_deref()))]
    NotInstalled {
        /// The harness.
        harness: String,
        /// The version, when one was asked for.
        version: Option<String>,
    },
    /// There is no npm.
    #[error("npm was not found: install Node.js with npm, which agents are installed with")]
    NoNpm,
    /// The registry cannot be reached.
    #[error(
        "the npm registry cannot be reached: see the network and npm's proxy settings, then try again ({said})"
    )]
    Offline {
        /// What npm said.
        said: String,
    },
    /// The registry has no such package or version.
    #[error("the npm registry has no {package}@{version}: choose another version")]
    NoSuchVersion {
        /// The package.
        package: String,
        /// The version.
        version: String,
    },
    /// The version is not exact.
    #[error("`{version}` is not an exact version such as 2.1.0")]
    BadVersion {
        /// What was given.
        version: String,
    },
    /// npm failed otherwise.
    #[error("npm failed: {said}")]
    Npm {
        /// What it said.
        said: String,
    },
    /// The disk is full.
    #[error("there is no room for the agent at {path}: free at least {} MB", needed / 1_000_000)]
    NoSpace {
        /// The toolbox.
        path: String,
        /// How much is needed, in bytes.
        needed: u64,
    },
    /// The package has no program for this machine.
    #[error("{package}@{version} has no program for this machine: looked for {looked}")]
    NoProgram {
        /// The package.
        package: String,
        /// The version.
        version: String,
        /// Where it was looked for.
        looked: String,
    },
    /// The program does not run here.
    #[error("{program} does not run on this machine: {said}")]
    DoesNotRun {
        /// The program.
        program: String,
        /// What was seen of it.
        said: String,
    },
    /// The program needs a file of this machine that was not named.
    #[error("{harness} comes with Paddock: give the path of its program")]
    NoLocalProgram {
        /// The harness.
        harness: String,
    },
    /// The program is not what was installed.
    #[error("{path} is damaged: install it again")]
    Damaged {
        /// The program.
        path: String,
    },
    /// Another install has not ended in time.
    #[error("another install holds {path}: wait for it, or end it")]
    Locked {
        /// The lock.
        path: String,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Disk {
        /// The path.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A task of this process broke.
    #[error("an inner task of Paddock broke ({what}); please report this")]
    Broken {
        /// What it said.
        what: String,
    },
}

impl ToolboxError {
    pub(crate) fn disk(path: &Path, source: io::Error) -> Self {
        let shown = path.display().to_string();
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
        if full.contains(&source.kind()) {
            return Self::NoSpace {
                path: shown,
                needed: super::install::SPACE_NEEDED,
            };
        }
        Self::Disk {
            path: shown,
            source,
        }
    }

    pub(crate) fn damaged(path: &Path) -> Self {
        Self::Damaged {
            path: path.display().to_string(),
        }
    }

    pub(crate) fn broken(error: &tokio::task::JoinError) -> Self {
        Self::Broken {
            what: error.to_string(),
        }
    }
}

fn of(version: Option<&str>) -> String {
    version
        .map(|version| format!(" {version}"))
        .unwrap_or_default()
}
