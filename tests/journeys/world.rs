//! One server, one sample repository, and the promise that nobody touches the repository's checkout.

use std::path::{Path, PathBuf};

use paddock_kit::{Ask, Fingerprint, Repository, Serve, ServeOptions, Watch};

/// A server and a sample repository in a directory of their own.
pub(crate) struct World {
    pub(crate) serve: Serve,
    pub(crate) repository: Repository,
    before: Fingerprint,
    dir: tempfile::TempDir,
}

impl World {
    pub(crate) async fn new() -> anyhow::Result<Self> {
        Self::with(ServeOptions::default()).await
    }

    pub(crate) async fn with(options: ServeOptions) -> anyhow::Result<Self> {
        let dir = tempfile::Builder::new().prefix("journey-").tempdir()?;
        let repository = Repository::sample(&dir.path().join("repository"))?;
        let serve = Serve::start(&dir.path().join("data"), options).await?;
        let before = repository.fingerprint()?;
        Ok(Self {
            serve,
            repository,
            before,
            dir,
        })
    }

    /// A place of this world.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The data directory.
    pub(crate) fn data(&self) -> &Path {
        self.serve.data()
    }

    /// Begins a task of the `scripted` agent on the sample repository.
    pub(crate) async fn begin(&self, script: &str) -> anyhow::Result<Watch> {
        self.serve
            .task(&Ask::scripted(script).on(&self.repository))
            .await
    }

    /// Holds that the sample's checkout is as it was.
    #[track_caller]
    pub(crate) fn hold_untouched(&self) {
        let now = self.repository.fingerprint().unwrap();
        assert_eq!(now, self.before, "the host's checkout was touched");
    }

    /// Kills the server and starts the next.
    pub(crate) fn restart(self) -> anyhow::Result<Self> {
        let Self {
            serve,
            repository,
            before,
            dir,
        } = self;
        Ok(Self {
            serve: serve.kill_and_restart()?,
            repository,
            before,
            dir,
        })
    }
}
