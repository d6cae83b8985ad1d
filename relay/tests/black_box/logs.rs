//! What an agent says comes to every reader: whole, in order, once.

use paddock_relay_client::RelayClient;
use paddock_relay_client::protocol::{Body, Ending, LineKind, RefusalCode};

use super::rig::*;
use paddock_relay_client::RelayError;

#[tokio::test]
async fn output_errors_and_exit_are_in_the_log_with_their_offsets() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "echo one; echo oops >&2; printf two; exit 3").await;
    let entries = whole_log(&client, "r").await;
    assert_eq!(outs(&entries), ["one", "two"]);
    let errors: Vec<_> = entries
        .iter()
        .filter_map(|e| text(e, LineKind::Err))
        .collect();
    assert_eq!(errors, ["oops"]);
    let exit = exit_of(&entries);
    assert_eq!(
        (exit.ending, exit.stderr),
        (Ending::Exited { code: 3 }, vec!["oops".to_owned()])
    );

    let file = std::fs::read(rig.log_path("r")).unwrap();
    for entry in &entries {
        let (start, end) = (
            usize::try_from(entry.offset).unwrap(),
            usize::try_from(entry.end).unwrap(),
        );
        assert_eq!(entry.line, file[start..end]);
    }
    assert_eq!(entries.last().unwrap().end, file.len() as u64);
}

#[tokio::test]
async fn replay_and_live_meet_without_a_gap_or_a_repeat() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(
        &client,
        "r",
        "read go; i=0; while [ $i -lt 40 ]; do seq $((i*500)) $((i*500+499)); i=$((i+1)); done",
    )
    .await;
    let mut first = client.log(&run_id("r"), 0, true).await.unwrap();
    client
        .input(&input("r", "go", "test"), "go\n".into())
        .await
        .unwrap();

    // Others join while it runs, each at the offset where the first is by then, and one at the start.
    let mut seen = Vec::new();
    let mut others = Vec::new();
    while let Some(entry) = soon(first.next()).await.unwrap() {
        if seen.len() % 4000 == 100 {
            others.push((seen.len() + 1, join(&rig, entry.end).await));
            others.push((0, join(&rig, 0).await));
        }
        seen.push(entry);
    }
    assert_eq!(
        outs(&seen),
        (0..20_000).map(|n| n.to_string()).collect::<Vec<_>>()
    );
    assert!(others.len() >= 6, "only {} readers joined", others.len());
    for (from, reader) in others {
        assert_eq!(reader.await.unwrap(), seen[from..]);
    }
}

/// Reads the log of `r` from `offset` to its end, over a connection of its own.
async fn join(
    rig: &Rig,
    offset: u64,
) -> tokio::task::JoinHandle<Vec<paddock_relay_client::LogEntry>> {
    let client: RelayClient = rig.client().await;
    let mut log = client.log(&run_id("r"), offset, true).await.unwrap();
    tokio::spawn(async move {
        let all = read_all(&mut log).await;
        drop(client);
        all
    })
}

#[tokio::test]
async fn a_reader_that_never_reads_slows_neither_the_agent_nor_another_reader() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(
        &client,
        "r",
        "read go; yes 0123456789012345678901234567890123456789 | head -n 500000",
    )
    .await;
    let lazy = client.log(&run_id("r"), 0, true).await.unwrap();
    client
        .input(&input("r", "go", "test"), "go\n".into())
        .await
        .unwrap();
    // On the same connection: a stream that is full must not stop its neighbours.
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    let mut lines = 0;
    let mut last = None;
    while let Some(entry) = soon(log.next()).await.unwrap() {
        lines += usize::from(out(&entry).is_some());
        last = Some(entry);
    }
    assert_eq!(lines, 500_000);
    assert_eq!(exit_of(&[last.unwrap()]).ending, Ending::Exited { code: 0 });
    drop(lazy);
}

#[tokio::test]
async fn a_long_history_is_caught_up_with_within_two_seconds() {
    let rig = Rig::start();
    let client = rig.client().await;
    let line = "x".repeat(999);
    spawn(
        &client,
        "r",
        &format!("yes {line} | head -n 100000; echo full; read go; echo live"),
    )
    .await;
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    line_where(&mut log, |line| line == "full").await;
    assert!(client.runs().await.unwrap()[0].log_len > 100_000_000);

    let joined = std::time::Instant::now();
    let mut late = rig.client().await.log(&run_id("r"), 0, true).await.unwrap();
    client
        .input(&input("r", "go", "test"), "go\n".into())
        .await
        .unwrap();
    let mut frames = 0;
    // Decoding every line is the reader's own affair: it looks only at the end of each.
    while let Some(entry) = soon(late.next()).await.unwrap() {
        frames += 1;
        if entry.line.ends_with(b"\"live\"}\n") {
            break;
        }
    }
    assert!(frames > 100_000);
    // An unoptimised build has twice the time.
    let limit = if cfg!(debug_assertions) { 4 } else { 2 };
    assert!(joined.elapsed().as_secs() < limit, "{:?}", joined.elapsed());
}

#[tokio::test]
async fn lines_of_64_mib_are_kept_and_longer_ones_cut() {
    let rig = Rig::start();
    let client = rig.client().await;
    let whole = 64 << 20;
    let script = format!(
        "echo before; head -c {whole} /dev/zero | tr '\\0' x; echo; head -c {} /dev/zero | tr '\\0' y; echo; echo after",
        whole + 1000
    );
    spawn(&client, "r", &script).await;
    let entries = whole_log(&client, "r").await;
    let lengths: Vec<_> = entries
        .iter()
        .filter_map(|entry| {
            let Body::Line { line, .. } = entry.record().unwrap().body else {
                return None;
            };
            Some((line.content.as_bytes().len(), line.cut))
        })
        .collect();
    assert_eq!(
        lengths,
        [(6, None), (whole, None), (whole, Some(1000)), (5, None)]
    );
}

#[tokio::test]
async fn bytes_that_are_no_text_come_back_as_they_were() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", r"printf 'a\377\000b\n\303\251\n'").await;
    let entries = whole_log(&client, "r").await;
    let lines: Vec<Vec<u8>> = entries
        .iter()
        .filter_map(|entry| {
            let Body::Line { line, .. } = entry.record().unwrap().body else {
                return None;
            };
            Some(line.content.as_bytes().to_vec())
        })
        .collect();
    assert_eq!(lines, [&b"a\xff\0b"[..], "é".as_bytes()]);
}

#[tokio::test]
async fn a_log_is_refused_for_an_unknown_run_and_beyond_its_end() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "true").await;
    let end = whole_log(&client, "r").await.last().unwrap().end;
    for (run, from, code) in [
        ("other", 0, RefusalCode::NoSuchRun),
        ("r", end + 1, RefusalCode::BeyondEnd),
    ] {
        let refused = client.log(&run_id(run), from, true).await.unwrap_err();
        assert!(matches!(refused, RelayError::Refused(refusal) if refusal.code == code));
    }
    assert!(
        read_all(&mut client.log(&run_id("r"), end, true).await.unwrap())
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn a_log_that_is_not_followed_ends_where_it_was() {
    let rig = Rig::start();
    let client = rig.client().await;
    spawn(&client, "r", "echo one; read go").await;
    let mut log = client.log(&run_id("r"), 0, true).await.unwrap();
    line_where(&mut log, |line| line == "one").await;
    let so_far = read_all(&mut client.log(&run_id("r"), 0, false).await.unwrap()).await;
    assert_eq!(outs(&so_far), ["one"]);
}
