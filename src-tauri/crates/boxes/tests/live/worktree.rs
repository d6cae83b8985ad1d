//! The life of a worktree box, and what it may not write.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;

use paddock_boxes::{BoxError, BoxState, HomeFile, LiveBox};
use paddock_domain::BoxKind;
use paddock_relay_client::protocol::{Launch, RunId, RunState, Spawn, Stdio};

use crate::support::{Stand, git, say, sh};

const WORKTREE: BoxKind = BoxKind::Worktree;

/// Starts a run as an agent is started.
async fn run(live: &LiveBox, id: &str, script: &str) {
    let spawn = Spawn {
        run: RunId::parse(id).unwrap(),
        launch: Launch {
            program: "sh".to_owned(),
            args: vec!["-c".to_owned(), script.to_owned()],
            env: BTreeMap::new(),
            clear_env: false,
            cwd: Some(live.work_dir.clone()),
            confine: live.confine(),
        },
        stdio: Stdio::Pipes,
        owner: None,
    };
    live.relay.spawn(&spawn).await.unwrap();
}

/// Whether this kernel can confine at all, as the doctor sees it.
async fn confines(stand: &Stand) -> bool {
    let checks = stand.boxes.doctor().await;
    let landlock = checks
        .iter()
        .find(|check| check.name == "landlock")
        .unwrap();
    if !landlock.ok {
        eprintln!("SKIPPED, confinement was not tested: {}", landlock.detail);
    }
    landlock.ok
}

#[tokio::test]
async fn a_worktree_has_a_repository_of_its_own_and_the_host_is_untouched() {
    let stand = Stand::new().await;
    let before = git(
        &stand.repository.path,
        &["status", "--porcelain", "--branch"],
    );
    let live = stand.provision(&stand.request(WORKTREE)).await;
    assert_eq!(
        say(&live, "git status --porcelain --branch").await,
        "## paddock-0"
    );
    assert_eq!(say(&live, "git rev-parse --git-common-dir").await, ".git");
    assert_eq!(say(&live, &live.program).await, "agent 1.0.0");
    say(&live, "git commit -q --allow-empty -m x").await;
    assert_eq!(
        git(
            &stand.repository.path,
            &["status", "--porcelain", "--branch"]
        ),
        before
    );
    let environment = say(&live, "env").await;
    assert!(
        environment.contains(&format!("HOME={}", live.home)),
        "{environment}"
    );
    assert!(
        environment.contains(&format!("TMPDIR={}", live.tmp)),
        "{environment}"
    );
}

#[tokio::test]
async fn a_run_that_was_never_begun_has_left_no_word_and_one_without_a_box_no_log() {
    let stand = Stand::new().await;
    let request = stand.request(WORKTREE);
    assert!(
        stand
            .boxes
            .last_words(&request.task_id, "r1")
            .unwrap()
            .is_none()
    );
    let live = stand.provision(&request).await;
    run(&live, "r1", "echo hello").await;
    let id = RunId::parse("r1").unwrap();
    let mut log = live.relay.log(&id, 0, true).await.unwrap();
    while log.next().await.unwrap().is_some() {}
    let words = |run: &str| {
        let mut kept = stand
            .boxes
            .last_words(&request.task_id, run)
            .unwrap()
            .unwrap();
        (kept.was_begun(), kept.next(100, 1 << 20).unwrap().len() > 1)
    };
    assert_eq!(words("r1"), (true, true));
    assert_eq!(words("r2"), (false, false));
}

#[tokio::test]
async fn nothing_outside_the_box_can_be_written() {
    let stand = Stand::new().await;
    if !confines(&stand).await {
        return;
    }
    let live = stand.provision(&stand.request(WORKTREE)).await;
    let outside = stand.path().join("outside");
    let forbidden = [
        outside.display().to_string(),
        format!("{}/.git/config", stand.repository.path.display()),
        format!("{}/.git/objects/new", stand.repository.path.display()),
        format!("{}/README.md", stand.repository.path.display()),
        format!(
            "{}/box.json",
            stand.boxes.dirs(&live.record.task_id).root.display()
        ),
        format!(
            "{}/new",
            stand.boxes.dirs(&live.record.task_id).relay.display()
        ),
        live.program.clone(),
    ];
    for path in &forbidden {
        let (ok, said) = sh(&live, &format!("echo x >>'{path}'")).await;
        assert!(!ok && said.contains("ermission denied"), "{path}: {said}");
    }
    say(
        &live,
        "echo x >file; echo x >\"$HOME/file\"; echo x >\"$TMPDIR/file\"; echo x >/dev/null",
    )
    .await;
    // A run is held to the same as a command, and all that descends from it.
    let script = format!(
        "echo x >'{}'; sh -c \"echo x >'{}'\"; echo done >ran",
        outside.display(),
        outside.display()
    );
    run(&live, "r1", &script).await;
    let run = RunId::parse("r1").unwrap();
    let mut log = live.relay.log(&run, 0, true).await.unwrap();
    while log.next().await.unwrap().is_some() {}
    assert_eq!(say(&live, "cat ran").await, "done");
    assert!(!outside.exists());
}

