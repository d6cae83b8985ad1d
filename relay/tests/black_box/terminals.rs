//! Terminals that the relay holds: they outlive their clients, keep a bounded past, and leave nothing.

use std::time::Duration;

use paddock_relay_client::protocol::{
    Ending, Exit, Launch, PtySize, RefusalCode, TerminalAttach, TerminalClose, TerminalId,
    TerminalInfo, TerminalOpen, limits,
};
use paddock_relay_client::{
    RelayClient, RelayError, TerminalReader, TerminalShown, TerminalWriter,
};

use super::rig::*;

const SIZE: PtySize = PtySize { rows: 24, cols: 80 };

fn id(id: &str) -> TerminalId {
    TerminalId::parse(id).unwrap()
}

async fn try_open(
    client: &RelayClient,
    name: &str,
    launch: Launch,
) -> Result<TerminalInfo, RelayError> {
    let open = TerminalOpen {
        terminal: id(name),
        launch,
        size: SIZE,
        note: "mine".to_owned(),
    };
    soon(client.open_terminal(&open)).await
}

async fn open(client: &RelayClient, name: &str, script: &str) -> TerminalInfo {
    try_open(client, name, sh(script)).await.unwrap()
}

/// A terminal that is looked at, with all that was seen of it.
struct Look {
    reader: TerminalReader,
    writer: TerminalWriter,
    from: u64,
    seen: String,
    sizes: Vec<u16>,
    exit: Option<Exit>,
    /// Where it went on after something was missed.
    skipped: Option<u64>,
}

impl Look {
    async fn at(client: &RelayClient, name: &str, from: Option<u64>) -> Self {
        let attach = TerminalAttach {
            terminal: id(name),
            from,
        };
        let (attached, reader, writer) = soon(client.attach_terminal(&attach)).await.unwrap();
        Self {
            reader,
            writer,
            from: attached.from,
            seen: String::new(),
            sizes: vec![attached.size.rows],
            exit: None,
            skipped: None,
        }
    }

    async fn until(&mut self, wanted: &str) {
        while !self.seen.contains(wanted) {
            assert_eq!(self.exit, None, "ended before `{wanted}`: {}", self.seen);
            self.next().await;
        }
    }

    async fn ending(&mut self) -> Exit {
        while self.exit.is_none() {
            self.next().await;
        }
        self.exit.clone().unwrap()
    }

    async fn next(&mut self) {
        match soon(self.reader.next()).await.unwrap() {
            TerminalShown::Bytes(bytes) => self.seen += &String::from_utf8_lossy(&bytes),
            TerminalShown::Resized(size) => self.sizes.push(size.rows),
            TerminalShown::Ended(exit) => self.exit = Some(exit),
            TerminalShown::Skipped(skipped) => {
                self.seen.clear();
                self.skipped = Some(skipped.from);
            }
        }
    }
}

async fn close(client: &RelayClient, name: &str, grace_ms: u64) -> Result<Exit, RelayError> {
    let close = TerminalClose {
        terminal: id(name),
        grace_ms,
    };
    soon(client.close_terminal(&close)).await
}

