//! A bounded record of what was asked, for tests that look at what an agent really sent.
//!
//! Keeps the names of headers and never their values. Start at [`Record::add`].

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

/// Most requests remembered.
const MOST_REQUESTS: usize = 1024;
/// Most bytes of bodies remembered; the oldest requests are forgotten first.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// A request that was answered.
#[derive(Clone, Debug)]
pub struct SeenRequest {
    /// Counts from 1 in the order of arrival.
    pub number: u64,
    /// `POST`, `GET`, …
    pub method: String,
    /// The path as it was asked, without its query.
    pub path: String,
    /// Names of the headers, lower case, in the order of arrival.
    pub headers: Vec<String>,
    /// Whether a header (or the query) carried a key.
    pub has_key: bool,
    /// The body; null when there was none or it was no JSON.
    pub body: Arc<Value>,
    /// The status of the reply.
    pub status: u16,
    /// What was played: `STORY/STEP`, or a word in brackets: `(title)`, `(echo)`, `(models)`, …
    pub played: String,
}

/// The requests seen, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Record {
    seen: VecDeque<(SeenRequest, usize)>,
    bytes: usize,
    count: u64,
}

impl Record {
    /// Remembers `request`, whose body was of `bytes` bytes, and gives it its number.
    pub(crate) fn add(&mut self, request: SeenRequest, bytes: usize) {
        self.count += 1;
        let request = SeenRequest {
            number: self.count,
            ..request
        };
        self.seen.push_back((request, bytes));
        self.bytes += bytes;
        while self.seen.len() > MOST_REQUESTS || self.bytes > MOST_BYTES {
            let Some((_, bytes)) = self.seen.pop_front() else {
                break;
            };
            self.bytes -= bytes;
        }
    }

    /// What is remembered, oldest first.
    pub(crate) fn all(&self) -> Vec<SeenRequest> {
        let seen = self.seen.iter();
        seen.map(|(request, _)| request.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_requests_are_forgotten_and_numbers_go_on() {
        let mut record = Record::default();
        for _ in 0..MOST_REQUESTS + 3 {
            record.add(request(), 10);
        }
        let all = record.all();
        assert_eq!((all.len(), all[0].number), (MOST_REQUESTS, 4));
    }

    #[test]
    fn large_bodies_push_out_older_ones() {
        let mut record = Record::default();
        for _ in 0..3 {
            record.add(request(), MOST_BYTES / 2);
        }
        let numbers: Vec<u64> = record.all().iter().map(|seen| seen.number).collect();
        assert_eq!(numbers, [2, 3]);
    }

    fn request() -> SeenRequest {
        SeenRequest {
            number: 0,
            method: "POST".into(),
            path: "/v1/messages".into(),
            headers: Vec::new(),
            has_key: false,
            body: Arc::default(),
            status: 200,
            played: "hello/0".into(),
        }
    }
}
