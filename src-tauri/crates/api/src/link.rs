//! What a deep link may say: open Paddock, or open it at one task. Nothing else, whoever wrote the link.
//!
//! Links come from web pages, mails and agents, so all of them are hostile: what is read here can only
//! name a page of ours by an id whose characters need no escaping anywhere.

use std::fmt;

use paddock_domain::TaskId;

/// A page of the user interface that a link, the tray or a notification leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Link {
    /// The start page.
    Home,
    /// One task's page.
    Task(TaskId),
}

/// What was offered is no link of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{offered}` is not a link of Paddock's: those are paddock://task/<id>")]
pub struct BadLink {
    /// What came, cut to a length that fits a message and without control characters.
    pub offered: String,
}

impl Link {
    /// What every link begins with.
    pub const SCHEME: &'static str = "paddock://";

    /// Whether `text` claims to be a link of ours.
    #[must_use]
    pub fn is_claimed(text: &str) -> bool {
        let scheme = Self::SCHEME.trim_end_matches('/').as_bytes();
        let begin = text.as_bytes().get(..scheme.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    }

    /// Reads `paddock://task/<id>`, to the letter but for one slash at its end, which browsers add.
    ///
    /// # Errors
    /// [`BadLink`] for everything else.
    pub fn parse(text: &str) -> Result<Self, BadLink> {
        let task = text
            .strip_prefix(Self::SCHEME)
            .and_then(|rest| rest.strip_prefix("task/"))
            .map(|id| id.strip_suffix('/').unwrap_or(id))
            .and_then(|id| TaskId::parse(id).ok());
        task.map(Self::Task).ok_or_else(|| BadLink {
            offered: text.chars().filter(|c| !c.is_control()).take(80).collect(),
        })
    }

    /// Its path in the user interface.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Home => "/".to_owned(),
            Self::Task(task) => format!("/tasks/{task}"),
        }
    }

    /// The page at `path` of the user interface, as far as links know it.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let below = path.strip_prefix("/tasks/")?;
        let id = below.split('/').next()?;
        TaskId::parse(id).ok().map(Self::Task)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Home => f.write_str(Self::SCHEME),
            Self::Task(task) => write!(f, "{}task/{task}", Self::SCHEME),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_task_leads_to_its_page_and_reads_as_it_is_written() {
        let link = Link::parse("paddock://task/01hx-3_a.b").unwrap();
        assert_eq!(link.path(), "/tasks/01hx-3_a.b");
        assert_eq!(Link::parse(&link.to_string()), Ok(link.clone()));
        assert_eq!(Link::parse("paddock://task/01hx-3_a.b/"), Ok(link));
    }

    #[test]
    fn hostile_links_are_refused() {
        for hostile in [
            "",
            "paddock:",
            "paddock://",
            "paddock://task",
            "paddock://task/",
            "paddock://task//",
            "paddock://task/a/b",
            "paddock://task/..",
            "paddock://task/../settings",
            "paddock://task/.a",
            "paddock://task/-a",
            "paddock://task/a?code=1",
            "paddock://task/a#x",
            "paddock://task/a%2Fb",
            "paddock://task/a b",
            "paddock://task/a\n",
            "paddock://task/a\"-alert(1)-\"",
            "paddock://task/';alert(1)//",
            "paddock://task/<script>",
            "paddock://task/ä",
            "paddock://task/A",
            "paddock://task/a\0",
            "paddock://user@task/a",
            "paddock://task:80/a",
            "paddock:///task/a",
            "paddock:task/a",
            " paddock://task/a",
            "PADDOCK://task/a",
            "paddock://TASK/a",
            "paddock://settings",
            "http://task/a",
            "javascript:alert(1)",
            "--data=/tmp/evil",
        ] {
            assert!(Link::parse(hostile).is_err(), "{hostile:?} was taken");
        }
        let long = format!("paddock://task/{}", "a".repeat(TaskId::MAX_LEN + 1));
        assert!(Link::parse(&long).is_err());
    }

    #[test]
    fn a_refusal_shows_little_of_what_came_and_no_control_characters() {
        let refused = Link::parse(&format!("paddock://\u{1b}[31m{}", "x".repeat(5000)));
        let shown = refused.unwrap_err().to_string();
        assert!(shown.len() < 200 && !shown.contains('\u{1b}'), "{shown:?}");
    }

    #[test]
    fn what_claims_to_be_a_link_is_told_from_what_does_not() {
        assert!(Link::is_claimed("paddock://task/x") && Link::is_claimed("PADDOCK:evil"));
        assert!(!Link::is_claimed("--data") && !Link::is_claimed("pad") && !Link::is_claimed("ä"));
    }

    #[test]
    fn the_page_of_a_task_is_known_by_its_path() {
        let task = Some(Link::Task(TaskId::parse("t1").unwrap()));
        assert_eq!(Link::of_path("/tasks/t1"), task);
        assert_eq!(Link::of_path("/tasks/t1/diff"), task);
        assert_eq!(Link::of_path("/tasks"), None);
        assert_eq!(Link::of_path("/"), None);
    }
}
