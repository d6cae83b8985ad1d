//! The vault of the data directory: opened when the first secret is asked for, its calls beside the loop.
//!
//! The names of what is kept stand in `<data>/secrets/names` too. They are no secrets, and they say
//! whether a vault that is locked today would have had a key: then a key from elsewhere must not take its
//! place. A data directory that keeps no secret never opens a vault.
//!
//! Start at [`Secrets::get`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use paddock_secrets::{
    Fill, Opened, Opening, SecretName, SecretString, Vault, VaultError, VaultKind,
};
use tokio::sync::{Mutex, MutexGuard};

use crate::{CommandError, Orchestrator, OrchestratorSettings, kept};

/// The directory of the vault, below the data directory.
const DIR: &str = "secrets";
/// The names of what is kept.
const NAMES: &str = "names";
/// How long a keychain has to answer; it may be asking its user to unlock it.
const PATIENCE: Duration = Duration::from_secs(20);

/// The vault and what is known of it without opening it.
pub(crate) struct Secrets {
    dir: PathBuf,
    opening: Opening,
    /// Held while the vault is opened or written, so that names and secrets go together.
    open: Mutex<Option<Arc<Opened>>>,
}

/// Which vault there is, and the names of what it keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaultState {
    /// What it is; nothing when it cannot be opened now.
    pub kind: Option<VaultKind>,
    /// Why it is this one, or why it cannot be opened and what to do.
    pub why: String,
    /// Names of what it keeps, sorted.
    pub names: Vec<SecretName>,
}

/// Doors.
impl Orchestrator {
    /// Which vault there is and the names of what it keeps; it is opened, or made, for that.
    pub async fn vault(&self) -> VaultState {
        self.rooms.secrets.state().await
    }

    /// Keeps `value` as `name`, in place of what was there.
    ///
    /// # Errors
    /// [`CommandError::Bad`] for a value that is no secret, [`CommandError::Conflict`] when the vault is
    /// locked.
    pub async fn keep_secret(
        &self,
        name: SecretName,
        value: SecretString,
    ) -> Result<(), CommandError> {
        Ok(self.rooms.secrets.set(name, value).await?)
    }

    /// Forgets the secret `name`.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] when there is none.
    pub async fn forget_secret(&self, name: &SecretName) -> Result<(), CommandError> {
        if self.rooms.secrets.delete(name).await? {
            return Ok(());
        }
        Err(CommandError::NotFound {
            what: "secret",
            message: format!("there is no secret `{name}`: `paddock secret ls` lists them"),
        })
    }
}

impl Secrets {
    pub(crate) fn new(settings: &OrchestratorSettings) -> Self {
        let fill: Fill = |buffer| {
            rand::fill(buffer);
            Ok(())
        };
        Self {
            dir: settings.data_dir.join(DIR),
            opening: Opening {
                space: settings.owner.clone(),
                keychain: settings.keychain,
                patience: PATIENCE,
                passphrase: settings.vault_passphrase.clone(),
                fill,
            },
            open: Mutex::new(None),
        }
    }

    /// The names of what is kept, without opening the vault.
    ///
    /// # Errors
    /// [`VaultError`] where they cannot be known without it and it does not open.
    pub(crate) async fn names(&self) -> Result<BTreeSet<SecretName>, VaultError> {
        if let Some(names) = read_names(&self.dir)? {
            return Ok(names);
        }
        if !paddock_secrets::is_there(&self.dir) {
            return Ok(BTreeSet::new());
        }
        let mut open = self.open.lock().await;
        self.opened(&mut open).await?;
        Ok(read_names(&self.dir)?.unwrap_or_default())
    }

    /// The secret `name`; nothing when there is none.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) async fn get(&self, name: &SecretName) -> Result<Option<SecretString>, VaultError> {
        if !self.names().await?.contains(name) {
            return Ok(None);
        }
        let opened = self.opened(&mut self.open.lock().await).await?;
        let name = name.clone();
        beside(move || opened.vault.get(&name)).await
    }

    /// Keeps `value` as `name`, in place of what was there.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) async fn set(
        &self,
        name: SecretName,
        value: SecretString,
    ) -> Result<(), VaultError> {
        let mut open = self.open.lock().await;
        let opened = self.opened(&mut open).await?;
        let dir = self.dir.clone();
        beside(move || {
            opened.vault.set(&name, &value)?;
            write_names(&dir, &*opened.vault)
        })
        .await
    }

    /// Forgets `name`; whether it was there.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) async fn delete(&self, name: &SecretName) -> Result<bool, VaultError> {
        if !self.names().await?.contains(name) {
            return Ok(false);
        }
        let mut open = self.open.lock().await;
        let opened = self.opened(&mut open).await?;
        let (dir, name) = (self.dir.clone(), name.clone());
        beside(move || {
            let was_there = opened.vault.delete(&name)?;
            write_names(&dir, &*opened.vault)?;
            Ok(was_there)
        })
        .await
    }

    /// Which vault there is; it is opened, or made, for that.
    pub(crate) async fn state(&self) -> VaultState {
        let opened = self.opened(&mut self.open.lock().await).await;
        let (kind, mut why) = match opened {
            Ok(opened) => (Some(opened.vault.kind()), opened.why.clone()),
            Err(error) => (None, error.to_string()),
        };
        let names = self.names().await.unwrap_or_else(|error| {
            why = error.to_string();
            BTreeSet::new()
        });
        VaultState {
            kind,
            why,
            names: names.into_iter().collect(),
        }
    }

    async fn opened(
        &self,
        open: &mut MutexGuard<'_, Option<Arc<Opened>>>,
    ) -> Result<Arc<Opened>, VaultError> {
        if let Some(opened) = &**open {
            return Ok(opened.clone());
        }
        let (dir, opening) = (self.dir.clone(), self.opening.clone());
        let opened = beside(move || {
            make_private(&dir)?;
            let opened = paddock_secrets::open(&dir, &opening)?;
            write_names(&dir, &*opened.vault)?;
            Ok(Arc::new(opened))
        });
        let opened = opened.await?;
        **open = Some(opened.clone());
        Ok(opened)
    }
}

