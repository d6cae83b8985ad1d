//! Whether the other side is still there. Both ends ask for themselves.
//!
//! A connection may stay open and move nothing: a peer that is stopped, a machine that is gone without a
//! word. Each end asks with a [`Ping`](crate::Open::Ping) every [`limits::PULSE_EVERY`]; any byte that comes, whatever it is for, counts as a sign of life, so a
//! crowded connection is not taken for a dead one. Invariant: silence is noticed within
//! [`limits::SILENCE`] of our own running time. Time in which we did not run ourselves, because this
//! machine slept or this process was stopped, is held against nobody.
//!
//! Start at [`Mux::falls_silent`].

use tokio::time::{Instant, sleep};

use crate::{Done, Mux, Open, limits, read_reply, write_header};

/// Looks without a sign of life after which the other side counts as gone. Silence that begins just
/// after a look is seen by the second look after the next: three times [`limits::PULSE_EVERY`].
const MISSED: u32 = 2;

impl Mux {
    /// Asks the other side whether it is there, as long as the connection lives; returns when it has
    /// been silent for too long. Of a connection that ends otherwise it never speaks.
    pub async fn falls_silent(&self) {
        tokio::select! {
            () = self.listen() => {}
            () = self.ask() => {}
        }
    }

    /// Looks for signs of life; returns when there are none.
    async fn listen(&self) {
        let (mut missed, mut heard) = (0, self.heard());
        while missed < MISSED {
            let began = Instant::now();
            sleep(limits::PULSE_EVERY).await;
            let now = self.heard();
            // What came while we did not run has not been read yet.
            let slept = began.elapsed() >= 2 * limits::PULSE_EVERY;
            missed = if now != heard || slept { 0 } else { missed + 1 };
            heard = now;
        }
    }

    /// Asks again and again. A question that is not answered holds up the next; a refusal is an answer.
    async fn ask(&self) {
        loop {
            sleep(limits::PULSE_EVERY).await;
            if self.ping().await.is_none() {
                // The connection is over, which its driver tells.
                return std::future::pending().await;
            }
        }
    }

    async fn ping(&self) -> Option<()> {
        let mut stream = self.open().await.ok()?;
        if write_header(&mut stream, &Open::Ping).await.is_ok() {
            let _ = read_reply::<Done>(&mut stream).await;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests;
