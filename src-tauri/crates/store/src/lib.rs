//! What happened, for ever: append-only journals, and an index of them that can be thrown away.
//!
//! ```text
//! <data>/lock                               one Paddock per data directory
//! <data>/tasks/<task-id>/journal.jsonl      the truth: one event a line, numbered from 1, no gaps
//! <data>/tasks/<task-id>/journal.jsonl.zst  the same, settled and compressed; one of the two is there
//! <data>/tasks/<task-id>/journal.cut-<n>    torn ends that were cut off it
//! <data>/tasks/<task-id>/journal.before-repair-<n>[.zst]  what it was before it was repaired
//! <data>/tasks/<task-id>/archived           the task is purged: nothing is appended any more
//! <data>/artifacts/<task-id>/<sha256>       large texts, by their hash
//! <data>/uploads/<sha256>                   files that no message has named yet
//! <data>/index.sqlite                       what a fold of the journals gives; rebuilt when it is not that
//! ```
//!
//! A [`Store`] is one data directory, a [`Journal`] the only writer of one task, a [`JournalReader`]
//! one of many that read its history; [`AtRest`] looks after a directory that nobody serves. The invariant: what [`Journal::append`] returned is in the
//! journal once, and with a durable event among it, it is on the disk.
//!
//! Start at [`Store::open`], then [`Journal::append`].

mod artifact;
mod at_rest;
mod chain;
mod check;
mod disk;
mod error;
mod extent;
mod file;
mod fold;
mod held;
mod index;
mod journal;
mod layout;
mod ledger;
mod line;
mod lock;
mod open;
mod packed;
mod reader;
mod recover;
mod repair;
mod report;
mod retain;
mod search;
mod settle;
mod shelf;
mod store;
mod text;
mod upload;

pub use at_rest::AtRest;
pub use error::{Alteration, Damage, DamageKind, StoreError};
pub use journal::Journal;
pub use line::{Draft, Line};
pub use reader::JournalReader;
pub use report::{Cut, IndexFound, Listed, OpenReport};
pub use retain::Retention;
pub use search::{BadQuery, CANDIDATES, Hit, Hits, SearchQuery};
pub use store::Store;
