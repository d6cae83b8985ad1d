//! Sessions with the real programs: begun by hand in a plain home, as a user does without Paddock, then gone
//! on with by a task in a box. The program finds the conversation there and tells the model of it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;
use paddock_api::{AdoptRequest, SessionQuery};
use paddock_domain::{Body, HarnessName, Message, PastMessage, Speaker, StateName, TurnOutcome};
use paddock_kit::{Ask, Watch, programs};

use super::world::World;

/// What is said by hand, and nowhere else.
const BY_HAND: &str = "Remember the word heliotrope. [[fake:write file=by-hand.txt]]";
const SECRET: &str = "heliotrope";

/// The home of the user who works without Paddock.
fn home(world: &World) -> PathBuf {
    world.serve.data().join("user")
}

/// The installed program of `harness`, for this machine.
fn program(harness: &str, version: &str, name: &str) -> anyhow::Result<PathBuf> {
    let mut open = vec![programs::toolbox().join(harness).join(version)];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir)?.flatten() {
            let (kind, path) = (entry.file_type()?, entry.path());
            let runs = kind.is_file() && entry.metadata()?.permissions().mode() & 0o111 != 0;
            if runs && entry.file_name() == name && entry.metadata()?.len() > 10 << 20 {
                return Ok(path);
            }
            if kind.is_dir() {
                open.push(path);
            }
        }
    }
    anyhow::bail!("{harness} {version} is not installed: run `cargo xtask setup`")
}

/// Has Claude Code do `BY_HAND` in `dir`.
fn claude(world: &World, dir: &Path, version: &str) -> anyhow::Result<Command> {
    let mut claude = Command::new(program("claude", version, "claude")?);
    claude
        .args(["-p", "--permission-mode", "bypassPermissions", BY_HAND])
        .env("ANTHROPIC_BASE_URL", world.model.url())
        .env("ANTHROPIC_API_KEY", "scripted")
        .env("IS_SANDBOX", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("DISABLE_TELEMETRY", "1")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .current_dir(dir);
    Ok(claude)
}

/// Has Codex do `BY_HAND` in `dir`, with a configuration of the user's own.
fn codex(world: &World, dir: &Path, version: &str) -> anyhow::Result<Command> {
    let config = home(world).join(".codex");
    fs::create_dir_all(&config)?;
    let text = format!(
        "model = \"gpt-5.5\"\nmodel_provider = \"own\"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n[features]\nplugins = false\n[model_providers.own]\nname = \"Own\"\nbase_url = \"{}/v1\"\nenv_key = \"OWN_KEY\"\nwire_api = \"responses\"\n",
        world.model.url()
    );
    fs::write(config.join("config.toml"), text)?;
    let mut codex = Command::new(program("codex", version, "codex")?);
    codex
        .args([
            "exec",
            "--dangerously-bypass-approvals-and-sandbox",
            BY_HAND,
        ])
        .env("CODEX_HOME", config)
        .env("OWN_KEY", "scripted")
        .current_dir(dir);
    Ok(codex)
}

/// Runs a program by hand to its end.
fn by_hand(world: &World, mut program: Command) -> anyhow::Result<()> {
    fs::create_dir_all(home(world))?;
    let done = program
        .env("HOME", home(world))
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&done.stderr);
    anyhow::ensure!(done.status.success(), "{}: {said}", done.status);
    Ok(())
}

/// The requests to the model that have `words` in them.
fn heard(world: &World, words: &str) -> Vec<String> {
    let requests = world.model.requests();
    let bodies = requests.iter().map(|request| request.body.to_string());
    bodies.filter(|body| body.contains(words)).collect()
}

