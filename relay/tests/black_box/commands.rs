//! Commands, terminals, files and processes in the box, through the client and as a `Place`.

use std::process::Command as StdCommand;

use paddock_exec::{Command, ExecError, Exit, Limits, Place};
use paddock_relay_client::RelayError;
use paddock_relay_client::protocol::{
    Confine, Ending, ExecPty, Launch, PtySize, RefusalCode, Signal, Target,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::rig::*;

#[tokio::test]
async fn a_command_has_its_streams_and_its_exit_code() {
    let rig = Rig::start();
    let client = rig.client().await;
    let mut command = client
        .exec(&sh("cat; echo oops >&2; exit 3"))
        .await
        .unwrap();
    command.stdin.write_all(b"hello").await.unwrap();
    command.stdin.shutdown().await.unwrap();
    let (mut out, mut err) = (String::new(), String::new());
    let (_, _, exit) = soon(async {
        tokio::join!(
            command.stdout.read_to_string(&mut out),
            command.stderr.read_to_string(&mut err),
            command.exit
        )
    })
    .await;
    assert_eq!((out.as_str(), err.as_str()), ("hello", "oops\n"));
    assert_eq!(exit.unwrap().ending, Ending::Exited { code: 3 });
}

#[tokio::test]
async fn a_command_that_is_dropped_is_killed_with_all_it_started() {
    let rig = Rig::start();
    let client = rig.client().await;
    let mut command = client
        .exec(&sh(
            "trap '' HUP TERM; setsid sh -c 'echo $$; exec sleep 1000' & wait",
        ))
        .await
        .unwrap();
    let mut pid = [0; 16];
    let len = soon(command.stdout.read(&mut pid)).await.unwrap();
    let pid = String::from_utf8_lossy(&pid[..len]).trim().to_owned();
    assert!(lives(&pid));
    drop(command);
    soon(async {
        while lives(&pid) {
            client.ping().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_box_is_a_place() {
    let rig = Rig::start();
    let client = rig.client().await;
    let place: &dyn Place = &client;
    let shell = |script: &str| Command::new("sh").args(["-c", script]);
    let big = "x".repeat(1 << 20);
    let counting = shell("wc -c; echo $WORD; echo b >&2")
        .stdin(big)
        .env("WORD", "w");
    let output = soon(place.run(&counting, Limits::default())).await.unwrap();
    assert_eq!(
        output.text().split_whitespace().collect::<Vec<_>>(),
        ["1048576", "w"]
    );
    assert_eq!(
        (output.error_text().as_str(), output.exit),
        ("b", Exit::Code(0))
    );
    let killed = soon(place.run(&shell("kill -9 $$"), Limits::default()))
        .await
        .unwrap();
    assert_eq!(killed.exit, Exit::Signal(9));
    let missing = soon(place.run(&Command::new("no-such-program"), Limits::default())).await;
    assert!(matches!(missing, Err(ExecError::NotFound { .. })));
    let elsewhere = soon(place.run(&shell("true").cwd("/no/such/dir"), Limits::default())).await;
    assert!(matches!(elsewhere, Err(ExecError::NotStarted { .. })));
    let few = Limits {
        stdout: 1000,
        ..Limits::default()
    };
    let runaway = soon(place.run(&Command::new("yes"), few)).await;
    assert!(matches!(runaway, Err(ExecError::TooMuchOutput { .. })));
    let short = Limits {
        time: std::time::Duration::from_millis(50),
        ..Limits::default()
    };
    let slow = soon(place.run(&shell("sleep 1000"), short)).await;
    assert!(matches!(slow, Err(ExecError::TimedOut { .. })));
}

#[tokio::test]
async fn a_terminal_has_its_size_and_can_be_resized() {
    let rig = Rig::start();
    let client = rig.client().await;
    let size = |rows, cols| PtySize { rows, cols };
    let launch = sh("stty size; read x; stty size; read x; exit 6");
    let mut pty = client
        .pty(&ExecPty {
            launch,
            size: size(24, 80),
        })
        .await
        .unwrap();
    let mut shown = String::new();
    let mut buffer = [0; 1024];
    while !shown.contains("24 80") {
        let len = soon(pty.output.read(&mut buffer)).await.unwrap();
        shown.push_str(&String::from_utf8_lossy(&buffer[..len]));
    }
    pty.resize(size(50, 132)).await.unwrap();
    client.ping().await.unwrap();
    pty.input.write_all(b"\n").await.unwrap();
    while !shown.contains("50 132") {
        let len = soon(pty.output.read(&mut buffer)).await.unwrap();
        assert!(len > 0, "{shown}");
        shown.push_str(&String::from_utf8_lossy(&buffer[..len]));
    }
    pty.input.write_all(b"\n").await.unwrap();
    assert_eq!(
        soon(pty.exit).await.unwrap().ending,
        Ending::Exited { code: 6 }
    );
}

#[tokio::test]
async fn a_terminal_without_a_program_is_the_users_shell() {
    let rig = Rig::start();
    let client = rig.client().await;
    let launch = Launch {
        env: [("SHELL".to_owned(), "/bin/sh".to_owned())].into(),
        ..Launch::default()
    };
    let mut pty = client
        .pty(&ExecPty {
            launch,
            size: PtySize { rows: 24, cols: 80 },
        })
        .await
        .unwrap();
    pty.input.write_all(b"exit 9\n").await.unwrap();
    assert_eq!(
        soon(pty.exit).await.unwrap().ending,
        Ending::Exited { code: 9 }
    );
}

#[tokio::test]
async fn files_go_into_the_box_and_come_out_the_same() {
    let rig = Rig::start();
    let client = rig.client().await;
    let (from, to) = (rig.dir().join("from/pack"), rig.dir().join("to"));
    std::fs::create_dir_all(from.join("sub dir")).unwrap();
    std::fs::create_dir_all(&to).unwrap();
    std::fs::write(from.join("sub dir/é"), "x".repeat(3_000_000)).unwrap();
    std::fs::write(from.join("run"), "#!/bin/sh").unwrap();
    std::os::unix::fs::symlink("run", from.join("link")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(from.join("s")).unwrap();
    assert!(
        StdCommand::new("chmod")
            .arg("755")
            .arg(from.join("run"))
            .status()
            .unwrap()
            .success()
    );

    let place: &dyn Place = &client;
    let archive = soon(place.download(from.to_str().unwrap(), 10_000_000))
        .await
        .unwrap();
    soon(place.upload(to.to_str().unwrap(), archive.clone()))
        .await
        .unwrap();
    std::fs::remove_file(from.join("s")).unwrap();
    let same = StdCommand::new("diff")
        .arg("-r")
        .arg(&from)
        .arg(to.join("pack"))
        .output()
        .unwrap();
    assert!(
        same.status.success(),
        "{}",
        String::from_utf8_lossy(&same.stdout)
    );
    assert_eq!(
        std::fs::read_link(to.join("pack/link")).unwrap().to_str(),
        Some("run")
    );
    let mode = |path: std::path::PathBuf| {
        std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions())
    };
    assert_eq!(mode(to.join("pack/run")) & 0o777, 0o755);

    let limited = soon(place.download(from.to_str().unwrap(), 1000)).await;
    assert!(matches!(limited, Err(ExecError::TooMuchOutput { .. })));
    let missing = soon(place.download("/no/such/file", 1000)).await;
    assert!(matches!(missing, Err(ExecError::Transfer { .. })));
    let nowhere = soon(place.upload("/no/such/dir", archive)).await;
    assert!(matches!(nowhere, Err(ExecError::Transfer { .. })));
}

#[tokio::test]
async fn an_archive_that_leads_out_of_its_directory_or_is_cut_is_refused() {
    let rig = Rig::start();
    let client = rig.client().await;
    let to = rig.dir().join("to");
    std::fs::create_dir_all(&to).unwrap();
    let to = to.to_str().unwrap();
    let mut evil = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..9].copy_from_slice(b"../escape");
    header.set_size(3);
    header.set_cksum();
    evil.append(&header, &b"out"[..]).unwrap();
    let evil = evil.into_inner().unwrap();
    let cut = {
        let mut whole = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(100_000);
        whole
            .append_data(&mut header, "big", &[b'x'; 100_000][..])
            .unwrap();
        let mut bytes = whole.into_inner().unwrap();
        bytes.truncate(50_000);
        bytes
    };
    for archive in [evil, cut, vec![b'x'; 2000]] {
        let refused = soon(client.upload(to, &archive[..])).await;
        assert!(matches!(refused, Err(RelayError::Refused(r)) if r.code == RefusalCode::Io));
    }
    assert!(!rig.dir().join("escape").exists());
}

#[tokio::test]
async fn processes_are_listed_with_their_run_and_can_be_signalled() {
    let rig = Rig::start();
    let client = rig.client().await;
    let pid = spawn(&client, "r", "echo up; cat; true").await.pid.unwrap();
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    line_where(&mut log, |line| line == "up").await;
    let cat = soon(async {
        loop {
            let processes = client.processes().await.unwrap().processes;
            let cat = processes
                .iter()
                .find(|p| p.ppid == pid && p.command == "cat")
                .cloned();
            if let Some(cat) = cat {
                return cat;
            }
        }
    })
    .await;
    assert_eq!(cat.run, Some(run_id("r")));
    assert!(cat.resident > 0 && cat.start > 0 && !cat.relay);
    let (pid, start) = (cat.pid, cat.start);
    let another = Target::Process {
        pid,
        start: start + 1,
    };
    let refused = client
        .signal(&Signal {
            target: another,
            signal: 9,
        })
        .await;
    assert!(matches!(refused, Err(RelayError::Refused(r)) if r.code == RefusalCode::NoSuchProcess));
    client
        .signal(&Signal {
            target: Target::Process { pid, start },
            signal: 15,
        })
        .await
        .unwrap();
    assert_eq!(
        exit_of(&whole_log(&client, "r").await).ending,
        Ending::Exited { code: 0 }
    );
    let listed = client.processes().await.unwrap().processes;
    let relay = listed.iter().find(|p| p.relay).unwrap();
    for target in [
        Target::Process {
            pid: relay.pid,
            start: relay.start,
        },
        Target::Pid(rig.pid().parse().unwrap()),
        Target::Pid(std::process::id()),
    ] {
        let refused = client.signal(&Signal { target, signal: 15 }).await;
        assert!(
            matches!(refused, Err(RelayError::Refused(r)) if r.code == RefusalCode::NoSuchProcess)
        );
    }
}

#[tokio::test]
async fn what_the_relay_starts_goes_first_when_memory_runs_out() {
    let rig = Rig::start();
    let client = rig.client().await;
    // It is told once it runs; what it starts from then on is told with it.
    spawn(&client, "r", "read go; cat /proc/self/oom_score_adj").await;
    let go = input("r", "m1", "desk");
    client.input(&go, "go\n".into()).await.unwrap();
    let own: i32 = std::fs::read_to_string(format!("/proc/{}/oom_score_adj", rig.pid().trim()))
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    let entries = whole_log(&client, "r").await;
    let agents: i32 = outs(&entries)[0].parse().unwrap();
    assert!(agents > own, "{agents} is not above {own}");
}

#[tokio::test]
async fn a_confined_command_writes_only_where_it_may() {
    let rig = Rig::start();
    let client = rig.client().await;
    let (inside, outside) = (rig.dir().join("inside"), rig.dir().join("outside"));
    std::fs::create_dir_all(&inside).unwrap();
    std::fs::create_dir_all(&outside).unwrap();
    let script = format!(
        "echo x >{i}/a; mkdir {i}/d; echo y >/dev/null; echo z >{o}/b; cat {o}/seen; ls {i}",
        i = inside.display(),
        o = outside.display()
    );
    std::fs::write(outside.join("seen"), "readable\n").unwrap();
    let confine = Confine {
        write: vec![inside.display().to_string()],
        read: None,
    };
    let launch = Launch {
        confine: Some(confine),
        ..sh(&script)
    };
    client.spawn(&spawn_of("r", launch)).await.unwrap();
    let entries = whole_log(&client, "r").await;
    let exit = exit_of(&entries);
    assert_eq!(outs(&entries), ["readable", "a", "d"]);
    let unconfined = exit.stderr.iter().any(|line| line.contains("unconfined"));
    assert_eq!(outside.join("b").exists(), unconfined, "{:?}", exit.stderr);
}

#[tokio::test]
async fn a_confined_command_of_a_place_is_held_to_it() {
    let rig = Rig::start();
    let client = rig.client().await;
    let file = rig.dir().join("file");
    let touch = Command::new("touch").arg(file.display().to_string());
    let mut process = client
        .exec_confined(&touch, Some(Confine::default()))
        .await
        .unwrap();
    let mut said = String::new();
    soon(process.stderr.read_to_string(&mut said))
        .await
        .unwrap();
    let exit = soon(process.exit).await.unwrap();
    let unconfined = said.contains("unconfined");
    assert_eq!(
        (exit.is_success(), file.exists()),
        (unconfined, unconfined),
        "{said}"
    );
}
