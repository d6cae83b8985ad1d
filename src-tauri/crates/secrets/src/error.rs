//! How a vault fails.

use std::path::PathBuf;

/// A vault failed. No variant holds a secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VaultError {
    /// The value is empty or too long.
    #[error("a secret has 1 to {max} bytes, this one has {len}")]
    BadValue {
        /// Its length, in bytes.
        len: usize,
        /// The longest, in bytes.
        max: usize,
    },
    /// There are too many.
    #[error("the vault is full: it keeps {max} secrets; delete some")]
    Full {
        /// How many fit.
        max: usize,
    },
    /// The keychain does not do what it is asked.
    #[error("the system's keychain cannot be used: {cause}; unlock it and try again")]
    Keychain {
        /// What it says.
        cause: String,
    },
    /// The file cannot be read or written.
    #[error("{} cannot be used: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is none of ours, or of a newer version.
    #[error("{} is not a vault that this version reads", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
    },
    /// The passphrase is wrong, or somebody changed the file.
    #[error("{} does not open: the passphrase is wrong, or the file was changed", file.display())]
    Sealed {
        /// The file.
        file: PathBuf,
    },
    /// The machine gave no randomness.
    #[error("no randomness can be had: {0}")]
    Randomness(std::io::Error),
}
