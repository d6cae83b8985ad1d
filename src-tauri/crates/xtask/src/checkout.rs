//! Where things are: the checkout, its build directory, the programs in it.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

/// A checkout of Paddock.
#[derive(Clone)]
pub(crate) struct Checkout {
    /// Its root.
    pub(crate) root: PathBuf,
    /// The one build directory.
    pub(crate) target: PathBuf,
    /// Which build's programs are meant: `debug` or `release`.
    pub(crate) profile: &'static str,
}

impl Checkout {
    /// The checkout that this program was built from.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here
            .ancestors()
            .nth(3)
            .context("xtask has been moved")?
            .to_owned();
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(dir) => root.join(dir),
            None => root.join("target"),
        };
        Ok(Self {
            root,
            target,
            profile: "debug",
        })
    }

    /// The same checkout, with the programs of the release build.
    pub(crate) fn released(&self) -> Self {
        Self {
            profile: "release",
            ..self.clone()
        }
    }

    /// Where the build puts its programs.
    pub(crate) fn bin(&self) -> PathBuf {
        self.target.join(self.profile)
    }

    /// A program of the build.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.bin().join(format!("{name}{EXE_SUFFIX}"))
    }

    /// The agent programs that tests, demo and bench use; a user's own toolbox is left alone.
    pub(crate) fn toolbox(&self) -> PathBuf {
        self.target.join("toolbox")
    }

    /// Whether the user interface stands here.
    pub(crate) fn has_ui(&self) -> bool {
        self.root.join("ui/package-lock.json").is_file()
    }

    /// `program`, to be run at the root.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// The cargo that runs this program.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = self.command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // Set for programs that cargo runs; a cargo below them must find its own.
        for set in [
            "CARGO_MANIFEST_DIR",
            "CARGO_MANIFEST_PATH",
            "CARGO_PKG_NAME",
            "CARGO_PKG_VERSION",
        ] {
            cargo.env_remove(set);
        }
        cargo
    }
}
