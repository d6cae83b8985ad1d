//! The demo's repository, and whether anyone touched its checkout.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::plain_git;
use crate::step;

/// A small repository on `main`.
pub(crate) struct Sample {
    /// Its work tree.
    pub(crate) path: PathBuf,
}

impl Sample {
    /// Makes one at `path`.
    pub(crate) fn make(path: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(path)?;
        let sample = Self {
            path: path.to_owned(),
        };
        sample.git(&["init", "-q", "-b", "main"])?;
        fs::write(
            path.join("README.md"),
            "# Sample\n\nA repository for the demo.\n",
        )?;
        fs::write(path.join("main.py"), "print(\"hello\")\n")?;
        // A machine may have no identity of its own; the agent's commits need one.
        sample.git(&["config", "user.name", "Sample"])?;
        sample.git(&["config", "user.email", "sample@example.com"])?;
        sample.git(&["add", "-A"])?;
        sample.git(&["commit", "-q", "-m", "Begin"])?;
        Ok(sample)
    }

    /// Runs git in it and gives what it prints.
    pub(crate) fn git(&self, args: &[&str]) -> anyhow::Result<String> {
        step::quiet("git", plain_git(&self.path).args(args))
    }

    /// Every file of the checkout, with the index, `HEAD` and the configuration, byte for byte.
    pub(crate) fn fingerprint(&self) -> anyhow::Result<BTreeMap<PathBuf, Vec<u8>>> {
        let mut seen = BTreeMap::new();
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if path.is_file() {
                seen.insert(path.clone(), fs::read(&path)?);
            }
        }
        for own in ["HEAD", "index", "config"] {
            let path = self.path.join(".git").join(own);
            seen.insert(path.clone(), fs::read(&path)?);
        }
        Ok(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_touched_checkout_has_another_fingerprint() {
        let dir = tempfile::tempdir().unwrap();
        let sample = Sample::make(dir.path()).unwrap();
        let before = sample.fingerprint().unwrap();
        assert_eq!(sample.fingerprint().unwrap(), before);
        sample.git(&["branch", "another"]).unwrap();
        assert_eq!(sample.fingerprint().unwrap(), before);
        fs::write(dir.path().join("stray"), "x").unwrap();
        assert_ne!(sample.fingerprint().unwrap(), before);
    }
}
