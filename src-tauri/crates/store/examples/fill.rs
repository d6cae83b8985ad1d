//! Fills a data directory with tasks that are over, as the store itself writes them, for measurements.
//!
//! `cargo run --release -p paddock-store --example fill -- DIR TASKS MIB`: TASKS tasks with MIB MiB of journal
//! in all. Of every ten, four are purged, five stopped for long (both compressed), one stopped just now.
#![allow(clippy::unwrap_used)] // a measurement that cannot be made ends

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use paddock_domain::{
    Block, BlockKind, Body, Event, EventId, InputId, RunExit, RunId, Source, TaskId, TaskSpec,
    Timestamp, ToolCallFinished, ToolCallStarted, Transition, TurnId, TurnOutcome,
};
use paddock_store::{Draft, Journal, Store};

/// Events a batch.
const BATCH: usize = 64;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let dir = PathBuf::from(arguments.next().unwrap());
    let mut number = || arguments.next().unwrap().to_str().unwrap().parse().unwrap();
    let (tasks, mib): (u64, u64) = (number(), number());
    let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let now = Timestamp::from_unix_ms(i64::try_from(wall.as_millis()).unwrap());
    let (store, _) = Store::open(&dir, now).await.unwrap();
    let each = (mib << 20) / tasks;
    for n in 0..tasks {
        let long_ago = now.plus_ms(-(10 + i64::try_from(n).unwrap() % 3) * 24 * 60 * 60 * 1000);
        let began = if n % 10 == 9 {
            now.plus_ms(-60_000)
        } else {
            long_ago
        };
        let mut life = Life::begin(&store, n, began).await;
        life.work(each).await;
        life.end().await;
        match n % 10 {
            0..=3 => {
                life.say(Transition::PurgeRequested).await;
                life.say(Transition::PurgeDone).await;
                let id = life.journal.task().task_id.clone();
                drop(life);
                store.archive(&id).await.unwrap();
            }
            9 => {}
            _ => life.journal.pack().await.unwrap(),
        }
    }
    store.close().await;
}

/// One task's.
struct Life {
    journal: Journal,
    now: Timestamp,
    ids: u128,
    offset: u64,
    noise: Noise,
}

impl Life {
    async fn begin(store: &Store, n: u64, now: Timestamp) -> Self {
        let prompt = format!("Synthetic task {n}: make the numbers hold");
        let json = serde_json::json!({ "prompt": prompt, "harness": "scripted" });
        let spec: TaskSpec = serde_json::from_value(json).unwrap();
        let first = Event {
            event_id: EventId::new(unix(now), u128::from(n) << 64),
            ts: now,
            seq: 1,
            task_id: TaskId::new(unix(now), u128::from(n)),
            run_id: None,
            turn_id: None,
            source: None,
            body: Body::SessionStarted {
                task_description: spec.title(),
                project_path: None,
                coding_provider: spec.harness.clone(),
                spec: Box::new(spec),
            },
        };
        let mut life = Self {
            journal: store.create(first).await.unwrap(),
            now,
            ids: (u128::from(n) << 64) + 1,
            offset: 0,
            noise: Noise(n + 1),
        };
        let said = Body::UserMessage {
            input_id: InputId::parse("i1").unwrap(),
            content: prompt,
            during_turn: false,
            attachments: Vec::new(),
        };
        life.put(vec![said], false).await;
        for on in [
            Transition::Scheduled,
            Transition::Branched,
            Transition::BoxReady,
            Transition::Prompted,
        ] {
            life.say(on).await;
        }
        life
    }

    /// Lets the agent work until the journal has `bytes` bytes, about.
    async fn work(&mut self, bytes: u64) {
        let mut written = 0;
        while written < bytes {
            let bodies: Vec<_> = (0..BATCH / 4).flat_map(|_| self.step()).collect();
            written += self.put(bodies, true).await;
        }
    }

    /// What an agent does in one go: it says something and uses a tool.
    fn step(&mut self) -> Vec<Body> {
        self.ids += 1;
        let call = format!("toolu_{:024x}", self.ids);
        let said = self.noise.words(120);
        let started = ToolCallStarted {
            tool_call_id: call.clone(),
            tool_name: "Bash".to_owned(),
            command: Some(self.noise.words(12)),
            ..serde_json::from_value(serde_json::json!({
                "tool_call_id": "x", "tool_name": "x", "tool": "bash"
            }))
            .unwrap()
        };
        let finished = ToolCallFinished {
            tool_call_id: call,
            exit_code: Some(0),
            output: Some(self.noise.words(300)),
            ..ToolCallFinished::default()
        };
        vec![
            Body::AssistantMessage {
                blocks: vec![Block {
                    kind: BlockKind::Text,
                    content: said,
                }],
                parent_tool_call_id: None,
            },
            Body::ToolCallStarted(started),
            Body::ToolCallFinished(finished),
        ]
    }

    async fn end(&mut self) {
        let bodies = vec![
            Body::TurnFinished {
                outcome: TurnOutcome::Completed,
                duration_ms: Some(1),
            },
            Body::RunEnded {
                exit: RunExit::Code { code: 0 },
                stderr_tail: String::new(),
                unheard_since: None,
            },
        ];
        self.put(bodies, true).await;
        self.say(Transition::StopRequested).await;
        self.say(Transition::Ended).await;
    }

    async fn say(&mut self, on: Transition) {
        let from = self.journal.task().machine();
        let to = from.apply(on).unwrap();
        let body = Body::StateChanged {
            from: from.name(),
            to: to.name(),
            on,
            cause: None,
        };
        self.put(vec![body], false).await;
    }

    async fn put(&mut self, bodies: Vec<Body>, sourced: bool) -> u64 {
        let drafts = bodies.into_iter().map(|body| self.draft(body, sourced));
        let drafts = drafts.collect();
        let lines = self.journal.append(drafts).await.unwrap();
        lines.iter().map(|line| line.json.len() as u64 + 1).sum()
    }

    fn draft(&mut self, body: Body, sourced: bool) -> Draft {
        self.ids += 1;
        self.offset += 1000;
        let run_id = RunId::parse("r1").unwrap();
        Draft {
            event_id: EventId::new(unix(self.now), self.ids),
            ts: self.now,
            run_id: Some(run_id.clone()),
            turn_id: Some(TurnId::parse("u1").unwrap()),
            source: sourced.then_some(Source {
                run_id,
                offset: self.offset,
                index: 0,
            }),
            body,
        }
    }
}

fn unix(now: Timestamp) -> u64 {
    u64::try_from(now.unix_ms()).unwrap()
}

/// Text that compresses about as an agent's does: words of a small language, in no order.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn words(&mut self, n: usize) -> String {
        let mut text = String::with_capacity(n * 7);
        for _ in 0..n {
            let word = (self.next() % 4096).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            for k in 0..3 + word % 7 {
                let letter = (word >> (5 * k)) % 26;
                text.push(char::from(b'a' + u8::try_from(letter).unwrap()));
            }
            text.push(' ');
        }
        text
    }
}
