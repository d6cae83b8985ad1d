//! The order in which the events of all tasks were told, kept so that a cursor outlives the server.
//!
//! An entry is a task and a sequence number; its text stands in the task's journal. The latest entries are in
//! memory and in a file, written before anybody is told. After a restart the numbers go on where the file
//! ends, and what the journals have beyond it is entered then: a cursor never names two events, and no event
//! is passed over. A file whose end may be lost (the machine went down) is not believed: cursors of before
//! are then unknown.
//!
//! Start at [`Order::open`] and [`Order::enter`].

use std::collections::{HashMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use paddock_domain::TaskId;
use serde::{Deserialize, Serialize};

/// The file below the data directory.
const FILE: &str = "events.order";
/// After so many entries that could not be kept the file is tried again.
const TRY_AGAIN: usize = 256;
/// The last line of a file that is whole: it was closed and is on the disk.
const CLOSED: &str = "closed";

/// Entries in the order in which they were told.
#[derive(Debug)]
pub(super) struct Order {
    life: String,
    /// The number of the first entry at hand.
    first: u64,
    entries: VecDeque<(u32, u64)>,
    tasks: Vec<TaskId>,
    numbers: HashMap<TaskId, u32>,
    /// The last event of each task that was entered.
    last: Vec<u64>,
    path: Option<PathBuf>,
    /// There while it can be written.
    file: Option<File>,
    /// Lines in the file behind its head.
    lines: usize,
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    life: String,
    /// The machine's life in which it was written, where the machine says so.
    boot: Option<String>,
    first: u64,
    /// The last event of each task that was entered before the first line.
    last: HashMap<TaskId, u64>,
}

impl Order {
    /// Entries at hand at least, once there were so many.
    pub(super) const KEPT: usize = 16_384;

    /// An order without a file, for as long as this server runs.
    #[cfg(test)]
    pub(super) fn in_memory() -> Self {
        Self::empty(None)
    }

    /// The order kept in the directory `data`; a new one where there is none that can be believed. Then it
    /// says so: what stands in the journals has been told to nobody that holds a cursor.
    pub(super) fn open(data: &Path) -> (Self, bool) {
        let path = data.join(FILE);
        let read = fs::read_to_string(&path).ok();
        let kept = read.and_then(|text| Self::read(&text, &path));
        let is_new = kept.is_none();
        let mut order = kept.unwrap_or_else(|| Self::empty(Some(path)));
        if order.file.is_none() {
            order.write_anew();
        }
        (order, is_new)
    }

    fn empty(path: Option<PathBuf>) -> Self {
        Self {
            life: format!("{:08x}", rand::random::<u32>()),
            first: 1,
            entries: VecDeque::new(),
            tasks: Vec::new(),
            numbers: HashMap::new(),
            last: Vec::new(),
            path,
            file: None,
            lines: 0,
        }
    }

    fn read(text: &str, path: &Path) -> Option<Self> {
        let (head, body) = text.split_once('\n')?;
        let head: Head = serde_json::from_str(head).ok()?;
        let closed = body.ends_with(&format!("{CLOSED}\n"));
        if !closed && (head.boot.is_none() || head.boot != boot()) {
            return None;
        }
        let mut order = Self {
            life: head.life,
            first: head.first,
            ..Self::empty(Some(path.to_owned()))
        };
        for (task, seq) in head.last {
            order.note(&task, seq);
        }
        // A line without its end was told to nobody.
        let whole = body.get(..whole_len(body)).unwrap_or_default();
        for line in whole.lines().filter(|line| *line != CLOSED) {
            let (task, seq) = line.split_once(' ')?;
            let (task, seq) = (TaskId::parse(task).ok()?, seq.parse().ok()?);
            let number = order.note(&task, seq);
            order.entries.push_back((number, seq));
        }
        order.lines = order.entries.len();
        if head.boot.is_some() && head.boot == boot() {
            // Nothing is written where nothing has to be: the disk may be full.
            order.file = go_on(path, (text.len() - body.len() + whole_len(body)) as u64).ok();
        }
        order.shorten();
        Some(order)
    }

    /// What every cursor begins with.
    pub(super) fn life(&self) -> &str {
        &self.life
    }

    /// The number of the last entry; 0 when there was none.
    pub(super) fn end(&self) -> u64 {
        self.first + self.entries.len() as u64 - 1
    }

    /// Whether all that was entered behind number `n` is at hand.
    pub(super) fn reaches(&self, n: u64) -> bool {
        n + 1 >= self.first && n <= self.end()
    }

    /// At most `most` entries behind number `n`, with their numbers.
    pub(super) fn behind(&self, n: u64, most: usize) -> Vec<(u64, TaskId, u64)> {
        let skip = usize::try_from((n + 1).saturating_sub(self.first)).unwrap_or(usize::MAX);
        let entries = self.entries.iter().skip(skip).take(most);
        (self.first + skip as u64..)
            .zip(entries)
            .filter_map(|(n, &(task, seq))| Some((n, self.tasks.get(task as usize)?.clone(), seq)))
            .collect()
    }

    /// Takes it that `task` was told of up to `seq`, without entries.
    pub(super) fn assume(&mut self, task: &TaskId, seq: u64) {
        self.note(task, seq);
    }

    /// Enters the events of `task` up to `seq` that are not entered yet, and gives their numbers and
    /// sequence numbers.
    pub(super) fn enter(&mut self, task: &TaskId, seq: u64) -> Vec<(u64, u64)> {
        let known = self.numbers.get(task);
        let known = known.and_then(|number| self.last.get(*number as usize));
        let news = known.copied().unwrap_or(0) + 1..=seq;
        let mut entered = Vec::new();
        let mut text = String::new();
        for seq in news {
            let number = self.note(task, seq);
            self.entries.push_back((number, seq));
            entered.push((self.end(), seq));
            text.push_str(&format!("{task} {seq}\n"));
        }
        self.put(&text, entered.len());
        self.shorten();
        entered
    }

    /// Marks the file as whole: nothing is entered any more.
    pub(super) fn close(&mut self) {
        let Some(mut file) = self.file.take() else {
            return;
        };
        let line = format!("{CLOSED}\n");
        let closed = file
            .write_all(line.as_bytes())
            .and_then(|()| file.sync_all());
        if let Err(error) = closed {
            tracing::debug!(%error, "the order of events was not closed");
        }
    }

    fn note(&mut self, task: &TaskId, seq: u64) -> u32 {
        let next = u32::try_from(self.tasks.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(task.clone()).or_insert(next);
        if number == next {
            self.tasks.push(task.clone());
            self.last.push(0);
        }
        if let Some(last) = self.last.get_mut(number as usize) {
            *last = seq.max(*last);
        }
        number
    }

    fn put(&mut self, text: &str, lines: usize) {
        let Some(file) = &mut self.file else {
            // Tried again now and then: there may be room by now.
            self.lines += lines;
            if self.path.is_some() && self.lines >= TRY_AGAIN {
                self.write_anew();
            }
            return;
        };
        if let Err(error) = file.write_all(text.as_bytes()) {
            // Cursors hold for as long as this server runs, and a next one knows none of them.
            tracing::warn!(%error, "the order of events cannot be kept: cursors end with this server");
            self.give_up();
            return;
        }
        self.lines += lines;
    }

    /// Keeps what is at hand bounded, and the file with it.
    fn shorten(&mut self) {
        let most = Self::KEPT * 2;
        if self.entries.len() < most && self.lines < most {
            return;
        }
        while self.entries.len() > Self::KEPT {
            self.entries.pop_front();
            self.first += 1;
        }
        self.lines = self.entries.len();
        if self.path.is_some() {
            self.write_anew();
        }
    }

    /// Writes the whole file, with all that is known.
    pub(super) fn write_anew(&mut self) {
        let Some(path) = self.path.clone() else {
            return;
        };
        match self.write_to(&path) {
            Ok(file) => {
                self.file = Some(file);
                self.lines = self.entries.len();
            }
            Err(error) => {
                tracing::warn!(%error, "the order of events cannot be kept: cursors end with this server");
                self.give_up();
            }
        }
    }

    fn give_up(&mut self) {
        self.file = None;
        self.lines = 0;
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path); // one that stayed would be believed
        }
    }

    fn write_to(&self, path: &Path) -> io::Result<File> {
        let half = path.with_extension("half");
        let mut file = BufWriter::new(File::create(&half)?);
        serde_json::to_writer(&mut file, &self.head())?;
        file.write_all(b"\n")?;
        for &(task, seq) in &self.entries {
            if let Some(task) = self.tasks.get(task as usize) {
                writeln!(file, "{task} {seq}")?;
            }
        }
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        fs::rename(&half, path)?;
        Ok(file)
    }

    /// Only the last event of each task is needed to go on; what the entries say again does no harm.
    fn head(&self) -> Head {
        let last = self.tasks.iter().cloned().zip(self.last.iter().copied());
        Head {
            life: self.life.clone(),
            boot: boot(),
            first: self.first,
            last: last.collect(),
        }
    }
}

