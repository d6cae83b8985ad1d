//! Journals as files: compressed when their task is over, found and mended when somebody changed them,
//! taken away as plain files.

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::time::{Duration, Instant};

use paddock_domain::{Body, Event, JournalForm, StateName, TaskId};
use paddock_kit::ServeOptions;

use super::world::World;

/// Longest time until a purged task's journal is archived.
const SETTLED_MAX: Duration = Duration::from_secs(30);

impl World {
    fn journal(&self, task: &TaskId) -> PathBuf {
        self.data()
            .join("tasks")
            .join(task.as_str())
            .join("journal.jsonl")
    }

    /// Runs `paddock` against the server.
    fn cli(&self, args: &[&str]) -> anyhow::Result<Output> {
        Ok(self.serve.cli()?.args(args).output()?)
    }

    /// Looks until the journal of `task` is compressed.
    async fn until_compressed(&self, task: &TaskId) -> anyhow::Result<()> {
        let deadline = Instant::now() + SETTLED_MAX;
        loop {
            let journals = self.serve.client().journals().await?;
            let found = journals.into_iter().find(|found| found.task_id == *task);
            if found.is_some_and(|found| found.form == JournalForm::Compressed) {
                return Ok(());
            }
            assert!(Instant::now() < deadline, "{task} is not compressed");
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test]
async fn a_purged_task_is_compressed_verified_and_exported_whole() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("write a.txt one\ncommit The first\nsay Well done.")
        .await?;
    task.until_turn_ends().await?;
    task.purge().await?;
    world.until_compressed(task.id()).await?;
    assert!(!world.journal(task.id()).exists());

    let verified = world.cli(&["journal", "verify", "--all", "--json"])?;
    assert!(verified.status.success(), "{}", text(&verified.stdout));
    assert!(text(&verified.stdout).contains("\"findings\":[]"));

    for output in ["out", "out.tar"] {
        let to = world.path(output);
        let to = to.to_string_lossy();
        let exported = world.cli(&["export", task.id().as_str(), "-o", &to])?;
        assert!(exported.status.success(), "{}", text(&exported.stderr));
    }
    let out = world.path("out").join(task.id().as_str());
    let journal = fs::read_to_string(out.join("journal.jsonl"))?;
    let events: Vec<Event> = journal
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    assert!((1..).zip(&events).all(|(seq, event)| event.seq == seq));
    let seen = task.task().await?.last_seq;
    assert_eq!(events.last().map(|event| event.seq), Some(seen));
    let transcript = fs::read_to_string(out.join("transcript.md"))?;
    assert!(transcript.contains("Well done."), "{transcript}");
    assert!(out.join("task.json").is_file());
    assert!(fs::metadata(world.path("out.tar"))?.len() > journal.len() as u64);
    let again = world.cli(&[
        "export",
        task.id().as_str(),
        "-o",
        &world.path("out").to_string_lossy(),
    ])?;
    assert_eq!(again.status.code(), Some(8), "nothing is written over");
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_stopped_task_is_compressed_and_goes_on_when_it_is_spoken_to() -> anyhow::Result<()> {
    let options = ServeOptions::default().env("PADDOCK_JOURNAL_COMPRESS_AFTER_H", "0");
    let world = World::with(options).await?;
    let mut task = world.begin("remember the sea").await?;
    task.until_turn_ends().await?;
    world.serve.client().stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    world.until_compressed(task.id()).await?;

    let world = world.restart()?;
    world.until_compressed(task.id()).await?;
    let mut task = paddock_kit::Watch::new(world.serve.client().clone(), task.id().clone());
    task.until_turn_ends().await?;
    let recall = paddock_domain::Message {
        input_id: None,
        text: "recall".to_owned(),
        attachments: Vec::new(),
    };
    world.serve.client().say(task.id(), &recall).await?;
    task.until_turn_ends().await?;
    assert!(
        task.said().contains("Remembered: the sea"),
        "{}",
        task.said()
    );
    assert!(world.journal(task.id()).exists(), "it is plain again");
    let check = world.serve.client().verify_journal(task.id()).await?;
    assert_eq!(check.findings, []);
    Ok(())
}

#[tokio::test]
async fn a_journal_changed_by_hand_is_told_mended_and_served_again() -> anyhow::Result<()> {
    let mut world = World::new().await?;
    let mut task = world.begin("say One.\nsay Two.\nsay Three.").await?;
    task.until_turn_ends().await?;
    world.serve.client().stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    world.serve.kill()?;
    let path = world.journal(task.id());
    let changed = fs::read_to_string(&path)?;
    let mut lines: Vec<&str> = changed.lines().collect();
    let gone = lines.remove(lines.len() / 2);
    let changed = lines.join("\n") + "\n";
    fs::write(&path, &changed)?;

    // Nobody serves: the program looks at the directory itself.
    let mut rest = world.serve.cli()?;
    let verified = rest
        .args(["journal", "verify", "--all", "--data"])
        .arg(world.data())
        .env_remove("PADDOCK_URL")
        .env_remove("PADDOCK_TOKEN")
        .output()?;
    assert_eq!(
        verified.status.code(),
        Some(1),
        "{}",
        text(&verified.stderr)
    );
    assert!(text(&verified.stdout).contains("lines are missing"));
    assert_eq!(
        fs::read_to_string(&path)?,
        changed,
        "looking changes nothing"
    );

    let world = world.restart()?;
    let client = world.serve.client();
    let failure = client.task(task.id()).await?.task.failure;
    let told = failure.map(|failure| failure.message).unwrap_or_default();
    assert!(told.contains("paddock journal repair"), "{told}");
    let repaired = world.cli(&["journal", "repair", task.id().as_str()])?;
    assert!(repaired.status.success(), "{}", text(&repaired.stderr));
    assert_eq!(client.verify_journal(task.id()).await?.findings, []);
    let kept = fs::read_to_string(path.with_file_name("journal.before-repair-1"))?;
    assert_eq!(kept, changed);
    assert!(!kept.contains(gone));

    client.revive(task.id()).await?;
    let mut watch = paddock_kit::Watch::new(client.clone(), task.id().clone());
    watch.until_state(StateName::Waiting).await?;
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_torn_end_is_cut_off_kept_and_told_in_the_conversation() -> anyhow::Result<()> {
    let mut world = World::new().await?;
    let mut task = world.begin("say One.").await?;
    task.until_turn_ends().await?;
    world.serve.kill()?;
    let path = world.journal(task.id());
    let whole = fs::read(&path)?;
    let torn = [whole.as_slice(), b"{\"event_id\":\"01"].concat();
    fs::write(&path, &torn)?;

    let world = world.restart()?;
    let mut watch = paddock_kit::Watch::new(world.serve.client().clone(), task.id().clone());
    let told = |event: &Event| {
        let Body::Notice { text, .. } = &event.body else {
            return None;
        };
        text.contains("journal.cut-1").then_some(event.seq)
    };
    watch.until("the notice of the cut", told).await?;
    let kept = fs::read(path.with_file_name("journal.cut-1"))?;
    assert_eq!(kept, b"{\"event_id\":\"01");
    assert!(fs::read(&path)?.starts_with(&whole));
    let check = world.serve.client().verify_journal(task.id()).await?;
    assert_eq!((check.findings.len(), check.kept.len()), (0, 1));
    Ok(())
}