/// Does what blocks on a thread of its own, and no longer than a user has to unlock a keychain.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, VaultError> + Send + 'static,
) -> Result<T, VaultError> {
    let done = tokio::time::timeout(PATIENCE + PATIENCE, tokio::task::spawn_blocking(work)).await;
    let unanswered = |cause: String| VaultError::Keychain { cause };
    match done {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => Err(unanswered(error.to_string())),
        Err(_) => Err(unanswered("it did not answer in time".to_owned())),
    }
}

fn file_failed(file: &Path) -> impl FnOnce(std::io::Error) -> VaultError + use<'_> {
    |source| VaultError::File {
        file: file.to_owned(),
        source,
    }
}

fn make_private(dir: &Path) -> Result<(), VaultError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir).map_err(file_failed(dir))
}

/// The names that stand in the directory of a vault; nothing when there is no list.
fn read_names(dir: &Path) -> Result<Option<BTreeSet<SecretName>>, VaultError> {
    let file = dir.join(NAMES);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file_failed(&file)(error)),
    };
    let names = text.lines().filter_map(|line| SecretName::parse(line).ok());
    Ok(Some(names.collect()))
}

/// Writes them whole, so that a crash leaves the old list or the new one.
fn write_names(dir: &Path, vault: &dyn Vault) -> Result<(), VaultError> {
    let file = dir.join(NAMES);
    let mut text = String::new();
    for name in vault.names()? {
        text.push_str(name.as_str());
        text.push('\n');
    }
    kept::write(&file, text.as_bytes()).map_err(file_failed(&file))
}

impl From<VaultError> for CommandError {
    fn from(error: VaultError) -> Self {
        match error {
            VaultError::BadValue { .. } => Self::bad(error),
            VaultError::Full { .. } | VaultError::Keychain { .. } | VaultError::Sealed { .. } => {
                Self::conflict(error)
            }
            VaultError::File { .. } | VaultError::Foreign { .. } | VaultError::Randomness(_) => {
                Self::failed(error)
            }
            // The enum may grow.
            _ => Self::failed(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use paddock_secrets::ExposeSecret as _;

    use super::*;

    fn secrets(dir: &Path, passphrase: Option<&str>) -> Secrets {
        let fill: Fill = |buffer| {
            rand::fill(buffer);
            Ok(())
        };
        Secrets {
            dir: dir.join(DIR),
            opening: Opening {
                space: "test".to_owned(),
                keychain: false,
                patience: PATIENCE,
                passphrase: passphrase.map(|text| text.to_owned().into()),
                fill,
            },
            open: Mutex::new(None),
        }
    }

    fn name(text: &str) -> SecretName {
        SecretName::parse(text).unwrap()
    }

    #[tokio::test]
    async fn what_was_kept_is_there_in_the_next_life_and_gone_when_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let first = secrets(dir.path(), None);
        first
            .set(name("A_KEY"), "v1".to_owned().into())
            .await
            .unwrap();
        let next = secrets(dir.path(), None);
        let value = next.get(&name("A_KEY")).await.unwrap().unwrap();
        assert_eq!(value.expose_secret(), "v1");
        assert!(next.delete(&name("A_KEY")).await.unwrap());
        assert!(!next.delete(&name("A_KEY")).await.unwrap());
        assert!(secrets(dir.path(), None).names().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn who_keeps_nothing_opens_no_vault() {
        let dir = tempfile::tempdir().unwrap();
        assert!(
            secrets(dir.path(), None)
                .get(&name("A"))
                .await
                .unwrap()
                .is_none()
        );
        assert!(!dir.path().join(DIR).exists());
    }

    #[tokio::test]
    async fn a_locked_vault_still_knows_what_it_keeps_and_says_that_it_is_locked() {
        let dir = tempfile::tempdir().unwrap();
        let right = secrets(dir.path(), Some("right"));
        right
            .set(name("A_KEY"), "v1".to_owned().into())
            .await
            .unwrap();
        let wrong = secrets(dir.path(), Some("wrong"));
        assert!(wrong.names().await.unwrap().contains(&name("A_KEY")));
        assert!(matches!(
            wrong.get(&name("A_KEY")).await,
            Err(VaultError::Sealed { .. })
        ));
        let state = wrong.state().await;
        assert_eq!((state.kind, state.names), (None, vec![name("A_KEY")]));
        assert!(state.why.contains("passphrase"), "{}", state.why);
    }
}