async fn hold(harness: &str, version: &str, kind: &str) -> anyhow::Result<()> {
    let world = World::new().await?;
    let dir = PathBuf::from(world.repository.text());
    let program = match harness {
        "claude" => claude(&world, &dir, version)?,
        _ => codex(&world, &dir, version)?,
    };
    by_hand(&world, program)?;
    fs::remove_file(dir.join("by-hand.txt")).context("it did nothing by hand")?;
    let query = SessionQuery {
        harness: Some(HarnessName::parse(harness)?),
        repository: Some(world.repository.text().to_owned()),
        ..SessionQuery::default()
    };
    let client = world.serve.client();
    let sessions = client.agent_sessions(&query).await?;
    let [session] = &sessions[..] else {
        panic!("not one session: {sessions:?}");
    };
    assert_eq!(session.title, BY_HAND);
    assert_eq!(session.directory.as_deref(), Some(world.repository.text()));

    let ask = Ask::harness(harness, "What was the word? [[fake:tool file=second.txt]]")
        .with("harness_version", version.into())
        .in_a(kind)
        .on(&world.repository);
    let request = AdoptRequest {
        session_id: session.session_id.clone(),
        task: ask.spec(),
    };
    let made = client.adopt_session(&request).await?;
    let mut task = Watch::new(client.clone(), made.task_id);
    assert_eq!(
        task.until_turn_ends().await?,
        TurnOutcome::Completed,
        "{:?}",
        task.seen()
    );
    let requests = heard(&world, "What was the word?");
    let whole = requests.iter().filter(|body| body.contains(SECRET)).count();
    assert!(
        whole > 0,
        "{harness} did not tell the model of the conversation"
    );
    let seen = task.task().await?;
    assert_eq!(seen.agent_session.as_ref(), Some(&session.session_id));
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Add second.txt"]
    );
    let said = task.seen().iter().find_map(|event| match &event.body {
        Body::SessionAdopted { messages, .. } => Some(messages.clone()),
        _ => None,
    });
    let said: Vec<PastMessage> = said.context("what was said before is not told")?;
    let first = said
        .first()
        .map(|message| (message.by, message.text.as_str()));
    assert_eq!(first, Some((Speaker::User, BY_HAND)));
    for by in [Speaker::Agent, Speaker::Tool] {
        assert!(said.iter().any(|message| message.by == by), "{said:?}");
    }
    let lost = task.types().contains(&"context_condensed");
    assert!(!lost, "it was told in words: {:?}", task.types());

    // What the box holds of the user's home is the session and nothing else of it.
    let box_home = world.serve.data().join("boxes").join(task.id().as_str());
    let found = Command::new("grep")
        .args(["-rlF", "OWN_KEY"])
        .arg(box_home.join("home"))
        .output()?;
    assert_eq!(String::from_utf8_lossy(&found.stdout), "");

    // It stays the task's own after a stop.
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    let message = Message {
        input_id: None,
        text: "And once more? [[fake:hello]]".to_owned(),
        attachments: Vec::new(),
    };
    client.say(task.id(), &message).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let requests = heard(&world, "And once more?");
    assert!(requests.iter().any(|body| body.contains(SECRET)));
    let seen = task.task().await?;
    assert_eq!(seen.agent_session.as_ref(), Some(&session.session_id));
    task.purge().await
}

#[tokio::test]
async fn real_claude_goes_on_with_a_session_by_hand_in_a_worktree() -> anyhow::Result<()> {
    hold("claude", "2.1.330", "worktree").await
}

#[tokio::test]
#[ignore = "needs an older release, which `cargo xtask agents` installs"]
async fn real_claude_of_before_goes_on_with_a_session_by_hand() -> anyhow::Result<()> {
    hold("claude", "2.1.197", "worktree").await
}

#[tokio::test]
async fn real_claude_goes_on_with_a_session_by_hand_in_a_container() -> anyhow::Result<()> {
    hold("claude", "2.1.330", "container").await
}

#[tokio::test]
async fn real_codex_goes_on_with_a_session_by_hand_in_a_worktree() -> anyhow::Result<()> {
    hold("codex", "0.169.0", "worktree").await
}

#[tokio::test]
async fn real_codex_goes_on_with_a_session_by_hand_in_a_container() -> anyhow::Result<()> {
    hold("codex", "0.169.0", "container").await
}
