//! Sessions that a user had with an agent outside Paddock: listed, gone on with by a task, told in its
//! journal; and the other sessions of a task's own agent.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use paddock_api::{AdoptRequest, ErrorCode, SessionQuery};
use paddock_client::ClientError;
use paddock_domain::{
    Body, Contender, Event, HandOffRequest, HarnessName, Message, PastMessage, PastSession,
    RequestKey, Speaker, StateName, Task, TaskSpec, TurnOutcome,
};
use paddock_kit::{Ask, Watch, programs};
use serde_json::json;

use super::world::World;

/// What the agent by hand is told.
const BY_HAND: &str = "say I noted the colour.\nremember the colour is blue";

/// The home whose sessions the server of `world` lists.
fn home(world: &World) -> PathBuf {
    world.data().join("user")
}

/// Talks to the agent program as a user does without Paddock, in `dir`.
fn by_hand(world: &World, dir: &Path, prompt: &str) -> anyhow::Result<()> {
    fs::create_dir_all(home(world))?;
    let mut agent = Command::new(programs::scripted_agent()?)
        .env("HOME", home(world))
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    let line = json!({"type": "prompt", "id": "1", "text": prompt});
    let mut stdin = agent.stdin.take().unwrap();
    writeln!(stdin, "{line}")?;
    drop(stdin);
    assert!(agent.wait()?.success());
    Ok(())
}

async fn listed(world: &World, query: SessionQuery) -> anyhow::Result<Vec<PastSession>> {
    Ok(world.serve.client().agent_sessions(&query).await?)
}

/// The one session that the user has had.
async fn the_one(world: &World) -> anyhow::Result<PastSession> {
    let mut all = listed(world, SessionQuery::default()).await?;
    assert_eq!(all.len(), 1, "{all:?}");
    Ok(all.remove(0))
}

fn spec(world: &World, script: &str) -> TaskSpec {
    Ask::scripted(script).on(&world.repository).spec()
}

