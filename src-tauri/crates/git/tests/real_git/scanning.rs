//! Secrets and large files are found in what would leave.

use paddock_git::{ScanLimits, blocking, scan};

use crate::world::{World, write};

/// Random enough for a secret, and no secret.
pub(crate) fn noise(len: usize) -> String {
    let letters = b"aB3dE5fG7hJ9kLmN2pQrS4tUvW6xYz8";
    let pick = |n: usize| char::from(letters[(n * 7 + n / 31) % letters.len()]);
    (0..len).map(pick).collect()
}

#[tokio::test]
async fn a_secret_counts_even_when_a_later_commit_removes_it() {
    let world = World::new();
    let repo = world.repo("repo");
    let secret = format!("glpat-{}", noise(20));
    write(&repo, "old.txt", format!("xoxb-{}\n", noise(20)));
    let base = world.commit(&repo, "before the task");
    write(&repo, "sp ace ä.txt", format!("fine\n{secret}\n"));
    let leak = world.commit(&repo, "leak");
    write(&repo, "sp ace ä.txt", "fine\n");
    write(&repo, "old.txt", format!("xoxb-{}\nmore\n", noise(20)));
    let head = world.commit(&repo, "hide");
    let repository = world.inspect(&repo).await;
    let found = scan(
        &world.place,
        &repository,
        &base,
        &head,
        ScanLimits::default(),
    )
    .await
    .unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    let finding = &found[0];
    assert_eq!((finding.rule, finding.line), ("gitlab-token", 2));
    assert_eq!(finding.path, "sp ace ä.txt");
    assert_eq!(finding.commit.as_ref(), Some(&leak));
    assert!(!format!("{finding:?}").contains(&secret[6..]));
    assert_eq!(blocking(&found, &[]).len(), 1);
    assert!(blocking(&found, std::slice::from_ref(&finding.id)).is_empty());
    assert!(blocking(&found, &["gitlab-token".to_owned()]).is_empty());
    assert_eq!(blocking(&found, &["jwt".to_owned()]).len(), 1);
}

#[tokio::test]
async fn no_attribute_hides_a_secret_and_no_merge_does() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    write(&repo, ".gitattributes", "* binary -diff\n");
    write(&repo, ".git/info/attributes", "* binary -diff\n");
    write(&repo, "k.txt", format!("npm_{}\n", noise(36)));
    world.commit(&repo, "hidden");
    world.git(&repo, &["checkout", "-q", "-b", "side", base.as_str()]);
    world.commit(&repo, "side");
    world.git(&repo, &["merge", "-q", "--no-commit", "main"]);
    write(&repo, "a.txt", format!("sk-ant-{}\n", noise(30)));
    let head = world.commit(&repo, "merge");
    let repository = world.inspect(&repo).await;
    let found = scan(
        &world.place,
        &repository,
        &base,
        &head,
        ScanLimits::default(),
    )
    .await
    .unwrap();
    let rules: Vec<_> = found.iter().map(|f| (f.rule, f.path.as_str())).collect();
    assert_eq!(rules, [("anthropic-key", "a.txt"), ("npm-token", "k.txt")]);
}

#[tokio::test]
async fn large_binaries_block_and_small_ones_and_long_texts_do_not() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    write(&repo, "big.bin", vec![0_u8; 500_001]);
    write(&repo, "small.bin", vec![0_u8; 1000]);
    write(&repo, "long.txt", "word ".repeat(200_000));
    let head = world.commit(&repo, "files");
    let repository = world.inspect(&repo).await;
    let found = scan(
        &world.place,
        &repository,
        &base,
        &head,
        ScanLimits::default(),
    )
    .await
    .unwrap();
    let rules: Vec<_> = found.iter().map(|f| (f.rule, f.path.as_str())).collect();
    assert_eq!(rules, [("large-binary", "big.bin")]);
    assert_eq!(found[0].excerpt, "binary file of 500001 bytes");
}

#[tokio::test]
async fn what_is_too_much_to_scan_blocks() {
    let world = World::new();
    let repo = world.repo("repo");
    let base = world.oid(&repo, "HEAD");
    write(&repo, "long.txt", "word\n".repeat(1000));
    let head = world.commit(&repo, "files");
    let repository = world.inspect(&repo).await;
    let limits = ScanLimits {
        patch_bytes: 1000,
        ..ScanLimits::default()
    };
    let found = scan(&world.place, &repository, &base, &head, limits)
        .await
        .unwrap();
    assert_eq!(found[0].rule, "unscanned");
    assert_eq!(blocking(&found, &[]).len(), 1);
}
