//! Installs an agent program: staged beside its place, checked, then moved there in one step.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use paddock_domain::{Program, ProgramRecipe};
use paddock_exec::{Command, Here, Limits, Place};

use super::lock::Lock;
use super::manifest::{Manifest, Package, sha256};
use super::{Toolbox, ToolboxError, npm, platform};
use crate::doctor::free_space;

/// Least room for an install, in bytes: the largest agents need 400 MB, and as much while they come.
pub(crate) const SPACE_NEEDED: u64 = 1_200_000_000;

/// Longest time that a program may take to say its version.
const LIMITS: Limits = Limits {
    stdout: 64 << 10,
    time: Duration::from_secs(60),
};

/// The name of the directory of Node runtimes in a toolbox.
const NODE: &str = "node";

/// How far an install is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallStep {
    /// Another install runs; this one waits for it.
    Waiting,
    /// A package is fetched and unpacked.
    Fetching {
        /// The package.
        package: String,
        /// Its version.
        version: String,
    },
    /// The program is tried and its checksum taken.
    Checking,
}

impl std::fmt::Display for InstallStep {
    /// One line for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Waiting => f.write_str("waiting for another install to end"),
            Self::Fetching { package, version } => write!(f, "fetching {package} {version}"),
            Self::Checking => f.write_str("trying the program and taking its checksum"),
        }
    }
}

impl Toolbox {
    /// Installs the program of `recipe` and gives it. One that is there already and undamaged is given
    /// as it is; a damaged one is replaced. `local` is the program itself, for harnesses without a
    /// package.
    ///
    /// # Errors
    /// Any [`ToolboxError`] that tells what is missing; the toolbox is left as it was.
    pub async fn install(
        &self,
        recipe: &ProgramRecipe,
        local: Option<&Path>,
        progress: &(dyn Fn(InstallStep) + Send + Sync),
    ) -> Result<Program, ToolboxError> {
        check_version(&recipe.version)?;
        let _lock = Lock::take(&self.dir, || progress(InstallStep::Waiting)).await?;
        if let Some(program) = self.undamaged(recipe, local).await? {
            return Ok(program);
        }
        let staging = self.stage(recipe.harness.as_str(), &recipe.version)?;
        let installed = self.fill(recipe, local, &staging, progress).await;
        if installed.is_err() {
            // What is left of it goes with the next install.
            let _ = fs::remove_dir_all(&staging);
        }
        installed
    }

