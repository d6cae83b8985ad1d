//! Relays that die, stop, or speak another language: nobody guesses, nothing that an agent said is lost,
//! and no agent is ended that nobody asked to end.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use paddock_domain::{Body, Event, NoticeLevel, RunExit, StateName, TaskId, TurnOutcome};
use paddock_kit::{Watch, freeze, signal};

use super::world::World;

/// Where the relay of a task's box lives.
fn relay_dir(world: &World, task: &TaskId) -> PathBuf {
    world.data().join("boxes").join(task.as_str()).join("relay")
}

fn relay_pid(dir: &Path) -> anyhow::Result<u32> {
    Ok(fs::read_to_string(dir.join("lock"))?.trim().parse()?)
}

/// Living processes of a task's box, the relay's own among them.
fn processes_of(task: &TaskId) -> Vec<u32> {
    let mark = format!("PADDOCK_BOX={task}@");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &u32| {
        let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let lives = stat
            .rsplit_once(") ")
            .is_some_and(|(_, rest)| !rest.starts_with('Z'));
        let mut entries = environ.split(|byte| *byte == 0);
        lives && entries.any(|entry| entry.starts_with(mark.as_bytes()))
    })
    .collect()
}

fn lines_of(task: &Watch) -> Vec<String> {
    let said = task.said();
    said.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

fn run_exit(event: &Event) -> Option<RunExit> {
    if let Body::RunEnded { exit, .. } = &event.body {
        return Some(*exit);
    }
    None
}

fn spoken(event: &Event) -> Option<()> {
    event.body.type_name().eq("assistant_message").then_some(())
}

/// Lines in the log of the task's only run, as its relay keeps it.
fn logged(dir: &Path) -> anyhow::Result<String> {
    let mut runs = fs::read_dir(dir.join("runs"))?;
    let run = runs.next().transpose()?.map(|run| run.path());
    Ok(fs::read_to_string(
        run.unwrap_or_default().join("log.jsonl"),
    )?)
}

#[tokio::test]
async fn a_relay_that_dies_while_nobody_listens_leaves_its_last_words_and_no_process()
-> anyhow::Result<()> {
    let mut world = World::new().await?;
    let script = "say first\nbash setsid sleep 600 >/dev/null 2>&1 &\nsay 60 lines of 40 bytes at 200 per second\nbash sleep 600";
    let mut task = world.begin(script).await?;
    task.until("the first word", spoken).await?;
    let id = task.id().clone();
    let dir = relay_dir(&world, &id);
    world.serve.kill()?;
    // The agent goes on; what it says is in the relay's log and nowhere else.
    while logged(&dir)?.matches("\"type\\\":\\\"text\\\"").count() < 61 {
        tokio::task::yield_now().await;
    }
    signal(relay_pid(&dir)?, "-KILL")?;
    assert!(!processes_of(&id).is_empty(), "nothing was left to end");

    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id.clone());
    let exit = task.until("the end of the run", run_exit).await?;
    assert_eq!(exit, RunExit::Lost);
    task.until_state(StateName::Stopped).await?;
    assert_eq!(lines_of(&task).len(), 61, "{:?}", task.types());
    let seen = task.task().await?;
    assert_eq!(seen.last_outcome, Some(TurnOutcome::RunEnded));
    let left = processes_of(&id);
    assert!(left.is_empty(), "processes of the dead run go on: {left:?}");

    // It can be revived, and its box has its work.
    world.serve.client().revive(&id).await?;
    task.until_state(StateName::Waiting).await?;
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_relay_that_is_stopped_is_waited_for_and_its_run_goes_on() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("say 200 lines of 40 bytes at 100 per second\nsay done")
        .await?;
    task.until("some words", spoken).await?;
    let relay = relay_pid(&relay_dir(&world, task.id()))?;
    let server = world.serve.pid();
    freeze(relay).await?;
    // Longer than silence is borne: the connection is given up, the run is not.
    let gave_up = || {
        world
            .serve
            .log()
            .map(|log| log.contains("has fallen silent"))
    };
    while !gave_up()? {
        tokio::task::yield_now().await;
    }
    assert_eq!(task.task().await?.state, StateName::Running);
    signal(relay, "-CONT")?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(lines_of(&task).len(), 201);
    assert_eq!(world.serve.pid(), server);
    let runs = task
        .types()
        .iter()
        .filter(|name| **name == "run_started")
        .count();
    assert_eq!(runs, 1);
    Ok(())
}

