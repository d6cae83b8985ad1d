//! How a program is started in the box.
//!
//! Nothing passes through a shell: text from outside is one argument, never syntax.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Name of the environment variable that marks every process of a run, as `<run id>@<path of its log>`,
/// so that strays are found whoever became their parent.
pub const RUN_MARKER: &str = "PADDOCK_RUN";

/// A program and what it gets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The program: a name to look up in `PATH`, or a path.
    pub program: String,
    /// Its arguments, without its own name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Variables set on top of the environment that it inherits.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Whether it inherits nothing of the relay's own environment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clear_env: bool,
    /// Working directory; the relay's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// What it may touch, where the kernel can hold it to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confine: Option<Confine>,
}

/// Confinement by Landlock: everything may be read unless `read` says what, only `write` and the usual
/// devices may be written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confine {
    /// Directories (or files) that may be written. Those that do not exist are skipped.
    pub write: Vec<String>,
    /// Directories that may be read; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<Vec<String>>,
}

/// What stands behind a run's stdin, stdout and stderr.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stdio {
    /// Three pipes: output is kept line by line.
    #[default]
    Pipes,
    /// A terminal of this size: output is kept in the chunks that it came in.
    Pty(PtySize),
}

/// The size of a terminal, in character cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PtySize {
    /// Height.
    pub rows: u16,
    /// Width.
    pub cols: u16,
}
