//! A journal that was changed by hand is told with its line, and what comes before can be read.

use std::fs;

use paddock_domain::TaskId;
use paddock_store::{AtRest, Damage, DamageKind, StoreError};

use crate::support::*;

/// Writes a journal of five lines, lets `spoil` change them, and gives what is found with and without
/// the index that knew the first three.
async fn check(spoil: impl Fn(&mut Vec<String>), line: u64, kind: DamageKind) {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 4).await);
    store.close().await;
    drop(store);
    let path = journal_path(data.path(), "t1");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    spoil(&mut lines);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    fs::remove_file(data.path().join("index.sqlite")).unwrap();
    let damage = Damage { line, kind };

    for time in ["first", "second"] {
        let (store, report) = open(data.path()).await;
        assert_eq!(
            report.damaged,
            [(task("t1"), damage.clone())],
            "{time} time"
        );
        assert!(report.cuts.is_empty());
        let reader = store.reader(&task("t1"));
        assert_eq!(reader.last_seq(), line - 1);
        let (page, next) = reader.page(0, 1 << 20).await.unwrap_or_default();
        assert_eq!((page.len() as u64, next), (line - 1, line - 1));
        let beyond = reader.page(next, 1 << 20).await.unwrap_err();
        assert!(matches!(&beyond, StoreError::Damaged { damage: found, .. } if *found == damage));
        let refused = store.journal(&task("t1")).await.map(|_| ()).unwrap_err();
        match refused {
            StoreError::Damaged { damage: found, .. } => assert_eq!(found, damage),
            StoreError::NoSuchTask { .. } => assert_eq!(line, 1),
            other => panic!("{other}"),
        }
        assert_eq!(store.tasks().len(), usize::from(line > 1));
        store.close().await;
    }
}

#[tokio::test]
async fn a_garbled_middle_line() {
    check(
        |lines| lines[2] = "{\"event_id\":".into(),
        3,
        DamageKind::Garbled,
    )
    .await;
}

#[tokio::test]
async fn a_line_that_is_missing() {
    let kind = DamageKind::Gap {
        expected: 3,
        found: 4,
    };
    check(|lines| drop(lines.remove(2)), 3, kind).await;
}

#[tokio::test]
async fn a_line_that_stands_twice() {
    let kind = DamageKind::Double {
        expected: 4,
        found: 3,
    };
    check(|lines| lines.insert(3, lines[2].clone()), 4, kind).await;
}

#[tokio::test]
async fn a_line_of_another_task() {
    let found = TaskId::parse("t2").unwrap();
    let kind = DamageKind::OtherTask { found };
    check(
        |lines| lines[1] = lines[1].replace("\"t1\"", "\"t2\""),
        2,
        kind,
    )
    .await;
}

#[tokio::test]
async fn a_journal_without_its_beginning() {
    let spoil = |lines: &mut Vec<String>| {
        lines.remove(0);
        for (n, line) in lines.iter_mut().enumerate() {
            *line = line.replace(&format!("\"seq\":{}", n + 2), &format!("\"seq\":{}", n + 1));
        }
    };
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 2).await);
    store.close().await;
    drop(store);
    let path = journal_path(data.path(), "t1");
    let mut lines: Vec<String> = fs::read_to_string(&path)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    spoil(&mut lines);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let (store, report) = open(data.path()).await;
    let damage = Damage {
        line: 1,
        kind: DamageKind::NoBeginning,
    };
    assert_eq!(report.damaged, [(task("t1"), damage)]);
    assert!(store.tasks().is_empty());
    let taken = store.create(first("t1")).await.unwrap_err();
    assert!(matches!(taken, StoreError::TaskExists { .. }), "{taken}");
}

#[tokio::test]
async fn an_event_of_a_newer_version_is_told_and_never_cut() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 1).await);
    store.close().await;
    drop(store);
    let path = journal_path(data.path(), "t1");
    let text = fs::read_to_string(&path).unwrap();
    let newer = text.replace("\"notice\"", "\"from_the_future\"");
    fs::write(&path, &newer).unwrap();
    fs::remove_file(data.path().join("index.sqlite")).unwrap();

    let (store, report) = open(data.path()).await;

    assert!(matches!(
        report.damaged[0].1.kind,
        DamageKind::Unknown { .. }
    ));
    assert_eq!(fs::read_to_string(&path).unwrap(), newer);
    assert_eq!(store.reader(&task("t1")).last_seq(), 1);
}

#[tokio::test]
async fn a_line_changed_in_place_behind_the_index_is_found_when_it_is_read() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 4).await);
    store.close().await;
    drop(store);
    let path = journal_path(data.path(), "t1");
    let text = fs::read_to_string(&path)
        .unwrap()
        .replace("\"seq\":3", "\"seq\":9");
    fs::write(&path, text).unwrap();

    let (store, report) = open(data.path()).await;
    assert!(report.is_clean(), "{report:?}");
    let reader = store.reader(&task("t1"));
    assert_eq!(reader.page(0, 1 << 20).await.unwrap().1, 2);
    let told = reader.page(2, 1 << 20).await.unwrap_err().to_string();
    assert!(
        told.contains("line 3: it has number 9 where 3 was due"),
        "{told}"
    );
}

#[tokio::test]
async fn strangers_among_the_tasks_are_told_and_left_alone() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 1).await);
    store.close().await;
    drop(store);
    let tasks = data.path().join("tasks");
    fs::create_dir(tasks.join("Not A Task")).unwrap();
    fs::create_dir(tasks.join("empty")).unwrap();
    fs::create_dir(tasks.join("nothing")).unwrap();
    fs::write(tasks.join("nothing/journal.jsonl"), "").unwrap();
    fs::create_dir_all(tasks.join("dir/journal.jsonl")).unwrap();
    #[cfg(unix)]
    {
        fs::create_dir(tasks.join("link")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", tasks.join("link/journal.jsonl")).unwrap();
    }

    let (store, report) = open(data.path()).await;

    assert_eq!(store.tasks().len(), 1);
    assert_eq!(
        report.unreadable.len(),
        if cfg!(unix) { 5 } else { 4 },
        "{report:?}"
    );
    assert!(tasks.join("Not A Task").exists());
}

#[tokio::test]
async fn a_journal_that_cannot_be_opened_is_listed_with_what_is_wrong_beside_the_others() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    for id in ["t1", "t2"] {
        drop(with_notices(&store, id, 2).await);
    }
    let path = journal_path(data.path(), "t1");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let told = |listed: Vec<paddock_domain::JournalFile>| {
        let told: Vec<_> = listed
            .iter()
            .map(|file| {
                (
                    file.task_id.to_string(),
                    file.last_seq,
                    file.damage.is_some(),
                )
            })
            .collect();
        told
    };
    let both = |known| vec![("t1".to_owned(), known, true), ("t2".to_owned(), 3, false)];
    assert_eq!(told(store.journals().await.unwrap()), both(3));
    store.close().await;
    drop(store);
    let rest = AtRest::open(data.path()).await.unwrap();
    assert_eq!(told(rest.journals().unwrap()), both(0));
}
