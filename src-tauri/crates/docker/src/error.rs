//! Why an engine did not do what it was asked.

use std::io::ErrorKind;

use bollard::errors::Error as BollardError;

/// An engine refused, or could not be reached.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// Nobody listens there.
    #[error("no container engine answers at {engine} ({source}): start Docker or Podman")]
    NotRunning {
        /// Where it was looked for.
        engine: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The user may not use its socket.
    #[error(
        "no permission to use the container engine at {engine}: add your user to the `docker` group and log in again, or use a rootless engine"
    )]
    Denied {
        /// Where it is.
        engine: String,
    },
    /// It went away in the middle, or spoke something else than its API.
    #[error("the connection to the container engine at {engine} broke: {message}")]
    Broken {
        /// Where it is.
        engine: String,
        /// What happened.
        message: String,
    },
    /// It did not answer in time.
    #[error(
        "the container engine at {engine} did not answer in time: see whether it is overloaded, or restart it"
    )]
    TimedOut {
        /// Where it is.
        engine: String,
    },
    /// The image is not on the engine.
    #[error("the image `{image}` is not there: pull or build it, or choose another")]
    NoSuchImage {
        /// Its name.
        image: String,
    },
    /// The image could not be had from its registry.
    #[error("the image `{image}` could not be pulled: {reason}")]
    NotPulled {
        /// Its name.
        image: String,
        /// What the engine or the registry said.
        reason: String,
    },
    /// The container is gone.
    #[error("the container `{container}` is not there any more")]
    NoSuchContainer {
        /// Its name.
        container: String,
    },
    /// The name is taken, or the container is in a state that does not allow this.
    #[error("the container engine cannot do this now: {message}")]
    Conflict {
        /// What it said.
        message: String,
    },
    /// A published port is in use.
    #[error("a port that the container needs is in use: {message}")]
    PortTaken {
        /// What the engine said.
        message: String,
    },
    /// The engine's disk is full.
    #[error(
        "the container engine's disk is full: free some space (`docker system df` says what uses it)"
    )]
    DiskFull {
        /// What the engine said.
        message: String,
    },
    /// It takes the request for wrong, such as a mount whose source is not there.
    #[error("the container engine does not accept this: {message}")]
    NotAccepted {
        /// What it said.
        message: String,
    },
    /// Any other failure that it reports.
    #[error("the container engine failed ({status}): {message}")]
    Failed {
        /// The HTTP status.
        status: u16,
        /// What it said.
        message: String,
    },
}

impl EngineError {
    /// Whether the engine cannot be reached, as opposed to having refused.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        match self {
            Self::NotRunning { .. }
            | Self::Denied { .. }
            | Self::Broken { .. }
            | Self::TimedOut { .. } => true,
            Self::NoSuchImage { .. }
            | Self::NotPulled { .. }
            | Self::NoSuchContainer { .. }
            | Self::Conflict { .. }
            | Self::PortTaken { .. }
            | Self::DiskFull { .. }
            | Self::NotAccepted { .. }
            | Self::Failed { .. } => false,
        }
    }
}

/// What a request was about, so that "not found" can be told.
#[derive(Clone, Copy, Debug)]
pub(crate) enum About<'a> {
    /// The engine as a whole.
    Engine,
    /// An image.
    Image(&'a str),
    /// A container.
    Container(&'a str),
    /// A container to be made from an image.
    NewContainer {
        /// Its name.
        name: &'a str,
        /// Its image.
        image: &'a str,
    },
}

/// What `error` of the engine at `engine` means for a request about `about`.
pub(crate) fn judge(engine: &str, about: About<'_>, error: BollardError) -> EngineError {
    let engine = engine.to_owned();
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the enum is another crate's"
    )]
    match error {
        BollardError::DockerResponseServerError {
            status_code,
            message,
        } => refused(about, status_code, message),
        BollardError::DockerStreamError { error } => refused(about, 500, error),
        BollardError::RequestTimeoutError => EngineError::TimedOut { engine },
        BollardError::IOError { err } => unreached(engine, err),
        other => EngineError::Broken {
            engine,
            message: other.to_string(),
        },
    }
}

fn unreached(engine: String, source: std::io::Error) -> EngineError {
    let nobody = [
        ErrorKind::NotFound,
        ErrorKind::ConnectionRefused,
        ErrorKind::Unsupported,
    ];
    if source.kind() == ErrorKind::PermissionDenied {
        return EngineError::Denied { engine };
    }
    if nobody.contains(&source.kind()) {
        return EngineError::NotRunning { engine, source };
    }
    EngineError::Broken {
        engine,
        message: source.to_string(),
    }
}

fn refused(about: About<'_>, status: u16, message: String) -> EngineError {
    let said = message.to_ascii_lowercase();
    if said.contains("no space left on device") || said.contains("disk quota exceeded") {
        return EngineError::DiskFull { message };
    }
    if said.contains("port is already allocated") || said.contains("address already in use") {
        return EngineError::PortTaken { message };
    }
    match (status, about) {
        (404, About::Image(image)) => EngineError::NoSuchImage {
            image: image.to_owned(),
        },
        (404, About::NewContainer { image, .. }) if said.contains("image") => {
            EngineError::NoSuchImage {
                image: image.to_owned(),
            }
        }
        (404, About::Container(name) | About::NewContainer { name, .. }) => {
            EngineError::NoSuchContainer {
                container: name.to_owned(),
            }
        }
        (409, _) => EngineError::Conflict { message },
        (400, _) => EngineError::NotAccepted { message },
        // An image without git, a mount that is no directory: the engine calls these its own failure.
        (500, _) if said.contains("bind source path does not exist") => {
            EngineError::NotAccepted { message }
        }
        _ => EngineError::Failed { status, message },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(about: About<'_>, status: u16, message: &str) -> EngineError {
        refused(about, status, message.to_owned())
    }

    #[test]
    fn what_engines_say_becomes_what_to_do() {
        let new = About::NewContainer {
            name: "c",
            image: "i",
        };
        assert!(matches!(
            said(new, 404, "No such image: i:latest"),
            EngineError::NoSuchImage { image } if image == "i"
        ));
        assert!(matches!(
            said(About::Container("c"), 404, "No such container: c"),
            EngineError::NoSuchContainer { container } if container == "c"
        ));
        assert!(matches!(
            said(
                new,
                409,
                "Conflict. The container name \"/c\" is already in use"
            ),
            EngineError::Conflict { .. }
        ));
        assert!(matches!(
            said(new, 500, "mkdir /var/lib/docker/x: no space left on device"),
            EngineError::DiskFull { .. }
        ));
        assert!(matches!(
            said(
                About::Container("c"),
                500,
                "Bind for 0.0.0.0:80 failed: port is already allocated"
            ),
            EngineError::PortTaken { .. }
        ));
        assert!(matches!(
            said(
                new,
                400,
                "invalid mount config: bind source path does not exist: /x"
            ),
            EngineError::NotAccepted { .. }
        ));
        assert!(matches!(
            said(About::Engine, 500, "oops"),
            EngineError::Failed { status: 500, .. }
        ));
    }
}
