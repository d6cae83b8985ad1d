//! What a new Paddock finds of an old one's boxes, and what it is told while it runs.

use std::collections::BTreeSet;
use std::fs;
use std::pin::pin;

use futures_util::StreamExt;
use paddock_boxes::{BoxEvent, BoxRequest, BoxState};
use paddock_domain::BoxKind;

use crate::support::{Stand, engine, say, sh};

const CONTAINER: BoxKind = BoxKind::Container;

#[tokio::test]
async fn a_running_box_is_found_and_adopted() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(CONTAINER)).await;
    let record = live.record.clone();
    drop(live);
    let boxes = stand.again();
    let found = boxes.find_besides(&BTreeSet::new()).await.unwrap();
    assert_eq!((found.len(), found[0].state), (1, BoxState::Running));
    assert_eq!(found[0].record, Some(record.clone()));
    assert_eq!(boxes.record(&record.task_id).unwrap(), Some(record.clone()));
    let live = boxes.attach(&record).await.unwrap();
    assert_eq!(
        say(&live, "git rev-parse --abbrev-ref HEAD").await,
        "paddock-0"
    );
}

#[tokio::test]
async fn a_box_that_was_killed_says_how_it_ended() {
    let Some(engine) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand.provision(&stand.bare_request(CONTAINER)).await;
    engine.kill(&live.record.name).await.unwrap();
    let found = stand.again().find_besides(&BTreeSet::new()).await.unwrap();
    let ended = BoxState::Ended {
        exit: Some(137),
        oom: false,
    };
    assert_eq!(found[0].state, ended);
}

#[tokio::test]
async fn a_container_without_its_directory_is_found_and_ended() {
    let Some(engine) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand.provision(&stand.bare_request(CONTAINER)).await;
    let task = live.record.task_id.clone();
    fs::remove_dir_all(stand.boxes.dirs(&task).root).unwrap();
    let boxes = stand.again();
    let found = boxes.find_besides(&BTreeSet::new()).await.unwrap();
    assert_eq!(
        (&found[0].task_id, &found[0].record, found[0].state),
        (&task, &None, BoxState::HalfMade)
    );
    boxes.remove_task(&task).await.unwrap();
    assert_eq!(engine.inspect(&live.record.name).await.unwrap(), None);
    assert_eq!(boxes.find_besides(&BTreeSet::new()).await.unwrap(), []);
}

#[tokio::test]
async fn a_directory_that_cannot_be_read_is_found_and_removed() {
    let stand = Stand::new().await;
    let task = stand.bare_request(CONTAINER).task_id;
    let dirs = stand.boxes.dirs(&task);
    fs::create_dir_all(&dirs.work).unwrap();
    fs::write(dirs.root.join("box.json"), "{\"format\":1,").unwrap();
    let found = stand.boxes.find_besides(&BTreeSet::new()).await.unwrap();
    assert_eq!((found.len(), found[0].state), (1, BoxState::HalfMade));
    stand.boxes.remove_task(&task).await.unwrap();
    assert!(!dirs.root.exists());
}

#[tokio::test]
async fn deaths_and_removals_are_told_as_they_happen() {
    let Some(engine) = engine().await else { return };
    let stand = Stand::new().await;
    let mut events = pin!(stand.boxes.watch());
    let request = BoxRequest {
        memory_mib: Some(64),
        ..stand.bare_request(CONTAINER)
    };
    let live = stand.provision(&request).await;
    let task_id = request.task_id.clone();
    let started = BoxEvent::Started {
        task_id: task_id.clone(),
    };
    assert_eq!(events.next().await, Some(started));
    assert!(!sh(&live, "tail /dev/zero").await.0);
    let starved = BoxEvent::OutOfMemory {
        task_id: task_id.clone(),
    };
    assert_eq!(events.next().await, Some(starved.clone()));
    engine.kill(&live.record.name).await.unwrap();
    let mut died = events.next().await.unwrap();
    while died == starved {
        died = events.next().await.unwrap();
    }
    assert!(
        matches!(&died, BoxEvent::Died { task_id: t, exit: Some(137), .. } if *t == task_id),
        "{died:?}"
    );
    engine.remove(&live.record.name).await.unwrap();
    assert_eq!(events.next().await, Some(BoxEvent::Removed { task_id }));
}
