//! Sessions of paired browsers. They outlive the server; a file keeps their digests, never the cookies.

use std::io::{ErrorKind, Result};
use std::path::PathBuf;

use paddock_domain::Timestamp;
use serde::{Deserialize, Serialize};

use super::digest::{Digest, random_hex};
use super::private_file::write_private;

/// The sessions that are open.
pub(super) struct Sessions {
    file: PathBuf,
    open: Vec<Session>,
}

#[derive(Clone)]
struct Session {
    digest: Digest,
    opened_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct Record {
    digest: String,
    opened_at: Timestamp,
}

impl Sessions {
    /// How long a session lasts, in seconds.
    pub(super) const LASTS_S: u64 = 90 * 24 * 60 * 60;
    /// Most sessions at once; the oldest ends for a new one.
    const OPEN_MAX: usize = 64;

    /// The sessions that `file` keeps. A file that cannot be understood counts as empty: its sessions end.
    pub(super) fn open(file: PathBuf) -> Result<Self> {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let records: Vec<Record> = serde_json::from_str(&text).unwrap_or_default();
        let open = records.iter().filter_map(|record| {
            let digest = Digest::parse(&record.digest)?;
            Some(Session {
                digest,
                opened_at: record.opened_at,
            })
        });
        Ok(Self {
            open: open.take(Self::OPEN_MAX).collect(),
            file,
        })
    }

    /// Whether `cookie` belongs to a session that is open at `now`.
    pub(super) fn knows(&self, cookie: &str, now: Timestamp) -> bool {
        let digest = Digest::of(cookie);
        let lasts = Self::LASTS_S * 1000;
        // Every session is looked at, so that the time taken does not tell which one it was.
        self.open.iter().fold(false, |known, session| {
            known | (session.digest.is(digest) & (now.since_ms(session.opened_at) < lasts))
        })
    }

    /// Opens a session; gives its cookie.
    pub(super) fn open_session(&mut self, now: Timestamp) -> Result<String> {
        let cookie = random_hex(32);
        self.open
            .retain(|session| now.since_ms(session.opened_at) < Self::LASTS_S * 1000);
        if self.open.len() >= Self::OPEN_MAX {
            self.open.remove(0);
        }
        self.open.push(Session {
            digest: Digest::of(&cookie),
            opened_at: now,
        });
        self.keep()?;
        Ok(cookie)
    }

    /// Ends the session of `cookie`.
    pub(super) fn close_session(&mut self, cookie: &str) -> Result<()> {
        let digest = Digest::of(cookie);
        self.open.retain(|session| !session.digest.is(digest));
        self.keep()
    }

    fn keep(&self) -> Result<()> {
        let records = self.open.iter().map(|session| Record {
            digest: session.digest.hex(),
            opened_at: session.opened_at,
        });
        let text = serde_json::to_string(&records.collect::<Vec<_>>())?;
        write_private(&self.file, &text)
    }
}

/// How long a cookie lasts, in seconds.
pub(crate) const COOKIE_LASTS_S: u64 = Sessions::LASTS_S;
