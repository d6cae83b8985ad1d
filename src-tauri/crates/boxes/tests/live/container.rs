//! The life of a container box.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use paddock_boxes::{BoxError, BoxRepository, BoxRequest, HomeFile, Stage, Step};
use paddock_docker::EngineError;
use paddock_domain::BoxKind;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::support::{HostRepository, Stand, engine, git, say, sh};

const CONTAINER: BoxKind = BoxKind::Container;

#[tokio::test]
async fn a_box_has_its_repository_on_its_branch_and_the_host_is_untouched() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let before = git(
        &stand.repository.path,
        &["status", "--porcelain", "--branch"],
    );
    let live = stand.provision(&stand.request(CONTAINER)).await;
    assert_eq!(live.work_dir, "/work/Quelltext-mit-Größe");
    assert_eq!(
        say(&live, "git status --porcelain --branch").await,
        "## paddock-0"
    );
    assert_eq!(
        say(&live, "git rev-parse HEAD").await,
        stand.repository.head
    );
    assert_eq!(say(&live, "git fsck 2>&1 && cat README.md").await, "hello");
    assert_eq!(
        say(
            &live,
            "git commit -q --allow-empty -m x && git log -1 --format=%an"
        )
        .await,
        "Ada"
    );
    assert_eq!(say(&live, &live.program).await, "agent 1.0.0");
    assert_eq!(
        git(
            &stand.repository.path,
            &["status", "--porcelain", "--branch"]
        ),
        before
    );
    let peer = live.relay.peer().peer.box_id.clone().unwrap();
    assert_eq!(peer.as_str(), live.record.task_id.as_str());
}

#[tokio::test]
async fn provisioning_twice_gives_the_same_box() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let request = stand.request(CONTAINER);
    say(&stand.provision(&request).await, "echo mine >kept").await;
    let again = stand.provision(&request).await;
    assert_eq!(say(&again, "cat kept").await, "mine");
    assert_eq!(
        stand
            .boxes
            .find_besides(&BTreeSet::new())
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn remains_of_a_box_that_was_cut_short_give_way() {
    let Some(engine) = engine().await else { return };
    let stand = Stand::new().await;
    let request = stand.request(CONTAINER);
    let live = stand.provision(&request).await;
    say(&live, "echo half >half").await;
    // As if we had been killed before the last line: the record still says that it is being made.
    let record = stand.boxes.dirs(&request.task_id).root.join("box.json");
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("\"ready\"", "\"making\"")).unwrap();
    let steps = std::sync::Mutex::new(Vec::new());
    let boxes = stand.again();
    let live = boxes
        .provision(&request, &|step| steps.lock().unwrap().push(step))
        .await
        .unwrap();
    assert_eq!(steps.lock().unwrap()[0], Step::ClearingRemains);
    assert!(!sh(&live, "cat half").await.0);
    assert_eq!(live.record.stage, Stage::Ready);
    assert!(engine.inspect(&live.record.name).await.unwrap().is_some());
}

#[tokio::test]
async fn a_stopped_box_is_revived_with_its_work() {
    let Some(engine) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(CONTAINER)).await;
    say(&live, "echo work >file; echo memory >$HOME/note").await;
    let record = live.record.clone();
    drop(live);
    stand.boxes.stop(&record).await.unwrap();
    stand.boxes.stop(&record).await.unwrap();
    let ended = stand.boxes.attach(&record).await;
    assert!(
        matches!(ended, Err(BoxError::BoxEnded { oom: false, .. })),
        "{ended:?}"
    );
    let live = stand.boxes.restart(&record).await.unwrap();
    assert_eq!(say(&live, "cat file $HOME/note").await, "work\nmemory");
    // Someone removed the container behind our back: it is made again around the same work.
    engine.remove(&record.name).await.unwrap();
    let gone = stand.boxes.attach(&record).await;
    assert!(
        matches!(gone, Err(BoxError::ContainerGone { .. })),
        "{gone:?}"
    );
    let live = stand.boxes.restart(&record).await.unwrap();
    assert_eq!(
        say(&live, "cat file; git rev-parse HEAD").await,
        format!("work\n{}", stand.repository.head)
    );
}

