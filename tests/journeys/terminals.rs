//! Terminals in a box: they go on without the server, end with what they belong to, and are nobody's who has
//! no right to them.

use anyhow::Context as _;
use paddock_api::{ErrorCode, TerminalSay, TerminalTell};
use paddock_client::{Client, ClientError, Server, TerminalItem};
use paddock_domain::{
    Body, RunExit, StateName, Terminal, TerminalKind, TerminalName, TerminalRequest, TerminalSize,
};
use paddock_kit::{ServeOptions, TerminalLook, Watch, signal};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::links::relay_of;
use super::world::World;

async fn open(world: &World, task: &Watch, what: TerminalKind) -> Result<Terminal, ClientError> {
    let request = TerminalRequest {
        what,
        ..TerminalRequest::default()
    };
    world
        .serve
        .client()
        .open_terminal(task.id(), &request)
        .await
}

async fn at_rest(world: &World) -> anyhow::Result<Watch> {
    let mut task = world.begin("say Ready.").await?;
    task.until_turn_ends().await?;
    Ok(task)
}

fn code(refused: Result<impl Sized, ClientError>) -> Option<ErrorCode> {
    refused.err().and_then(|error| error.code())
}

/// Whether a process is there whose command line has `words`.
fn runs(words: &str) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut lines =
        processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| {
        String::from_utf8_lossy(&line)
            .replace('\0', " ")
            .contains(words)
    })
}

#[tokio::test]
async fn a_shell_outlives_a_killed_server_and_comes_back_with_its_screen() -> anyhow::Result<()> {
    let key = ServeOptions::default().env("SCRIPTED_RECORD", "~/record.jsonl");
    let world = World::with(key).await?;
    let task = at_rest(&world).await?;
    let shell = open(&world, &task, TerminalKind::Shell).await?;
    assert_eq!(shell.name.as_str(), "shell-1");
    let mut look = TerminalLook::at(world.serve.client(), task.id(), &shell.name).await?;
    let size = TerminalSize {
        rows: 30,
        cols: 100,
    };
    look.resize(size).await?;
    look.type_in("PS1='> '; stty size; kept=still-here; pwd; echo first-li''ne\n")
        .await?;
    look.until("first-line").await?;
    look.until("30 100").await?;
    assert!(look.sizes().contains(&size));
    // It works where the agent does, and has no key of a provider, though the agent has one.
    look.type_in("echo keys=$(env | grep -c SCRIPTED_RECORD); ls $HOME; echo asked-th''at\n")
        .await?;
    look.until("asked-that").await?;
    for part in ["repository", "keys=0", "record.jsonl"] {
        assert!(look.seen().contains(part), "{part}: {}", look.seen());
    }

    let world = world.restart()?;
    let client = world.serve.client();
    let listed = client.terminals(task.id()).await?;
    assert_eq!((listed.items.len(), listed.items[0].exit), (1, None));
    assert!(
        listed.agent
            && listed
                .folder
                .is_some_and(|folder| folder.ends_with("repository"))
    );
    let mut look = TerminalLook::at(client, task.id(), &shell.name).await?;
    look.until("first-line").await?;
    assert_eq!(look.sizes().last(), Some(&size));
    // Another looks on, and both see what one types.
    let mut other = TerminalLook::at(client, task.id(), &shell.name).await?;
    look.type_in("echo $kept-and-go''es-on\n").await?;
    look.until("still-here-and-goes-on").await?;
    other.until("still-here-and-goes-on").await?;

    let second = open(&world, &task, TerminalKind::Shell).await?;
    assert_eq!(second.name.as_str(), "shell-2");
    look.type_in("exit 3\n").await?;
    assert_eq!(look.ending().await?, RunExit::Code { code: 3 });
    assert_eq!(other.ending().await?, RunExit::Code { code: 3 });
    let listed = client.terminals(task.id()).await?.items;
    assert_eq!(listed[0].exit, Some(RunExit::Code { code: 3 }));
    for terminal in &listed {
        client.close_terminal(task.id(), &terminal.name).await?;
    }
    assert_eq!(client.terminals(task.id()).await?.items, []);
    let gone = client.close_terminal(task.id(), &shell.name).await;
    assert_eq!(code(gone), Some(ErrorCode::NotFound));
    Ok(())
}