    /// The program of `recipe`, when it is there and what was installed. A local one must also be the
    /// same as `local`.
    async fn undamaged(
        &self,
        recipe: &ProgramRecipe,
        local: Option<&Path>,
    ) -> Result<Option<Program>, ToolboxError> {
        let dir = self.place_of(recipe.harness.as_str(), &recipe.version);
        let Ok(Some(manifest)) = Manifest::read(&dir) else {
            return Ok(None);
        };
        let node_is_there = |node: &String| self.dir.join(node).is_file();
        if !manifest.seems_whole() || !manifest.program.node.iter().all(node_is_there) {
            return Ok(None);
        }
        if let (None, Some(local)) = (&recipe.package, local) {
            let found = hash(local.to_owned()).await?;
            if found != manifest.program.sha256 {
                return Ok(None);
            }
        }
        match self.verify(&manifest.program).await {
            Ok(()) => Ok(Some(manifest.program)),
            Err(ToolboxError::Damaged { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// An empty staging directory. Those of installs that were cut short are removed.
    fn stage(&self, name: &str, version: &str) -> Result<PathBuf, ToolboxError> {
        let disk = |dir: &Path| {
            let dir = dir.to_owned();
            move |error| ToolboxError::disk(&dir, error)
        };
        let staging = self.dir.join(".staging");
        if staging.exists() {
            fs::remove_dir_all(&staging).map_err(disk(&staging))?;
        }
        let dir = staging.join(format!("{name}-{version}"));
        fs::create_dir_all(&dir).map_err(disk(&dir))?;
        match free_space(&dir) {
            Ok(free) if free < SPACE_NEEDED => Err(ToolboxError::NoSpace {
                path: self.dir.display().to_string(),
                needed: SPACE_NEEDED,
            }),
            Ok(_) => Ok(dir),
            Err(error) => Err(ToolboxError::disk(&dir, error)),
        }
    }

    async fn fill(
        &self,
        recipe: &ProgramRecipe,
        local: Option<&Path>,
        staging: &Path,
        progress: &(dyn Fn(InstallStep) + Send + Sync),
    ) -> Result<Program, ToolboxError> {
        let (program, packages) = match (&recipe.package, local) {
            (Some(package), _) => self.fetch(recipe, package, staging, progress).await?,
            (None, Some(local)) => (copy(recipe, local, staging).await?, Vec::new()),
            (None, None) => {
                return Err(ToolboxError::NoLocalProgram {
                    harness: recipe.harness.to_string(),
                });
            }
        };
        let node = match &recipe.node {
            Some(version) => Some(self.install_node(version, progress).await?),
            None => None,
        };
        progress(InstallStep::Checking);
        let path = staging.join(&program);
        try_out(
            &path,
            node.as_ref().map(|node| self.dir.join(node)),
            staging,
        )
        .await?;
        let size = fs::metadata(&path)
            .map_err(|e| ToolboxError::disk(&path, e))?
            .len();
        let place = self.place_of(recipe.harness.as_str(), &recipe.version);
        let program = Program {
            harness: recipe.harness.clone(),
            version: recipe.version.clone(),
            dir: place.display().to_string(),
            program,
            node,
            sha256: hash(path).await?,
        };
        let manifest = Manifest {
            format: Manifest::FORMAT,
            program: program.clone(),
            size,
            packages,
        };
        manifest.write(staging)?;
        put(staging, &place)?;
        Ok(program)
    }

    /// Fetches the package into `staging`; gives the program relative to it, and what came.
    async fn fetch(
        &self,
        recipe: &ProgramRecipe,
        package: &str,
        staging: &Path,
        progress: &(dyn Fn(InstallStep) + Send + Sync),
    ) -> Result<(String, Vec<Package>), ToolboxError> {
        progress(InstallStep::Fetching {
            package: package.to_owned(),
            version: recipe.version.clone(),
        });
        let packages = npm::install(&self.npm, staging, package, &recipe.version).await?;
        let candidates = recipe
            .candidates
            .iter()
            .flat_map(|c| platform::spelled_out(c));
        let candidates: Vec<_> = candidates.map(|c| format!("node_modules/{c}")).collect();
        match candidates.iter().find(|path| staging.join(path).is_file()) {
            Some(program) => Ok((program.clone(), packages)),
            None => Err(ToolboxError::NoProgram {
                package: package.to_owned(),
                version: recipe.version.clone(),
                looked: candidates.join(", "),
            }),
        }
    }

    /// Installs a Node runtime where there is none; gives its program relative to the toolbox.
    async fn install_node(
        &self,
        version: &str,
        progress: &(dyn Fn(InstallStep) + Send + Sync),
    ) -> Result<String, ToolboxError> {
        check_version(version)?;
        // What the package `node` would fetch in a script.
        let package = format!("node-linux-{}", platform::npm_arch());
        let program = format!("node_modules/{package}/bin/node");
        let relative = format!("{NODE}/{version}/{program}");
        if self.dir.join(&relative).is_file() {
            return Ok(relative);
        }
        let staging = self.dir.join(format!(".staging/{NODE}-{version}"));
        fs::create_dir_all(&staging).map_err(|e| ToolboxError::disk(&staging, e))?;
        progress(InstallStep::Fetching {
            package: package.clone(),
            version: version.to_owned(),
        });
        npm::install(&self.npm, &staging, &package, version).await?;
        try_out(&staging.join(program), None, &staging).await?;
        put(&staging, &self.place_of(NODE, version))?;
        Ok(relative)
    }
}

/// Copies a program of this machine into `staging`; gives its name there.
async fn copy(
    recipe: &ProgramRecipe,
    local: &Path,
    staging: &Path,
) -> Result<String, ToolboxError> {
    let name = recipe.harness.to_string();
    let (from, to) = (local.to_owned(), staging.join(&name));
    let copied = tokio::task::spawn_blocking(move || {
        fs::copy(&from, &to)
            .map(drop)
            .map_err(|e| ToolboxError::disk(&from, e))
    });
    copied.await.map_err(|e| ToolboxError::broken(&e))??;
    Ok(name)
}

/// Runs the program for its version, with a home of its own.
async fn try_out(
    program: &Path,
    node: Option<PathBuf>,
    staging: &Path,
) -> Result<(), ToolboxError> {
    let shown = program.display().to_string();
    let command = match node {
        Some(node) => Command::new(node.display().to_string()).arg(&shown),
        None => Command::new(&shown),
    };
    let home = staging.join(".home");
    fs::create_dir_all(&home).map_err(|e| ToolboxError::disk(&home, e))?;
    let home_text = home.display().to_string();
    let command = command
        .arg("--version")
        .env("HOME", &home_text)
        .env("DISABLE_AUTOUPDATER", "1");
    let ran = Here
        .check(&command.env("CODEX_HOME", home_text), LIMITS)
        .await;
    let _ = fs::remove_dir_all(&home);
    ran.map(drop).map_err(|error| ToolboxError::DoesNotRun {
        program: shown,
        said: error.to_string(),
    })
}

async fn hash(path: PathBuf) -> Result<String, ToolboxError> {
    let hashed = tokio::task::spawn_blocking(move || {
        sha256(&path).map_err(|e| ToolboxError::disk(&path, e))
    });
    hashed.await.map_err(|e| ToolboxError::broken(&e))?
}

/// Moves `staging` to `place`, where a damaged installation gives way.
fn put(staging: &Path, place: &Path) -> Result<(), ToolboxError> {
    let disk = |error| ToolboxError::disk(place, error);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent).map_err(disk)?;
    }
    if place.exists() {
        // Aside first: boxes that have it mounted keep what they have, and no half of it is ever seen.
        let aside = staging.with_extension("damaged");
        fs::rename(place, &aside).map_err(disk)?;
        let _ = fs::remove_dir_all(&aside);
    }
    fs::rename(staging, place).map_err(disk)
}

/// An exact version is digits, letters, dots, dashes and pluses, and begins with a digit.
fn check_version(version: &str) -> Result<(), ToolboxError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
    let exact = version.starts_with(|c: char| c.is_ascii_digit())
        && version.contains('.')
        && version.len() <= 64
        && version.chars().all(allowed);
    if exact {
        return Ok(());
    }
    Err(ToolboxError::BadVersion {
        version: version.chars().take(64).collect(),
    })
}
