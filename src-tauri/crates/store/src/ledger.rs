//! The file side of a journal's writer: everything here may block and runs where that is allowed.
//!
//! A batch is offloaded, serialised once, and written with one call. When it cannot be written whole,
//! the file is cut back to its last whole line, so that the journal is consistent at every moment. When it
//! cannot be made durable, what the disk may not have is written again before anything else is: a system
//! that could not write a page counts it as written all the same.
//!
//! A compressed journal is made plain by the first write to it, not by opening it.

mod opening;

use std::io;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use paddock_domain::{Body, ErrorClass, Event};

use crate::artifact::Artifacts;
use crate::chain::Chain;
use crate::disk::Disk;
use crate::layout::Layout;
use crate::shelf::Claim;
use crate::{Line, StoreError, settle};

/// The writer's side of one journal.
#[derive(Debug)]
pub(crate) struct Ledger {
    claim: Claim,
    layout: Layout,
    artifacts: Artifacts,
    form: Form,
    /// Bytes of whole lines.
    len: u64,
    /// How many of them are known to be on the disk since it was opened.
    durable: u64,
    /// The seal of the lines in [`Self::len`].
    chain: Chain,
    standing: Standing,
}

/// What the file is.
#[derive(Debug)]
enum Form {
    Plain(Disk),
    /// Compressed, and not open.
    Packed,
}

/// What may be done with the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// It ends with a whole line.
    Whole,
    /// Part of a line may stand at its end.
    Ragged,
    /// It could not be made durable, and the system may have forgotten what it held for it.
    InDoubt,
}

impl Ledger {
    /// Takes the journal of `claim`'s task, which has `len` bytes of whole lines and nothing else.
    fn new(layout: &Layout, claim: Claim, form: Form, len: u64, chain: Chain) -> Self {
        Self {
            artifacts: Artifacts::new(layout, claim.task()),
            claim,
            layout: layout.clone(),
            form,
            len,
            durable: len,
            chain,
            standing: Standing::Whole,
        }
    }

    /// The seal of all that was written.
    pub(crate) fn chain(&self) -> Chain {
        self.chain
    }

    /// Appends `events`, all or none, and shows them to readers; durable when one of them must be.
    pub(crate) fn write(&mut self, events: Vec<Event>) -> Result<Vec<Arc<Line>>, StoreError> {
        self.make_plain()?;
        self.make_whole()?;
        let durable = events.iter().any(|event| event.body.is_durable());
        let (lines, text) = self.encode(events)?;
        if let Err(source) = self.put(&text) {
            self.standing = self.standing.max(Standing::Ragged);
            let error = self.failed("writing", source);
            let _ = self.make_whole(); // tried again before the next write
            return Err(error);
        }
        if durable && let Err(source) = self.sync() {
            self.standing = Standing::InDoubt;
            let error = self.failed("making durable", source);
            let _ = self.make_whole(); // nothing of the batch was promised; tried again before the next write
            return Err(error);
        }
        self.len += text.len() as u64;
        if durable {
            self.durable = self.len;
        }
        let mut extent = self.claim.extent();
        for line in &lines {
            extent.grow(line.json.len() as u64 + 1);
            self.chain.add(&line.json);
        }
        drop(extent);
        Ok(lines)
    }

    /// Makes everything written so far durable.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.artifacts.sync()?;
        match &mut self.form {
            Form::Plain(disk) => disk.sync(),
            Form::Packed => Ok(()),
        }
    }

    /// Compresses the journal. The next write makes it plain again.
    pub(crate) fn pack(&mut self) -> Result<(), StoreError> {
        if matches!(self.form, Form::Packed) {
            return Ok(());
        }
        self.make_whole()?;
        if let Err(source) = self.sync() {
            self.standing = Standing::InDoubt;
            return Err(self.failed("making durable", source));
        }
        self.durable = self.len;
        settle::pack(&self.layout, self.claim.task(), self.len)
            .map_err(|source| self.failed("compressing", source))?;
        self.form = Form::Packed;
        Ok(())
    }

    fn make_plain(&mut self) -> Result<(), StoreError> {
        if matches!(self.form, Form::Packed) {
            let plain = settle::unpack(&self.layout, self.claim.task());
            let plain = plain.map_err(|source| self.failed("decompressing", source))?;
            self.form = Form::Plain(Disk::new(plain));
        }
        Ok(())
    }

    fn put(&mut self, text: &[u8]) -> io::Result<()> {
        match &mut self.form {
            Form::Plain(disk) => disk.write_at(self.len, text),
            Form::Packed => Err(io::Error::other("the journal is compressed")),
        }
    }

    /// Makes good what an earlier call could not finish.
    fn make_whole(&mut self) -> Result<(), StoreError> {
        let Form::Plain(disk) = &mut self.form else {
            return Ok(());
        };
        let made = match self.standing {
            Standing::Whole => return Ok(()),
            Standing::Ragged => disk.set_len(self.len),
            Standing::InDoubt => disk
                .set_len(self.len)
                .and_then(|()| disk.write_again(self.durable, self.len))
                .and_then(|()| self.artifacts.sync())
                .and_then(|()| disk.sync()),
        };
        match made {
            Ok(()) => {
                if self.standing == Standing::InDoubt {
                    self.durable = self.len;
                }
                self.standing = Standing::Whole;
                Ok(())
            }
            Err(source) => {
                let task = self.claim.task().clone();
                let error = self.failed("mending", source);
                if self.standing == Standing::InDoubt && !error.is_full() {
                    tracing::warn!(task.id = %task, %error, "the disk does not take what was written");
                    return Err(StoreError::InDoubt { task });
                }
                Err(error)
            }
        }
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> StoreError {
        StoreError::io(doing, self.layout.journal(self.claim.task()), source)
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
        event
            .body
            .keep_images(|content| match self.artifacts.keep_bytes(content) {
                Ok(sha256) => Some(sha256),
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

#[cfg(test)]
mod tests;
