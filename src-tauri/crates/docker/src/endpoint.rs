//! Where an engine listens.

use std::fmt;
use std::path::PathBuf;

/// The address of an engine on this machine or one that it reaches by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// A Unix socket.
    Unix(PathBuf),
    /// A Windows named pipe, such as `//./pipe/docker_engine`.
    Pipe(String),
    /// A host and port that speak without TLS.
    Tcp(String),
}

/// The text names no endpoint that can be spoken to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an engine's address: {why}")]
pub struct BadEndpoint {
    /// What was given.
    pub text: String,
    /// What is wrong and what to give in its place.
    pub why: &'static str,
}

impl Endpoint {
    /// Reads what stands in a setting or in `DOCKER_HOST`: `unix:///path`, `/path`, `npipe://…` or
    /// `tcp://host:port`.
    ///
    /// # Errors
    /// [`BadEndpoint`] for anything else.
    pub fn parse(text: &str) -> Result<Self, BadEndpoint> {
        let bad = |why| BadEndpoint {
            text: text.to_owned(),
            why,
        };
        let text = text.trim();
        match text.split_once("://") {
            None if text.starts_with('/') => Ok(Self::Unix(text.into())),
            Some(("unix", path)) if path.starts_with('/') => Ok(Self::Unix(path.into())),
            Some(("npipe", pipe)) if !pipe.is_empty() => Ok(Self::Pipe(pipe.to_owned())),
            Some(("tcp" | "http", to)) if to.trim_end_matches('/').contains(':') => {
                Ok(Self::Tcp(to.trim_end_matches('/').to_owned()))
            }
            Some(("ssh", _)) => Err(bad(
                "an engine on another machine is reached by adding that machine as a host",
            )),
            Some(("https", _)) => Err(bad("TLS is not spoken here; use the engine's Unix socket")),
            _ => Err(bad(
                "give the path of its Unix socket, or unix://PATH, or tcp://HOST:PORT",
            )),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unix(path) => write!(f, "{}", path.display()),
            Self::Pipe(pipe) => f.write_str(pipe),
            Self::Tcp(to) => write!(f, "tcp://{to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spellings_of_docker_host_are_read() {
        let unix = |path: &str| Ok(Endpoint::Unix(path.into()));
        assert_eq!(Endpoint::parse("unix:///run/d.sock"), unix("/run/d.sock"));
        assert_eq!(Endpoint::parse(" /run/a b.sock"), unix("/run/a b.sock"));
        assert_eq!(
            Endpoint::parse("tcp://127.0.0.1:2375/"),
            Ok(Endpoint::Tcp("127.0.0.1:2375".to_owned()))
        );
        assert_eq!(
            Endpoint::parse("npipe:////./pipe/docker_engine"),
            Ok(Endpoint::Pipe("//./pipe/docker_engine".to_owned()))
        );
    }

    #[test]
    fn what_cannot_be_spoken_to_is_refused_with_advice() {
        for (text, advice) in [
            ("ssh://me@there", "as a host"),
            ("https://x:2376", "TLS"),
            ("docker.sock", "path"),
            ("unix://relative", "path"),
            ("tcp://nowhere", "path"),
            ("", "path"),
        ] {
            let error = Endpoint::parse(text).unwrap_err().to_string();
            assert!(error.contains(advice), "{text}: {error}");
        }
    }
}
