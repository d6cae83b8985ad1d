//! A vault in a file: a key by Argon2id from a passphrase, the secrets sealed by XChaCha20-Poly1305.
//!
//! `paddock-vault 1\n`, then memory (KiB), passes and lanes of Argon2id as little-endian `u32`, a salt of 16
//! bytes, a nonce of 24 bytes, and the sealed JSON object of names and values. All before the nonce is
//! sealed with it. Every write takes a new nonce and replaces the file whole, so that a crash leaves the
//! old one. Sources: RFC 9106; draft-irtf-cfrg-xchacha-03.
//!
//! Start at [`FileVault::open`].

use std::collections::BTreeMap;
use std::fmt;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use secrecy::{ExposeSecret, SecretString};
use zeroize::{Zeroize as _, Zeroizing};

use crate::vault::{Fill, SECRETS_MAX, check};
use crate::{SecretName, Vault, VaultError, VaultKind};

const MAGIC: &[u8] = b"paddock-vault 1\n";
const SALT_LEN: usize = 16;
const NONCE_LEN: usize = 24;
const HEADER_LEN: usize = MAGIC.len() + 12 + SALT_LEN;
/// A larger file is none of ours.
const FILE_MAX: u64 = 64 << 20;

/// What a guess at the passphrase costs: 19 MiB, twice over, which is what OWASP asks for.
const COST: Cost = Cost {
    memory_kib: 19 * 1024,
    passes: 2,
    lanes: 1,
};
/// The most that a file may ask of this machine: a changed one must not eat it.
const COST_MAX: Cost = Cost {
    memory_kib: 1 << 20,
    passes: 16,
    lanes: 16,
};

#[derive(Clone, Copy)]
struct Cost {
    memory_kib: u32,
    passes: u32,
    lanes: u32,
}

/// Secrets in an encrypted file.
pub struct FileVault {
    file: PathBuf,
    kind: VaultKind,
    fill: Fill,
    header: [u8; HEADER_LEN],
    cipher: XChaCha20Poly1305,
    secrets: Mutex<BTreeMap<SecretName, SecretString>>,
}

impl fmt::Debug for FileVault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileVault")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

impl FileVault {
    /// Opens the vault in `file`, or begins one there, with the key that `passphrase` gives. Takes some
    /// tens of milliseconds and 19 MiB.
    ///
    /// # Errors
    /// [`VaultError`]; [`VaultError::Sealed`] for a wrong passphrase.
    pub fn open(file: &Path, passphrase: &SecretString, fill: Fill) -> Result<Self, VaultError> {
        Self::open_as(file, passphrase, VaultKind::Passphrase, fill)
    }

    pub(crate) fn open_as(
        file: &Path,
        passphrase: &SecretString,
        kind: VaultKind,
        fill: Fill,
    ) -> Result<Self, VaultError> {
        let there = read(file)?;
        let header = match &there {
            Some(bytes) => *bytes.first_chunk().ok_or_else(|| foreign(file))?,
            None => new_header(fill)?,
        };
        let cipher = cipher(&header, passphrase).ok_or_else(|| foreign(file))?;
        let secrets = match &there {
            Some(bytes) => unseal(&cipher, &header, &bytes[HEADER_LEN..], file)?,
            None => BTreeMap::new(),
        };
        let vault = Self {
            file: file.to_owned(),
            kind,
            fill,
            header,
            cipher,
            secrets: Mutex::new(secrets),
        };
        if there.is_none() {
            vault.write(&vault.secrets())?;
        }
        Ok(vault)
    }

    fn secrets(&self) -> MutexGuard<'_, BTreeMap<SecretName, SecretString>> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, secrets: &BTreeMap<SecretName, SecretString>) -> Result<(), VaultError> {
        let plain = plain(secrets);
        let mut nonce = [0; NONCE_LEN];
        (self.fill)(&mut nonce).map_err(VaultError::Randomness)?;
        let payload = Payload {
            msg: plain.as_bytes(),
            aad: &self.header,
        };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| failed(&self.file)(ErrorKind::InvalidData.into()))?;
        replace(&self.file, &[&self.header, &nonce, &sealed]).map_err(failed(&self.file))
    }
}

impl Vault for FileVault {
    fn kind(&self) -> VaultKind {
        self.kind
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
        let mut next = secrets.clone();
        next.insert(name.clone(), value.clone());
        self.write(&next)?;
        *secrets = next;
        Ok(())
    }

    fn delete(&self, name: &SecretName) -> Result<bool, VaultError> {
        let mut secrets = self.secrets();
        let mut next = secrets.clone();
        if next.remove(name).is_none() {
            return Ok(false);
        }
        self.write(&next)?;
        *secrets = next;
        Ok(true)
    }

    fn names(&self) -> Result<Vec<SecretName>, VaultError> {
        Ok(self.secrets().keys().cloned().collect())
    }
}

