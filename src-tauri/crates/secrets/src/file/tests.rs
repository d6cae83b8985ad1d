//! The file: the contract, wrong keys, changed bytes, nothing in the clear.

use super::*;
use crate::contract::{fill, holds, name, secret, shown};

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn file(&self) -> PathBuf {
        self.dir.path().join("vault")
    }

    fn open(&self, passphrase: &str) -> Result<FileVault, VaultError> {
        FileVault::open(&self.file(), &secret(passphrase), fill)
    }
}

#[test]
fn a_file_keeps_the_contract_and_what_it_was_given() {
    let place = Place::new();
    holds(&place.open("right").unwrap());
    place
        .open("right")
        .unwrap()
        .set(&name("a"), &secret("hunter2"))
        .unwrap();
    let again = place.open("right").unwrap();
    assert_eq!(shown(&again, "a"), Some("hunter2".into()));
    assert!(!format!("{again:?}").contains("hunter2"));
    let bytes = std::fs::read(place.file()).unwrap();
    assert!(!bytes.windows(7).any(|window| window == b"hunter2"));
}

#[test]
fn a_wrong_passphrase_opens_nothing_and_changes_nothing() {
    let place = Place::new();
    place
        .open("right")
        .unwrap()
        .set(&name("a"), &secret("x"))
        .unwrap();
    let before = std::fs::read(place.file()).unwrap();
    assert!(matches!(
        place.open("wrong"),
        Err(VaultError::Sealed { .. })
    ));
    assert_eq!(std::fs::read(place.file()).unwrap(), before);
}

#[test]
fn a_file_in_which_any_part_was_changed_does_not_open() {
    let place = Place::new();
    place
        .open("right")
        .unwrap()
        .set(&name("a"), &secret("x"))
        .unwrap();
    let right = std::fs::read(place.file()).unwrap();
    // The magic, the passes, the salt, the nonce, the body, the tag.
    for at in [
        0,
        MAGIC.len() + 4,
        MAGIC.len() + 12,
        HEADER_LEN,
        HEADER_LEN + NONCE_LEN,
        right.len() - 1,
    ] {
        let mut wrong = right.clone();
        wrong[at] ^= 1;
        std::fs::write(place.file(), &wrong).unwrap();
        assert!(place.open("right").is_err(), "byte {at}");
    }
    for len in [0, 1, HEADER_LEN, HEADER_LEN + NONCE_LEN, right.len() - 1] {
        std::fs::write(place.file(), &right[..len]).unwrap();
        assert!(place.open("right").is_err(), "{len} bytes");
    }
}

#[test]
fn a_file_that_asks_for_all_memory_is_refused() {
    let place = Place::new();
    drop(place.open("right").unwrap());
    let mut greedy = std::fs::read(place.file()).unwrap();
    greedy[MAGIC.len()..MAGIC.len() + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    std::fs::write(place.file(), &greedy).unwrap();
    assert!(matches!(
        place.open("right"),
        Err(VaultError::Foreign { .. })
    ));
}

#[test]
fn every_write_takes_a_new_nonce() {
    let place = Place::new();
    let vault = place.open("right").unwrap();
    let nonce =
        || std::fs::read(place.file()).unwrap()[HEADER_LEN..HEADER_LEN + NONCE_LEN].to_vec();
    vault.set(&name("a"), &secret("x")).unwrap();
    let first = nonce();
    vault.set(&name("a"), &secret("x")).unwrap();
    assert_ne!(nonce(), first);
}

#[cfg(unix)]
#[test]
fn the_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    drop(place.open("right").unwrap());
    let mode = std::fs::metadata(place.file())
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