#[tokio::test]
async fn a_removed_box_leaves_nothing_and_removing_it_again_is_no_error() {
    let Some(engine) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(CONTAINER)).await;
    say(
        &live,
        "mkdir -p deep/er; echo x >deep/er/f; chmod -R a-w deep",
    )
    .await;
    let record = live.record.clone();
    stand.boxes.remove(&record).await.unwrap();
    stand.boxes.remove(&record).await.unwrap();
    assert_eq!(engine.inspect(&record.name).await.unwrap(), None);
    assert!(!stand.boxes.dirs(&record.task_id).root.exists());
    assert_eq!(
        stand.boxes.find_besides(&BTreeSet::new()).await.unwrap(),
        []
    );
    let gone = stand.boxes.attach(&record).await;
    assert!(matches!(gone, Err(BoxError::BoxGone { .. })), "{gone:?}");
}

#[tokio::test]
async fn a_port_of_the_host_is_carried_into_a_box_without_a_network() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut asked = [0; 6];
            stream.read_exact(&mut asked).await.unwrap();
            stream.write_all(b"hello ").await.unwrap();
            stream.write_all(&asked).await.unwrap();
        }
    });
    let live = stand.provision(&stand.bare_request(CONTAINER)).await;
    let port = live.forward(target).await.unwrap();
    assert_eq!(live.forward(target).await.unwrap(), port);
    let ask = format!("echo world | nc 127.0.0.1 {port}");
    assert_eq!(say(&live, &ask).await, "hello world");
    // The connection breaks: the forward comes back by itself on the same port.
    live.relay.close();
    let other = stand.boxes.attach(&live.record).await.unwrap();
    assert_eq!(say(&other, &ask).await, "hello world");
    server.abort();
}

#[tokio::test]
async fn files_reach_the_home_and_nothing_else() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let live = stand.provision(&stand.bare_request(CONTAINER)).await;
    assert_eq!(
        (live.work_dir.as_str(), live.home.as_str()),
        ("/work", "/home/agent")
    );
    let file = |path: &str| HomeFile {
        path: path.to_owned(),
        content: b"secretless".to_vec(),
        mode: 0o600,
    };
    live.write_home(&[file(".config/agent/settings.json")])
        .await
        .unwrap();
    let shown = "cd; cat .config/agent/settings.json; stat -c %a:%u .config/agent/settings.json";
    assert_eq!(say(&live, shown).await, "secretless600:1000");
    let outside = live.write_home(&[file("../escaped")]).await;
    assert!(matches!(outside, Err(BoxError::BadHomeFile { .. })));
}

#[tokio::test]
async fn objects_that_a_repository_borrows_are_borrowed_too() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    // On another disk, and sharing the objects of the first.
    let disk = tempfile::Builder::new()
        .prefix("paddock ö ")
        .tempdir_in("/dev/shm")
        .unwrap();
    let clone = disk.path().join("borrower");
    git(
        Path::new("/"),
        &[
            "clone",
            "-q",
            "--shared",
            stand.repository.path.to_str().unwrap(),
            clone.to_str().unwrap(),
        ],
    );
    fs::write(clone.join("more"), "x").unwrap();
    git(&clone, &["add", "more"]);
    git(
        &clone,
        &[
            "-c",
            "user.name=B",
            "-c",
            "user.email=b@x.invalid",
            "commit",
            "-q",
            "-m",
            "Second",
        ],
    );
    let borrower = HostRepository {
        head: git(&clone, &["rev-parse", "HEAD"]),
        path: clone,
    };
    let other = HostRepository::make(&stand.path().join("x/borrower"));
    let request = BoxRequest {
        repositories: vec![borrower.request(), other.request()],
        ..stand.request(CONTAINER)
    };
    let live = stand.provision(&request).await;
    assert_eq!(live.work_dir, "/work");
    let dirs: Vec<_> = live
        .repositories
        .iter()
        .map(|(_, dir)| dir.as_str())
        .collect();
    assert_eq!(dirs, ["/work/borrower", "/work/borrower-2"]);
    let log = "cd borrower && git log --format=%s && git status --porcelain";
    // Not a word about directories that the box does not see.
    assert_eq!(say(&live, log).await, "Second\nFirst");
}