/// Goes on with the file at `path`, which has `len` bytes of whole lines.
fn go_on(path: &Path, len: u64) -> io::Result<File> {
    let file = File::options().append(true).open(path)?;
    file.set_len(len)?;
    Ok(file)
}

/// The length of the lines in `text` that have their end.
fn whole_len(text: &str) -> usize {
    text.rfind('\n').map_or(0, |at| at + 1)
}

/// The machine's life: another one after it went down.
fn boot() -> Option<String> {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: &str) -> TaskId {
        TaskId::parse(id).unwrap()
    }

    fn told(order: &Order, n: u64) -> String {
        let entries = order.behind(n, usize::MAX);
        let shown = entries
            .iter()
            .map(|(n, task, seq)| format!("{n}:{task}{seq}"));
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_go_on_after_a_crash_and_what_the_file_lacks_is_entered_then() {
        let dir = tempfile::tempdir().unwrap();
        let (mut before, is_new) = Order::open(dir.path());
        assert!(is_new);
        before.enter(&task("a"), 2);
        before.enter(&task("b"), 1);
        let life = before.life().to_owned();
        drop(before); // as a kill does: nothing is closed

        let (mut after, is_new) = Order::open(dir.path());
        assert_eq!((after.life(), is_new), (life.as_str(), false));
        assert_eq!(told(&after, 0), "1:a1 2:a2 3:b1");
        assert_eq!(after.enter(&task("a"), 4), [(4, 3), (5, 4)]);
        assert_eq!(after.enter(&task("b"), 1), []);
        assert_eq!(told(&after, 3), "4:a3 5:a4");
    }

    #[test]
    fn a_torn_last_line_counts_as_never_told() {
        let dir = tempfile::tempdir().unwrap();
        Order::open(dir.path()).0.enter(&task("a"), 2);
        let path = dir.path().join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 2]).unwrap();
        let (after, is_new) = Order::open(dir.path());
        assert!(!is_new);
        assert_eq!(told(&after, 0), "1:a1");
    }

    #[test]
    fn a_file_of_another_life_of_the_machine_is_believed_only_when_it_was_closed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        let mut order = Order::open(dir.path()).0;
        order.enter(&task("a"), 1);
        order.close();
        let elsewhere = |text: String| text.replace(&boot().unwrap_or_default(), "elsewhere");
        let text = elsewhere(fs::read_to_string(&path).unwrap());
        fs::write(&path, &text).unwrap();
        assert!(!Order::open(dir.path()).1, "it was closed");
        let text = text.replace(&format!("{CLOSED}\n"), "");
        fs::write(&path, text).unwrap();
        assert!(Order::open(dir.path()).1, "its end may be lost");
    }

    #[test]
    fn a_file_that_is_none_begins_a_new_life() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["", "x", "{}\n", "{\"life\":1}\n"] {
            fs::write(dir.path().join(FILE), text).unwrap();
            assert!(Order::open(dir.path()).1, "{text:?}");
        }
    }

    #[test]
    fn a_file_that_could_not_be_written_is_written_again_after_a_while() {
        let dir = tempfile::tempdir().unwrap();
        let mut order = Order::open(dir.path()).0;
        order.enter(&task("a"), 1);
        order.give_up();
        assert!(!dir.path().join(FILE).exists());
        for seq in 2..=1 + TRY_AGAIN as u64 {
            order.enter(&task("a"), seq);
        }
        drop(order);
        let (after, is_new) = Order::open(dir.path());
        assert!(!is_new);
        assert_eq!(after.end(), 1 + TRY_AGAIN as u64);
    }

    #[test]
    fn what_is_at_hand_and_in_the_file_is_bounded() {
        let dir = tempfile::tempdir().unwrap();
        let (mut order, _) = Order::open(dir.path());
        let most = Order::KEPT as u64 * 2;
        order.enter(&task("a"), most + 10);
        assert!(order.entries.len() < Order::KEPT * 2);
        assert!(!order.reaches(0) && order.reaches(order.end()));
        let lines = fs::read_to_string(dir.path().join(FILE)).unwrap();
        assert!(lines.lines().count() <= Order::KEPT + 11);
        drop(order);
        let (mut order, _) = Order::open(dir.path());
        assert_eq!(order.end(), most + 10);
        assert_eq!(order.enter(&task("a"), most + 10), []);
    }
}
