//! What an engine says, understood; what it breaks, told.

use std::collections::BTreeMap;
use std::sync::Mutex;

use futures_util::StreamExt;
use paddock_docker::{
    Container, ContainerState, EngineError, Happening, ImageReference, Search, Trial,
};
use tokio::io::AsyncReadExt;

use crate::fake::{FakeEngine, json, stream};

const VERSION: &str = r#"{"Version":"20.10.24","ApiVersion":"1.41","Arch":"amd64","Components":[{"Name":"Engine","Version":"20.10.24"}]}"#;
const INFO: &str = r#"{"NCPU":2,"MemTotal":25000000000,"SecurityOptions":["name=seccomp,profile=default","name=rootless"]}"#;

fn image(name: &str) -> ImageReference {
    ImageReference::parse(name).unwrap()
}

#[tokio::test]
async fn an_engine_is_found_and_says_what_it_is() {
    let fake = FakeEngine::start(vec![
        ("GET /version", json(200, VERSION)),
        ("GET /info", json(200, INFO)),
    ]);
    let search = Search {
        setting: Some(format!("unix://{}", fake.socket().display())),
        ..Search::default()
    };
    let found = search.run().await.unwrap();
    let info = found.info;
    assert_eq!(
        (info.version.as_str(), info.api.as_str(), info.arch.as_str()),
        ("20.10.24", "1.41", "amd64")
    );
    assert_eq!((info.cpus, info.memory), (2, 25_000_000_000));
    assert_eq!(
        (info.podman, info.rootless, info.seccomp),
        (false, true, true)
    );
}

#[tokio::test]
async fn podman_is_recognised() {
    let version = r#"{"Version":"4.3.1","ApiVersion":"1.41","Components":[{"Name":"Podman Engine","Version":"4.3.1"}]}"#;
    let fake = FakeEngine::start(vec![
        ("GET /version", json(200, version)),
        ("GET /info", json(200, "{}")),
    ]);
    let info = fake.engine().info().await.unwrap();
    assert_eq!(
        (info.podman, info.rootless, info.seccomp),
        (true, false, false)
    );
}

#[tokio::test]
async fn something_else_on_the_socket_is_no_engine() {
    let fake = FakeEngine::start(vec![("GET", "SSH-2.0-OpenSSH_9.2\r\n".to_owned())]);
    let search = Search {
        setting: Some(fake.socket().display().to_string()),
        ..Search::default()
    };
    let tried = search.run().await.err().unwrap().tried;
    assert!(
        matches!(tried[0].outcome, Trial::Failed(EngineError::Broken { .. })),
        "{:?}",
        tried[0]
    );
}

#[tokio::test]
async fn a_missing_image_is_none_and_a_present_one_is_described() {
    let fake = FakeEngine::start(vec![
        (
            "GET /images/gone",
            json(404, r#"{"message":"No such image: gone:latest"}"#),
        ),
        (
            "GET /images/there",
            json(200, r#"{"Id":"sha256:1","Architecture":"amd64","Size":17}"#),
        ),
    ]);
    let engine = fake.engine();
    assert_eq!(engine.image(&image("gone")).await.unwrap(), None);
    assert_eq!(
        engine.image(&image("there:1")).await.unwrap().unwrap().size,
        17
    );
}

#[tokio::test]
async fn a_local_image_is_asked_for_at_no_registry() {
    let fake = FakeEngine::start(Vec::new());
    let pulled = fake
        .engine()
        .pull(&image("paddock-test:none"), |_| {})
        .await;
    assert!(matches!(pulled, Err(EngineError::NoSuchImage { .. })));
    assert_eq!(fake.asked(), Vec::<String>::new());
}

#[tokio::test]
async fn a_pull_tells_how_far_it_is_and_why_it_failed() {
    let body = "{\"status\":\"Downloading\",\"progressDetail\":{\"current\":5,\"total\":10}}\r\n\
                {\"errorDetail\":{\"message\":\"toomanyrequests: slow down\"},\"error\":\"x\"}\r\n";
    let fake = FakeEngine::start(vec![(
        "POST /images/create?fromImage=debian&tag=12",
        stream(body),
    )]);
    let steps = Mutex::new(Vec::new());
    let pulled = fake
        .engine()
        .pull(&image("debian:12"), |step| steps.lock().unwrap().push(step))
        .await;
    let EngineError::NotPulled { reason, .. } = pulled.unwrap_err() else {
        panic!("another error")
    };
    assert!(reason.contains("slow down"), "{reason}");
    let steps = steps.into_inner().unwrap();
    assert_eq!((steps[0].done, steps[0].total), (Some(5), Some(10)));
}

#[tokio::test]
async fn a_registry_that_cannot_be_reached_is_told_from_a_wrong_name() {
    let offline =
        r#"{"message":"Get \"https://registry/v2/\": dial tcp: lookup registry: no such host"}"#;
    let fake = FakeEngine::start(vec![("POST /images/create", json(500, offline))]);
    let error = fake
        .engine()
        .pull(&image("debian"), |_| {})
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("see the network"), "{error}");
    let wrong = r#"{"message":"manifest for debian:nope not found: manifest unknown"}"#;
    let fake = FakeEngine::start(vec![("POST /images/create", json(404, wrong))]);
    let error = fake
        .engine()
        .pull(&image("debian:nope"), |_| {})
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("see the spelling"), "{error}");
}

