//! The vault: keys and tokens, kept where the system keeps such things.
//!
//! A [`Vault`] is the keychain of the operating system, an encrypted file where there is none
//! ([`FileVault`]), or memory for tests. Which one it is is decided once for a data directory, by writing,
//! reading and deleting in the keychain, and said openly by [`Vault::kind`]. Values are
//! [`SecretString`]s: they are wiped when they are dropped and never shown by `Debug`; errors never hold
//! one.
//!
//! Calls may take long: a keychain may ask its user to unlock it. Start at [`open`].

mod error;
mod file;
mod keychain;
mod memory;
mod name;
mod open;
mod vault;

pub use error::VaultError;
pub use file::FileVault;
pub use keychain::Keychain;
pub use memory::MemoryVault;
pub use name::{InvalidName, SecretName};
pub use open::{Opened, Opening, is_there, open};
pub use secrecy::{ExposeSecret, SecretString};
pub use vault::{Fill, Vault, VaultKind};

#[cfg(test)]
mod contract;
