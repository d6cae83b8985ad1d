//! The file side of a journal's writer: everything here may block and runs where that is allowed.
//!
//! A batch is offloaded, serialised once, and written with one call. When it cannot be written whole,
//! the file is cut back to its last whole line, so that the journal is consistent at every moment.

mod opening;

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use paddock_domain::{Body, ErrorClass, Event};

use crate::artifact::Artifacts;
use crate::shelf::Claim;
use crate::{Line, StoreError};

/// The open file of one journal.
#[derive(Debug)]
pub(crate) struct Ledger {
    claim: Claim,
    artifacts: Artifacts,
    file: File,
    path: PathBuf,
    /// Bytes of whole lines.
    len: u64,
    standing: Standing,
}

/// What may be done with the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It ends with a whole line.
    Whole,
    /// Part of a line may stand at its end.
    Ragged,
    /// It could not be made durable, and the system may have forgotten what it held for it.
    InDoubt,
}

impl Ledger {
    /// Takes the journal `file`, which has `len` bytes of whole lines and nothing else.
    fn new(claim: Claim, artifacts: Artifacts, file: File, path: PathBuf, len: u64) -> Self {
        Self {
            claim,
            artifacts,
            file,
            path,
            len,
            standing: Standing::Whole,
        }
    }

    /// Appends `events`, all or none, and shows them to readers; durable when one of them must be.
    pub(crate) fn write(&mut self, events: Vec<Event>) -> Result<Vec<Arc<Line>>, StoreError> {
        self.make_whole()?;
        let durable = events.iter().any(|event| event.body.is_durable());
        let (lines, text) = self.encode(events)?;
        if let Err(source) = self.put(&text) {
            self.standing = Standing::Ragged;
            let error = StoreError::io("writing", &self.path, source);
            let _ = self.make_whole(); // tried again before the next write
            return Err(error);
        }
        if durable && let Err(source) = self.sync() {
            let _ = self.file.set_len(self.len); // nothing of the batch was promised
            self.standing = Standing::InDoubt;
            return Err(StoreError::io("making durable", &self.path, source));
        }
        self.len += text.len() as u64;
        let mut extent = self.claim.extent();
        for line in &lines {
            extent.grow(line.json.len() as u64 + 1);
        }
        drop(extent);
        Ok(lines)
    }

    /// Makes everything written so far durable.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.artifacts.sync()?;
        self.file.sync_data()
    }

    fn put(&mut self, text: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.len))?;
        self.file.write_all(text)
    }

    fn make_whole(&mut self) -> Result<(), StoreError> {
        match self.standing {
            Standing::Whole => Ok(()),
            Standing::InDoubt => Err(StoreError::InDoubt {
                task: self.claim.task().clone(),
            }),
            Standing::Ragged => {
                self.file
                    .set_len(self.len)
                    .map_err(|source| StoreError::io("cutting back", &self.path, source))?;
                self.standing = Standing::Whole;
                Ok(())
            }
        }
    }

    /// The lines of `events`, and their text with newlines, of which each line's JSON is a part.
    fn encode(&mut self, events: Vec<Event>) -> Result<(Vec<Arc<Line>>, Bytes), StoreError> {
        let mut text = Vec::with_capacity(events.len() * 256);
        let mut entries = Vec::with_capacity(events.len());
        for mut event in events {
            self.prepare(&mut event)?;
            let mut at = self.append_json(&mut text, &event)?;
            if at.len() > Line::MAX {
                self.replace(&mut event, &text, &at)?;
                text.truncate(at.start);
                at = self.append_json(&mut text, &event)?;
            }
            text.push(b'\n');
            entries.push((event, at));
        }
        let text = Bytes::from(text);
        let line = |(event, at): (Event, Range<usize>)| {
            Arc::new(Line {
                seq: event.seq,
                event,
                json: text.slice(at),
            })
        };
        Ok((entries.into_iter().map(line).collect(), text.clone()))
    }

    /// Moves large texts out, and drops what JSON cannot say.
    fn prepare(&mut self, event: &mut Event) -> Result<(), StoreError> {
        if let Body::UsageUpdated(usage) = &mut event.body {
            usage.cost = usage.cost.filter(|cost| cost.usd.is_finite());
        }
        let mut failure = None;
        event.body.offload(|text| match self.artifacts.keep(text) {
            Ok(kept) => Some(kept),
            Err(error) => {
                failure = Some(error);
                None
            }
        });
        failure.map_or(Ok(()), Err)
    }

    fn append_json(&self, text: &mut Vec<u8>, event: &Event) -> Result<Range<usize>, StoreError> {
        let start = text.len();
        serde_json::to_writer(&mut *text, event).map_err(|source| StoreError::Encode {
            task: self.claim.task().clone(),
            source,
        })?;
        Ok(start..text.len())
    }

    /// Puts an error in the place of an event whose JSON is longer than a line may be.
    fn replace(
        &mut self,
        event: &mut Event,
        text: &[u8],
        at: &Range<usize>,
    ) -> Result<(), StoreError> {
        let json = String::from_utf8_lossy(text.get(at.clone()).unwrap_or_default());
        let kept = self.artifacts.keep(&json)?;
        let message = format!(
            "a `{}` event of {} bytes is longer than a journal line may be; it is kept as a file",
            event.body.type_name(),
            at.len()
        );
        event.body = Body::Error {
            class: ErrorClass::Agent,
            message,
            raw: None,
            raw_ref: Some(kept),
        };
        Ok(())
    }
}
