//! A server whose agents talk to a scripted model on this machine's loopback.

use paddock_kit::{Repository, Serve, ServeOptions};
use paddock_scripted_model::ScriptedModel;

/// A server, a model, and a sample repository.
pub(crate) struct World {
    pub(crate) serve: Serve,
    pub(crate) model: ScriptedModel,
    pub(crate) repository: Repository,
    dir: tempfile::TempDir,
}

impl World {
    pub(crate) async fn new() -> anyhow::Result<Self> {
        let dir = tempfile::Builder::new().prefix("engines-").tempdir()?;
        let model = ScriptedModel::start("127.0.0.1:0".parse()?)?;
        let repository = Repository::sample(&dir.path().join("repository"))?;
        let options = ServeOptions::default()
            .env("ANTHROPIC_BASE_URL", model.url())
            .env("ANTHROPIC_API_KEY", "scripted")
            .env("OPENAI_BASE_URL", format!("{}/v1", model.url()))
            .env("OPENAI_API_KEY", "scripted");
        let serve = Serve::start(&dir.path().join("data"), options).await?;
        Ok(Self {
            serve,
            model,
            repository,
            dir,
        })
    }

    /// The directory that everything of this world is in.
    pub(crate) fn path(&self) -> String {
        self.dir.path().display().to_string()
    }

    /// Kills the server and starts the next.
    pub(crate) fn restart(self) -> anyhow::Result<Self> {
        Ok(Self {
            serve: self.serve.kill_and_restart()?,
            ..self
        })
    }
}
