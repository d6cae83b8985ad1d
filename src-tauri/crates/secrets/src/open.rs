//! Which vault a data directory has: decided once, kept in its directory, and never changed behind the
//! user's back. A keychain that is locked today is an error and not a reason for an empty file.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use secrecy::SecretString;
use zeroize::Zeroizing;

use crate::file::{failed, replace};
use crate::{FileVault, Fill, Keychain, Vault, VaultError, VaultKind};

/// Says that the secrets are in the keychain.
const MARK: &str = "keychain";
/// The encrypted file.
const FILE: &str = "vault";
/// Its key, where the user gave no passphrase.
const KEY: &str = "vault.key";

/// A vault that was opened, and why it is this one.
pub struct Opened {
    /// The vault.
    pub vault: Box<dyn Vault>,
    /// Why it is this one and no other, for the user to know.
    pub why: String,
}

/// What a vault is opened with.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Tells this data directory's secrets in the keychain from those of others.
    pub space: String,
    /// Whether the keychain is asked at all.
    pub keychain: bool,
    /// How long it may take to answer.
    pub patience: Duration,
    /// The passphrase of the encrypted file, if the user gives one.
    pub passphrase: Option<SecretString>,
    /// Randomness.
    pub fill: Fill,
}

/// Opens the vault of the directory `dir`, which must be there: the one that it has, or else the keychain
/// where there is one, or else an encrypted file.
///
/// # Errors
/// [`VaultError`]; [`VaultError::Keychain`] when the secrets are in a keychain that cannot be used now.
pub fn open(dir: &Path, opening: &Opening) -> Result<Opened, VaultError> {
    let mark = dir.join(MARK);
    let has = |name: &str| {
        let file = dir.join(name);
        file.try_exists().map_err(failed(&file))
    };
    if has(MARK)? {
        let keychain = Keychain::new(&opening.space);
        keychain.probe(opening.fill, opening.patience)?;
        return Ok(in_keychain(
            keychain,
            "it was chosen when it first kept what it was given",
        ));
    }
    let why = if has(FILE)? {
        "the encrypted file is there already".to_owned()
    } else if opening.keychain {
        let keychain = Keychain::new(&opening.space);
        match keychain.probe(opening.fill, opening.patience) {
            Ok(()) => {
                replace(&mark, &[opening.space.as_bytes()]).map_err(failed(&mark))?;
                return Ok(in_keychain(keychain, "it keeps what it is given"));
            }
            Err(error) => error.to_string(),
        }
    } else {
        "the settings say that the keychain is left alone".to_owned()
    };
    let file = dir.join(FILE);
    let (passphrase, kind) = match &opening.passphrase {
        Some(passphrase) => (passphrase.clone(), VaultKind::Passphrase),
        None => (key(&dir.join(KEY), opening.fill)?, VaultKind::KeyFile),
    };
    let vault = FileVault::open_as(&file, &passphrase, kind, opening.fill)?;
    Ok(Opened {
        vault: Box::new(vault),
        why,
    })
}

/// Whether the directory `dir` has a vault already.
#[must_use]
pub fn is_there(dir: &Path) -> bool {
    [MARK, FILE].iter().any(|name| dir.join(name).exists())
}

fn in_keychain(keychain: Keychain, why: &str) -> Opened {
    Opened {
        vault: Box::new(keychain),
        why: why.to_owned(),
    }
}

/// The key in `file`, made where there is none.
fn key(file: &Path, fill: Fill) -> Result<SecretString, VaultError> {
    match std::fs::read_to_string(file) {
        Ok(key) => return Ok(key.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(file)(error)),
    }
    let mut random = Zeroizing::new([0; 32]);
    fill(&mut *random).map_err(VaultError::Randomness)?;
    let key: Zeroizing<String> =
        Zeroizing::new(random.iter().map(|byte| format!("{byte:02x}")).collect());
    replace(file, &[key.as_bytes()]).map_err(failed(file))?;
    Ok(key.as_str().into())
}

#[cfg(test)]
mod tests;
