//! Calls that may be repeated: what they create carries a key of the client's, so that a repeat after a
//! lost answer creates nothing again.

use std::time::Duration;

use crate::ClientError;

/// Tries in all.
const ATTEMPTS: u32 = 5;
/// The pause after the first; each doubles.
const PAUSE: Duration = Duration::from_millis(100);

/// Makes `call` again while the connection, not the request, is at fault.
pub(crate) async fn again<T>(
    mut call: impl AsyncFnMut() -> Result<T, ClientError>,
) -> Result<T, ClientError> {
    let mut attempt = 1;
    loop {
        match call().await {
            Err(error) if error.is_passing() && attempt < ATTEMPTS => {
                tokio::time::sleep(PAUSE * (1 << (attempt - 1))).await;
                attempt += 1;
            }
            ended => return ended,
        }
    }
}

/// A key that nobody else has.
pub(crate) fn new_key() -> String {
    format!("{:032x}", rand::random::<u128>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost() -> ClientError {
        let (url, cause) = ("u".to_owned(), "c".to_owned());
        ClientError::Unreachable { url, cause }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lost_answer_is_asked_for_again_and_not_for_ever() {
        let mut calls = 0;
        let got = again(async || {
            calls += 1;
            if calls < 3 { Err(lost()) } else { Ok(calls) }
        });
        assert_eq!(got.await.unwrap(), 3);
        let mut calls = 0;
        let never: Result<(), _> = again(async || {
            calls += 1;
            Err(lost())
        })
        .await;
        assert!(never.is_err());
        assert_eq!(calls, ATTEMPTS);
    }

    #[tokio::test(start_paused = true)]
    async fn a_refusal_is_not_argued_with() {
        let mut calls = 0;
        let refused: Result<(), _> = again(async || {
            calls += 1;
            Err(ClientError::refused(409, b""))
        })
        .await;
        assert!(refused.is_err());
        assert_eq!(calls, 1);
    }
}
