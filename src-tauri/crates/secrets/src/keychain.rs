//! The operating system's keychain: Secret Service, Keychain Services, Credential Manager.
//!
//! Keychains cannot be asked what we put into them, so a list of the names is kept there too, written
//! before a secret comes and after one went: a name may stand for nothing, and no secret is without name.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use keyring::Entry;
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use crate::vault::{Fill, SECRETS_MAX, check};
use crate::{SecretName, Vault, VaultError, VaultKind};

/// The list of names. No name of a secret has an asterisk.
const NAMES: &str = "*names*";
/// What is written, read and deleted to see whether it can be.
const PROBE: &str = "*probe*";

/// The keychain, as far as one data directory uses it.
#[derive(Debug)]
pub struct Keychain {
    service: String,
    writing: Mutex<()>,
}

impl Keychain {
    /// The keychain for `space`, which tells the secrets of one data directory from those of others.
    #[must_use]
    pub fn new(space: &str) -> Self {
        Self {
            service: format!("paddock/{space}"),
            writing: Mutex::new(()),
        }
    }

    /// Writes, reads and deletes, within `patience`: nothing less shows that a keychain keeps what it is
    /// given. One that still waits for its user then counts as none.
    ///
    /// # Errors
    /// [`VaultError::Keychain`] when it does not.
    pub fn probe(&self, fill: Fill, patience: Duration) -> Result<(), VaultError> {
        let mut random = [0; 16];
        fill(&mut random).map_err(VaultError::Randomness)?;
        let value: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let service = self.service.clone();
        let (tell, told) = std::sync::mpsc::channel();
        let probe = move || {
            let _ = tell.send(write_read_delete(&service, &value));
        };
        let thread = std::thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(probe);
        thread.map_err(|error| unusable(error.to_string()))?;
        let late = || format!("it did not answer within {} s", patience.as_secs());
        told.recv_timeout(patience)
            .unwrap_or_else(|_| Err(unusable(late())))
    }

    fn entry(&self, user: &str) -> Result<Entry, VaultError> {
        entry(&self.service, user)
    }

    fn listed(&self) -> Result<BTreeSet<String>, VaultError> {
        match self.entry(NAMES)?.get_password() {
            Ok(list) => serde_json::from_str(&list).map_err(|error| unusable(error.to_string())),
            Err(keyring::Error::NoEntry) => Ok(BTreeSet::new()),
            Err(error) => Err(told(&error)),
        }
    }

    fn list(&self, names: &BTreeSet<String>) -> Result<(), VaultError> {
        let list = serde_json::to_string(names).map_err(|error| unusable(error.to_string()))?;
        self.entry(NAMES)?
            .set_password(&list)
            .map_err(|error| told(&error))
    }
}

impl Vault for Keychain {
    fn kind(&self) -> VaultKind {
        VaultKind::Keychain
    }

    fn get(&self, name: &SecretName) -> Result<Option<SecretString>, VaultError> {
        match self.entry(name.as_str())?.get_password() {
            Ok(value) => Ok(Some(value.into())),
            Err(keyring::Error::NoEntry) => Ok(None),
            Err(error) => Err(told(&error)),
        }
    }

    fn set(&self, name: &SecretName, value: &SecretString) -> Result<(), VaultError> {
        check(value)?;
        let _one = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut names = self.listed()?;
        if names.insert(name.as_str().to_owned()) {
            if names.len() > SECRETS_MAX {
                return Err(VaultError::Full { max: SECRETS_MAX });
            }
            self.list(&names)?;
        }
        let entry = self.entry(name.as_str())?;
        entry
            .set_password(value.expose_secret())
            .map_err(|error| told(&error))
    }

    fn delete(&self, name: &SecretName) -> Result<bool, VaultError> {
        let _one = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let was_there = match self.entry(name.as_str())?.delete_credential() {
            Ok(()) => true,
            Err(keyring::Error::NoEntry) => false,
            Err(error) => return Err(told(&error)),
        };
        let mut names = self.listed()?;
        if names.remove(name.as_str()) {
            self.list(&names)?;
        }
        Ok(was_there)
    }

    fn names(&self) -> Result<Vec<SecretName>, VaultError> {
        let names = self.listed()?;
        Ok(names
            .iter()
            .filter_map(|name| SecretName::parse(name).ok())
            .collect())
    }
}

fn write_read_delete(service: &str, value: &str) -> Result<(), VaultError> {
    let entry = entry(service, PROBE)?;
    entry.set_password(value).map_err(|error| told(&error))?;
    let read = Zeroizing::new(entry.get_password().map_err(|error| told(&error))?);
    entry.delete_credential().map_err(|error| told(&error))?;
    if read.as_str() == value {
        Ok(())
    } else {
        Err(unusable(
            "it gives back something else than it was given".to_owned(),
        ))
    }
}

fn entry(service: &str, user: &str) -> Result<Entry, VaultError> {
    Entry::new(service, user).map_err(|error| match (&error, Entry::store_status()) {
        (keyring::Error::NoDefaultStore, Err(why)) => told(why),
        _ => told(&error),
    })
}

/// Only what the error shows: inside it may be the value that could not be read.
fn told(error: &keyring::Error) -> VaultError {
    unusable(error.to_string())
}

fn unusable(cause: String) -> VaultError {
    VaultError::Keychain { cause }
}
