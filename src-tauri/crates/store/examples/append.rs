//! How fast journals take events, beside `cat log | tee file` with the same bytes in the same run.
//!
//! `cargo run --release -p paddock-store --example append [dir]`, with a directory on the disk to
//! measure; then the figures of opening and paging what was written.
#![allow(clippy::unwrap_used)] // a measurement that cannot be made ends

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use paddock_domain::{
    Block, BlockKind, Body, Event, EventId, RunId, Source, TaskId, TaskSpec, Timestamp, TurnOutcome,
};
use paddock_store::{Draft, Journal, Store};

const LINE_BYTES: usize = 1_000;

#[tokio::main]
async fn main() {
    let dir = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let data = tempfile::tempdir_in(dir).unwrap();
    let (store, _) = Store::open(data.path(), Timestamp::default())
        .await
        .unwrap();
    println!("lines of about {LINE_BYTES} bytes");
    for (tasks, batch, lines) in [
        (1, 1, 20_000),
        (1, 64, 200_000),
        (24, 1, 4_000),
        (24, 64, 16_000),
    ] {
        stream(&store, tasks, batch, lines).await;
    }
    for tasks in [1, 24] {
        settle(&store, tasks, 100).await;
    }
    pace(&store, 24, 40, 5).await;
    store.close().await;
    drop(store);
    tee(data.path());
    reopen(data.path()).await;
}

/// Streams `lines` lines into each of `tasks` journals, `batch` at a time.
async fn stream(store: &Store, tasks: u32, batch: u64, lines: u64) {
    let name = format!("s{tasks}-{batch}");
    let journals = create(store, &name, tasks).await;
    let began = Instant::now();
    let work = journals.into_iter().map(|mut journal| {
        tokio::spawn(async move {
            let mut slowest = Duration::ZERO;
            for n in 0..lines / batch {
                let drafts = (0..batch).map(|k| said(n * batch + k)).collect();
                let began = Instant::now();
                assert_eq!(journal.append(drafts).await.unwrap().len() as u64, batch);
                slowest = slowest.max(began.elapsed());
            }
            slowest
        })
    });
    let mut slowest = Duration::ZERO;
    for task in work.collect::<Vec<_>>() {
        slowest = slowest.max(task.await.unwrap());
    }
    report(
        &format!("{tasks:>2} tasks, {batch:>2} a batch"),
        u64::from(tasks) * lines,
        began,
        slowest,
    );
}

/// Ends `turns` turns in each of `tasks` journals; each is on the disk before the next begins.
async fn settle(store: &Store, tasks: u32, turns: u64) {
    let journals = create(store, &format!("d{tasks}"), tasks).await;
    let began = Instant::now();
    let work = journals.into_iter().map(|mut journal| {
        tokio::spawn(async move {
            let mut slowest = Duration::ZERO;
            for n in 0..turns {
                let began = Instant::now();
                journal.append(vec![said(n), finished()]).await.unwrap();
                slowest = slowest.max(began.elapsed());
            }
            slowest
        })
    });
    let mut slowest = Duration::ZERO;
    for task in work.collect::<Vec<_>>() {
        slowest = slowest.max(task.await.unwrap());
    }
    let all = u64::from(tasks) * turns;
    let each = began.elapsed() / u32::try_from(turns).unwrap();
    println!(
        "{tasks:>2} tasks, durable turns: {all} in {:?}, {each:?} a round, slowest {slowest:?}",
        began.elapsed()
    );
}

/// Lets `tasks` agents speak `rate` lines a second each, for `seconds`; every 40th ends a turn.
async fn pace(store: &Store, tasks: u32, rate: u32, seconds: u32) {
    let journals = create(store, "p", tasks).await;
    let work = journals.into_iter().map(|mut journal| {
        tokio::spawn(async move {
            let mut clock = tokio::time::interval(Duration::from_secs(1) / rate);
            let mut spent = Vec::new();
            for n in 0..u64::from(rate * seconds) {
                clock.tick().await;
                let last = if n % 40 == 39 { finished() } else { said(n) };
                let began = Instant::now();
                journal.append(vec![last]).await.unwrap();
                spent.push(began.elapsed());
            }
            spent
        })
    });
    let mut spent = Vec::new();
    for task in work.collect::<Vec<_>>() {
        spent.extend(task.await.unwrap());
    }
    spent.sort();
    let at = |percent: usize| {
        spent
            .get(spent.len() * percent / 100)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "{tasks} tasks at {rate} lines/s: an append takes p50 {:?}, p99 {:?}, at most {:?}",
        at(50),
        at(99),
        spent.last().copied().unwrap_or_default()
    );
}