fn new_header(fill: Fill) -> Result<[u8; HEADER_LEN], VaultError> {
    let mut header = [0; HEADER_LEN];
    let (magic, rest) = header.split_at_mut(MAGIC.len());
    magic.copy_from_slice(MAGIC);
    let (costs, salt) = rest.split_at_mut(12);
    for (place, cost) in costs
        .chunks_exact_mut(4)
        .zip([COST.memory_kib, COST.passes, COST.lanes])
    {
        place.copy_from_slice(&cost.to_le_bytes());
    }
    fill(salt).map_err(VaultError::Randomness)?;
    Ok(header)
}

/// The cipher of the key that `passphrase` gives; nothing when the header is none of ours.
fn cipher(header: &[u8; HEADER_LEN], passphrase: &SecretString) -> Option<XChaCha20Poly1305> {
    let rest = header.strip_prefix(MAGIC)?;
    let (costs, salt) = rest.split_at_checked(12)?;
    let mut costs = costs
        .chunks_exact(4)
        .filter_map(|cost| Some(u32::from_le_bytes(cost.try_into().ok()?)));
    let cost = Cost {
        memory_kib: costs.next()?,
        passes: costs.next()?,
        lanes: costs.next()?,
    };
    let fits = cost.memory_kib <= COST_MAX.memory_kib
        && cost.passes <= COST_MAX.passes
        && cost.lanes <= COST_MAX.lanes;
    if !fits {
        return None;
    }
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32)).ok()?;
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut key = Zeroizing::new([0; 32]);
    argon
        .hash_password_into(passphrase.expose_secret().as_bytes(), salt, &mut *key)
        .ok()?;
    XChaCha20Poly1305::new_from_slice(&*key).ok()
}

fn unseal(
    cipher: &XChaCha20Poly1305,
    header: &[u8],
    body: &[u8],
    file: &Path,
) -> Result<BTreeMap<SecretName, SecretString>, VaultError> {
    let (nonce, sealed) = body
        .split_first_chunk::<NONCE_LEN>()
        .ok_or_else(|| foreign(file))?;
    let payload = Payload {
        msg: sealed,
        aad: header,
    };
    let plain = cipher.decrypt(&XNonce::from(*nonce), payload);
    let plain = Zeroizing::new(plain.map_err(|_| VaultError::Sealed {
        file: file.to_owned(),
    })?);
    let values: BTreeMap<String, String> =
        serde_json::from_slice(&plain).map_err(|_| foreign(file))?;
    let named =
        |(name, value): (String, String)| Some((SecretName::parse(&name).ok()?, value.into()));
    Ok(values.into_iter().filter_map(named).collect())
}

/// The JSON object of names and values, written in one buffer that is wiped.
fn plain(secrets: &BTreeMap<SecretName, SecretString>) -> Zeroizing<String> {
    // Six bytes are the most that one character takes in JSON, so that the buffer never moves.
    let room = |(name, value): (&SecretName, &SecretString)| {
        name.as_str().len() + 6 * value.expose_secret().len() + 8
    };
    let mut plain = Zeroizing::new(String::with_capacity(
        secrets.iter().map(room).sum::<usize>() + 2,
    ));
    plain.push('{');
    for (place, (name, value)) in secrets.iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        let mut quoted = serde_json::to_string(value.expose_secret()).unwrap_or_default();
        plain.push_str(comma);
        plain.push('"');
        plain.push_str(name.as_str());
        plain.push_str("\":");
        plain.push_str(&quoted);
        quoted.zeroize();
    }
    plain.push('}');
    plain
}

fn read(file: &Path) -> Result<Option<Vec<u8>>, VaultError> {
    match std::fs::metadata(file) {
        Ok(meta) if meta.len() > FILE_MAX => return Err(foreign(file)),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(file)(error)),
    }
    std::fs::read(file).map(Some).map_err(failed(file))
}

/// Puts a new file in the place of the old one; for its owner alone.
pub(crate) fn replace(file: &Path, parts: &[&[u8]]) -> std::io::Result<()> {
    let dir = file.parent().unwrap_or(Path::new("."));
    // Made for its owner alone.
    let mut next = tempfile::NamedTempFile::new_in(dir)?;
    for part in parts {
        next.write_all(part)?;
    }
    next.as_file().sync_all()?;
    next.persist(file)?;
    #[cfg(unix)]
    std::fs::File::open(dir)?.sync_all()?;
    Ok(())
}

fn foreign(file: &Path) -> VaultError {
    VaultError::Foreign {
        file: file.to_owned(),
    }
}

pub(crate) fn failed(file: &Path) -> impl FnOnce(std::io::Error) -> VaultError {
    let file = file.to_owned();
    move |source| VaultError::File { file, source }
}

#[cfg(test)]
mod tests;
