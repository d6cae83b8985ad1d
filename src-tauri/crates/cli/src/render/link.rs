//! The connection to a task's box, for people: nothing while all is well.

use paddock_domain::{Link, LinkState, Timestamp};

use super::{ago, clean, say};

/// What to say of a link in a line of its own; nothing when it is as it should be.
pub(crate) fn describe_link(link: &Link, now: Timestamp) -> Option<String> {
    let since = ago(link.since_at, now);
    let what = match link.state {
        LinkState::None | LinkState::Connected => return None,
        LinkState::Reconnecting => format!("connecting again for {since}"),
        LinkState::Lost => format!("no connection to the box for {since}; still trying"),
        LinkState::Ended => "the box has ended; its work is kept".to_owned(),
        LinkState::Gone => "the box is gone".to_owned(),
    };
    let tries = match link.attempt {
        0 => String::new(),
        1 => ", 1 try failed".to_owned(),
        n => format!(", {n} tries failed"),
    };
    let reason = link.reason.as_deref().map(clean);
    let reason = reason.map(|reason| format!(": {reason}"));
    Some(format!("{what}{tries}{}", reason.unwrap_or_default()))
}

/// One word for a list, beside the state; nothing when it is as it should be.
pub(crate) fn link_word(link: &Link) -> Option<&'static str> {
    match link.state {
        LinkState::None | LinkState::Connected | LinkState::Ended => None,
        LinkState::Reconnecting if link.attempt == 0 => None,
        LinkState::Reconnecting => Some("reconnecting"),
        LinkState::Lost => Some("unreachable"),
        LinkState::Gone => Some("box gone"),
    }
}

/// Tells whoever follows a task when its box is lost, and when it is back.
#[derive(Debug, Default)]
pub(crate) struct LinkTeller {
    told: Option<LinkState>,
}

impl LinkTeller {
    /// Says what changed, where it is worth a line.
    pub(crate) fn tell(&mut self, link: &Link, now: Timestamp) {
        if let Some(text) = self.text(link, now) {
            say(&text);
        }
    }

    fn text(&mut self, link: &Link, now: Timestamp) -> Option<String> {
        let worth = match link.state {
            LinkState::Lost | LinkState::Gone => true,
            // The first try is made at once and mostly works.
            LinkState::Reconnecting => link.attempt > 0,
            LinkState::None | LinkState::Connected | LinkState::Ended => false,
        };
        if worth {
            let news = self.told != Some(link.state);
            self.told = Some(link.state);
            return describe_link(link, now).filter(|_| news);
        }
        let back = link.state == LinkState::Connected && self.told.take().is_some();
        back.then(|| "connected to the box again".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(state: LinkState, attempt: u32) -> Link {
        let reason = Some("no\u{1b}[2J answer".to_owned());
        Link {
            state,
            attempt,
            reason,
            ..Link::default()
        }
    }

    #[test]
    fn a_follower_hears_of_a_loss_once_and_of_the_return_once() {
        let mut teller = LinkTeller::default();
        let now = Timestamp::from_unix_ms(5_000);
        let mut said = |state, attempt| teller.text(&link(state, attempt), now);
        assert_eq!(said(LinkState::Connected, 0), None);
        assert_eq!(said(LinkState::Reconnecting, 0), None);
        assert!(said(LinkState::Reconnecting, 1).is_some());
        assert_eq!(said(LinkState::Reconnecting, 2), None);
        assert!(said(LinkState::Lost, 9).is_some());
        assert!(said(LinkState::Connected, 0).is_some());
        assert_eq!(said(LinkState::Connected, 0), None);
    }

    #[test]
    fn a_reason_cannot_move_the_cursor() {
        let text = describe_link(&link(LinkState::Lost, 3), Timestamp::from_unix_ms(90_000));
        let text = text.unwrap();
        assert!(!text.contains('\u{1b}'), "{text:?}");
        assert!(text.contains("3 tries failed"), "{text}");
    }
}
