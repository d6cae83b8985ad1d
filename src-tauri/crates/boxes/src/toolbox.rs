//! The agent programs of a host: several harnesses, several versions of each side by side.
//!
//! A program stands in `<toolbox>/<harness>/<version>` with a `manifest.json` that says what it is. A
//! directory appears there whole or not at all: it is made in a staging directory beside and moved.
//! Boxes mount it read-only.
//!
//! Start at [`Toolbox::install`].

mod error;
mod install;
mod lock;
mod manifest;
mod npm;
mod platform;

use std::path::{Path, PathBuf};

use paddock_domain::{HarnessName, Program};

pub use error::ToolboxError;
pub use install::InstallStep;
use manifest::Manifest;

/// A directory of agent programs.
#[derive(Clone, Debug)]
pub struct Toolbox {
    dir: PathBuf,
    npm: String,
}

impl Toolbox {
    /// The toolbox in `dir`, which need not be there yet.
    #[must_use]
    pub fn new(dir: PathBuf) -> Self {
        let npm = "npm".to_owned();
        Self { dir, npm }
    }

    /// The same, with another npm client.
    #[must_use]
    pub fn with_npm(self, npm: impl Into<String>) -> Self {
        let npm = npm.into();
        Self { npm, ..self }
    }

    /// Every program, by harness, the newest version of each first. One whose files are missing or of
    /// another size than at its installation is left out.
    ///
    /// # Errors
    /// [`ToolboxError::Disk`] when the toolbox cannot be read.
    pub fn list(&self) -> Result<Vec<Program>, ToolboxError> {
        let mut programs = Vec::new();
        for harness in names(&self.dir)? {
            if let Ok(name) = HarnessName::parse(&harness) {
                programs.extend(self.versions(&name)?);
            }
        }
        Ok(programs)
    }

    /// The program of `harness`, in that version or the newest.
    ///
    /// # Errors
    /// [`ToolboxError::NotInstalled`], [`ToolboxError::Disk`].
    pub fn find(
        &self,
        harness: &HarnessName,
        version: Option<&str>,
    ) -> Result<Program, ToolboxError> {
        let versions = self.versions(harness)?.into_iter();
        let mut wanted = versions.filter(|p| version.is_none_or(|wanted| p.version == wanted));
        wanted.next().ok_or_else(|| ToolboxError::NotInstalled {
            harness: harness.to_string(),
            version: version.map(str::to_owned),
        })
    }

    /// Reads a program again and compares it with what was installed.
    ///
    /// # Errors
    /// [`ToolboxError::Damaged`] when it is not the same, [`ToolboxError::Disk`].
    pub async fn verify(&self, program: &Program) -> Result<(), ToolboxError> {
        let path = Path::new(&program.dir).join(&program.program);
        let expected = program.sha256.clone();
        let checked = tokio::task::spawn_blocking(move || match manifest::sha256(&path) {
            Ok(found) if found == expected => Ok(()),
            Ok(_) => Err(ToolboxError::damaged(&path)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(ToolboxError::damaged(&path))
            }
            Err(error) => Err(ToolboxError::disk(&path, error)),
        });
        checked.await.map_err(|e| ToolboxError::broken(&e))?
    }

    /// The versions of a harness, the newest first.
    fn versions(&self, harness: &HarnessName) -> Result<Vec<Program>, ToolboxError> {
        let dir = self.dir.join(harness.as_str());
        let found = names(&dir)?.into_iter().filter_map(|version| {
            let manifest = Manifest::read(&dir.join(&version)).ok()??;
            let right = manifest.program.harness == *harness && manifest.program.version == version;
            (right && manifest.seems_whole()).then_some(manifest.program)
        });
        let mut programs: Vec<_> = found.collect();
        programs.sort_by_key(|program| std::cmp::Reverse(newness(&program.version)));
        Ok(programs)
    }

    fn place_of(&self, harness: &str, version: &str) -> PathBuf {
        self.dir.join(harness).join(version)
    }
}

/// The names in a directory, sorted; none when it is not there. Those with a dot first are ours.
fn names(dir: &Path) -> Result<Vec<String>, ToolboxError> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(ToolboxError::disk(dir, error)),
    };
    let names = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    Ok(names)
}

/// Orders versions by their numbers; one with a suffix (`1.0.0-beta.2`) comes before the same without.
fn newness(version: &str) -> (Vec<u64>, bool, String) {
    let (numbers, suffix) = version.split_once('-').unwrap_or((version, ""));
    let numbers = numbers.split('.').map(|n| n.parse().unwrap_or(0)).collect();
    (numbers, suffix.is_empty(), suffix.to_owned())
}

#[cfg(test)]
mod tests;
