//! Finds the engine: where the user said, else in the usual places.
//!
//! A setting, and then `DOCKER_HOST`, are taken at their word: when one is given, nothing else is
//! tried, so that a typing error does not lead to another engine.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::{BadEndpoint, Endpoint, Engine, EngineError, EngineInfo};

/// Where to look. All of it is a parameter; [`Search::from_environment`] takes the process's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The user's setting.
    pub setting: Option<String>,
    /// `DOCKER_HOST`.
    pub docker_host: Option<String>,
    /// `XDG_RUNTIME_DIR`, where rootless engines listen.
    pub runtime_dir: Option<PathBuf>,
    /// The home directory, where desktop products listen.
    pub home: Option<PathBuf>,
}

/// An engine that answered.
pub struct Found {
    /// The engine.
    pub engine: Engine,
    /// Where it listens.
    pub endpoint: Endpoint,
    /// What it said about itself.
    pub info: EngineInfo,
}

/// A place that was tried in vain.
#[derive(Debug)]
pub struct Tried {
    /// What was tried, for people.
    pub place: String,
    /// Why it is no engine.
    pub outcome: Trial,
}

/// Why a place is no engine.
#[derive(Debug)]
pub enum Trial {
    /// Its address cannot be understood.
    BadEndpoint(BadEndpoint),
    /// There is no socket.
    Absent,
    /// There is one, and it did not answer as an engine.
    Failed(EngineError),
}

/// No engine answers anywhere.
#[derive(Debug)]
pub struct NoEngine {
    /// What was tried, in order.
    pub tried: Vec<Tried>,
}

impl Search {
    /// Longest wait for the first answer of one place.
    pub const TRIAL_TIME: Duration = Duration::from_secs(5);

    /// What the environment of this process says, and `setting`.
    #[must_use]
    pub fn from_environment(setting: Option<String>) -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            setting,
            docker_host: set("DOCKER_HOST"),
            runtime_dir: set("XDG_RUNTIME_DIR").map(PathBuf::from),
            home: set("HOME").map(PathBuf::from),
        }
    }

    /// Tries each place in order and gives the first engine that answers.
    ///
    /// # Errors
    /// [`NoEngine`] with all that was tried.
    pub async fn run(&self) -> Result<Found, NoEngine> {
        let mut tried = Vec::new();
        for (place, endpoint) in self.places() {
            match attempt(endpoint).await {
                Ok(found) => return Ok(found),
                Err(outcome) => tried.push(Tried { place, outcome }),
            }
        }
        Err(NoEngine { tried })
    }

    /// The places, in order, each with its name for people.
    fn places(&self) -> Vec<(String, Result<Endpoint, BadEndpoint>)> {
        if let Some(setting) = &self.setting {
            return vec![(format!("the setting `{setting}`"), Endpoint::parse(setting))];
        }
        if let Some(host) = &self.docker_host {
            return vec![(format!("DOCKER_HOST={host}"), Endpoint::parse(host))];
        }
        let places = usual(self.runtime_dir.as_deref(), self.home.as_deref());
        let named = places
            .into_iter()
            .map(|place| (place.to_string(), Ok(place)));
        named.collect()
    }
}

#[cfg(not(windows))]
fn usual(runtime_dir: Option<&std::path::Path>, home: Option<&std::path::Path>) -> Vec<Endpoint> {
    let mut paths = vec![PathBuf::from("/var/run/docker.sock")];
    if let Some(dir) = runtime_dir {
        paths.extend([dir.join("docker.sock"), dir.join("podman/podman.sock")]);
    }
    paths.push(PathBuf::from("/run/podman/podman.sock"));
    if let Some(home) = home {
        // Docker Desktop (Linux, macOS), Colima, Rancher Desktop, Podman's machine.
        let below = [
            ".docker/desktop/docker.sock",
            ".docker/run/docker.sock",
            ".colima/default/docker.sock",
            ".rd/docker.sock",
            ".local/share/containers/podman/machine/podman.sock",
        ];
        paths.extend(below.map(|path| home.join(path)));
    }
    paths.into_iter().map(Endpoint::Unix).collect()
}

#[cfg(windows)]
fn usual(_: Option<&std::path::Path>, _: Option<&std::path::Path>) -> Vec<Endpoint> {
    let pipes = ["//./pipe/docker_engine", "//./pipe/podman-machine-default"];
    pipes.map(|pipe| Endpoint::Pipe(pipe.to_owned())).to_vec()
}

async fn attempt(endpoint: Result<Endpoint, BadEndpoint>) -> Result<Found, Trial> {
    let endpoint = endpoint.map_err(Trial::BadEndpoint)?;
    if let Endpoint::Unix(path) = &endpoint
        && matches!(path.try_exists(), Ok(false))
    {
        return Err(Trial::Absent);
    }
    let engine = Engine::at(endpoint.clone()).map_err(Trial::Failed)?;
    let answer = tokio::time::timeout(Search::TRIAL_TIME, engine.info()).await;
    let late = EngineError::TimedOut {
        engine: endpoint.to_string(),
    };
    let info = answer.unwrap_or(Err(late)).map_err(Trial::Failed)?;
    Ok(Found {
        engine,
        endpoint,
        info,
    })
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadEndpoint(bad) => bad.fmt(f),
            Self::Absent => f.write_str("no socket there"),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for NoEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no container engine answers: install and start Docker or Podman, or set where it listens. Tried: ")?;
        let tried = self.tried.iter();
        let tried: Vec<_> = tried
            .map(|t| format!("{} ({})", t.place, t.outcome))
            .collect();
        f.write_str(&tried.join("; "))
    }
}

impl std::error::Error for NoEngine {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_taken_at_its_word() {
        let search = Search {
            setting: Some("/mine.sock".to_owned()),
            docker_host: Some("/other.sock".to_owned()),
            ..Search::default()
        };
        let places = search.places();
        assert_eq!(places.len(), 1);
        assert_eq!(places[0].1, Ok(Endpoint::Unix("/mine.sock".into())));
    }

    #[tokio::test]
    async fn what_was_tried_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let search = Search {
            setting: Some(dir.path().join("none.sock").display().to_string()),
            ..Search::default()
        };
        let error = search.run().await.err().unwrap();
        assert!(matches!(
            error.tried[..],
            [Tried {
                outcome: Trial::Absent,
                ..
            }]
        ));
        let text = error.to_string();
        assert!(
            text.contains("none.sock") && text.contains("start Docker"),
            "{text}"
        );
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_socket_where_nobody_listens_any_more_is_not_an_engine() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("dead.sock");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        let search = Search {
            setting: Some(path.display().to_string()),
            ..Search::default()
        };
        let error = search.run().await.err().unwrap();
        assert!(matches!(
            error.tried[0].outcome,
            Trial::Failed(EngineError::NotRunning { .. })
        ));
    }
}
