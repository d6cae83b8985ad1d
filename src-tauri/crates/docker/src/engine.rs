//! One engine: who it is, and the connection that everything else goes through.

use std::sync::Arc;

use bollard::{API_DEFAULT_VERSION, Docker};

use crate::Endpoint;
use crate::dial::{Dial, send};
use crate::error::{About, EngineError, judge};

/// A container engine. Cheap to clone; nothing is sent before the first call.
#[derive(Clone)]
pub struct Engine {
    pub(crate) client: Docker,
    name: Arc<str>,
}

/// What an engine says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// Its version, such as `20.10.24`.
    pub version: String,
    /// The newest API that it speaks, such as `1.41`.
    pub api: String,
    /// The machine's processor in the engine's words, such as `amd64`.
    pub arch: String,
    /// Whether it is Podman.
    pub podman: bool,
    /// Whether it runs without root, so that the box's root is the user.
    pub rootless: bool,
    /// Whether containers get its seccomp profile.
    pub seccomp: bool,
    /// How many processors containers can have; 0 when it did not say.
    pub cpus: u32,
    /// Memory that containers can have, in bytes; 0 when it did not say.
    pub memory: u64,
}

impl Engine {
    /// Longest wait for the head of an answer, in seconds. Streams run on.
    pub const ANSWER_TIME_S: u64 = 120;

    /// The engine that listens at `endpoint`.
    ///
    /// # Errors
    /// [`EngineError`] when no client can be made for it; whether it is there shows at the first call.
    pub fn at(endpoint: Endpoint) -> Result<Self, EngineError> {
        Self::over(endpoint.to_string(), Arc::new(endpoint))
    }

    /// The engine that `dial` leads to; `name` stands for it in errors.
    ///
    /// # Errors
    /// As [`Engine::at`].
    pub fn over(name: impl Into<String>, dial: Arc<dyn Dial>) -> Result<Self, EngineError> {
        let name = name.into();
        let transport = move |request| send(Arc::clone(&dial), request);
        let client = Docker::connect_with_custom_transport(
            transport,
            Some("http://engine"),
            Self::ANSWER_TIME_S,
            API_DEFAULT_VERSION,
        );
        Ok(Self {
            client: client.map_err(|e| judge(&name, About::Engine, e))?,
            name: Arc::from(name),
        })
    }

    /// Where it is, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Asks for a sign of life.
    ///
    /// # Errors
    /// [`EngineError`] when it cannot be reached.
    pub async fn ping(&self) -> Result<(), EngineError> {
        let pong = self.client.ping().await;
        pong.map(drop).map_err(|e| self.fault(About::Engine, e))
    }

    /// Asks who it is and what it offers.
    ///
    /// # Errors
    /// [`EngineError`] when it cannot be reached.
    pub async fn info(&self) -> Result<EngineInfo, EngineError> {
        let (version, info) = tokio::join!(self.client.version(), self.client.info());
        let version = version.map_err(|e| self.fault(About::Engine, e))?;
        let info = info.map_err(|e| self.fault(About::Engine, e))?;
        let options = info.security_options.unwrap_or_default();
        let has = |what: &str| options.iter().any(|option| option.contains(what));
        let components = version.components.unwrap_or_default();
        Ok(EngineInfo {
            version: version.version.unwrap_or_default(),
            api: version.api_version.unwrap_or_default(),
            arch: version.arch.unwrap_or_default(),
            podman: components.iter().any(|part| part.name.contains("Podman")),
            rootless: has("rootless"),
            seccomp: has("seccomp"),
            cpus: info.ncpu.and_then(|n| n.try_into().ok()).unwrap_or(0),
            memory: info.mem_total.and_then(|n| n.try_into().ok()).unwrap_or(0),
        })
    }

    pub(crate) fn fault(&self, about: About<'_>, error: bollard::errors::Error) -> EngineError {
        judge(&self.name, about, error)
    }
}