fn code(result: Result<impl std::fmt::Debug, RelayError>) -> RefusalCode {
    match result {
        Err(RelayError::Refused(refusal)) => refusal.code,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_is_typed_reaches_the_program_and_what_it_shows_outlives_every_client() {
    let rig = Rig::start();
    let client = rig.client().await;
    open(
        &client,
        "t",
        "read a; echo got-$a; read b; echo got-$b; exit 7",
    )
    .await;
    let mut look = Look::at(&client, "t", None).await;
    look.writer.type_in(b"one\n").await.unwrap();
    look.until("got-one").await;
    drop(look);
    client.close();
    drop(client);

    let client = rig.client().await;
    let infos = client.terminals().await.unwrap();
    assert_eq!((infos.len(), infos[0].note.as_str()), (1, "mine"));
    assert!(infos[0].exit.is_none() && infos[0].pid.is_some());
    let mut look = Look::at(&client, "t", None).await;
    assert_eq!(look.from, 0);
    look.until("got-one").await;
    look.writer.type_in(b"two\n").await.unwrap();
    let exit = look.ending().await;
    assert!(look.seen.contains("got-two"));
    assert_eq!(exit.ending, Ending::Exited { code: 7 });
    // It can be looked at when it is over, and is forgotten when it is closed.
    let mut late = Look::at(&client, "t", Some(look.seen.len() as u64)).await;
    assert_eq!(late.ending().await, exit);
    assert_eq!(late.seen, "");
    assert_eq!(close(&client, "t", 100).await.unwrap(), exit);
    assert_eq!(client.terminals().await.unwrap(), []);
    assert_eq!(
        code(close(&client, "t", 100).await),
        RefusalCode::NoSuchTerminal
    );
}

#[tokio::test]
async fn a_new_size_reaches_the_program_and_all_who_look() {
    let rig = Rig::start();
    let client = rig.client().await;
    let script = "trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done";
    open(&client, "t", script).await;
    let mut one = Look::at(&client, "t", None).await;
    let mut other = Look::at(&client, "t", None).await;
    one.until("24 80").await;
    one.writer
        .resize(PtySize {
            rows: 40,
            cols: 100,
        })
        .await
        .unwrap();
    one.until("40 100").await;
    other.until("40 100").await;
    assert_eq!((&one.sizes, &other.sizes), (&vec![24, 40], &vec![24, 40]));
    // Sizes that no program can draw on are bounded.
    one.writer
        .resize(PtySize {
            rows: 0,
            cols: u16::MAX,
        })
        .await
        .unwrap();
    one.until("1 1000").await;
    let exit = close(&client, "t", 2000).await.unwrap();
    assert!(matches!(exit.ending, Ending::Signalled { .. }), "{exit:?}");
}

#[tokio::test]
async fn a_flood_that_nobody_watches_holds_up_no_program_and_is_kept_in_part() {
    let rig = Rig::start();
    let client = rig.client().await;
    let over = rig.dir().join("over");
    let script = format!("seq 400000; echo over; >'{}'; read end", over.display());
    open(&client, "t", &script).await;
    while !over.exists() {
        let info = client.terminals().await.unwrap().remove(0);
        assert_eq!(info.exit, None);
    }
    let mut look = Look::at(&client, "t", None).await;
    assert!(look.from > 0);
    look.until("over").await;
    assert!(look.seen.ends_with("400000\r\nover\r\n"));
    let len = look.seen.len() as u64;
    // From a byte that is kept, the rest and no more.
    let shown = client.terminals().await.unwrap()[0].shown;
    assert!(len <= shown && look.from + len == shown);
    let mut tail = Look::at(&client, "t", Some(shown - 6)).await;
    tail.until("over\r\n").await;
    assert_eq!(tail.seen, "over\r\n");
}

#[tokio::test]
async fn one_who_looks_and_does_not_read_slows_nobody_and_is_told_what_was_missed() {
    let rig = Rig::start();
    let client = rig.client().await;
    let over = rig.dir().join("over");
    let script = format!(
        "read start; seq 1000000; echo over; >'{}'; read end",
        over.display()
    );
    open(&client, "t", &script).await;
    let mut slow = Look::at(&client, "t", None).await;
    slow.writer.type_in(b"\n").await.unwrap();
    while !over.exists() {
        client.ping().await.unwrap();
    }
    slow.until("over").await;
    let skipped = slow.skipped.expect("nothing was missed");
    assert!(slow.seen.len() <= limits::TERMINAL_KEPT && skipped > limits::TERMINAL_KEPT as u64);
    let shown = client.terminals().await.unwrap()[0].shown;
    assert_eq!(skipped + slow.seen.len() as u64, shown);
    // What is typed meanwhile is not lost.
    slow.writer.type_in(b"\n").await.unwrap();
    assert_eq!(slow.ending().await.ending, Ending::Exited { code: 0 });
}

#[tokio::test]
async fn a_terminal_takes_everything_with_it_that_was_started_on_it() {
    let rig = Rig::start();
    let client = rig.client().await;
    let script =
        "trap '' HUP TERM; setsid sh -c 'trap \"\" HUP TERM; echo pid=$$.; sleep 600' & wait";
    open(&client, "closed", script).await;
    let mut look = Look::at(&client, "closed", None).await;
    look.until(".").await;
    let pid = look.seen.split(['=', '.']).nth(1).unwrap().to_owned();
    assert!(lives(&pid));
    close(&client, "closed", 100).await.unwrap();
    assert!(!lives(&pid), "closing left a process");

    open(&client, "left", "setsid sleep 600 & echo pid=$!.; exit 0").await;
    let mut look = Look::at(&client, "left", None).await;
    let exit = look.ending().await;
    let pid = look.seen.split(['=', '.']).nth(1).unwrap().to_owned();
    assert!(!lives(&pid), "the end of the shell left a process");
    assert_eq!(exit.ending, Ending::Exited { code: 0 });

    open(&client, "relay", "echo pid=$$.; sleep 600").await;
    let mut look = Look::at(&client, "relay", None).await;
    look.until(".").await;
    let pid = look.seen.split(['=', '.']).nth(1).unwrap().to_owned();
    soon(client.shutdown(Duration::from_millis(100)))
        .await
        .unwrap();
    rig.wait_until_gone();
    assert!(!lives(&pid), "the end of the relay left a process");
    rig.serve();
}

#[tokio::test]
async fn there_are_so_many_and_one_that_is_over_gives_way() {
    let rig = Rig::start();
    let client = rig.client().await;
    for n in 0..limits::TERMINALS {
        open(&client, &format!("t{n}"), "read end").await;
    }
    assert_eq!(
        code(try_open(&client, "more", sh("true")).await),
        RefusalCode::Busy
    );
    let mut look = Look::at(&client, "t3", None).await;
    look.writer.type_in(b"\n").await.unwrap();
    look.ending().await;
    open(&client, "more", "read end").await;
    let names: Vec<_> = client.terminals().await.unwrap();
    assert!(names.iter().all(|info| info.terminal != id("t3")));
    assert_eq!(
        code(try_open(&client, "t0", sh("true")).await),
        RefusalCode::TerminalExists
    );
    assert_eq!(
        code(close(&client, "none", 1).await),
        RefusalCode::NoSuchTerminal
    );
    close(&client, "t0", 2000).await.unwrap();
    let missing = try_open(&client, "none", launch("no-such-program", &[])).await;
    assert_eq!(code(missing), RefusalCode::NotFound);
    let nowhere = TerminalAttach {
        terminal: id("none"),
        from: None,
    };
    assert_eq!(
        code(client.attach_terminal(&nowhere).await),
        RefusalCode::NoSuchTerminal
    );
}

#[tokio::test]
async fn an_older_relay_is_named_as_one_that_has_no_terminals() {
    let rig = Rig::start_with(&["--speak", "1-1"]);
    let client = rig.client().await;
    for refused in [
        client.terminals().await.map(drop),
        try_open(&client, "t", sh("true")).await.map(drop),
    ] {
        let said = refused.unwrap_err();
        assert!(matches!(said, RelayError::TooOld { .. }), "{said:?}");
        assert!(said.to_string().contains("older"), "{said}");
    }
    // All else works as ever.
    spawn(&client, "r", "echo understood").await;
    assert_eq!(outs(&whole_log(&client, "r").await), ["understood"]);
}
