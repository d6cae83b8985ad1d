//! A disk that fills up under a server at work: what was acknowledged stays, new work is refused in plain
//! words, and everything goes on by itself when there is room.
//!
//! The data directory is a small file system of its own; where none can be mounted the test says so.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use paddock_api::ErrorCode;
use paddock_domain::{DiskState, Event, StateName, TurnOutcome};
use paddock_kit::{Ask, Repository, Serve, ServeOptions, Watch};

/// An agent from which nothing came for so long is held up: it has 20 things to say a second.
const SILENT: Duration = Duration::from_secs(3);

/// A file system in memory; gone when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path, mib: u32) -> Option<Self> {
        std::fs::create_dir_all(at).ok()?;
        let size = format!("size={mib}m");
        let mut mount = Command::new("mount");
        let mounted = mount
            .args(["-t", "tmpfs", "-o", &size, "none"])
            .arg(at)
            .output();
        match mounted {
            Ok(out) if out.status.success() => Some(Self(at.to_owned())),
            refused => {
                eprintln!("not tested, no small file system can be mounted here: {refused:?}");
                None
            }
        }
    }

    /// Takes all the room there is.
    fn fill(&self) {
        let full = std::fs::write(self.ballast(), vec![b'x'; 64 << 20]);
        assert!(full.is_err(), "the disk takes more than it has");
    }

    fn free(&self) {
        std::fs::remove_file(self.ballast()).unwrap();
    }

    fn ballast(&self) -> PathBuf {
        self.0.join("ballast")
    }
}

