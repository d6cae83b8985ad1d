//! Finding the runs of an earlier relay in the directory, and closing what it left open.
//!
//! Invariant: afterwards no process of such a run is left, and every log ends with a whole record that is
//! an exit; on a disk that takes nothing, it does as soon as the disk lets it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use paddock_relay_protocol::{Body, Ending, Exit, Record, RelayId, RunId, encode, limits};

use super::log::{Extent, Log};
use crate::launch::Marker;
use crate::process::tree::kill_marked;
use crate::time::now_ms;

/// A run of an earlier relay.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) run: RunId,
    pub(crate) program: String,
    pub(crate) begun_by: Option<RelayId>,
    pub(crate) log: Log,
    pub(crate) exit: Exit,
    /// Last records that could not be written.
    pub(crate) unwritten: Vec<u8>,
    /// Whether the exit is in the log for good.
    pub(crate) closed: bool,
    /// Bytes of a half-written record that were cut.
    pub(crate) torn: Option<u64>,
}

/// Recovers the run whose log is at `path`.
pub(crate) fn recover(run: RunId, path: &Path) -> io::Result<Recovered> {
    recover_with(run, path, |path| File::open(path)?.sync_data())
}

/// The same, with another way to make a file durable.
fn recover_with(
    run: RunId,
    path: &Path,
    sync: impl Fn(&Path) -> io::Result<()>,
) -> io::Result<Recovered> {
    let torn = cut_torn_tail(path)?;
    let (program, begun_by) = first_record(path)?;
    let len = path.metadata()?.len();
    let (exit, missing) = match last_exit(path, len)? {
        Some(exit) => (exit, false),
        None => (Exit::plain(Ending::Lost), true),
    };
    let log = Log::reopen(path.to_owned(), Extent { len, ended: false })?;
    let mut unwritten = Vec::new();
    let mut closed = true;
    if missing {
        if !kill_marked(&Marker::run(&run, path)) {
            crate::diary::write(format_args!(
                "run {run}: some processes of an earlier relay do not go"
            ));
        }
        if let Some(bytes) = torn {
            encode::torn(&mut unwritten, now_ms(), bytes);
        }
        encode::exit(&mut unwritten, now_ms(), &exit)?;
        if log.append(&unwritten).is_ok() {
            unwritten.clear();
        }
        // A run whose end is not durable is taken up all the same, and ends when it is.
        closed = unwritten.is_empty() && sync(path).is_ok();
    }
    if closed {
        log.end();
    }
    Ok(Recovered {
        run,
        program,
        begun_by,
        log,
        exit,
        unwritten,
        closed,
        torn,
    })
}

/// Cuts what follows the last newline; gives its length.
fn cut_torn_tail(path: &Path) -> io::Result<Option<u64>> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    let len = file.metadata()?.len();
    let whole = after_last_newline(&file, len)?;
    if whole == len {
        return Ok(None);
    }
    file.set_len(whole)?;
    file.sync_data()?;
    Ok(Some(len - whole))
}