#[tokio::test]
async fn a_purge_leaves_no_process_of_a_terminal() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = at_rest(&world).await?;
    let shell = open(&world, &task, TerminalKind::Shell).await?;
    let mut look = TerminalLook::at(world.serve.client(), task.id(), &shell.name).await?;
    let mark = format!("86{}", world.serve.pid());
    // What is looked for says itself that it has begun.
    let script = format!("trap \"\" HUP; echo beg\"\"un; sleep {mark}; :");
    look.type_in(&format!("setsid sh -c '{script}' &\n"))
        .await?;
    look.until("begun").await?;
    assert!(runs(&format!("sleep {mark}")), "it does not run");
    task.purge().await?;
    assert!(!runs(&format!("sleep {mark}")), "a process is left");
    // What was to be seen has gone with its box: that is said, and nothing hangs.
    let ended = tokio::time::timeout(std::time::Duration::from_secs(20), look.ending());
    let ended = ended.await.context("it hangs")?;
    assert!(!matches!(ended, Ok(RunExit::Code { code: 0 })), "{ended:?}");
    let listed = world.serve.client().terminals(task.id()).await?;
    assert_eq!(listed.items, []);
    assert_eq!(
        code(open(&world, &task, TerminalKind::Shell).await),
        Some(ErrorCode::Conflict)
    );
    Ok(())
}

#[tokio::test]
async fn a_terminal_whose_relay_was_killed_is_said_to_be_over() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = at_rest(&world).await?;
    let client = world.serve.client();
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    let shell = open(&world, &task, TerminalKind::Shell).await?;
    let mut look = TerminalLook::at(client, task.id(), &shell.name).await?;
    signal(relay_of(&world, task.id())?, "-KILL")?;
    let lost = look.ending().await.expect_err("nobody saw how it ended");
    assert!(
        lost.to_string().contains("ended with the task's box"),
        "{lost}"
    );
    Ok(())
}

#[tokio::test]
async fn the_agents_own_program_has_the_session_while_no_run_has_it() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = at_rest(&world).await?;
    let refused = open(&world, &task, TerminalKind::Agent).await;
    assert_eq!(code(refused), Some(ErrorCode::Conflict));
    let client = world.serve.client();
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    let session = task.task().await?.agent_session.context("no session")?;
    let agent = open(&world, &task, TerminalKind::Agent).await?;
    assert_eq!(
        (agent.name.as_str(), agent.what),
        ("agent-1", TerminalKind::Agent)
    );
    let mut look = TerminalLook::at(client, task.id(), &agent.name).await?;
    look.until(&format!("scripted terminal, session {session}"))
        .await?;
    look.type_in("good day\n").await?;
    look.until("you said good day").await?;
    let told = |words: &'static str| {
        move |event: &paddock_domain::Event| match &event.body {
            Body::Notice { text, .. } if text.contains(words) => Some(text.clone()),
            _ => None,
        }
    };
    let text = task
        .until("the terminal", told("was started on the terminal agent-1"))
        .await?;
    assert!(text.contains(&session), "{text}");

    client.revive(task.id()).await?;
    task.until(
        "the terminal",
        told("was ended: the task goes on with its session"),
    )
    .await?;
    look.ending().await?;
    task.until_state(StateName::Waiting).await?;
    // What was typed there is in no journal.
    let journal = world
        .data()
        .join("tasks")
        .join(task.id().as_str())
        .join("journal.jsonl");
    assert!(!std::fs::read_to_string(journal)?.contains("good day"));
    Ok(())
}

#[tokio::test]
async fn the_command_line_pipes_lists_and_closes() -> anyhow::Result<()> {
    let world = World::new().await?;
    let task = at_rest(&world).await?;
    let id = task.id().as_str().to_owned();
    let mut paddock = world.serve.cli()?;
    paddock.args(["terminal", &id, "--name", "build"]);
    paddock.stdin(std::process::Stdio::piped());
    paddock.stdout(std::process::Stdio::piped());
    let mut paddock = paddock.spawn()?;
    let mut stdin = paddock.stdin.take().context("no stdin")?;
    std::io::Write::write_all(&mut stdin, b"echo pi''ped; exit 0\n")?;
    drop(stdin);
    let done = tokio::task::spawn_blocking(move || paddock.wait_with_output()).await??;
    let shown = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && shown.contains("piped"), "{shown}");
    let listed = world
        .serve
        .cli()?
        .args(["terminal", "ls", &id, "--json"])
        .output()?;
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout)?;
    assert_eq!(listed["items"][0]["name"], "build");
    assert_eq!(listed["items"][0]["exit"]["code"], 0);
    let closed = world
        .serve
        .cli()?
        .args(["terminal", "close", &id, "build"])
        .output()?;
    assert!(closed.status.success());
    assert_eq!(world.serve.client().terminals(task.id()).await?.items, []);
    Ok(())
}