#[tokio::test]
async fn events_are_understood_and_others_passed_over() {
    let body = r#"{"Type":"container","Action":"oom","Actor":{"ID":"c1","Attributes":{"dev.paddock.task":"t"}},"timeNano":1}
{"Type":"container","Action":"exec_start: sh","Actor":{"ID":"c1","Attributes":{}},"timeNano":2}
{"Type":"container","Action":"die","Actor":{"ID":"c1","Attributes":{"exitCode":"137","dev.paddock.task":"t"}},"timeNano":3}
{"Type":"container","Action":"remove","Actor":{"ID":"c1","Attributes":{}},"time":4}
"#;
    let fake = FakeEngine::start(vec![("GET /events", stream(body))]);
    let events = fake
        .engine()
        .events(&BTreeMap::from([("dev.paddock.data", "m")]), 7);
    let events: Vec<_> = events.map(|event| event.unwrap()).collect().await;
    let what: Vec<_> = events.iter().map(|event| event.what).collect();
    assert_eq!(
        what,
        [
            Happening::OutOfMemory,
            Happening::Died { exit: Some(137) },
            Happening::Removed
        ]
    );
    assert_eq!(events[0].labels["dev.paddock.task"], "t");
    assert_eq!(events[2].at_ns, 4_000_000_000);
    let asked = fake.asked();
    assert!(
        asked[0].contains("since=7") && asked[0].contains("dev.paddock.data%3Dm"),
        "{asked:?}"
    );
}

#[tokio::test]
async fn an_engine_that_hangs_up_in_the_middle_is_broken() {
    let half =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"Id\":";
    let fake = FakeEngine::start(vec![("GET /containers", half.to_owned())]);
    let error = fake.engine().inspect("c").await.unwrap_err();
    assert!(
        matches!(error, EngineError::Broken { .. }) && error.is_unreachable(),
        "{error:?}"
    );
}

#[tokio::test]
async fn how_a_container_ended_is_told() {
    let body = r#"{"Id":"1","Name":"/c","Config":{"Image":"i","Labels":{"a":"b"}},"State":{"Status":"exited","ExitCode":137,"OOMKilled":true}}"#;
    let fake = FakeEngine::start(vec![
        ("GET /containers/c/json", json(200, body)),
        (
            "GET /containers/none/json",
            json(404, r#"{"message":"No such container: none"}"#),
        ),
    ]);
    let engine = fake.engine();
    let expected = Container {
        id: "1".to_owned(),
        name: "c".to_owned(),
        image: "i".to_owned(),
        labels: BTreeMap::from([("a".to_owned(), "b".to_owned())]),
        state: ContainerState::Ended {
            exit: Some(137),
            oom: true,
        },
    };
    assert_eq!(engine.inspect("c").await.unwrap(), Some(expected));
    assert_eq!(engine.inspect("none").await.unwrap(), None);
}

#[tokio::test]
async fn ending_what_is_gone_or_over_is_no_error() {
    let gone = r#"{"message":"No such container: c"}"#;
    let busy = r#"{"message":"removal of container c is already in progress"}"#;
    let idle = r#"{"message":"Cannot kill container: c: Container c is not running"}"#;
    let fake = FakeEngine::start(vec![
        ("POST /containers/c/stop", json(404, gone)),
        ("POST /containers/c/kill", json(409, idle)),
        ("DELETE /containers/c?", json(409, busy)),
    ]);
    let engine = fake.engine();
    engine.stop("c", 1).await.unwrap();
    engine.kill("c").await.unwrap();
    engine.remove("c").await.unwrap();
}

fn upgraded(frames: &[(u8, &str)]) -> String {
    let mut reply =
        "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n".to_owned();
    for (kind, text) in frames {
        reply.push(char::from(*kind));
        reply.push_str("\0\0\0\0\0\0");
        reply.push(char::from(u8::try_from(text.len()).unwrap()));
        reply.push_str(text);
    }
    reply
}

#[tokio::test]
async fn exec_gives_stdout_alone_as_bytes() {
    let fake = FakeEngine::start(vec![
        ("POST /containers/c/exec", json(201, r#"{"Id":"e"}"#)),
        (
            "POST /exec/e/start",
            upgraded(&[(1, "PAD"), (2, "noise"), (1, "DOCK")]),
        ),
    ]);
    let mut stream = fake
        .engine()
        .exec("c", &["relay", "connect"])
        .await
        .unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).await.unwrap();
    assert_eq!(said, "PADDOCK");
}

#[tokio::test]
async fn an_exec_that_only_complains_fails_with_its_complaint() {
    let fake = FakeEngine::start(vec![
        ("POST /containers/c/exec", json(201, r#"{"Id":"e"}"#)),
        ("POST /exec/e/start", upgraded(&[(2, "no relay answers\n")])),
    ]);
    let mut stream = fake
        .engine()
        .exec("c", &["relay", "connect"])
        .await
        .unwrap();
    let error = stream.read_to_end(&mut Vec::new()).await.unwrap_err();
    assert_eq!(error.to_string(), "no relay answers");
}
