//! What a server is told when it starts.

use std::net::SocketAddr;
use std::path::PathBuf;

/// What a server is told when it starts.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// The data directory: the token, the sessions and the note of where it serves stand there.
    pub data: PathBuf,
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Take a free port where that one is taken.
    pub or_elsewhere: bool,
    /// Listen also where other machines can reach it. The traffic is not encrypted.
    pub allow_remote: bool,
    /// Host names beside loopback's by which clients may call it, without port.
    pub hosts: Vec<String>,
    /// Origins beside its own whose pages may ask, as `scheme://host[:port]`.
    pub origins: Vec<String>,
    /// The built user interface; without it a plain page lists the tasks.
    pub ui: Option<PathBuf>,
    /// The file that the user writes settings into, as clients are told it.
    pub config_file: Option<PathBuf>,
}
