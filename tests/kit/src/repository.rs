//! Sample repositories, and whether anyone touched one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

/// A repository of ours on the host.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Its work tree, or the repository itself where it is bare.
    pub path: PathBuf,
}

/// What a checkout is like, byte for byte: every file of the work tree, the index, and `HEAD`.
pub type Fingerprint = BTreeMap<String, String>;

impl Repository {
    /// A repository at `path` with a few files and two commits on `main`.
    ///
    /// # Errors
    /// When git fails.
    pub fn sample(path: &Path) -> anyhow::Result<Self> {
        let repository = Self::empty(path)?;
        repository.write("README.md", "# scratch\n\nA sample.\n")?;
        repository.write("src/main.py", "print('hello')\n")?;
        repository.git(&["add", "-A"])?;
        repository.git(&["commit", "-q", "-m", "Begin"])?;
        repository.write("src/lib.py", "def double(n):\n    return n * 2\n")?;
        repository.git(&["add", "-A"])?;
        repository.git(&["commit", "-q", "-m", "Double"])?;
        Ok(repository)
    }

    /// A repository without a commit.
    ///
    /// # Errors
    /// When git fails.
    pub fn empty(path: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(path)?;
        let repository = Self {
            path: path.to_owned(),
        };
        repository.git(&["init", "-q", "-b", "main"])?;
        Ok(repository)
    }

    /// A bare clone of this one at `path`, added to it as the remote `origin`, with `main` pushed.
    ///
    /// # Errors
    /// When git fails.
    pub fn with_remote(&self, path: &Path) -> anyhow::Result<Self> {
        let to = path.to_str().context("a path that is not UTF-8")?;
        self.git(&["clone", "-q", "--bare", ".", to])?;
        self.git(&["remote", "add", "origin", to])?;
        self.git(&["fetch", "-q", "origin"])?;
        self.git(&["remote", "set-head", "origin", "main"])?;
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Writes a file of the work tree.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, path: &str, content: &str) -> anyhow::Result<()> {
        let file = self.path.join(path);
        fs::create_dir_all(file.parent().context("no parent")?)?;
        Ok(fs::write(file, content)?)
    }

    /// Runs git in it, with nobody's configuration, and gives what it printed.
    ///
    /// # Errors
    /// When git fails; with what it said.
    pub fn git(&self, args: &[&str]) -> anyhow::Result<String> {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=Sample",
                "-c",
                "user.email=sample@example.com",
            ])
            .args(["-c", "safe.directory=*", "-C"])
            .arg(&self.path)
            .args(args)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .stdin(Stdio::null())
            .output()?;
        if !output.status.success() {
            bail!("git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
    }

    /// The subjects of the commits of `range`, newest first.
    ///
    /// # Errors
    /// When git fails.
    pub fn subjects(&self, range: &str) -> anyhow::Result<Vec<String>> {
        let log = self.git(&["log", "--format=%s", range])?;
        Ok(log.lines().map(str::to_owned).collect())
    }

    /// Its local branches.
    ///
    /// # Errors
    /// When git fails.
    pub fn branches(&self) -> anyhow::Result<Vec<String>> {
        let list = self.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"])?;
        Ok(list.lines().map(str::to_owned).collect())
    }

    /// What the checkout is like now. Nothing is run in it: a look must not change it.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn fingerprint(&self) -> anyhow::Result<Fingerprint> {
        let mut seen = Fingerprint::new();
        look(&self.path, &self.path, &mut seen)?;
        for own in [".git/HEAD", ".git/index", ".git/config"] {
            let file = self.path.join(own);
            if file.is_file() {
                seen.insert(own.to_owned(), print_of(&file)?);
            }
        }
        Ok(seen)
    }

    /// Its path as text.
    ///
    /// # Panics
    /// When it is not UTF-8; ours are.
    #[must_use]
    pub fn text(&self) -> &str {
        self.path
            .to_str()
            .unwrap_or_else(|| panic!("{} is not UTF-8", self.path.display()))
    }
}

fn look(root: &Path, dir: &Path, seen: &mut Fingerprint) -> anyhow::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_name() == ".git" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            look(root, &path, seen)?;
            continue;
        }
        seen.insert(
            path.strip_prefix(root)?.display().to_string(),
            print_of(&path)?,
        );
    }
    Ok(())
}

/// The hash of a file's content, and when it was last written.
fn print_of(file: &Path) -> anyhow::Result<String> {
    let hash = Sha256::digest(fs::read(file)?);
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let written = fs::metadata(file)?
        .modified()?
        .duration_since(std::time::UNIX_EPOCH)?;
    Ok(format!("{hex} {}", written.as_nanos()))
}
