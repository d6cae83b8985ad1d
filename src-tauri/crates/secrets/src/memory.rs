//! A vault for tests: gone with the process.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use secrecy::SecretString;

use crate::vault::{SECRETS_MAX, check};
use crate::{SecretName, Vault, VaultError, VaultKind};

/// Secrets in memory.
#[derive(Debug, Default)]
pub struct MemoryVault(Mutex<BTreeMap<SecretName, SecretString>>);

impl MemoryVault {
    fn secrets(&self) -> MutexGuard<'_, BTreeMap<SecretName, SecretString>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Vault for MemoryVault {
    fn kind(&self) -> VaultKind {
        VaultKind::Memory
    }

    fn get(&self, name: &SecretName) -> Result<Option<SecretString>, VaultError> {
        Ok(self.secrets().get(name).cloned())
    }

    fn set(&self, name: &SecretName, value: &SecretString) -> Result<(), VaultError> {
        check(value)?;
        let mut secrets = self.secrets();
        if secrets.len() >= SECRETS_MAX && !secrets.contains_key(name) {
            return Err(VaultError::Full { max: SECRETS_MAX });
        }
        secrets.insert(name.clone(), value.clone());
        Ok(())
    }

    fn delete(&self, name: &SecretName) -> Result<bool, VaultError> {
        Ok(self.secrets().remove(name).is_some())
    }

    fn names(&self) -> Result<Vec<SecretName>, VaultError> {
        Ok(self.secrets().keys().cloned().collect())
    }
}