async fn adopt(world: &World, session: &str, task: TaskSpec) -> Result<Task, ClientError> {
    let request = AdoptRequest {
        session_id: session.to_owned(),
        task,
    };
    world.serve.client().adopt_session(&request).await
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> ErrorCode {
    answer.unwrap_err().code().unwrap()
}

fn message(text: &str) -> Message {
    Message {
        input_id: None,
        text: text.to_owned(),
        attachments: Vec::new(),
    }
}

/// What the journal tells of before the task.
fn told(task: &Watch) -> Vec<(Vec<PastMessage>, String)> {
    let told = task.seen().iter().filter_map(|event| match &event.body {
        Body::SessionAdopted {
            messages,
            session_id,
            left_out: 0,
            ..
        } => Some((messages.clone(), session_id.clone())),
        _ => None,
    });
    told.collect()
}

#[tokio::test]
async fn a_session_by_hand_is_listed_and_a_task_goes_on_with_it() -> anyhow::Result<()> {
    let world = World::new().await?;
    let repository = PathBuf::from(world.repository.text());
    by_hand(&world, &repository, BY_HAND)?;
    let session = the_one(&world).await?;
    assert_eq!(session.harness.as_str(), "scripted");
    assert_eq!(session.directory.as_deref(), repository.to_str());
    assert_eq!(session.title, "say I noted the colour.");
    assert_eq!((session.prompts, &session.task_id), (Some(1), &None));
    let file = home(&world)
        .join(".scripted/sessions")
        .join(format!("{}.json", session.session_id));
    let before = fs::read(&file)?;

    let task = spec(&world, "recall\nbash pwd");
    let made = adopt(&world, &session.session_id, task).await?;
    let mut task = Watch::new(world.serve.client().clone(), made.task_id);
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let remembers = "Remembered: the colour is blue";
    assert!(task.said().contains(remembers), "{}", task.said());
    let seen = task.task().await?;
    assert_eq!(seen.agent_session.as_ref(), Some(&session.session_id));
    assert_eq!(seen.turns, 1);
    let [(messages, id)] = &told(&task)[..] else {
        panic!("told {:?}", task.types());
    };
    assert_eq!(*id, session.session_id);
    let words: Vec<_> = messages.iter().map(|m| (m.by, m.text.as_str())).collect();
    assert_eq!(
        words,
        [
            (Speaker::User, BY_HAND),
            (Speaker::Agent, "I noted the colour.")
        ]
    );
    assert_eq!(
        fs::read(&file)?,
        before,
        "the user's own session was touched"
    );
    assert_eq!(the_one(&world).await?.task_id.as_ref(), Some(task.id()));

    // Its name is its own for every later run.
    let client = world.serve.client();
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    client
        .say(task.id(), &message("remember it is late"))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let world = world.restart()?;
    let client = world.serve.client();
    let mut task = Watch::new(client.clone(), task.id().clone());
    task.until_turn_ends().await?;
    task.until_turn_ends().await?;
    client.say(task.id(), &message("recall")).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let remembers = "Remembered: the colour is blue; it is late";
    assert!(task.said().contains(remembers), "{}", task.said());
    let seen = task.task().await?;
    assert_eq!(seen.agent_session.as_ref(), Some(&session.session_id));
    assert_eq!(told(&task).len(), 1);
    assert!(client.verify_journal(task.id()).await?.findings.is_empty());
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn sessions_are_found_by_where_they_worked_and_by_words() -> anyhow::Result<()> {
    let world = World::new().await?;
    let repository = PathBuf::from(world.repository.text());
    let elsewhere = world.path("elsewhere");
    fs::create_dir(&elsewhere)?;
    by_hand(&world, &repository, BY_HAND)?;
    by_hand(&world, &elsewhere, "say Over here.")?;
    let titles = async |query| -> anyhow::Result<Vec<String>> {
        let found = listed(&world, query).await?;
        Ok(found.into_iter().map(|session| session.title).collect())
    };
    let in_repository = SessionQuery {
        repository: Some(world.repository.text().to_owned()),
        ..SessionQuery::default()
    };
    assert_eq!(titles(in_repository).await?, ["say I noted the colour."]);
    let with_words = SessionQuery {
        words: Some("OVER".to_owned()),
        ..SessionQuery::default()
    };
    assert_eq!(titles(with_words).await?, ["say Over here."]);
    let one = SessionQuery {
        limit: Some(1),
        ..SessionQuery::default()
    };
    assert_eq!(titles(one).await?.len(), 1);
    let of_another = SessionQuery {
        harness: Some(HarnessName::parse("claude")?),
        ..SessionQuery::default()
    };
    assert!(titles(of_another).await?.is_empty());
    let unreadable = SessionQuery {
        harness: Some(HarnessName::parse("opencode")?),
        ..SessionQuery::default()
    };
    let refused = world.serve.client().agent_sessions(&unreadable).await;
    assert_eq!(refusal(refused), ErrorCode::Invalid);
    Ok(())
}

#[tokio::test]
async fn a_key_adopts_once_and_what_is_no_session_is_refused() -> anyhow::Result<()> {
    let world = World::new().await?;
    let repository = PathBuf::from(world.repository.text());
    by_hand(&world, &repository, BY_HAND)?;
    let session = the_one(&world).await?.session_id;
    let keyed = TaskSpec {
        request_key: Some(RequestKey::parse("once")?),
        ..spec(&world, "recall")
    };
    let first = adopt(&world, &session, keyed.clone()).await?;
    let again = adopt(&world, &session, keyed.clone()).await?;
    assert_eq!(first.task_id, again.task_id);
    let other = adopt(&world, "s-0000000000000000", keyed).await;
    assert_eq!(refusal(other), ErrorCode::Conflict);

    let secret = home(&world).join(".scripted/secret-file.json");
    fs::write(&secret, "{}")?;
    for bad in [
        "s-0000000000000000",
        "../secret-file",
        "../../../etc/passwd",
        "*",
        "",
    ] {
        let refused = adopt(&world, bad, spec(&world, "recall")).await;
        assert_eq!(refusal(refused), ErrorCode::NotFound, "{bad}");
    }
    let empty = adopt(&world, &session, spec(&world, " ")).await;
    assert_eq!(refusal(empty), ErrorCode::Invalid);
    let mut forged = spec(&world, "recall");
    forged.origin = first.spec.origin.clone();
    let refused = adopt(&world, &session, forged).await;
    assert_eq!(refusal(refused), ErrorCode::Invalid);
    let opencode = Ask::harness("opencode", "x").in_a("worktree");
    let refused = adopt(&world, &session, opencode.spec()).await;
    assert_eq!(refusal(refused), ErrorCode::Invalid);
    let tasks = world
        .serve
        .client()
        .tasks(&paddock_api::TaskQuery::default())
        .await?;
    assert_eq!(tasks.items.len(), 1, "a refused request made a task");
    Ok(())
}

#[tokio::test]
async fn a_task_goes_back_to_an_earlier_session_of_its_own() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let mut task = world.begin(BY_HAND).await?;
    task.until_turn_ends().await?;
    let first = task.task().await?.agent_session.unwrap();
    let to = Contender {
        harness: HarnessName::parse("scripted")?,
        harness_version: None,
        model: Some("scripted-2".to_owned()),
        effort: None,
    };
    client
        .hand_off(task.id(), &HandOffRequest { to, reason: None })
        .await?;
    client.say(task.id(), &message("recall")).await?;
    // So short a turn may be over before the task is said to be at work.
    let ended = |event: &Event| matches!(event.body, Body::TurnFinished { .. }).then_some(());
    task.until("the end of the turn", ended).await?;
    assert!(!task.said().contains("blue"), "{}", task.said());
    let second = task.task().await?.agent_session.unwrap();
    assert_ne!(first, second);

    let busy = client.revive_with(task.id(), &first).await;
    assert_eq!(refusal(busy), ErrorCode::NotNow);
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    let sessions = client.task_sessions(task.id()).await?;
    let ids: Vec<_> = sessions.iter().map(|one| one.session_id.as_str()).collect();
    assert_eq!(ids.len(), 2, "{sessions:?}");
    assert!(ids.contains(&first.as_str()) && ids.contains(&second.as_str()));
    let current = sessions.iter().find(|one| one.task_id.is_some()).unwrap();
    assert_eq!(current.session_id, second);
    let unknown = client.revive_with(task.id(), "s-0000000000000000").await;
    assert_eq!(refusal(unknown), ErrorCode::NotFound);

    client.revive_with(task.id(), &first).await?;
    task.until_state(StateName::Waiting).await?;
    client.say(task.id(), &message("recall")).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let remembers = "Remembered: the colour is blue";
    assert!(task.said().contains(remembers), "{}", task.said());
    assert_eq!(task.task().await?.agent_session.as_ref(), Some(&first));
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn the_command_line_lists_sessions_and_runs_a_task_with_one() -> anyhow::Result<()> {
    let world = World::new().await?;
    let repository = PathBuf::from(world.repository.text());
    by_hand(&world, &repository, BY_HAND)?;
    let session = the_one(&world).await?.session_id;
    let cli = |args: &[&str]| -> anyhow::Result<String> {
        let done = world
            .serve
            .cli()?
            .args(args)
            .current_dir(&repository)
            .output()?;
        let said = String::from_utf8_lossy(&done.stderr);
        anyhow::ensure!(done.status.success(), "{args:?}: {said}");
        Ok(String::from_utf8(done.stdout)?)
    };
    let table = cli(&["sessions"])?;
    let end = session.get(session.len() - 12..).unwrap();
    let name = format!("scripted:{end}");
    assert!(table.contains(&name), "{table}");
    let ran = cli(&["run", "--box", "worktree", "--adopt", &name, "recall"])?;
    assert!(ran.contains("Remembered: the colour is blue"), "{ran}");
    assert!(ran.contains("I noted the colour."), "{ran}");
    let table = cli(&["sessions", "ls", "--json"])?;
    let one: Vec<PastSession> = serde_json::from_str(&table)?;
    assert!(one[0].task_id.is_some(), "{table}");
    for bad in ["scripted", "scripted:", "scripted:nobody", "opencode:x"] {
        assert!(cli(&["run", "--adopt", bad, "recall"]).is_err(), "{bad}");
    }
    world.hold_untouched();
    Ok(())
}
