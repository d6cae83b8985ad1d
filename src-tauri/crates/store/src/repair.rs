//! Mending a journal that cannot be read to its end, on demand alone. The original is kept beside it.
//!
//! Every line that can be read keeps its number and every word. Lines out of order are put in order, a line
//! that stands twice is taken once, and where a number is missing an `error` event says so in its place, so
//! that cursors of clients stay right. A lost first line is made again from what the index knows.
//!
//! Start at [`repair`].

mod salvage;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use paddock_domain::{
    Body, ErrorClass, Event, EventId, JournalRepair, NoticeLevel, TaskId, Timestamp,
};

use crate::fold::Snapshot;
use crate::layout::Layout;
use crate::{StoreError, file};

use salvage::{Salvage, Spot};

/// Longest stretch of missing numbers that is filled.
const GAP_MAX: u64 = 10_000;
/// Most copies from before repairs that are kept beside one journal.
const COPIES_MAX: u32 = 1_000;
/// Most steps that are told one by one.
const STEPS_MAX: usize = 100;

/// When it is repaired, and ids for the events that it needs.
pub(crate) struct Stamp {
    pub(crate) now: Timestamp,
    /// The first id's randomness; the next ones count on from it.
    pub(crate) random: u128,
}

impl Stamp {
    fn event(&mut self, task_id: &TaskId, seq: u64, ts: Timestamp, body: Body) -> Event {
        self.random = self.random.wrapping_add(1);
        Event {
            event_id: EventId::new(u64::try_from(self.now.unix_ms()).unwrap_or(0), self.random),
            ts,
            seq,
            task_id: task_id.clone(),
            run_id: None,
            turn_id: None,
            source: None,
            body,
        }
    }
}

/// Repairs the journal of task `id`, which nobody may be writing; only says what it would do when `dry`.
/// `known` is what the index holds of it.
///
/// # Errors
/// [`StoreError::BeyondRepair`], [`StoreError::NoSuchTask`], and failures of the system; the journal is as
/// it was then.
pub(crate) fn repair(
    layout: &Layout,
    id: &TaskId,
    known: Option<&Snapshot>,
    mut stamp: Stamp,
    dry: bool,
) -> Result<JournalRepair, StoreError> {
    let failed = |source| StoreError::journal("repairing", id, layout.journal(id), source);
    let mut salvage = Salvage::read(layout, id).map_err(failed)?;
    if let Some(line) = salvage.unknown {
        return Err(beyond(
            id,
            &format!(
                "line {line} is an event that this version does not know: it is of a newer Paddock, use that"
            ),
        ));
    }
    let mut steps = std::mem::take(&mut salvage.steps);
    let plan = plan(id, &salvage, known, &mut steps)?;
    if steps.is_empty() {
        return Ok(JournalRepair {
            task_id: id.clone(),
            steps,
            kept: None,
            last_seq: plan.last_seq,
        });
    }
    let last_seq = plan.last_seq + 1; // the notice of the repair
    let mut told: Vec<_> = steps.iter().take(STEPS_MAX).cloned().collect();
    if steps.len() > STEPS_MAX {
        told.push(format!("and {} more like these", steps.len() - STEPS_MAX));
    }
    let kept = if dry {
        None
    } else {
        Some(rewrite(layout, id, &mut salvage, &plan, &mut stamp, &told).map_err(failed)?)
    };
    Ok(JournalRepair {
        task_id: id.clone(),
        steps: told,
        kept,
        last_seq,
    })
}

/// What the repaired journal is made of.
struct Plan {
    /// The first line, where it has to be made again.
    first: Option<Body>,
    began: Timestamp,
    /// The lines to take, in order of their numbers, without doubles.
    spots: Vec<Spot>,
    last_seq: u64,
}

fn plan(
    id: &TaskId,
    salvage: &Salvage,
    known: Option<&Snapshot>,
    steps: &mut Vec<String>,
) -> Result<Plan, StoreError> {
    let mut spots = salvage.in_order(steps);
    let has_first = salvage.begins && spots.first().is_some_and(|spot| spot.seq == 1);
    let (mut first, mut began) = (None, Timestamp::default());
    if !has_first {
        let Some(known) = known else {
            let why = "its first line is gone, and the index does not know the task either: put a copy \
                       of the journal in its place";
            return Err(beyond(id, why));
        };
        let task = &known.task;
        began = task.created_at;
        first = Some(Body::SessionStarted {
            task_description: task.title.clone(),
            project_path: task.spec.repositories.first().map(|r| r.path.clone()),
            coding_provider: task.spec.harness.clone(),
            spec: Box::new(paddock_domain::TaskSpec::clone(&task.spec)),
        });
        spots.retain(|spot| spot.seq != 1);
        steps.push("line 1 is made again from what the index knows of the task".to_owned());
    }
    let mut due = 2 - u64::from(first.is_none());
    for spot in &spots {
        if spot.seq > due {
            steps.push(gap(due, spot.seq - 1));
        }
        if spot.seq - due > GAP_MAX {
            let why = format!(
                "{} lines are missing before number {}: put a copy of the journal in its place",
                spot.seq - due,
                spot.seq
            );
            return Err(beyond(id, &why));
        }
        due = spot.seq + 1;
    }
    Ok(Plan {
        first,
        began,
        spots,
        last_seq: due - 1,
    })
}

