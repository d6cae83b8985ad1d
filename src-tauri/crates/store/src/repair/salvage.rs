//! Every line of a journal that can still be read, in whatever order it stands there.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use paddock_domain::{Body, Event, TaskId};

use crate::file;
use crate::held::Held;
use crate::layout::Layout;
use crate::packed::Packed;
use crate::text::{Ended, Head, read_line};

/// Where a line lies and what number it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) seq: u64,
    offset: u64,
    len: usize,
    /// Whether it follows the line with the number before it.
    follows: bool,
}

/// What was read.
pub(super) struct Salvage {
    /// The journal, or a copy without a name where it had to be decompressed.
    text: File,
    spots: Vec<Spot>,
    /// Whether the line with number 1 begins a journal.
    pub(super) begins: bool,
    /// The first line that this version does not know.
    pub(super) unknown: Option<u64>,
    /// What was left out.
    pub(super) steps: Vec<String>,
}

impl Salvage {
    /// Reads the journal of task `id`.
    pub(super) fn read(layout: &Layout, id: &TaskId) -> io::Result<Self> {
        let mut steps = Vec::new();
        let text = match Held::open(layout, id, false) {
            Ok(Held::Plain(file)) => file,
            Ok(Held::Packed(packed)) => decompressed(layout, id, packed, &mut steps)?,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                streamed(layout, id, &mut steps)?
            }
            Err(error) => return Err(error),
        };
        let mut salvage = Self {
            text,
            spots: Vec::new(),
            begins: false,
            unknown: None,
            steps,
        };
        salvage.look(id)?;
        Ok(salvage)
    }

    fn look(&mut self, id: &TaskId) -> io::Result<()> {
        let mut reader = BufReader::with_capacity(1 << 16, self.text.try_clone()?);
        reader.seek(SeekFrom::Start(0))?;
        let (mut line, mut offset, mut nth, mut last) = (Vec::new(), 0, 0_u64, 0);
        loop {
            let (ended, bytes) = read_line(&mut reader, &mut line)?;
            if ended == Ended::Nothing {
                return Ok(());
            }
            nth += 1;
            let event = serde_json::from_slice::<Event>(&line).ok();
            match event.filter(|_| ended == Ended::Whole) {
                Some(event) if event.task_id == *id && event.seq > 0 => {
                    let is_first = matches!(event.body, Body::SessionStarted { .. });
                    self.begins |= event.seq == 1 && is_first;
                    self.spots.push(Spot {
                        seq: event.seq,
                        offset,
                        len: line.len(),
                        follows: event.seq == last + 1,
                    });
                    last = event.seq;
                }
                Some(event) => self.steps.push(format!(
                    "line {nth} is left out: it belongs to task {}",
                    event.task_id
                )),
                None if ended == Ended::Whole && Head::of(&line).is_some() => {
                    self.unknown.get_or_insert(nth);
                }
                None => self.steps.push(format!(
                    "line {nth} is left out: its {bytes} bytes are no event"
                )),
            }
            offset += bytes;
        }
    }

    /// The lines by their numbers, each once.
    pub(super) fn in_order(&self, steps: &mut Vec<String>) -> Vec<Spot> {
        let most = self.spots.len() as u64 + super::GAP_MAX;
        let mut spots = self.spots.clone();
        spots.retain(|spot| {
            if spot.seq > most {
                let seq = spot.seq;
                steps.push(format!(
                    "a line is left out: its number {seq} cannot be right"
                ));
            }
            spot.seq <= most
        });
        if !spots.is_sorted_by_key(|spot| spot.seq) {
            steps.push("lines are put in the order of their numbers".to_owned());
        }
        // Of lines with one number, that which stands in its place.
        spots.sort_by_key(|spot| (spot.seq, !spot.follows));
        let before = spots.len();
        let mut doubles = Vec::new();
        spots.dedup_by(|later, first| {
            let same = later.seq == first.seq;
            if same {
                doubles.push(first.seq);
            }
            same
        });
        for seq in doubles.iter().take(super::STEPS_MAX) {
            steps.push(format!(
                "number {seq} stands more than once: one line is taken"
            ));
        }
        debug_assert_eq!(before, spots.len() + doubles.len());
        spots
    }

    /// The line at `spot`, without its newline.
    pub(super) fn line(&mut self, spot: &Spot) -> io::Result<Vec<u8>> {
        let mut line = vec![0; spot.len];
        self.text.seek(SeekFrom::Start(spot.offset))?;
        self.text.read_exact(&mut line)?;
        Ok(line)
    }
}

/// The text of a compressed journal as far as its parts can be decompressed, in a file.
fn decompressed(
    layout: &Layout,
    id: &TaskId,
    mut packed: Packed,
    steps: &mut Vec<String>,
) -> io::Result<File> {
    let mut to = nameless(layout, id)?;
    for from in packed.frames() {
        match packed.frame_at(from.offset) {
            Ok(text) => to.write_all(&text)?,
            Err(error) => steps.push(format!("a part is left out: {error}")),
        }
    }
    Ok(to)
}

/// The text of a compressed journal whose tables are broken, from its beginning as far as it goes.
fn streamed(layout: &Layout, id: &TaskId, steps: &mut Vec<String>) -> io::Result<File> {
    let mut to = nameless(layout, id)?;
    let packed = file::open_plain(&layout.packed(id), false)?;
    let mut text = zstd::stream::read::Decoder::new(packed)?;
    steps.push("the tables of the compressed file are left out: they are broken".to_owned());
    let mut part = vec![0; 1 << 16];
    loop {
        match text.read(&mut part) {
            Ok(0) => return Ok(to),
            Ok(n) => to.write_all(part.get(..n).unwrap_or_default())?,
            Err(error) => {
                steps.push(format!("what follows a broken part is left out: {error}"));
                return Ok(to);
            }
        }
    }
}

/// A file that loses its name at once, so that it is gone with whoever reads it, however that ends.
fn nameless(layout: &Layout, id: &TaskId) -> io::Result<File> {
    let path = layout.task(id).join("journal.salvage");
    let file = file::open_private(&path)?;
    fs::remove_file(&path)?;
    file.set_len(0)?;
    Ok(file)
}