/// A data directory on the disk whose server logs elsewhere: what it says is wanted most when there is no
/// room.
fn data_on(disk: &SmallDisk, elsewhere: &Path) -> anyhow::Result<PathBuf> {
    let data = disk.0.join("data");
    std::fs::create_dir(&data)?;
    std::os::unix::fs::symlink(elsewhere.join("serve.log"), data.join("serve.log"))?;
    Ok(data)
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: who still has a file open there ends later.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Asks until the disk is in `state`; the server finds out by itself.
async fn until_disk(serve: &Serve, state: DiskState) -> anyhow::Result<()> {
    let asked = async {
        while serve.client().health().await?.disk.state != state {
            tokio::task::yield_now().await;
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(Duration::from_secs(30), asked).await?
}

#[tokio::test]
async fn a_full_disk_loses_nothing_and_all_goes_on_by_itself() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let Some(disk) = SmallDisk::mount(&dir.path().join("disk"), 24) else {
        return Ok(());
    };
    let repository = Repository::sample(&dir.path().join("repository"))?;
    let options = ServeOptions::default().env("PADDOCK_LIMITS_DISK_LOW_MIB", "1");
    let serve = Serve::start(&data_on(&disk, dir.path())?, options).await?;
    let ask = |script: &str| Ask::scripted(script).on(&repository);
    let mut resting = serve.task(&ask("say I rest.")).await?;
    resting.until_turn_ends().await?;
    // One that speaks on while there is no room: 20 lines a second.
    let mut talking = serve
        .task(&ask("say 120 lines of 60 bytes at 20 per second"))
        .await?;
    talking.until_state(StateName::Running).await?;
    let before: Vec<Event> = talking.seen().to_vec();

    disk.fill();
    let refused = serve
        .client()
        .create(&ask("say no").spec())
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::DiskFull), "{refused}");
    assert!(refused.to_string().contains("Make room"), "{refused}");
    let message = paddock_domain::Message {
        input_id: Some(paddock_domain::InputId::parse("m1")?),
        // Longer than what is left of the journal's last page; the agent makes nothing of the second line.
        text: format!("say Again.\n{}", "x".repeat(64 << 10)),
        attachments: Vec::new(),
    };
    let refused = serve
        .client()
        .say(resting.id(), &message)
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::DiskFull), "{refused}");
    until_disk(&serve, DiskState::Full).await?;
    assert!(serve.client().health().await?.disk.message.is_some());
    // The log of its run has no room either: the agent is held up, and nothing that it says is lost.
    let since = talking.seen().len() as u64;
    let mut feed = serve.client().events(talking.id(), since);
    while tokio::time::timeout(SILENT, feed.next()).await.is_ok() {}
    // Reading goes on.
    assert_eq!(
        serve.client().task(resting.id()).await?.state,
        StateName::Waiting
    );

    disk.free();
    until_disk(&serve, DiskState::Ok).await?;
    assert_eq!(talking.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(&talking.seen()[..before.len()], &before[..]);
    let spoken = talking
        .types()
        .iter()
        .filter(|name| **name == "assistant_message")
        .count();
    assert_eq!(spoken, 120, "lines were lost or doubled");
    // The same message again, as a client does that was refused.
    serve.client().say(resting.id(), &message).await?;
    resting.until_turn_ends().await?;
    assert_eq!(resting.said(), "I rest.\nAgain.");
    let mut fresh = serve.task(&ask("say New work.")).await?;
    assert_eq!(fresh.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(
        serve
            .client()
            .tasks(&paddock_api::TaskQuery::default())
            .await?
            .items
            .len(),
        3
    );
    Ok(())
}

#[tokio::test]
async fn a_server_that_starts_on_a_full_disk_serves_what_there_is() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let Some(disk) = SmallDisk::mount(&dir.path().join("disk"), 24) else {
        return Ok(());
    };
    let repository = Repository::sample(&dir.path().join("repository"))?;
    let options = ServeOptions::default().env("PADDOCK_LIMITS_DISK_LOW_MIB", "1");
    let serve = Serve::start(&data_on(&disk, dir.path())?, options).await?;
    let ask = |script: &str| Ask::scripted(script).on(&repository);
    let mut task = serve.task(&ask("say One.")).await?;
    task.until_turn_ends().await?;
    disk.fill();
    let serve = serve.kill_and_restart()?;
    let mut again = Watch::new(serve.client().clone(), task.id().clone());
    let seen = task.seen().len();
    let mut count = 0;
    again
        .until("all that was there", |_| {
            count += 1;
            (count == seen).then_some(())
        })
        .await?;
    assert_eq!(again.seen(), task.seen());
    disk.free();
    until_disk(&serve, DiskState::Ok).await?;
    let mut fresh = serve.task(&ask("say Two.")).await?;
    assert_eq!(fresh.until_turn_ends().await?, TurnOutcome::Completed);
    Ok(())
}

#[tokio::test]
async fn a_disk_with_little_room_takes_no_new_work_and_lets_agents_go_on() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let Some(disk) = SmallDisk::mount(&dir.path().join("disk"), 32) else {
        return Ok(());
    };
    let repository = Repository::sample(&dir.path().join("repository"))?;
    let options = ServeOptions::default().env("PADDOCK_LIMITS_DISK_LOW_MIB", "16");
    let serve = Serve::start(&data_on(&disk, dir.path())?, options).await?;
    let ask = |script: &str| Ask::scripted(script).on(&repository);
    let mut task = serve.task(&ask("say One.")).await?;
    task.until_turn_ends().await?;
    std::fs::write(disk.ballast(), vec![b'x'; 20 << 20])?;
    until_disk(&serve, DiskState::Low).await?;
    let refused = serve
        .client()
        .create(&ask("say no").spec())
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::DiskFull), "{refused}");
    let message = paddock_domain::Message {
        input_id: None,
        text: "say Two.".to_owned(),
        attachments: Vec::new(),
    };
    serve.client().say(task.id(), &message).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    disk.free();
    until_disk(&serve, DiskState::Ok).await?;
    let mut fresh = serve.task(&ask("say Three.")).await?;
    assert_eq!(fresh.until_turn_ends().await?, TurnOutcome::Completed);
    Ok(())
}
