//! What every vault keeps to. Each implementation passes the whole of it.

use secrecy::{ExposeSecret, SecretString};

use crate::vault::VALUE_MAX;
use crate::{Keychain, MemoryVault, SecretName, Vault, VaultError};

pub(crate) fn name(text: &str) -> SecretName {
    SecretName::parse(text).unwrap()
}

pub(crate) fn secret(text: &str) -> SecretString {
    text.to_owned().into()
}

pub(crate) fn shown(vault: &dyn Vault, of: &str) -> Option<String> {
    let value = vault.get(&name(of)).unwrap();
    value.map(|value| value.expose_secret().to_owned())
}

/// Randomness for tests: different with every call.
pub(crate) fn fill(buffer: &mut [u8]) -> std::io::Result<()> {
    use std::sync::atomic::{AtomicU8, Ordering};
    static NEXT: AtomicU8 = AtomicU8::new(1);
    buffer.fill(NEXT.fetch_add(1, Ordering::Relaxed));
    Ok(())
}

/// `vault` is empty and is so again at the end.
pub(crate) fn holds(vault: &dyn Vault) {
    assert_eq!(vault.names().unwrap(), []);
    assert_eq!(shown(vault, "a"), None);
    assert!(
        !vault.delete(&name("a")).unwrap(),
        "there is nothing to delete"
    );

    vault.set(&name("b"), &secret("two")).unwrap();
    vault.set(&name("a"), &secret("one")).unwrap();
    assert_eq!(vault.names().unwrap(), [name("a"), name("b")], "sorted");
    assert_eq!(
        (shown(vault, "a"), shown(vault, "b")),
        (Some("one".into()), Some("two".into()))
    );

    vault.set(&name("a"), &secret("other")).unwrap();
    assert_eq!(shown(vault, "a"), Some("other".into()), "replaced");
    assert_eq!(vault.names().unwrap().len(), 2);

    let odd = "\"ünïcode\\\n\t\u{1}🐴 ";
    vault.set(&name("b"), &secret(odd)).unwrap();
    assert_eq!(shown(vault, "b"), Some(odd.into()), "every text");

    for bad in [String::new(), "x".repeat(VALUE_MAX + 1)] {
        let refused = vault.set(&name("b"), &secret(&bad));
        assert!(matches!(refused, Err(VaultError::BadValue { .. })));
        assert_eq!(
            shown(vault, "b"),
            Some(odd.into()),
            "a refusal changes nothing"
        );
    }

    assert!(vault.delete(&name("a")).unwrap() && vault.delete(&name("b")).unwrap());
    assert_eq!(shown(vault, "a"), None);
    assert_eq!(vault.names().unwrap(), []);
}

#[test]
fn memory_keeps_the_contract_and_shows_nothing() {
    let vault = MemoryVault::default();
    holds(&vault);
    vault.set(&name("a"), &secret("hunter2")).unwrap();
    assert!(!format!("{vault:?}").contains("hunter2"));
}

#[test]
#[ignore = "needs a keychain that is unlocked: src-tauri/tests/keychain.sh"]
fn the_keychain_keeps_the_contract() {
    let keychain = Keychain::new("contract");
    keychain
        .probe(fill, std::time::Duration::from_secs(20))
        .unwrap();
    holds(&keychain);
}
