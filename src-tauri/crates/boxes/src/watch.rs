//! What happens to boxes without our doing, told as it happens.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::{Stream, StreamExt};
use paddock_docker::{ContainerEvent, EngineError, Happening};
use paddock_domain::TaskId;

use crate::{Boxes, layout};

/// Something happened to a box, or to the engine that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoxEvent {
    /// A process in the box was killed because the box's memory was used up. The box may live on.
    OutOfMemory {
        /// The task.
        task_id: TaskId,
    },
    /// The box ended.
    Died {
        /// The task.
        task_id: TaskId,
        /// The code that it ended with, when known.
        exit: Option<i64>,
        /// Whether its memory had been used up.
        oom: bool,
    },
    /// The box runs: we started it, or somebody did by hand.
    Started {
        /// The task.
        task_id: TaskId,
    },
    /// The box was removed from its engine.
    Removed {
        /// The task.
        task_id: TaskId,
    },
    /// The engine cannot be heard any more. Boxes may live on; what happens to them is not seen.
    EngineLost {
        /// What was seen of it.
        why: String,
    },
    /// The engine is heard again. What it still knows of what happened meanwhile follows.
    EngineBack,
}

/// First and longest pause between two tries to hear the engine.
const PAUSE: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(15));

/// How many boxes whose memory was used up are remembered until they end.
const REMEMBERED: usize = 256;

impl Boxes {
    /// Tells what happens to the containers of this data directory from now on. It never ends: an
    /// engine that is lost, or not there yet, is looked for again.
    pub fn watch(&self) -> impl Stream<Item = BoxEvent> + Send + 'static {
        let watch = Watch {
            boxes: self.clone(),
            hearing: None,
            lost: false,
            pause: PAUSE.0,
            heard_ns: now_ns(),
            starved: VecDeque::new(),
        };
        futures_util::stream::unfold(watch, async |mut watch| {
            let event = watch.next().await;
            Some((event, watch))
        })
    }
}

type Events = Pin<Box<dyn Stream<Item = Result<ContainerEvent, EngineError>> + Send>>;

struct Watch {
    boxes: Boxes,
    hearing: Option<Events>,
    /// Whether [`BoxEvent::EngineLost`] was told last.
    lost: bool,
    pause: Duration,
    /// The time of the newest event that was heard, by the engine's clock.
    heard_ns: i64,
    /// Containers in which memory was used up.
    starved: VecDeque<String>,
}

impl Watch {
    async fn next(&mut self) -> BoxEvent {
        loop {
            let Some(events) = &mut self.hearing else {
                match self.listen().await {
                    Some(event) => return event,
                    None => continue,
                }
            };
            match events.next().await {
                Some(Ok(event)) => {
                    if let Some(event) = self.judge(event) {
                        return event;
                    }
                }
                Some(Err(error)) => return self.lose(error.to_string()).await,
                None => return self.lose("it closed the connection".to_owned()).await,
            }
        }
    }

    /// Tries to hear the engine once; gives what is to be told about that.
    async fn listen(&mut self) -> Option<BoxEvent> {
        match self.boxes.engine().await {
            Ok(linked) => {
                let mark = self.boxes.inner.data_mark.clone();
                let labels = BTreeMap::from([(layout::DATA_LABEL, mark.as_str())]);
                // From the second that was heard last: repeats are told by their time.
                let since = self.heard_ns / 1_000_000_000;
                self.hearing = Some(Box::pin(linked.engine.events(&labels, since)));
                self.pause = PAUSE.0;
                std::mem::take(&mut self.lost).then_some(BoxEvent::EngineBack)
            }
            Err(error) if !self.lost => {
                self.lost = true;
                let why = error.to_string();
                Some(BoxEvent::EngineLost { why })
            }
            Err(_) => {
                tokio::time::sleep(self.pause).await;
                self.pause = (self.pause * 2).min(PAUSE.1);
                None
            }
        }
    }

    async fn lose(&mut self, why: String) -> BoxEvent {
        self.boxes.inner.link.forget().await;
        self.hearing = None;
        self.lost = true;
        BoxEvent::EngineLost { why }
    }

    /// What a container's event means; nothing when it was heard before or is not ours to tell.
    fn judge(&mut self, event: ContainerEvent) -> Option<BoxEvent> {
        if event.at_ns <= self.heard_ns {
            return None;
        }
        self.heard_ns = event.at_ns;
        let task_id = TaskId::parse(event.labels.get(layout::TASK_LABEL)?).ok()?;
        match event.what {
            Happening::Started => {
                self.starved.retain(|id| *id != event.container);
                Some(BoxEvent::Started { task_id })
            }
            Happening::OutOfMemory => {
                self.starved.push_back(event.container);
                if self.starved.len() > REMEMBERED {
                    self.starved.pop_front();
                }
                Some(BoxEvent::OutOfMemory { task_id })
            }
            Happening::Died { exit } => Some(BoxEvent::Died {
                task_id,
                exit,
                // A relay that ended by itself was not killed for memory.
                oom: exit != Some(0) && self.starved.contains(&event.container),
            }),
            Happening::Removed => Some(BoxEvent::Removed { task_id }),
        }
    }
}

fn now_ns() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
