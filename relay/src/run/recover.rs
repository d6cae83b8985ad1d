//! Finding the runs of an earlier relay in the directory, and closing what it left open.
//!
//! Invariant: afterwards every log ends with a whole record, and that record is an exit.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::Path;

use paddock_relay_protocol::{Body, Ending, Exit, Record, RunId, encode};

use super::log::{Extent, Log};
use crate::launch::Marker;
use crate::process::tree::kill_marked;
use crate::time::now_ms;

/// A run of an earlier relay.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) run: RunId,
    pub(crate) program: String,
    pub(crate) log: Log,
    pub(crate) exit: Exit,
    /// Bytes of a half-written record that were cut.
    pub(crate) torn: Option<u64>,
}

/// Recovers the run whose log is at `path`.
pub(crate) fn recover(run: RunId, path: &Path) -> io::Result<Recovered> {
    let torn = cut_torn_tail(path)?;
    let program = first_program(path)?;
    let len = path.metadata()?.len();
    let (exit, missing) = match last_exit(path, len)? {
        Some(exit) => (exit, false),
        None => (Exit::plain(Ending::Lost), true),
    };
    let log = Log::reopen(path.to_owned(), Extent { len, ended: false })?;
    if missing {
        kill_marked(&Marker::run(&run, path));
        let mut records = Vec::new();
        if let Some(bytes) = torn {
            encode::torn(&mut records, now_ms(), bytes);
        }
        encode::exit(&mut records, now_ms(), &exit)?;
        log.append(&records)?;
        File::open(path)?.sync_data()?;
    }
    log.end();
    Ok(Recovered {
        run,
        program,
        log,
        exit,
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

/// The program named by the first record.
fn first_program(path: &Path) -> io::Result<String> {
    let mut line = Vec::new();
    BufReader::new(File::open(path)?).read_until(b'\n', &mut line)?;
    match Record::decode(&line).map(|record| record.body) {
        Ok(Body::Start { program, .. }) => Ok(program.into_owned()),
        Ok(
            Body::Line { .. }
            | Body::In { .. }
            | Body::Undelivered { .. }
            | Body::Torn { .. }
            | Body::Exit(_)
            | Body::Other { .. },
        )
        | Err(_) => Ok(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use paddock_relay_protocol::LineKind;

    use super::*;

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
        encode::start(&mut bytes, 1, "agent", Some(7));
        encode::line(&mut bytes, LineKind::Out, 1, b"whole");
        bytes.extend_from_slice(b"{\"k\":\"out\",\"t\":1,\"s\":\"hal");
        let (recovered, text) = check(&bytes);
        assert_eq!(
            (recovered.torn, recovered.program.as_str()),
            (Some(25), "agent")
        );
        assert_eq!(recovered.exit.ending, Ending::Lost);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(
            lines[1].contains("whole") && lines[2].contains("torn") && lines[3].contains("lost")
        );
    }

    #[test]
    fn a_run_that_had_ended_is_left_as_it_is() {
        let mut bytes = Vec::new();
        encode::start(&mut bytes, 1, "agent", Some(7));
        encode::exit(&mut bytes, 2, &Exit::plain(Ending::Exited { code: 3 })).unwrap();
        let (recovered, text) = check(&bytes);
        assert_eq!(recovered.exit.ending, Ending::Exited { code: 3 });
        assert_eq!(text.as_bytes(), bytes);
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
