//! Why settings could not be taken: where the fault stands, and what is allowed there.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Settings could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The user has no home directory.
    #[error("no home directory is known: set `HOME`, or give `--data` and `--config`")]
    NoHome,
    /// The file cannot be read.
    #[error("the configuration `{}` cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is too long.
    #[error("the configuration `{}` has more than {max} bytes", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        max: u64,
    },
    /// The file is not TOML.
    #[error("{}:{line}: this is not TOML: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What the parser said.
        message: String,
    },
    /// There is no such setting.
    #[error(
        "{origin}: there is no setting `{key}`{}; `paddock config` lists them all",
        meant.as_ref().map(|meant| format!(": did you mean `{meant}`?")).unwrap_or_default()
    )]
    UnknownKey {
        /// Where it stands.
        origin: Origin,
        /// What was given.
        key: String,
        /// What was probably meant.
        meant: Option<String>,
    },
    /// The value is not one of those allowed.
    #[error("{origin}: `{key}` cannot be {found}: give {allowed}")]
    BadValue {
        /// Where it stands.
        origin: Origin,
        /// The setting.
        key: String,
        /// What was given, cut to a length that fits a message; of secrets only what kind it was.
        found: String,
        /// What can be given.
        allowed: String,
    },
}

/// Where a setting comes from. Later ones win.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Nobody chose it.
    Default,
    /// A line of the file.
    File {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// It was set through Paddock itself.
    Saved {
        /// The file that keeps it.
        path: PathBuf,
    },
    /// An environment variable.
    Environment {
        /// Its name.
        variable: String,
    },
    /// A flag of the command line.
    Flag {
        /// The setting it gave.
        key: String,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Saved { path } => write!(f, "set in Paddock ({})", path.display()),
            Self::Environment { variable } => write!(f, "environment variable `{variable}`"),
            Self::Flag { key } => write!(f, "flag for `{key}`"),
        }
    }
}
