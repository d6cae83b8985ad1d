//! Which vault is opened.

use super::*;
use crate::contract::{fill, name, secret, shown};

fn opening(passphrase: Option<&str>) -> Opening {
    Opening {
        space: "test".to_owned(),
        keychain: false,
        patience: Duration::from_secs(1),
        passphrase: passphrase.map(secret),
        fill,
    }
}

fn vault_in(dir: &Path, opening: &Opening) -> Box<dyn Vault> {
    open(dir, opening).unwrap().vault
}

#[test]
fn without_a_keychain_there_is_a_file_and_it_says_what_opens_it() {
    let dir = tempfile::tempdir().unwrap();
    let vault = vault_in(dir.path(), &opening(None));
    vault.set(&name("a"), &secret("x")).unwrap();
    assert_eq!(vault.kind(), VaultKind::KeyFile);
    let again = vault_in(dir.path(), &opening(None));
    assert_eq!(shown(&*again, "a"), Some("x".into()));
    let other = tempfile::tempdir().unwrap();
    let vault = vault_in(other.path(), &opening(Some("words")));
    assert_eq!(vault.kind(), VaultKind::Passphrase);
    assert!(!other.path().join(KEY).exists());
    let why = open(other.path(), &opening(Some("words"))).unwrap().why;
    assert_eq!(why, "the encrypted file is there already");
    assert!(is_there(other.path()));
}

#[test]
fn a_file_that_is_there_stays_the_vault_when_a_keychain_comes() {
    let dir = tempfile::tempdir().unwrap();
    vault_in(dir.path(), &opening(None))
        .set(&name("a"), &secret("x"))
        .unwrap();
    let with_keychain = Opening {
        keychain: true,
        ..opening(None)
    };
    let again = vault_in(dir.path(), &with_keychain);
    assert_eq!(
        (again.kind(), shown(&*again, "a")),
        (VaultKind::KeyFile, Some("x".into()))
    );
}

#[cfg(unix)]
#[test]
fn the_key_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    vault_in(dir.path(), &opening(None));
    let mode = std::fs::metadata(dir.path().join(KEY))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// Run by `src-tauri/tests/keychain.sh` with a keychain, and again without one.
#[test]
#[ignore = "needs a keychain that is unlocked: src-tauri/tests/keychain.sh"]
fn a_keychain_that_works_is_taken_and_stays_the_vault() {
    let dir = tempfile::tempdir().unwrap();
    let with_keychain = Opening {
        keychain: true,
        patience: Duration::from_secs(20),
        ..opening(None)
    };
    let vault = vault_in(dir.path(), &with_keychain);
    assert_eq!(vault.kind(), VaultKind::Keychain);
    assert!(!dir.path().join(FILE).exists());
    vault.set(&name("kept"), &secret("x")).unwrap();
    let again = vault_in(dir.path(), &opening(None));
    assert_eq!(
        (again.kind(), shown(&*again, "kept")),
        (VaultKind::Keychain, Some("x".into()))
    );
    again.delete(&name("kept")).unwrap();
}

/// Run by `src-tauri/tests/keychain.sh` on a bus where no keychain answers.
#[test]
#[ignore = "needs a session without a keychain: src-tauri/tests/keychain.sh"]
fn where_no_keychain_keeps_anything_the_file_does_and_a_chosen_keychain_is_missed() {
    let dir = tempfile::tempdir().unwrap();
    let with_keychain = Opening {
        keychain: true,
        patience: Duration::from_secs(5),
        ..opening(None)
    };
    assert_eq!(
        vault_in(dir.path(), &with_keychain).kind(),
        VaultKind::KeyFile
    );
    let chosen = tempfile::tempdir().unwrap();
    std::fs::write(chosen.path().join(MARK), "test").unwrap();
    assert!(matches!(
        open(chosen.path(), &with_keychain).map(|_| ()),
        Err(VaultError::Keychain { .. })
    ));
    assert!(
        !chosen.path().join(FILE).exists(),
        "no empty vault in its place"
    );
}
