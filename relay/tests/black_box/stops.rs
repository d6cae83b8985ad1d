//! A run ends with all its processes and with an exit record, whatever its agent does.

use std::os::unix::fs::PermissionsExt;

use paddock_relay_client::protocol::{
    Ending, Launch, LineKind, RefusalCode, RunState, Signal, Stop, Target,
};
use paddock_relay_client::{RelayClient, RelayError};

use super::rig::*;

/// Starts a script, and gives the first line that it prints.
async fn start(client: &RelayClient, script: &str) -> String {
    spawn(client, "r", script).await;
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    line_where(&mut log, |_| true).await
}

#[tokio::test]
async fn closing_stdin_is_enough_for_an_agent_that_listens() {
    let rig = Rig::start();
    let client = rig.client().await;
    start(&client, "trap '' INT; echo up; cat; echo done").await;
    let exit = stop(&client, "r", 20_000).await;
    assert_eq!(
        (exit.ending, exit.stopped),
        (Ending::Exited { code: 0 }, true)
    );
    assert_eq!(outs(&whole_log(&client, "r").await), ["up", "done"]);
}

#[tokio::test]
async fn an_interrupt_comes_first_when_one_is_given() {
    let rig = Rig::start();
    let client = rig.client().await;
    start(
        &client,
        "echo up; read word; echo got $word; read word; echo got $word.",
    )
    .await;
    let stop = Stop {
        run: run_id("r"),
        grace_ms: 5000,
        interrupt: Some("pause\n".to_owned()),
    };
    soon(client.stop(&stop)).await.unwrap();
    assert_eq!(outs(&whole_log(&client, "r").await)[1], "got pause");
}

#[tokio::test]
async fn an_agent_that_ignores_sigint_and_sigterm_is_killed() {
    let rig = Rig::start();
    let client = rig.client().await;
    start(
        &client,
        "trap '' INT TERM; echo up; while :; do sleep 1000; done",
    )
    .await;
    let exit = stop(&client, "r", 200).await;
    assert_eq!(
        (exit.ending, exit.stopped),
        (Ending::Signalled { signal: 9 }, true)
    );
}

#[tokio::test]
async fn a_stop_reaches_what_runs_in_a_session_of_its_own() {
    let rig = Rig::start();
    let client = rig.client().await;
    let stray = start(
        &client,
        "trap '' TERM; setsid sh -c 'trap \"\" INT TERM; echo $$; exec sleep 1000'",
    )
    .await;
    assert!(lives(&stray));
    stop(&client, "r", 200).await;
    assert!(!lives(&stray));
}

#[tokio::test]
async fn a_stop_reaches_an_orphan_that_has_cleaned_its_environment() {
    let rig = Rig::start();
    let client = rig.client().await;
    let script = "(setsid env -i sh -c 'echo $$; exec /bin/sleep 1000' &) ; read end";
    let stray = start(&client, script).await;
    assert!(lives(&stray));
    stop(&client, "r", 200).await;
    assert!(!lives(&stray));
}

#[tokio::test]
async fn what_an_agent_leaves_behind_ends_with_it_and_is_counted() {
    let rig = Rig::start();
    let client = rig.client().await;
    let stray = start(
        &client,
        "setsid sh -c 'echo $$; exec sleep 1000' & read go; exit 7",
    )
    .await;
    client
        .input(&input("r", "go", "test"), "go\n".into())
        .await
        .unwrap();
    let exit = exit_of(&whole_log(&client, "r").await);
    assert_eq!(
        (exit.ending, exit.strays, exit.stopped),
        (Ending::Exited { code: 7 }, 1, false)
    );
    assert!(!lives(&stray));
}

