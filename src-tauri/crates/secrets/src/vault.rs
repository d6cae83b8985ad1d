//! What every vault can.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

use crate::{SecretName, VaultError};

/// Fills a buffer with randomness that nobody can guess.
pub type Fill = fn(&mut [u8]) -> std::io::Result<()>;

/// A place for secrets. Its calls block, and may wait for a user who has to unlock it.
pub trait Vault: Send + Sync {
    /// What it is, for the user to know.
    fn kind(&self) -> VaultKind;

    /// The secret `name`; nothing when there is none.
    ///
    /// # Errors
    /// [`VaultError`].
    fn get(&self, name: &SecretName) -> Result<Option<SecretString>, VaultError>;

    /// Keeps `value` as `name`, in place of what was there.
    ///
    /// # Errors
    /// [`VaultError`]; what was there before stays then.
    fn set(&self, name: &SecretName, value: &SecretString) -> Result<(), VaultError>;

    /// Forgets `name`; whether it was there.
    ///
    /// # Errors
    /// [`VaultError`].
    fn delete(&self, name: &SecretName) -> Result<bool, VaultError>;

    /// The names of all secrets, sorted.
    ///
    /// # Errors
    /// [`VaultError`].
    fn names(&self) -> Result<Vec<SecretName>, VaultError>;
}

/// What a vault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VaultKind {
    /// The operating system's keychain.
    Keychain,
    /// An encrypted file, opened by a passphrase that the user gives.
    Passphrase,
    /// An encrypted file whose key lies beside it: as safe as the files of this user are.
    KeyFile,
    /// Memory; gone with the process.
    Memory,
}

impl fmt::Display for VaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keychain => "the system's keychain",
            Self::Passphrase => "a file encrypted with your passphrase",
            Self::KeyFile => "a file encrypted with a key that lies beside it",
            Self::Memory => "memory",
        })
    }
}

/// Longest value, in bytes.
pub(crate) const VALUE_MAX: usize = 16 * 1024;
/// Most secrets in one vault.
pub(crate) const SECRETS_MAX: usize = 1024;

/// Every vault takes the same values.
pub(crate) fn check(value: &SecretString) -> Result<(), VaultError> {
    let len = value.expose_secret().len();
    if (1..=VALUE_MAX).contains(&len) {
        Ok(())
    } else {
        Err(VaultError::BadValue {
            len,
            max: VALUE_MAX,
        })
    }
}