/// The offset after the last newline before `end`; 0 when there is none.
fn after_last_newline(file: &File, end: u64) -> io::Result<u64> {
    const STEP: u64 = 64 * 1024;
    let mut buffer = vec![0; 64 * 1024];
    let mut end = end;
    while end > 0 {
        let start = end.saturating_sub(STEP);
        let len = usize::try_from(end - start).unwrap_or_default();
        file.read_exact_at(&mut buffer[..len], start)?;
        if let Some(at) = memchr::memrchr(b'\n', &buffer[..len]) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// The exit in the last record, if it is one.
fn last_exit(path: &Path, len: u64) -> io::Result<Option<Exit>> {
    /// An exit record is never longer: its stderr lines are bounded.
    const EXIT_LEN: u64 = 256 * 1024;
    let Some(before) = len.checked_sub(1) else {
        return Ok(None);
    };
    let file = File::open(path)?;
    let start = after_last_newline(&file, before)?;
    if len - start > EXIT_LEN {
        return Ok(None);
    }
    let mut line = vec![0; usize::try_from(len - start).unwrap_or_default()];
    file.read_exact_at(&mut line, start)?;
    match Record::decode(&line).map(|record| record.body) {
        Ok(Body::Exit(exit)) => Ok(Some(exit)),
        Ok(
            Body::Start { .. }
            | Body::Line { .. }
            | Body::In { .. }
            | Body::Undelivered { .. }
            | Body::Torn { .. }
            | Body::Other { .. },
        )
        | Err(_) => Ok(None),
    }
}

/// The program named by the first record, and the relay that wrote it.
fn first_record(path: &Path) -> io::Result<(String, Option<RelayId>)> {
    let mut line = Vec::new();
    let file = File::open(path)?.take(limits::HEADER_LEN as u64);
    BufReader::new(file).read_until(b'\n', &mut line)?;
    match Record::decode(&line).map(|record| record.body) {
        Ok(Body::Start { program, relay, .. }) => Ok((program.into_owned(), relay)),
        Ok(
            Body::Line { .. }
            | Body::In { .. }
            | Body::Undelivered { .. }
            | Body::Torn { .. }
            | Body::Exit(_)
            | Body::Other { .. },
        )
        | Err(_) => Ok((String::new(), None)),
    }
}

#[cfg(test)]
mod tests {
    use paddock_relay_protocol::{InputId, LineKind};

    use super::*;
    use crate::run::inbox::Inbox;

    const RELAY: RelayId = RelayId::from_random([1; 8]);

    /// Recovers a log that holds `bytes`; gives the run and what the log holds then.
    fn check(bytes: &[u8]) -> (Recovered, String) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log.jsonl");
        std::fs::write(&path, bytes).unwrap();
        let recovered = recover(RunId::parse("r1-unit").unwrap(), &path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(recovered.log.extent().borrow().len, text.len() as u64);
        assert!(recovered.log.extent().borrow().ended);
        (recovered, text)
    }

    #[test]
    fn a_torn_tail_is_cut_and_reported() {
        let mut bytes = Vec::new();
        encode::start(&mut bytes, 1, "agent", Some(7), Some(RELAY));
        encode::line(&mut bytes, LineKind::Out, 1, b"whole");
        bytes.extend_from_slice(b"{\"k\":\"out\",\"t\":1,\"s\":\"hal");
        let (recovered, text) = check(&bytes);
        assert_eq!(
            (recovered.torn, recovered.program.as_str()),
            (Some(25), "agent")
        );
        assert_eq!(recovered.exit.ending, Ending::Lost);
        assert_eq!(recovered.begun_by, Some(RELAY));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(
            lines[1].contains("whole") && lines[2].contains("torn") && lines[3].contains("lost")
        );
    }

    #[test]
    fn a_log_cut_at_any_byte_keeps_every_whole_record_and_says_what_was_cut() {
        let mut bytes = Vec::new();
        encode::start(&mut bytes, 1, "agent", Some(7), Some(RELAY));
        encode::line(&mut bytes, LineKind::Out, 1, "é \"x\"\n\u{0}".as_bytes());
        encode::input(
            &mut bytes,
            1,
            &InputId::parse("m1").unwrap(),
            "desk",
            b"go\n",
        );
        encode::line(&mut bytes, LineKind::Err, 1, b"\xff\xfe");
        encode::torn(&mut bytes, 1, 3);
        encode::exit(&mut bytes, 2, &Exit::plain(Ending::Exited { code: 0 })).unwrap();
        for cut in 0..bytes.len() {
            let whole = memchr::memrchr(b'\n', &bytes[..cut]).map_or(0, |at| at + 1);
            let (recovered, text) = check(&bytes[..cut]);
            let torn = (cut > whole).then_some((cut - whole) as u64);
            assert_eq!(
                (recovered.torn, &recovered.exit.ending),
                (torn, &Ending::Lost)
            );
            assert_eq!(text.as_bytes()[..whole], bytes[..whole], "cut at {cut}");
            let added: Vec<_> = text[whole..]
                .lines()
                .map(|line| Record::decode(line.as_bytes()).unwrap().body)
                .collect();
            let mut expected: Vec<Body<'_>> = torn
                .iter()
                .map(|bytes| Body::Torn { bytes: *bytes })
                .collect();
            expected.push(Body::Exit(Exit::plain(Ending::Lost)));
            assert_eq!(added, expected, "cut at {cut}");
            // A second recovery changes nothing.
            assert_eq!(check(text.as_bytes()).1, text);
            // A message is known if and only if its record is whole.
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &text).unwrap();
            let known = Inbox::load(file.path())
                .unwrap()
                .has(&InputId::parse("m1").unwrap());
            assert_eq!(known, text.contains("\"k\":\"in\""), "cut at {cut}");
        }
    }

    #[test]
    fn a_tail_of_zeros_as_a_power_cut_leaves_it_is_cut() {
        let mut bytes = Vec::new();
        encode::start(&mut bytes, 1, "agent", Some(7), None);
        let whole = bytes.len();
        bytes.extend_from_slice(&[0; 4096]);
        let (recovered, text) = check(&bytes);
        assert_eq!(recovered.torn, Some(4096));
        assert!(!text.contains('\0') && text.len() > whole);
    }

    #[test]
    fn a_run_that_had_ended_is_left_as_it_is() {
        let mut bytes = Vec::new();
        encode::start(&mut bytes, 1, "agent", Some(7), None);
        encode::exit(&mut bytes, 2, &Exit::plain(Ending::Exited { code: 3 })).unwrap();
        let (recovered, text) = check(&bytes);
        assert_eq!(recovered.exit.ending, Ending::Exited { code: 3 });
        assert_eq!(text.as_bytes(), bytes);
    }

    #[test]
    fn a_run_whose_end_cannot_be_made_durable_is_taken_up_and_has_not_ended() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let run = RunId::parse("r1-sync").unwrap();
        let broken = |_: &Path| Err(io::Error::from(io::ErrorKind::StorageFull));
        let old = recover_with(run, file.path(), broken).unwrap();
        assert!(!old.closed && old.unwritten.is_empty());
        assert!(!old.log.extent().borrow().ended);
    }

    #[test]
    fn an_empty_log_and_one_that_is_all_torn_get_their_exit() {
        for bytes in [&b""[..], b"{\"k\":", &[b'x'; 200_000]] {
            let (recovered, text) = check(bytes);
            assert_eq!(recovered.exit.ending, Ending::Lost);
            assert!(text.ends_with("\"lost\"}}\n"), "{text}");
        }
    }
}