#[tokio::test]
async fn two_runs_end_without_each_other() {
    let rig = Rig::start();
    let client = rig.client().await;
    let stray = start(
        &client,
        "setsid sh -c 'echo $$; exec sleep 1000' & read end",
    )
    .await;
    spawn(&client, "other", "setsid sleep 1000 & read end").await;
    stop(&client, "other", 200).await;
    assert!(lives(&stray));
    assert_eq!(
        client
            .runs()
            .await
            .unwrap()
            .iter()
            .map(|r| r.state)
            .collect::<Vec<_>>(),
        [RunState::Ended, RunState::Running]
    );
    stop(&client, "r", 200).await;
    assert!(!lives(&stray));
}

#[tokio::test]
async fn a_program_that_cannot_be_executed_yields_an_exit_record_that_says_why() {
    let rig = Rig::start();
    let client = rig.client().await;
    let plain = rig.dir().join("plain");
    std::fs::write(&plain, "text").unwrap();
    let garbage = rig.dir().join("garbage");
    std::fs::write(&garbage, [0x7f, b'E', b'L', b'F', 0]).unwrap();
    std::fs::set_permissions(&garbage, std::fs::Permissions::from_mode(0o755)).unwrap();
    let elsewhere = Launch {
        cwd: Some("/no/such/dir".to_owned()),
        ..sh("true")
    };
    let cases = [
        (launch("no-such-program", &[]), Some(2), "PATH"),
        (launch(plain.to_str().unwrap(), &[]), Some(13), "chmod"),
        (launch(garbage.to_str().unwrap(), &[]), Some(8), "garbage"),
        (elsewhere, None, "/no/such/dir"),
    ];
    for (n, (launch, number, hint)) in cases.into_iter().enumerate() {
        let run = format!("r{n}");
        let info = client.spawn(&spawn_of(&run, launch)).await.unwrap();
        assert_eq!(info.state, RunState::Ended);
        let Ending::NotStarted { message, errno } = exit_of(&whole_log(&client, &run).await).ending
        else {
            panic!("it was started");
        };
        assert!(
            errno == number && message.contains(hint),
            "{errno:?} {message}"
        );
    }
}

#[tokio::test]
async fn a_run_is_started_once() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "true").await;
    let again = client.spawn(&spawn_of("r", sh("true"))).await;
    assert!(matches!(again, Err(RelayError::Refused(r)) if r.code == RefusalCode::RunExists));
}

#[tokio::test]
async fn stopping_a_run_that_has_ended_gives_its_exit() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "exit 4").await;
    whole_log(&client, "r").await;
    assert_eq!(
        stop(&client, "r", 0).await.ending,
        Ending::Exited { code: 4 }
    );
}

#[tokio::test]
async fn a_signal_reaches_the_agent() {
    let rig = Rig::start();
    let client = rig.client().await;
    start(
        &client,
        "trap 'echo usr; exit 5' USR1; echo up; while :; do sleep 0.1; done",
    )
    .await;
    client
        .signal(&Signal {
            target: Target::Run(run_id("r")),
            signal: 10,
        })
        .await
        .unwrap();
    let entries = whole_log(&client, "r").await;
    assert_eq!(outs(&entries), ["up", "usr"]);
    assert_eq!(exit_of(&entries).ending, Ending::Exited { code: 5 });
}

#[tokio::test]
async fn an_agent_on_a_terminal_has_one() {
    let rig = Rig::start();
    let client = rig.client().await;
    let size = paddock_relay_client::protocol::PtySize { rows: 33, cols: 99 };
    let mut spawn = spawn_of("r", sh("stty size; read line; echo got $line"));
    spawn.stdio = paddock_relay_client::protocol::Stdio::Pty(size);
    client.spawn(&spawn).await.unwrap();
    client
        .input(&input("r", "m1", "desk"), "hi\n".into())
        .await
        .unwrap();
    let entries = whole_log(&client, "r").await;
    let shown: String = entries
        .iter()
        .filter_map(|e| text(e, LineKind::Pty))
        .collect();
    assert!(
        shown.contains("33 99") && shown.contains("got hi"),
        "{shown}"
    );
    assert_eq!(exit_of(&entries).ending, Ending::Exited { code: 0 });
}