fn report(what: &str, lines: u64, began: Instant, slowest: Duration) {
    let spent = began.elapsed().as_secs_f64();
    #[allow(clippy::cast_precision_loss)] // a figure for people
    let (lines, bytes) = (lines as f64, lines as f64 * LINE_BYTES as f64);
    println!(
        "{what}: {:.0} lines/s, {:.0} MB/s, slowest append {slowest:?}",
        lines / spent,
        bytes / spent / 1e6
    );
}

/// What the same bytes cost when nothing is understood of them.
fn tee(data: &Path) {
    let log = data.join("tasks/s1-64-0/journal.jsonl");
    let size = std::fs::metadata(&log).unwrap().len();
    let began = Instant::now();
    let script = format!(
        "cat '{}' | tee '{}' > /dev/null",
        log.display(),
        data.join("copy").display()
    );
    let status = Command::new("sh")
        .args(["-c", &script])
        .stdin(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    #[allow(clippy::cast_precision_loss)]
    let rate = size as f64 / began.elapsed().as_secs_f64() / 1e6;
    println!("cat | tee of {} MB: {rate:.0} MB/s", size / 1_000_000);
}

async fn reopen(data: &Path) {
    let began = Instant::now();
    let (store, report) = Store::open(data, Timestamp::default()).await.unwrap();
    println!(
        "open {} tasks: {:?}, clean: {}",
        report.tasks,
        began.elapsed(),
        report.is_clean()
    );
    let reader = store.reader(&TaskId::parse("s1-64-0").unwrap());
    for (what, since) in [
        ("last page, first time", 199_900),
        ("last page again", 199_900),
        ("first page", 0),
    ] {
        let began = Instant::now();
        let (page, _) = reader.page(since, 256 << 10).await.unwrap();
        println!("{what}: {} lines in {:?}", page.len(), began.elapsed());
    }
    store.close().await;
    drop(store);
    std::fs::remove_file(data.join("index.sqlite")).unwrap();
    let began = Instant::now();
    let (_store, report) = Store::open(data, Timestamp::default()).await.unwrap();
    println!(
        "open without the index, {} journals folded: {:?}",
        report.refolded.len(),
        began.elapsed()
    );
}

async fn create(store: &Store, name: &str, tasks: u32) -> Vec<Journal> {
    let mut journals = Vec::new();
    for n in 0..tasks {
        let id = TaskId::parse(&format!("{name}-{n}")).unwrap();
        journals.push(store.create(first(id)).await.unwrap());
    }
    journals
}

fn first(task_id: TaskId) -> Event {
    let spec: TaskSpec =
        serde_json::from_str(r#"{"prompt":"measure","harness":"scripted"}"#).unwrap();
    Event {
        event_id: EventId::new(0, 0),
        ts: Timestamp::default(),
        seq: 1,
        task_id,
        run_id: None,
        turn_id: None,
        source: None,
        body: Body::SessionStarted {
            task_description: spec.title(),
            project_path: None,
            coding_provider: spec.harness.clone(),
            spec: Box::new(spec),
        },
    }
}

fn said(n: u64) -> Draft {
    let run_id = RunId::parse("r1").unwrap();
    Draft {
        event_id: EventId::new(n, 0),
        ts: Timestamp::default(),
        run_id: Some(run_id.clone()),
        turn_id: None,
        source: Some(Source {
            run_id,
            offset: n * 1_000,
            index: 0,
        }),
        body: Body::AssistantMessage {
            blocks: vec![Block {
                kind: BlockKind::Text,
                content: "word \"and\"\n".repeat(LINE_BYTES / 17),
            }],
            parent_tool_call_id: None,
        },
    }
}

fn finished() -> Draft {
    Draft {
        source: None,
        body: Body::TurnFinished {
            outcome: TurnOutcome::Completed,
            duration_ms: None,
        },
        ..said(0)
    }
}
