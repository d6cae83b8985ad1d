//! The chain in one process: prompt, branch, box, relay, agent, journal, commits on the branch.
//!
//! Real relay, real git, the scripted agent in a worktree box; what it needs is built by
//! `cargo xtask relay` and found beside the other build results.
#![allow(clippy::unwrap_used)] // a test that cannot go on ends

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use futures_util::StreamExt;
use paddock_domain::{
    Body, BoxKind, Event, HarnessName, Message, Network, PurgeRequest, StateName, Task, TaskSpec,
};
use paddock_orchestrator::{
    BoxDefaults, BoxesSettings, LiveItem, Orchestrator, OrchestratorSettings, ScanLimits,
};

/// How long any one thing may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Stand {
    dir: tempfile::TempDir,
}

impl Stand {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let repo = dir.path().join("sample");
        std::fs::create_dir(&repo).unwrap();
        git(&repo, &["init", "-q", "-b", "main"]);
        git(&repo, &["config", "user.name", "Ada"]);
        git(&repo, &["config", "user.email", "ada@example.invalid"]);
        std::fs::write(repo.join("README"), "hello\n").unwrap();
        git(&repo, &["add", "."]);
        git(&repo, &["commit", "-q", "-m", "first"]);
        Self { dir }
    }

    fn repo(&self) -> PathBuf {
        self.dir.path().join("sample")
    }

    fn settings(&self) -> OrchestratorSettings {
        let data_dir = self.dir.path().join("data");
        OrchestratorSettings {
            boxes: BoxesSettings {
                data_dir: data_dir.clone(),
                relay_binary: built("paddock-relay"),
                toolbox_dir: self.dir.path().join("toolbox"),
                engine: None,
                defaults: BoxDefaults::default(),
            },
            data_dir,
            default_box: Some(BoxKind::Worktree),
            parallel_tasks: 4,
            disk_low_bytes: 0,
            purge_window: Duration::from_secs(60),
            compress_after: Duration::from_secs(3600),
            retention: Default::default(),
            trash_keep: None,
            stop_grace: Duration::from_secs(2),
            scan: ScanLimits::default(),
            scan_allow: Vec::new(),
            prices: Default::default(),
            remote: "origin".to_owned(),
            default_network: Network::Bridge,
            environment: Default::default(),
            provider: Default::default(),
            scripted_agent: Some(built("scripted")),
            owner: "test".to_owned(),
            configured: paddock_config::Settings::defaults(&self.dir.path().join("data")),
            resume_on_limit: false,
            silent_after: Duration::from_secs(300),
            keychain: false,
            vault_passphrase: None,
        }
    }

    fn spec(&self, prompt: &str) -> TaskSpec {
        let json = serde_json::json!({
            "prompt": prompt,
            "harness": "scripted",
            "repositories": [{"path": self.repo()}],
        });
        serde_json::from_value(json).unwrap()
    }

    async fn start(&self) -> (Orchestrator, paddock_orchestrator::Running) {
        let (orchestrator, running) = Orchestrator::start(self.settings()).await.unwrap();
        let scripted = HarnessName::parse("scripted").unwrap();
        orchestrator
            .install_harness(&scripted, None, &|_| {})
            .await
            .unwrap();
        (orchestrator, running)
    }
}

fn built(name: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target");
    let path = target.join("x86_64-unknown-linux-gnu/relay").join(name);
    assert!(
        path.exists(),
        "{} is missing: run `cargo xtask relay`",
        path.display()
    );
    path.canonicalize().unwrap()
}

fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(dir)
        .args(args)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Follows the task until `enough`, giving all its events.
async fn follow(
    orchestrator: &Orchestrator,
    task: &Task,
    enough: impl Fn(&Event) -> bool,
) -> Vec<Event> {
    let mut stream = orchestrator.events(&task.task_id, 0).unwrap();
    let mut events = Vec::new();
    let all = async {
        while let Some(item) = stream.next().await {
            let event: Event = match item.unwrap() {
                LiveItem::History { json, .. } => serde_json::from_slice(&json).unwrap(),
                LiveItem::Line(line) => line.event.clone(),
                LiveItem::Ready { .. } | LiveItem::Delta(_) | LiveItem::Link(_) => continue,
            };
            let done = enough(&event);
            events.push(event);
            if done {
                return;
            }
        }
    };
    if tokio::time::timeout(PATIENCE, all).await.is_err() {
        let told: Vec<_> = events
            .iter()
            .map(|e| serde_json::to_string(e).unwrap())
            .collect();
        panic!("it never came; the journal so far:\n{}", told.join("\n"));
    }
    events
}

fn enters(state: StateName) -> impl Fn(&Event) -> bool {
    move |event| matches!(&event.body, Body::StateChanged { to, .. } if *to == state)
}

/// Purges the task, so that no relay outlives the test.
async fn purge(orchestrator: &Orchestrator, task: &Task) {
    let all = PurgeRequest {
        force: true,
        now: true,
        ..PurgeRequest::default()
    };
    orchestrator.purge(&task.task_id, all).await.unwrap();
    follow(orchestrator, task, enters(StateName::Purged)).await;
}

fn types(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.body.type_name()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_becomes_commits_on_a_branch_and_the_checkout_stays_as_it_was() {
    let stand = Stand::new();
    let (orchestrator, running) = stand.start().await;
    let before = git(&stand.repo(), &["status", "--porcelain=v2", "--branch"]);
    let task = orchestrator
        .create(stand.spec("write hello.txt hi there\ncommit Add a greeting"))
        .await
        .unwrap()
        .task;
    let events = follow(&orchestrator, &task, enters(StateName::Waiting)).await;
    let log = git(&stand.repo(), &["log", "--format=%s", "paddock-0"]);
    assert_eq!(log, "Add a greeting\nfirst\n");
    assert_eq!(
        git(&stand.repo(), &["status", "--porcelain=v2", "--branch"]),
        before
    );
    let seqs: Vec<_> = events.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (1..=events.len() as u64).collect::<Vec<_>>());
    purge(&orchestrator, &task).await;
    assert_eq!(
        git(&stand.repo(), &["log", "--format=%s", "paddock-0"]),
        log
    );
    assert_eq!(running.shutdown(PATIENCE).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_life_of_paddock_goes_on_in_the_middle_of_a_turn() {
    let stand = Stand::new();
    let (first, running) = stand.start().await;
    let task = first
        .create(stand.spec("ask Which?|A|B\nsay done"))
        .await
        .unwrap()
        .task;
    follow(&first, &task, enters(StateName::Asking)).await;
    let question = first.task(&task.task_id).unwrap().questions[0]
        .question_id
        .clone();
    assert_eq!(running.shutdown(PATIENCE).await, 0);
    drop(first);

    let (second, running) = stand.start().await;
    let answer = serde_json::from_str(r#"{"choices":["A"]}"#).unwrap();
    // Known from the first moment; what is asked of it before it is adopted is kept.
    second
        .answer(&task.task_id, question, answer)
        .await
        .unwrap();
    let events = follow(&second, &task, enters(StateName::Waiting)).await;
    let asked = types(&events)
        .iter()
        .filter(|name| **name == "question_asked")
        .count();
    assert_eq!(asked, 1);
    second
        .send(
            &task.task_id,
            Message {
                input_id: None,
                text: "say hello".into(),
                attachments: Vec::new(),
            },
        )
        .await
        .unwrap();
    follow(&second, &task, |event| {
        event.seq > events.len() as u64 && enters(StateName::Waiting)(event)
    })
    .await;
    purge(&second, &task).await;
    assert_eq!(running.shutdown(PATIENCE).await, 0);
}
