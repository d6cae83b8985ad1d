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
        let (url, openai) = (model.url(), format!("{}/v1", model.url()));
        let mut options = ServeOptions::default();
        for (key, base_url, url) in [
            ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", &url),
            ("GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", &url),
            ("OPENAI_API_KEY", "OPENAI_BASE_URL", &openai),
            ("KIMI_MODEL_API_KEY", "KIMI_MODEL_BASE_URL", &openai),
            (
                "COPILOT_PROVIDER_API_KEY",
                "COPILOT_PROVIDER_BASE_URL",
                &openai,
            ),
        ] {
            options = options.env(key, "scripted").env(base_url, url);
        }
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