fn gap(from: u64, to: u64) -> String {
    if from == to {
        format!("line {from} is lost; an error event says so in its place")
    } else {
        format!("lines {from} to {to} are lost; error events say so in their places")
    }
}

/// Writes the repaired journal and puts it in the place of the original, which gets another name. Gives that.
fn rewrite(
    layout: &Layout,
    id: &TaskId,
    salvage: &mut Salvage,
    plan: &Plan,
    stamp: &mut Stamp,
    steps: &[String],
) -> io::Result<String> {
    let (original, is_packed) = match fs::symlink_metadata(layout.journal(id)) {
        Ok(_) => (layout.journal(id), false),
        Err(_) => (layout.packed(id), true),
    };
    let (kept, name) = keep(layout, id, &original, is_packed)?;
    let half = layout.half_journal(id);
    let written = (|| {
        let file = file::open_private(&half)?;
        file.set_len(0)?;
        let mut to = BufWriter::with_capacity(1 << 16, file);
        write(&mut to, id, salvage, plan, stamp, &name, steps)?;
        to.into_inner()?.sync_all()?;
        fs::rename(&half, layout.journal(id))
    })();
    if let Err(error) = written {
        let _ = fs::remove_file(&half); // gives its room back
        let _ = fs::remove_file(&kept); // the original is where it was
        return Err(error);
    }
    if is_packed {
        fs::remove_file(layout.packed(id))?;
    }
    file::sync_dir(&layout.task(id))?;
    Ok(name)
}

/// Gives the original a second name that stays.
fn keep(
    layout: &Layout,
    id: &TaskId,
    original: &std::path::Path,
    is_packed: bool,
) -> io::Result<(PathBuf, String)> {
    for n in 1..=COPIES_MAX {
        let mut path = layout.before_repair(id, n).into_os_string();
        if is_packed {
            path.push(".zst");
        }
        let path = PathBuf::from(path);
        match fs::hard_link(original, &path) {
            Ok(()) => {
                file::sync_dir(&layout.task(id))?;
                let name = path.file_name().map(|name| name.to_string_lossy());
                return Ok((path.clone(), name.unwrap_or_default().into_owned()));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(
        "too many copies from before repairs are kept beside it: remove some",
    ))
}

fn write(
    to: &mut impl Write,
    id: &TaskId,
    salvage: &mut Salvage,
    plan: &Plan,
    stamp: &mut Stamp,
    kept: &str,
    steps: &[String],
) -> io::Result<()> {
    let put = |to: &mut dyn Write, event: &Event| -> io::Result<()> {
        serde_json::to_writer(&mut *to, event)?;
        to.write_all(b"\n")
    };
    let (mut due, mut ts) = (1, plan.began);
    if let Some(first) = &plan.first {
        put(to, &stamp.event(id, 1, ts, first.clone()))?;
        due = 2;
    }
    for spot in &plan.spots {
        while due < spot.seq {
            put(to, &stamp.event(id, due, ts, lost(kept)))?;
            due += 1;
        }
        let line = salvage.line(spot)?;
        ts = serde_json::from_slice::<Event>(&line).map_or(ts, |event| event.ts);
        to.write_all(&line)?;
        to.write_all(b"\n")?;
        due += 1;
    }
    let text = format!(
        "The journal was repaired; its original is kept as `{kept}`. {}.",
        steps.join("; ")
    );
    let notice = Body::Notice {
        level: NoticeLevel::Warning,
        phase: None,
        text,
    };
    put(to, &stamp.event(id, due, stamp.now, notice))
}

/// What stands in the place of a lost line.
fn lost(kept: &str) -> Body {
    Body::Error {
        class: ErrorClass::Internal,
        message: format!(
            "An event is lost here: its line was not in `{kept}` when it was repaired."
        ),
        raw: None,
        raw_ref: None,
    }
}

fn beyond(id: &TaskId, why: &str) -> StoreError {
    StoreError::BeyondRepair {
        task: id.clone(),
        why: why.to_owned(),
    }
}