/// The first line of the answer to a WebSocket's handshake with these headers.
async fn handshake(world: &World, headers: &str) -> anyhow::Result<(String, TcpStream)> {
    let host = world.serve.url().trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await?;
    let request = format!(
        "GET /api/paddock/v1/terminals HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        anyhow::ensure!(stream.read_buf(&mut answer).await? > 0, "no answer");
    }
    let line = String::from_utf8_lossy(&answer)
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    Ok((line, stream))
}

#[tokio::test]
async fn a_socket_opens_for_nobody_who_may_not_and_closes_on_whoever_breaks_its_rules()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let task = at_rest(&world).await?;
    let shell = open(&world, &task, TerminalKind::Shell).await?;
    let bearer = format!("Authorization: Bearer {}\r\n", world.serve.token());
    for (headers, status) in [
        (String::new(), "401"),
        ("Authorization: Bearer wrong\r\n".to_owned(), "401"),
        ("Cookie: paddock=wrong\r\n".to_owned(), "401"),
        (format!("{bearer}Origin: http://evil.example\r\n"), "403"),
        (format!("{bearer}Origin: http://127.0.0.1:1\r\n"), "403"),
        (format!("{bearer}Sec-Fetch-Site: cross-site\r\n"), "403"),
        (bearer.clone(), "101"),
    ] {
        let (line, _) = handshake(&world, &headers).await?;
        assert!(line.contains(status), "{headers:?}: {line}");
    }
    // A frame that claims a terabyte, one of no known kind, text that is none, JSON that is none of ours.
    let huge = [&[0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0][..], &[1, 2, 3, 4]].concat();
    let unknown = vec![0x8f, 0x80, 0, 0, 0, 0];
    let no_text = vec![0x81, 0x81, 0, 0, 0, 0, 0xff];
    let no_words = vec![0x81, 0x82, 0, 0, 0, 0, b'{', b'}'];
    let no_channel = vec![0x82, 0x80, 0, 0, 0, 0];
    for hostile in [huge, unknown, no_text, no_words, no_channel] {
        let (_, mut stream) = handshake(&world, &bearer).await?;
        stream.write_all(&hostile).await?;
        let mut rest = Vec::new();
        let read = tokio::time::timeout(
            std::time::Duration::from_secs(60),
            stream.read_to_end(&mut rest),
        );
        // Closed, or reset: it is over.
        let _ = read
            .await
            .with_context(|| format!("{hostile:?} is taken"))?;
    }

    let client = world.serve.client();
    let (mut ears, mut mouth) = client.terminal_socket().await?;
    let mut channel = 0;
    for (task, name) in [
        (task.id().clone(), TerminalName::parse("none")?),
        (paddock_domain::TaskId::parse("nobody")?, shell.name.clone()),
    ] {
        channel += 1;
        let terminal = name;
        mouth
            .say(&TerminalSay::Open {
                channel,
                task,
                terminal,
            })
            .await?;
        let Some(TerminalItem::Told(TerminalTell::Error { channel: of, error })) =
            ears.next().await?
        else {
            anyhow::bail!("it was opened");
        };
        assert_eq!((of, error.code), (channel, ErrorCode::NotFound));
    }
    // The same channel twice ends the socket, and the terminal is none the worse.
    for _ in 0..2 {
        let (task, terminal) = (task.id().clone(), shell.name.clone());
        mouth
            .say(&TerminalSay::Open {
                channel: 9,
                task,
                terminal,
            })
            .await?;
    }
    while ears.next().await?.is_some() {}
    let mut look = TerminalLook::at(client, task.id(), &shell.name).await?;
    look.type_in("echo un''hurt\n").await?;
    look.until("unhurt").await?;
    let stranger = Client::new(&Server::new(world.serve.url(), Some("wrong".to_owned()))?)?;
    assert_eq!(
        code(stranger.terminals(task.id()).await),
        Some(ErrorCode::Unauthenticated)
    );
    Ok(())
}

#[tokio::test]
async fn a_flood_drowns_neither_who_watches_nor_the_interrupt() -> anyhow::Result<()> {
    let world = World::new().await?;
    let task = at_rest(&world).await?;
    let shell = open(&world, &task, TerminalKind::Shell).await?;
    let mut look = TerminalLook::at(world.serve.client(), task.id(), &shell.name).await?;
    look.type_in("yes flood\n").await?;
    look.until("flood\r\nflood").await?;
    look.type_in("\u{3}").await?;
    look.type_in("echo dr''y\n").await?;
    look.until("dry").await?;
    Ok(())
}