#[tokio::test]
async fn submodules_that_the_host_has_are_checked_out() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let inner = HostRepository::make(&stand.path().join("inner"));
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        inner.path.to_str().unwrap(),
        "lib/in ner",
    ];
    git(&stand.repository.path, &add);
    git(
        &stand.repository.path,
        &["commit", "-q", "-m", "With a submodule"],
    );
    let repository = HostRepository {
        head: git(&stand.repository.path, &["rev-parse", "HEAD"]),
        path: stand.repository.path.clone(),
    };
    let request = BoxRequest {
        repositories: vec![repository.request()],
        ..stand.request(CONTAINER)
    };
    let live = stand.provision(&request).await;
    assert_eq!(
        say(
            &live,
            "cat 'lib/in ner/README.md' && git status --porcelain"
        )
        .await,
        "hello"
    );
    assert_eq!(
        say(&live, "git -C 'lib/in ner' rev-parse HEAD").await,
        inner.head
    );
}

#[tokio::test]
async fn a_socket_that_a_box_leads_elsewhere_is_not_taken_for_its_relay() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let mine = stand.provision(&stand.bare_request(CONTAINER)).await;
    let request = BoxRequest {
        task_id: paddock_domain::TaskId::parse("other").unwrap(),
        ..stand.bare_request(CONTAINER)
    };
    let other = stand.provision(&request).await;
    let target = stand.boxes.dirs(&other.record.task_id).relay.join("socket");
    let line = format!(
        "cd /run/paddock && rm socket && ln -s '{}' socket",
        target.display()
    );
    say(&mine, &line).await;
    let attached = stand.boxes.attach(&mine.record).await;
    assert!(
        matches!(attached, Err(BoxError::RelaySilent { .. })),
        "{attached:?}"
    );
    // Started anew, its relay makes its socket again.
    let live = stand.boxes.restart(&mine.record).await.unwrap();
    assert_eq!(
        live.relay.peer().peer.box_id.as_ref().unwrap().as_str(),
        mine.record.task_id.as_str()
    );
}

#[tokio::test]
async fn what_cannot_be_made_says_why_and_leaves_nothing() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let good = stand.request(CONTAINER);
    let unknown_image = BoxRequest {
        image: Some("paddock-test:no-such-tag".to_owned()),
        ..good.clone()
    };
    let error = stand
        .boxes
        .provision(&unknown_image, &|_| {})
        .await
        .unwrap_err();
    assert!(
        matches!(error, BoxError::Engine(EngineError::NoSuchImage { .. })),
        "{error:?}"
    );
    let no_image = BoxRequest {
        image: Some("Not An Image".to_owned()),
        ..good.clone()
    };
    let error = stand.boxes.provision(&no_image, &|_| {}).await.unwrap_err();
    assert!(matches!(error, BoxError::BadImage(_)), "{error:?}");
    let no_repository = BoxRequest {
        repositories: vec![BoxRepository {
            host_path: stand.path().join("none").display().to_string(),
            ..stand.repository.request()
        }],
        ..good.clone()
    };
    let error = stand
        .boxes
        .provision(&no_repository, &|_| {})
        .await
        .unwrap_err();
    assert!(matches!(error, BoxError::Repository(_)), "{error:?}");
    let wrong_base = BoxRequest {
        repositories: vec![BoxRepository {
            base: paddock_git::Oid::parse(&"1".repeat(40)).unwrap(),
            ..stand.repository.request()
        }],
        ..good.clone()
    };
    let error = stand
        .boxes
        .provision(&wrong_base, &|_| {})
        .await
        .unwrap_err();
    assert!(matches!(error, BoxError::Seed { .. }), "{error:?}");
    let mut no_program = good;
    no_program.program.program = "gone".to_owned();
    let error = stand
        .boxes
        .provision(&no_program, &|_| {})
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("paddock harness install scripted"),
        "{error}"
    );
    assert_eq!(
        stand.boxes.find_besides(&BTreeSet::new()).await.unwrap(),
        []
    );
}
