//! Small journals to tell stories with.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use paddock_domain::{
    Block, BlockKind, Body, Event, EventId, InputId, NoticeLevel, RunId, Source, StateName, TaskId,
    TaskSpec, Timestamp, ToolCallFinished, Transition, TurnId, TurnOutcome, Usage,
};
use paddock_store::{Draft, Journal, Line, OpenReport, Store};

/// A day of the tests.
pub(crate) const NOW: i64 = 1_795_300_000_000;

pub(crate) async fn open(data: &Path) -> (Store, OpenReport) {
    Store::open(data, now()).await.unwrap()
}

pub(crate) fn now() -> Timestamp {
    Timestamp::from_unix_ms(NOW)
}

pub(crate) fn task(id: &str) -> TaskId {
    TaskId::parse(id).unwrap()
}

pub(crate) fn run(id: &str) -> RunId {
    RunId::parse(id).unwrap()
}

/// The first event of task `id`.
pub(crate) fn first(id: &str) -> Event {
    first_with_prompt(id, "fix it")
}

pub(crate) fn first_with_prompt(id: &str, prompt: &str) -> Event {
    let json = serde_json::json!({
        "prompt": prompt, "harness": "scripted", "repositories": [{"path": "/r"}]
    });
    let spec: TaskSpec = serde_json::from_value(json).unwrap();
    Event {
        event_id: EventId::new(0, 1),
        ts: now(),
        seq: 1,
        task_id: task(id),
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

/// A draft of `body` at an arbitrary time, with an id that no other has.
pub(crate) fn draft(body: Body) -> Draft {
    static NEXT: AtomicU64 = AtomicU64::new(7);
    let nth = NEXT.fetch_add(1, Ordering::Relaxed);
    Draft {
        event_id: EventId::new(7, u128::from(nth)),
        ts: now().plus_ms(5),
        run_id: Some(run("r1")),
        turn_id: Some(TurnId::parse("u1").unwrap()),
        source: None,
        body,
    }
}

/// A draft of `body` decoded from the agent's output.
pub(crate) fn decoded(run_id: &str, offset: u64, index: u32, body: Body) -> Draft {
    let run_id = run(run_id);
    Draft {
        run_id: Some(run_id.clone()),
        source: Some(Source {
            run_id,
            offset,
            index,
        }),
        ..draft(body)
    }
}

pub(crate) fn said(text: &str) -> Body {
    Body::AssistantMessage {
        blocks: vec![Block {
            kind: BlockKind::Text,
            content: text.to_owned(),
        }],
        parent_tool_call_id: None,
    }
}

pub(crate) fn noted(text: &str) -> Body {
    Body::Notice {
        level: NoticeLevel::Info,
        phase: None,
        text: text.to_owned(),
    }
}

pub(crate) fn asked(text: &str) -> Body {
    Body::UserMessage {
        input_id: InputId::parse("i1").unwrap(),
        content: text.to_owned(),
        during_turn: false,
        attachments: Vec::new(),
    }
}

pub(crate) fn gave(output: &str) -> Body {
    Body::ToolCallFinished(ToolCallFinished {
        tool_call_id: "c1".to_owned(),
        output: Some(output.to_owned()),
        ..ToolCallFinished::default()
    })
}

pub(crate) fn moved(on: Transition) -> Body {
    Body::StateChanged {
        from: StateName::Pending,
        to: StateName::Pending,
        on,
        cause: None,
    }
}

pub(crate) fn used(input_tokens: u64) -> Body {
    Body::UsageUpdated(Usage {
        input_tokens,
        ..Usage::default()
    })
}

pub(crate) fn finished() -> Body {
    Body::TurnFinished {
        outcome: TurnOutcome::Completed,
        duration_ms: Some(3),
    }
}

/// A journal of task `id` with `n` notices after its first event.
pub(crate) async fn with_notices(store: &Store, id: &str, n: usize) -> Journal {
    let mut journal = store.create(first(id)).await.unwrap();
    for n in 0..n {
        journal
            .append(vec![draft(noted(&format!("note {n}")))])
            .await
            .unwrap();
    }
    journal
}

pub(crate) fn seqs(lines: &[Arc<Line>]) -> Vec<u64> {
    lines.iter().map(|line| line.seq).collect()
}

pub(crate) fn journal_path(data: &Path, id: &str) -> PathBuf {
    data.join("tasks").join(id).join("journal.jsonl")
}

/// The whole history of task `id` as events, read in small pages.
pub(crate) async fn history(store: &Store, id: &str) -> Vec<Event> {
    let (reader, mut since, mut events) = (store.reader(&task(id)), 0, Vec::new());
    loop {
        let (page, next) = reader.page(since, 2_000).await.unwrap();
        if page.is_empty() {
            return events;
        }
        assert_eq!(next, since + page.len() as u64);
        events.extend(
            page.iter()
                .map(|json| serde_json::from_slice::<Event>(json).unwrap()),
        );
        since = next;
    }
}
