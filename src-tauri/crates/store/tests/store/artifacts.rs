//! Large texts lie beside the journal, by hash, cut at 10 MB, never elsewhere.

use paddock_domain::{ArtifactRef, Body, Event};
use paddock_store::{Line, StoreError};

use crate::support::*;

async fn kept(event: &Event, store: &paddock_store::Store) -> (ArtifactRef, Vec<u8>) {
    let reference = match &event.body {
        Body::ToolCallFinished(call) => call.stdout_ref.clone().unwrap(),
        Body::Error { raw_ref, .. } => raw_ref.clone().unwrap(),
        other => panic!("{}", other.type_name()),
    };
    let content = store
        .artifact(&event.task_id, &reference.sha256)
        .await
        .unwrap();
    (reference, content.to_vec())
}

#[tokio::test]
async fn an_output_over_ten_kilobytes_is_an_artifact_and_one_below_is_not() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let (short, long) = (
        "s".repeat(ArtifactRef::OVER),
        "l".repeat(ArtifactRef::OVER + 1),
    );
    let drafts = vec![
        draft(gave(&short)),
        draft(gave(&long)),
        draft(gave(&long)),
        draft(finished()),
    ];
    let lines = journal.append(drafts).await.unwrap();
    assert_eq!(lines[0].event.body, gave(&short));
    let (reference, content) = kept(&lines[1].event, &store).await;
    assert_eq!(content, long.as_bytes());
    assert_eq!(reference.size, long.len() as u64);
    assert_eq!(kept(&lines[2].event, &store).await.0, reference);
    assert!(data.path().join(&reference.path).is_file());
    let folder = std::fs::read_dir(data.path().join("artifacts/t1")).unwrap();
    assert_eq!(folder.count(), 1, "the same text is stored once");
    assert_eq!(
        history(&store, "t1").await[1..],
        [
            lines[0].event.clone(),
            lines[1].event.clone(),
            lines[2].event.clone(),
            lines[3].event.clone()
        ]
    );
}

#[tokio::test]
async fn an_output_over_ten_megabytes_is_cut_and_says_so() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let huge = "ü".repeat(ArtifactRef::MAX);
    let lines = journal.append(vec![draft(gave(&huge))]).await.unwrap();
    let (reference, content) = kept(&lines[0].event, &store).await;
    assert_eq!(reference.size, huge.len() as u64);
    assert!(content.len() <= ArtifactRef::MAX && content.len() > ArtifactRef::MAX - 16);
    assert!(
        String::from_utf8(content)
            .unwrap()
            .ends_with("ü[TRUNCATED]")
    );
}

#[tokio::test]
async fn an_event_longer_than_a_line_may_be_becomes_an_error_that_keeps_it() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let drafts = vec![
        draft(noted("before")),
        decoded("r1", 9, 0, said(&"w".repeat(Line::MAX))),
        draft(noted("after")),
    ];
    let lines = journal.append(drafts).await.unwrap();
    assert_eq!(seqs(&lines), [2, 3, 4]);
    let (_, content) = kept(&lines[1].event, &store).await;
    assert!(
        String::from_utf8(content)
            .unwrap()
            .contains("\"assistant_message\"")
    );
    assert_eq!(lines[1].event.source.as_ref().unwrap().offset, 9);
    assert_eq!(history(&store, "t1").await.len(), 4);
}

#[tokio::test]
async fn hostile_names_reach_no_other_file() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 1).await);
    for bad in [
        "",
        "../../tasks/t1/journal.jsonl",
        "/etc/passwd",
        "..",
        "a\0b",
        &"A".repeat(64),
    ] {
        let refused = store.artifact(&task("t1"), bad).await.unwrap_err();
        assert!(
            matches!(refused, StoreError::NotAnArtifact { .. }),
            "{bad:?}: {refused}"
        );
        assert!(store.artifact_path(&task("t1"), bad).is_err());
    }
    let none = store
        .artifact(&task("t1"), &"0".repeat(64))
        .await
        .unwrap_err();
    assert!(matches!(none, StoreError::NoSuchArtifact { .. }), "{none}");
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_what_is_stored() {
    use std::os::unix::fs::PermissionsExt;
    let data = tempfile::tempdir().unwrap();
    let home = data.path().join("paddock");
    let (store, _) = open(&home).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    journal
        .append(vec![draft(gave(&"x".repeat(20_000)))])
        .await
        .unwrap();
    drop(journal);
    store.archive(&task("t1")).await.unwrap();
    let mut left = vec![home];
    let mut files = 0;
    while let Some(path) = left.pop() {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        if path.is_dir() {
            assert_eq!(mode, 0o700, "{path:?}");
            left.extend(
                std::fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else {
            assert_eq!(mode, 0o600, "{path:?}");
            files += 1;
        }
    }
    assert!(files >= 5, "lock, journal, mark, artifact, index");
}

#[tokio::test]
async fn an_image_that_a_tool_gave_is_an_artifact_and_the_line_names_it() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let mut journal = store.create(first("t1")).await.unwrap();
    let png = b"\x89PNG\r\n\x1a\nno text: \xff\xfe".to_vec();
    let shown = || {
        Body::ToolCallFinished(paddock_domain::ToolCallFinished {
            unkept: vec![png.clone(), b"no image".to_vec()],
            ..paddock_domain::ToolCallFinished::default()
        })
    };
    let drafts = vec![draft(shown()), draft(shown()), draft(finished())];
    let lines = journal.append(drafts).await.unwrap();
    let images = lines[0].event.body.attachments();
    assert_eq!(images, lines[1].event.body.attachments());
    let [image] = images else {
        panic!("{images:?}")
    };
    assert_eq!(image.media_type, "image/png");
    let id = &lines[0].event.task_id;
    let content = store.artifact(id, &image.sha256).await.unwrap();
    assert_eq!(content.to_vec(), png);
    let folder = std::fs::read_dir(data.path().join("artifacts/t1")).unwrap();
    assert_eq!(folder.count(), 1, "the same image is stored once");
    assert_eq!(history(&store, "t1").await[1], lines[0].event);
}
