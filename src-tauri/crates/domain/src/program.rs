//! Agent programs: how one is had from its package, and one that stands in the toolbox.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::HarnessName;

/// How an agent program is had from its registry package. Made by a harness, carried out by boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramRecipe {
    /// The harness it belongs to.
    pub harness: HarnessName,
    /// The package's name in the npm registry; none when the program comes with Paddock.
    pub package: Option<String>,
    /// The exact version.
    pub version: String,
    /// Where the program lies below `node_modules`, most likely first. `{arch}` stands for npm's
    /// name of the machine's processor, `{triple}` for the Rust target.
    pub candidates: Vec<String>,
    /// The exact version of Node that runs it, for programs that are scripts.
    pub node: Option<String>,
}

/// An agent program in a host's toolbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Program {
    /// The harness it belongs to.
    pub harness: HarnessName,
    /// Its exact version.
    pub version: String,
    /// Its directory on the host: `<toolbox>/<harness>/<version>`.
    pub dir: String,
    /// The program, relative to that directory.
    pub program: String,
    /// The Node runtime that runs it, relative to the toolbox, for programs that are scripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// SHA-256 of the program, in hexadecimal, taken when it was installed.
    pub sha256: String,
}
