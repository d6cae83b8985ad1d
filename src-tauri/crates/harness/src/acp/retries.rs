//! Failed requests that an agent makes again, where it says so: in a message of its own, one for each.

use paddock_domain::{Body, DeltaKind, Retry};

use super::codec::AcpCodec;
use super::decode::{Out, event};
use crate::failure;

impl AcpCodec {
    pub(super) fn says_it_tries_again(&self, kind: DeltaKind, text: &str) -> bool {
        let begins = self.profile.retries_say;
        kind == DeltaKind::Text && begins.is_some_and(|begins| text.starts_with(begins))
    }

    pub(super) fn tries_again(&mut self, text: &str, out: &mut Out) {
        self.speech.end(out);
        self.retries = self.retries.saturating_add(1);
        let retry = Retry {
            attempt: Some(self.retries),
            class: failure::by_words(text),
            reason: Retry::reason(text),
            ..Retry::default()
        };
        event(out, Body::Retrying(retry));
    }
}
