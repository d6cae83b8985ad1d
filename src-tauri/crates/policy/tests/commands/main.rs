//! Commands held against rules: tables of what must and must not pass, properties, and a real shell as the judge.

#![allow(clippy::unwrap_used)] // tests

mod chance;
mod denied;
mod passed;
mod stopped;

use paddock_domain::{Rule, RuleId, RuleReach, RuleSubject, RuleVerdict, Timestamp};
use paddock_policy::{Asked, Judged, Judgement, Setting, judge};

/// A rule about a command; one that begins with `!` denies.
pub(crate) fn rule(text: &str) -> Rule {
    let (verdict, command) = match text.strip_prefix('!') {
        Some(command) => (RuleVerdict::Deny, command),
        None => (RuleVerdict::Allow, text),
    };
    let subject = RuleSubject::Command {
        command: command.to_owned(),
    };
    paddock_policy::check(&subject, verdict).unwrap();
    Rule {
        rule_id: RuleId::parse("r").unwrap(),
        verdict,
        reach: RuleReach::Everywhere,
        subject,
        made_at: Timestamp::from_unix_ms(0),
        made_in: None,
    }
}

pub(crate) fn judged(rules: &[&str], command: &str) -> Judgement {
    let rules: Vec<Rule> = rules.iter().map(|text| rule(text)).collect();
    let setting = Setting {
        task: None,
        repositories: &[],
    };
    let asked = Asked::Command {
        text: command.to_owned(),
        doubt: None,
    };
    judge(&rules, setting, &asked)
}

/// Holds every line against `rules`.
pub(crate) fn all(rules: &[&str], expected: Judged, commands: &[&str]) {
    let wrong: Vec<String> = commands
        .iter()
        .map(|command| (command, judged(rules, command)))
        .filter(|(_, judgement)| judgement.judged != expected)
        .map(|(command, judgement)| {
            format!(
                "{command:?} is {:?}: {:?}",
                judgement.judged, judgement.doubt
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
