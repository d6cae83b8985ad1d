//! A real engine, where one answers: `tests/engines/setup` starts one and makes the image.

use std::collections::BTreeMap;

use futures_util::StreamExt;
use paddock_docker::{
    ContainerSpec, ContainerState, Engine, EngineError, Happening, ImageReference, Mount,
    NetworkMode, Search,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const IMAGE: &str = "paddock-test:tiny";
const LABEL: &str = "dev.paddock.docker-test";

/// The engine, or nothing and a loud word where there is none.
async fn engine() -> Option<Engine> {
    match Search::from_environment(None).run().await {
        Ok(found) => Some(found.engine),
        Err(none) => {
            eprintln!("SKIPPED, nothing was tested: {none}");
            None
        }
    }
}

fn spec(test: &str, command: &[&str]) -> ContainerSpec {
    let name = format!("paddock-docker-test-{test}-{}", std::process::id());
    ContainerSpec {
        name: name.clone(),
        image: IMAGE.to_owned(),
        command: command.iter().map(|&arg| arg.to_owned()).collect(),
        env: BTreeMap::from([("GREETING".to_owned(), "hello".to_owned())]),
        work_dir: "/".to_owned(),
        user: "1000:1000".to_owned(),
        user_namespace: None,
        labels: BTreeMap::from([(LABEL.to_owned(), name)]),
        mounts: Vec::new(),
        memory_dirs: BTreeMap::new(),
        network: NetworkMode::None,
        memory: 64 << 20,
        cpus: None,
        pids: 64,
    }
}

#[tokio::test]
async fn a_container_lives_and_its_events_tell_so() {
    let Some(engine) = engine().await else { return };
    let spec = spec("life", &["/bin/sh", "-c", "echo $GREETING; exec sleep 600"]);
    engine.remove(&spec.name).await.unwrap();
    let image = ImageReference::parse(IMAGE).unwrap();
    assert!(
        engine.image(&image).await.unwrap().is_some(),
        "make it with tests/engines/setup/make-image.sh"
    );
    let labels = BTreeMap::from([(LABEL, spec.name.as_str())]);
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let since = i64::try_from(now.as_secs()).unwrap();

    let id = engine.create(&spec).await.unwrap();
    let twice = engine.create(&spec).await;
    assert!(
        matches!(twice, Err(EngineError::Conflict { .. })),
        "{twice:?}"
    );
    engine.start(&id).await.unwrap();
    engine.start(&id).await.unwrap();
    let listed = engine.list(&labels).await.unwrap();
    assert_eq!(
        (listed.len(), listed[0].name.as_str()),
        (1, spec.name.as_str())
    );
    let usage = engine.usage(&id).await.unwrap().unwrap();
    assert!(usage.pids >= 1 && usage.memory < 64 << 20, "{usage:?}");
    engine.limit_memory(&id, 96 << 20).await.unwrap();
    let first = engine.first_process(&id).await.unwrap().unwrap();
    assert_eq!(first.container, id);
    engine.kill(&id).await.unwrap();
    engine.kill(&id).await.unwrap();
    let seen = engine.inspect(&id).await.unwrap().unwrap();
    assert_eq!(
        seen.state,
        ContainerState::Ended {
            exit: Some(137),
            oom: false
        }
    );
    assert_eq!(engine.usage(&id).await.unwrap(), None);
    assert_eq!(engine.first_process(&id).await.unwrap(), None);
    assert_eq!(engine.last_words(&id).await, "hello");
    engine.remove(&id).await.unwrap();
    engine.remove(&id).await.unwrap();
    assert_eq!(engine.inspect(&id).await.unwrap(), None);

    let events = engine.events(&labels, since).map(|event| event.unwrap());
    let events = events.filter(|event| std::future::ready(event.container == id));
    let what: Vec<_> = events.map(|event| event.what).take(3).collect().await;
    assert_eq!(
        what,
        [
            Happening::Started,
            Happening::Died { exit: Some(137) },
            Happening::Removed
        ]
    );
}

#[tokio::test]
async fn exec_carries_bytes_both_ways() {
    let Some(engine) = engine().await else { return };
    let spec = spec("exec", &["/bin/sh", "-c", "exec sleep 600"]);
    let id = engine.create(&spec).await.unwrap();
    engine.start(&id).await.unwrap();
    let stream = engine.exec(&id, &["cat"]).await.unwrap();
    let (mut read, mut write) = tokio::io::split(stream);
    let sent: Vec<u8> = (0..=255).cycle().take(1 << 20).collect();
    let feed = async {
        write.write_all(&sent).await.unwrap();
        write.flush().await.unwrap();
    };
    let mut heard = vec![0; sent.len()];
    let (_, ()) = tokio::join!(read.read_exact(&mut heard), feed);
    assert!(heard == sent, "what came back differs");
    engine.remove(&id).await.unwrap();
}

#[tokio::test]
async fn what_the_engine_cannot_do_says_what_to_do() {
    let Some(engine) = engine().await else { return };
    let missing = ContainerSpec {
        image: "paddock-test:no-such-tag".to_owned(),
        ..spec("image", &["/x"])
    };
    let error = engine.create(&missing).await;
    assert!(
        matches!(error, Err(EngineError::NoSuchImage { .. })),
        "{error:?}"
    );
    let unmounted = ContainerSpec {
        mounts: vec![Mount::read("/no/such/directory", "/x")],
        ..spec("mount", &["/x"])
    };
    let error = engine.create(&unmounted).await;
    assert!(
        matches!(&error, Err(EngineError::NotAccepted { message }) if message.contains("/no/such/directory")),
        "{error:?}"
    );
    let unstartable = spec("program", &["/no/such/program"]);
    engine.create(&unstartable).await.unwrap();
    let error = engine.start(&unstartable.name).await;
    engine.remove(&unstartable.name).await.unwrap();
    assert!(
        matches!(&error, Err(EngineError::NotAccepted { message }) if message.contains("no such file")),
        "{error:?}"
    );
    let gone = engine.start("paddock-no-such-container").await;
    assert!(
        matches!(gone, Err(EngineError::NoSuchContainer { .. })),
        "{gone:?}"
    );
}

#[tokio::test]
async fn memory_that_is_used_up_is_told() {
    let Some(engine) = engine().await else { return };
    let spec = spec("oom", &["/bin/sh", "-c", "tail /dev/zero"]);
    let id = engine.create(&spec).await.unwrap();
    engine.start(&id).await.unwrap();
    let labels = BTreeMap::from([(LABEL, spec.name.as_str())]);
    let events = engine.events(&labels, 0).map(|event| event.unwrap());
    let mut events = events.filter(|event| std::future::ready(event.container == id));
    let mut what = Vec::new();
    while !what
        .iter()
        .any(|what| matches!(what, Happening::Died { .. }))
    {
        what.push(events.next().await.unwrap().what);
    }
    engine.remove(&id).await.unwrap();
    assert!(what.contains(&Happening::OutOfMemory), "{what:?}");
}