#[tokio::test]
async fn a_link_in_the_home_does_not_lead_us_out() {
    let stand = Stand::new().await;
    if !confines(&stand).await {
        return;
    }
    let live = stand.provision(&stand.bare_request(WORKTREE)).await;
    let outside = stand.path().join("outside");
    fs::create_dir(&outside).unwrap();
    symlink(
        &outside,
        stand.boxes.dirs(&live.record.task_id).home.join(".agent"),
    )
    .unwrap();
    let file = HomeFile {
        path: ".agent/settings".to_owned(),
        content: b"x".to_vec(),
        mode: 0o600,
    };
    let written = live.write_home(&[file]).await;
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0, "{written:?}");
}

#[tokio::test]
async fn a_relay_that_was_killed_is_started_again_and_its_agents_end() {
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(WORKTREE)).await;
    say(&live, "echo work >file").await;
    run(&live, "r1", "echo $$ >pid; exec sleep 600").await;
    let pid = loop {
        let (ok, pid) = sh(&live, "cat pid").await;
        if ok && !pid.is_empty() {
            break pid;
        }
    };
    let record = live.record.clone();
    let dirs = stand.boxes.dirs(&record.task_id);
    let relay = fs::read_to_string(dirs.relay.join("lock")).unwrap();
    kill(&relay);
    live.relay.closed().await;
    while is_running(relay.trim()) {
        tokio::task::yield_now().await;
    }
    let boxes = stand.again();
    let dead = boxes.attach(&record).await;
    assert!(matches!(dead, Err(BoxError::RelayDead { .. })), "{dead:?}");
    assert_eq!(
        boxes.find_besides(&BTreeSet::new()).await.unwrap()[0].state,
        BoxState::NoRelay
    );
    let live = boxes.restart(&record).await.unwrap();
    assert_eq!(say(&live, "cat file").await, "work");
    assert!(!is_running(&pid), "the agent of the dead relay goes on");
    let runs = live.relay.runs().await.unwrap();
    assert_eq!((runs.len(), runs[0].state), (1, RunState::Ended));
}

fn kill(pid: &str) {
    let killed = std::process::Command::new("kill")
        .args(["-9", pid.trim()])
        .status();
    assert!(killed.unwrap().success());
}

/// Whether anything of the process is left: a first thread that has ended leaves the files, and with them the
/// lock and the socket, to the others until they have ended too.
fn is_running(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.trim())).unwrap_or_default();
    let has_ended = status.contains("State:\tZ") && status.contains("Threads:\t1\n");
    !status.is_empty() && !has_ended
}

#[tokio::test]
async fn a_removed_worktree_leaves_no_process_and_no_file() {
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(WORKTREE)).await;
    // In a session of its own, as agents start their tools.
    run(
        &live,
        "r1",
        "setsid sh -c 'echo $$ >pid; exec sleep 600' & wait",
    )
    .await;
    let pid = loop {
        let (ok, pid) = sh(&live, "cat pid").await;
        if ok && !pid.is_empty() {
            break pid;
        }
    };
    let record = live.record.clone();
    assert!(is_running(&pid));
    stand.boxes.remove(&record).await.unwrap();
    stand.boxes.remove(&record).await.unwrap();
    assert!(!is_running(&pid), "a process of the box goes on");
    assert!(!stand.boxes.dirs(&record.task_id).root.exists());
    let gone = stand.boxes.attach(&record).await;
    assert!(matches!(gone, Err(BoxError::BoxGone { .. })), "{gone:?}");
}

#[tokio::test]
async fn a_stopped_worktree_is_revived_with_its_work() {
    let stand = Stand::new().await;
    let live = stand.provision(&stand.request(WORKTREE)).await;
    say(&live, "echo work >file").await;
    let record = live.record.clone();
    stand.boxes.stop(&record).await.unwrap();
    stand.boxes.stop(&record).await.unwrap();
    let live = stand.boxes.restart(&record).await.unwrap();
    assert_eq!(say(&live, "cat file").await, "work");
}

#[tokio::test]
async fn a_mount_in_the_box_keeps_it_from_being_removed() {
    let stand = Stand::new().await;
    let live = stand.provision(&stand.bare_request(WORKTREE)).await;
    let (task, dir) = (
        live.record.task_id.clone(),
        stand.boxes.dirs(&live.record.task_id).work.join("m"),
    );
    fs::create_dir(&dir).unwrap();
    let mount = |program: &str, args: &[&str]| {
        let status = std::process::Command::new(program)
            .args(args)
            .arg(&dir)
            .status();
        status.is_ok_and(|status| status.success())
    };
    if !mount("mount", &["-t", "tmpfs", "tmpfs"]) {
        eprintln!("SKIPPED, nothing was tested: only root may mount");
        return;
    }
    fs::write(dir.join("precious"), "x").unwrap();
    let refused = stand.boxes.remove_task(&task).await;
    let kept = dir.join("precious").exists();
    assert!(mount("umount", &[]));
    assert!(
        matches!(refused, Err(BoxError::Mounted { .. })),
        "{refused:?}"
    );
    assert!(kept);
    stand.boxes.remove_task(&task).await.unwrap();
}

#[tokio::test]
async fn the_doctor_names_what_is_there_and_how_to_get_the_rest() {
    let stand = Stand::new().await;
    let checks = stand.boxes.doctor().await;
    let check = |name: &str| checks.iter().find(|check| check.name == name).unwrap();
    assert!(check("git").ok && check("relay binary").ok, "{checks:?}");
    assert_eq!(check("agent programs").detail, "scripted 1.0.0");
    assert!(
        checks
            .iter()
            .all(|check| check.ok == check.remedy.is_none())
    );
}