/// Plays a relay of another build at the socket in `dir`: greets, and says no more.
fn play_foreign(dir: &Path, task: &TaskId) -> anyhow::Result<()> {
    let socket = UnixListener::bind(dir.join("socket"))?;
    let greeting =
        format!(r#"{{"versions":{{"min":900,"max":901}},"build":"9.9.9","box":"{task}"}}"#);
    std::thread::spawn(move || {
        for mut stream in socket.incoming().flatten() {
            let len = u32::try_from(greeting.len()).unwrap().to_be_bytes();
            let said = [b"PADDOCK\n", &len[..], greeting.as_bytes()].concat();
            let _ = stream.write_all(&said);
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
    Ok(())
}

/// What the journal says of a relay that nobody understands.
fn misunderstood(event: &Event) -> Option<String> {
    match &event.body {
        Body::Notice {
            level: NoticeLevel::Warning,
            text,
            ..
        } if text.contains("protocol") => Some(text.clone()),
        _ => None,
    }
}

#[tokio::test]
async fn an_agent_of_a_relay_of_another_build_works_on_and_the_task_says_what_to_do()
-> anyhow::Result<()> {
    let mut world = World::new().await?;
    let mut task = world
        .begin("say first\nsay 300 lines of 40 bytes at 100 per second\nsay done")
        .await?;
    task.until("the first word", spoken).await?;
    let id = task.id().clone();
    let dir = relay_dir(&world, &id);
    let relay = relay_pid(&dir)?;
    world.serve.kill()?;
    fs::rename(dir.join("socket"), dir.join("socket.kept"))?;
    play_foreign(&dir, &id)?;

    // As after an update of Paddock that has forgotten the old protocol.
    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id.clone());
    let said = task.until("a word about the relay", misunderstood).await?;
    for part in ["900", "901", "1 to 2", "9.9.9", "stop the task"] {
        assert!(said.contains(part), "{said}");
    }
    let state = task.task().await?.state;
    assert_eq!(state, StateName::Running, "{}", task.story("running"));
    assert_eq!(relay_pid(&dir)?, relay);
    assert!(processes_of(&id).contains(&relay), "the relay was ended");

    // As after going back to the Paddock that started it.
    fs::rename(dir.join("socket.kept"), dir.join("socket"))?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(lines_of(&task).len(), 302);
    assert_eq!(relay_pid(&dir)?, relay);
    Ok(())
}

#[tokio::test]
async fn a_task_whose_relay_nobody_understands_can_be_stopped_and_revived() -> anyhow::Result<()> {
    let mut world = World::new().await?;
    let mut task = world
        .begin("write kept.txt kept\nsay first\nbash sleep 600")
        .await?;
    task.until("the first word", spoken).await?;
    let id = task.id().clone();
    let dir = relay_dir(&world, &id);
    world.serve.kill()?;
    fs::remove_file(dir.join("socket"))?;
    play_foreign(&dir, &id)?;
    let world = world.restart()?;
    let mut task = Watch::new(world.serve.client().clone(), id.clone());
    task.until("a word about the relay", misunderstood).await?;

    let client = world.serve.client();
    client.stop(&id).await?;
    task.until_state(StateName::Stopped).await?;
    let left = processes_of(&id);
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(lines_of(&task), ["first"]);
    let message = paddock_domain::Message {
        input_id: None,
        text: "read kept.txt".to_owned(),
        attachments: Vec::new(),
    };
    client.say(&id, &message).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let read = task.seen().iter().any(|event| {
        matches!(&event.body, Body::ToolCallFinished(call) if call.output.as_deref().is_some_and(|output| output.contains("kept")))
    });
    assert!(read, "{:?}", task.types());
    Ok(())
}

#[tokio::test]
async fn a_purged_task_leaves_no_process_whatever_its_agent_started() -> anyhow::Result<()> {
    let world = World::new().await?;
    let script = "bash (setsid sh -c 'trap \"\" TERM HUP INT; sleep 600' >/dev/null 2>&1 &)\nbash setsid sleep 600 >/dev/null 2>&1 &\nsay up\nbash sleep 600";
    let mut task = world.begin(script).await?;
    task.until("the agent's word", spoken).await?;
    let id = task.id().clone();
    assert!(processes_of(&id).len() >= 4, "{:?}", processes_of(&id));
    task.purge().await?;
    let left = processes_of(&id);
    assert!(left.is_empty(), "{left:?}");
    assert!(!world.data().join("boxes").join(id.as_str()).exists());
    Ok(())
}
