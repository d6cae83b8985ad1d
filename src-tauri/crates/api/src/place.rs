//! How a client on the same machine finds a server: files in the data directory, and one line on stdout.

use serde::{Deserialize, Serialize};

/// The file that holds the bearer token, readable by its owner alone; below the data directory.
pub const TOKEN_FILE: &str = "token";
/// The file that says where a server serves, while it does; below the data directory.
pub const SERVE_FILE: &str = "serve.json";
/// The environment variable that names a server.
pub const URL_VARIABLE: &str = "PADDOCK_URL";
/// The environment variable that holds its token.
pub const TOKEN_VARIABLE: &str = "PADDOCK_TOKEN";

/// The one line that `paddock serve` prints once it serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServeLine {
    /// Where it serves.
    pub url: String,
    /// The file with the token.
    pub token_file: String,
}

/// What stands in [`SERVE_FILE`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServeRecord {
    /// Where it serves.
    pub url: String,
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub version: String,
}
