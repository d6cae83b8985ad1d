//! Who may ask: the bearer token, session cookies, and pairing codes that become cookies.
//!
//! Secrets are compared by their SHA-256 digests in constant time and kept only as digests, but for the
//! token, which stands in a file that its owner alone may read. Wrong tries are counted by peer; a right
//! token always passes, so that nobody can lock the user out by guessing.
//!
//! Start at [`Auth::judge`].

mod attempts;
mod digest;
mod pairing;
mod private_file;
mod session;

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use paddock_api::TOKEN_FILE;
use paddock_domain::Timestamp;

use crate::lock::lock;
pub(crate) use attempts::Attempts;
use digest::Digest;
use pairing::Pairing;
pub(crate) use private_file::write_private_in_need;
pub(crate) use session::COOKIE_LASTS_S;
use session::Sessions;

/// The authority of one server.
pub(crate) struct Auth {
    token: Digest,
    token_file: PathBuf,
    cookie_name: String,
    pairing: Mutex<Pairing>,
    sessions: Mutex<Sessions>,
    attempts: Mutex<Attempts>,
}

/// What a request shows to be let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown<'a> {
    /// A bearer token.
    Bearer(&'a str),
    /// A session cookie.
    Cookie(&'a str),
    /// Nothing.
    Nothing,
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// Let in.
    Welcome,
    /// Unknown; show a token or pair.
    Unknown,
    /// Unknown, and too often so; wait this many seconds.
    Wait(u64),
}

impl Auth {
    /// Opens the authority that the data directory `data` holds; makes the token at the first start.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub(crate) fn open(data: &Path) -> std::io::Result<Self> {
        let token_file = data.join(TOKEN_FILE);
        let token = private_file::read_or_make(&token_file, || digest::random_hex(32))?;
        let token = Digest::of(token.trim());
        Ok(Self {
            // Of the data directory's own, because cookies do not know ports.
            cookie_name: format!("paddock_{}", token.short()),
            token,
            token_file,
            pairing: Mutex::default(),
            sessions: Mutex::new(Sessions::open(data.join("sessions.json"))?),
            attempts: Mutex::default(),
        })
    }

    /// The file that holds the token.
    pub(crate) fn token_file(&self) -> &Path {
        &self.token_file
    }

    /// The name of the session cookie.
    pub(crate) fn cookie_name(&self) -> &str {
        &self.cookie_name
    }

    /// Whether `shown` by `peer` opens the door.
    pub(crate) fn judge(&self, shown: Shown<'_>, peer: IpAddr) -> Judgement {
        let known = match shown {
            Shown::Bearer(token) => self.token.is_of(token),
            Shown::Cookie(cookie) => lock(&self.sessions).knows(cookie, now()),
            Shown::Nothing => return Judgement::Unknown,
        };
        if known {
            Judgement::Welcome
        } else {
            self.count_failure(peer)
        }
    }

    /// Makes a pairing code; gives it and when it ends.
    pub(crate) fn make_code(&self) -> (String, Timestamp) {
        lock(&self.pairing).make(now())
    }

    /// Takes a pairing code for a new session's cookie.
    pub(crate) fn exchange(&self, code: &str, peer: IpAddr) -> Result<String, Judgement> {
        if let Some(seconds) = lock(&self.attempts).must_wait(peer, Instant::now()) {
            return Err(Judgement::Wait(seconds));
        }
        if !lock(&self.pairing).take(code, now()) {
            return Err(self.count_failure(peer));
        }
        let opened = lock(&self.sessions).open_session(now());
        opened.map_err(|error| {
            tracing::warn!(%error, "the sessions could not be written; this one ends with the server");
            Judgement::Unknown
        })
    }

    /// Ends the session of `cookie`.
    pub(crate) fn sign_out(&self, cookie: &str) {
        if let Err(error) = lock(&self.sessions).close_session(cookie) {
            tracing::warn!(%error, "the sessions could not be written");
        }
    }

    fn count_failure(&self, peer: IpAddr) -> Judgement {
        match lock(&self.attempts).failed(peer, Instant::now()) {
            Some(seconds) => Judgement::Wait(seconds),
            None => Judgement::Unknown,
        }
    }
}

/// The time by this machine's clock.
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_unix_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests;
