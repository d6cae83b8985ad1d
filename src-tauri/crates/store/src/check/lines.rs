//! What the lines of a journal must be to each other, looked at one by one.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use paddock_domain::{Body, Event, EventId, JournalFault, RunId, Source, TaskId};

use crate::DamageKind;
use crate::chain::Chain;
use crate::fold::Snapshot;

/// What is wrong, in which line, in words.
pub(super) type Found = (JournalFault, Option<u64>, String);

/// The lines so far.
pub(super) struct Lines<'a> {
    id: &'a TaskId,
    known: Option<&'a Snapshot>,
    /// The line that is looked at, from 1.
    line: u64,
    /// The number that is due.
    due: u64,
    /// Lines that are none, and their bytes, since the last that was one.
    garbled: (u64, u64),
    /// Ids of events by their hash: a journal may have millions.
    ids: HashSet<u64>,
    sources: BTreeMap<RunId, Source>,
    /// What the lines fold into, as long as they are in order.
    snapshot: Option<Snapshot>,
    in_order: bool,
    chain: Chain,
    compared: bool,
    found: Vec<Found>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(id: &'a TaskId, known: Option<&'a Snapshot>) -> Self {
        Self {
            id,
            known,
            line: 0,
            due: 1,
            garbled: (0, 0),
            ids: HashSet::new(),
            sources: BTreeMap::new(),
            snapshot: None,
            in_order: true,
            chain: Chain::default(),
            compared: false,
            found: Vec::new(),
        }
    }

    /// Takes what was found since it was last asked for.
    pub(super) fn found(&mut self) -> Vec<Found> {
        std::mem::take(&mut self.found)
    }

    /// The next line is an event.
    pub(super) fn event(&mut self, event: &Event, line: &[u8], bytes: u64) {
        self.number(event.seq);
        self.chain.add(line);
        if event.task_id != *self.id {
            let found = event.task_id.clone();
            let text = DamageKind::OtherTask { found }.to_string();
            self.fault(JournalFault::OtherTask, text);
        }
        if !self.ids.insert(hash(&event.event_id)) {
            let text = format!("event id {} is used by an earlier line", event.event_id);
            self.tell(JournalFault::EventId, text);
        }
        self.source(event.source.as_ref());
        if event.seq == 1 && !matches!(event.body, Body::SessionStarted { .. }) {
            self.fault(
                JournalFault::NoBeginning,
                DamageKind::NoBeginning.to_string(),
            );
        }
        if self.in_order {
            match &mut self.snapshot {
                Some(snapshot) => snapshot.take(event, bytes),
                none => *none = Snapshot::begin(event, bytes),
            }
        }
        self.compare();
    }

    /// The next line has a number and is no event that this version knows.
    pub(super) fn unknown(&mut self, seq: u64, error: &serde_json::Error, line: &[u8]) {
        self.number(seq);
        self.chain.add(line);
        let why = error.to_string().chars().take(200).collect();
        self.fault(
            JournalFault::Unknown,
            DamageKind::Unknown { why }.to_string(),
        );
    }

    /// The next line is none.
    pub(super) fn garbled(&mut self, bytes: u64, torn: bool) {
        self.line += 1;
        self.in_order = false;
        self.garbled.0 += u64::from(!torn || self.garbled.0 == 0);
        self.garbled.1 += bytes;
    }

    /// There are no more lines. `seal` is what a compressed journal says of all of them.
    pub(super) fn end(mut self, seal: Option<Chain>) -> Vec<Found> {
        if self.garbled.0 > 0 && seal.is_none() {
            let text = format!(
                "its last {} bytes are no line: a write that was cut short, or somebody's; the next \
                 start cuts them off and keeps them",
                self.garbled.1
            );
            self.tell(JournalFault::Torn, text);
        } else if self.garbled.0 > 0 {
            self.tell(JournalFault::Garbled, DamageKind::Garbled.to_string());
        }
        if seal.is_some_and(|seal| seal != self.chain) {
            let text = "its lines are not those that were compressed".to_owned();
            self.tell(JournalFault::Altered, text);
        }
        let last = self.due - 1;
        if let Some(known) = self.known.filter(|known| known.task.last_seq > last) {
            let text = format!(
                "it ends with line {last}, and the index knows {}: lines at its end are gone",
                known.task.last_seq
            );
            self.found.push((JournalFault::Altered, None, text));
        }
        self.found
    }

    /// Holds the number of the next line against the one that is due.
    fn number(&mut self, seq: u64) {
        self.line += 1;
        let (garbled, _) = std::mem::take(&mut self.garbled);
        if garbled > 0 {
            let text = format!("{} ({garbled} of them)", DamageKind::Garbled);
            self.found
                .push((JournalFault::Garbled, Some(self.line - garbled), text));
            if (self.due..=self.due + garbled).contains(&seq) {
                self.due = seq; // they stood for the numbers in between
            }
        }
        let (expected, found) = (self.due, seq);
        if found > expected {
            let text = DamageKind::Gap { expected, found }.to_string();
            self.fault(JournalFault::Gap, text);
        } else if found < expected {
            let text = DamageKind::Double { expected, found }.to_string();
            self.fault(JournalFault::Double, text);
        }
        self.due = self.due.max(seq.saturating_add(1));
    }

    fn source(&mut self, source: Option<&Source>) {
        let Some(source) = source else { return };
        let last = self.sources.get(&source.run_id);
        if last.is_some_and(|last| source <= last) {
            let text = format!(
                "output {}:{} of run {} was taken before",
                source.offset, source.index, source.run_id
            );
            self.tell(JournalFault::Source, text);
            return;
        }
        self.sources.insert(source.run_id.clone(), source.clone());
    }

    /// Holds the lines so far against what the index knows of them.
    fn compare(&mut self) {
        let Some(known) = self.known.filter(|_| !self.compared) else {
            return;
        };
        if self.due <= known.task.last_seq {
            return;
        }
        self.compared = true;
        let up_to = known.task.last_seq;
        if self.chain != known.chain {
            let text =
                format!("a line up to number {up_to} is not what it was when it was written");
            self.tell(JournalFault::Altered, text);
        } else if let Some(now) = &self.snapshot
            && self.in_order
            && (now.task != known.task || now.sources != known.sources || now.len != known.len)
        {
            let text = "the index holds another task than these lines give: stop Paddock, delete \
                        `index.sqlite`, start it: it is made anew";
            self.tell(JournalFault::Index, text.to_owned());
        }
    }

    /// Something is wrong that keeps the journal from being read on.
    fn fault(&mut self, kind: JournalFault, text: String) {
        self.in_order = false;
        self.tell(kind, text);
    }

    fn tell(&mut self, kind: JournalFault, text: String) {
        self.found.push((kind, Some(self.line), text));
    }
}

fn hash(id: &EventId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
