//! The one place that says whether a rule covers what an agent asks for.
//!
//! A rule that denies wins over any that allows. Of a command line everything must be allowed by itself; it
//! is denied where anything of it is, wherever it stands. What cannot be read is never allowed.

use paddock_domain::{Rule, RuleReach, RuleSubject, RuleVerdict, TaskId};

use crate::asked::{Asked, AskedPath};
use crate::glob::{domain_matches, name_matches, path_matches};
use crate::pattern::Pattern;
use crate::shell::{self, Reading};

/// Whose rules hold.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The task that asks.
    pub task: Option<&'a TaskId>,
    /// Its repositories, by their paths on the host.
    pub repositories: &'a [String],
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It may be done.
    Allow,
    /// It may not.
    Deny,
    /// No rule says: the user does.
    Ask,
}

/// What becomes of something that was asked for, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What becomes of it.
    pub judged: Judged,
    /// The rules that say so.
    pub rules: Vec<Rule>,
    /// Each command of a command line, with the rule that covers it.
    pub parts: Vec<PartJudged>,
    /// Why no rule can say, where that is so.
    pub doubt: Option<&'static str>,
    /// Whether it may be something that a rule denies, hidden from whoever reads it.
    pub obscure: bool,
}

/// One command of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartJudged {
    /// The command as it reaches the program.
    pub command: String,
    /// The rule that covers it.
    pub rule: Option<Rule>,
}

impl Judgement {
    fn ask(doubt: Option<&'static str>) -> Self {
        Self {
            judged: Judged::Ask,
            rules: Vec::new(),
            parts: Vec::new(),
            doubt,
            obscure: doubt.is_some(),
        }
    }

    fn denied(rule: &Rule) -> Self {
        Self {
            judged: Judged::Deny,
            rules: vec![rule.clone()],
            obscure: false,
            ..Self::ask(None)
        }
    }
}

/// Holds `asked` against those of `rules` that hold in `setting`.
#[must_use]
pub fn judge(rules: &[Rule], setting: Setting<'_>, asked: &Asked) -> Judgement {
    let here: Vec<&Rule> = rules.iter().filter(|rule| holds(rule, setting)).collect();
    match asked {
        Asked::Command { text, doubt } => command(&here, setting, text, *doubt),
        Asked::Edit { paths } => files(&here, paths, |subject| match subject {
            RuleSubject::Edit { paths } => Some(paths),
            RuleSubject::Command { .. }
            | RuleSubject::Read { .. }
            | RuleSubject::Web { .. }
            | RuleSubject::Tool { .. } => None,
        }),
        Asked::Read { paths } => files(&here, paths, |subject| match subject {
            RuleSubject::Read { paths } => Some(paths),
            RuleSubject::Command { .. }
            | RuleSubject::Edit { .. }
            | RuleSubject::Web { .. }
            | RuleSubject::Tool { .. } => None,
        }),
        Asked::Web { host } => named(
            &here,
            |subject| matches!(subject, RuleSubject::Web { domain } if domain_matches(domain, host)),
        ),
        Asked::Tool { name } => named(
            &here,
            |subject| matches!(subject, RuleSubject::Tool { tool } if name_matches(tool, name)),
        ),
        Asked::Unknown => Judgement::ask(Some("it does not say what it would do")),
    }
}

fn holds(rule: &Rule, setting: Setting<'_>) -> bool {
    match &rule.reach {
        RuleReach::Task { task_id } => setting.task == Some(task_id),
        RuleReach::Repository { path } => setting.repositories.contains(path),
        RuleReach::Everywhere => true,
    }
}

fn of<'r>(rules: &[&'r Rule], verdict: RuleVerdict) -> impl Iterator<Item = &'r Rule> {
    rules
        .iter()
        .copied()
        .filter(move |rule| rule.verdict == verdict)
}

fn command(
    rules: &[&Rule],
    setting: Setting<'_>,
    text: &str,
    doubt: Option<&'static str>,
) -> Judgement {
    let reading = shell::read(text);
    if let Some(rule) = denying(rules, &reading) {
        return Judgement::denied(rule);
    }
    let allowing: Vec<(&Rule, Pattern)> = of(rules, RuleVerdict::Allow)
        .filter(|rule| is_whole(rule, setting))
        .filter_map(|rule| Some((rule, pattern(rule)?)))
        .collect();
    let parts: Vec<PartJudged> = reading
        .commands
        .iter()
        .map(|argv| PartJudged {
            command: shell::quoted(argv),
            rule: allowing
                .iter()
                .find(|(_, pattern)| pattern.allows(argv))
                .map(|(rule, _)| Rule::clone(rule)),
        })
        .collect();
    let doubt = reading.doubt.or(doubt);
    let all = !parts.is_empty() && parts.iter().all(|part| part.rule.is_some());
    let mut rules: Vec<Rule> = parts.iter().filter_map(|part| part.rule.clone()).collect();
    rules.dedup();
    let allowed = all && doubt.is_none();
    Judgement {
        judged: if allowed { Judged::Allow } else { Judged::Ask },
        rules: if allowed { rules } else { Vec::new() },
        parts,
        doubt,
        obscure: reading.obscure,
    }
}

/// A command of one repository's rule may run in another: it is allowed where the task has no other.
fn is_whole(rule: &Rule, setting: Setting<'_>) -> bool {
    match &rule.reach {
        RuleReach::Repository { .. } => setting.repositories.len() == 1,
        RuleReach::Task { .. } | RuleReach::Everywhere => true,
    }
}

fn denying<'r>(rules: &[&'r Rule], reading: &Reading) -> Option<&'r Rule> {
    of(rules, RuleVerdict::Deny).find(|rule| {
        pattern(rule).is_some_and(|pattern| reading.found.iter().any(|argv| pattern.denies(argv)))
    })
}

fn pattern(rule: &Rule) -> Option<Pattern> {
    match &rule.subject {
        RuleSubject::Command { command } => Pattern::parse(command, rule.verdict).ok(),
        RuleSubject::Edit { .. }
        | RuleSubject::Read { .. }
        | RuleSubject::Web { .. }
        | RuleSubject::Tool { .. } => None,
    }
}

fn files(
    rules: &[&Rule],
    asked: &[AskedPath],
    about: fn(&RuleSubject) -> Option<&String>,
) -> Judgement {
    let covers = |rule: &Rule, file: &AskedPath| {
        let here = match &rule.reach {
            RuleReach::Repository { path } => file.repository.as_ref() == Some(path),
            RuleReach::Task { .. } | RuleReach::Everywhere => true,
        };
        here && about(&rule.subject).is_some_and(|paths| path_matches(paths, &file.path))
    };
    let denied =
        of(rules, RuleVerdict::Deny).find(|rule| asked.iter().any(|file| covers(rule, file)));
    if let Some(rule) = denied {
        return Judgement::denied(rule);
    }
    if let Some(doubt) = asked.iter().find_map(|file| file.doubt) {
        return Judgement::ask(Some(doubt));
    }
    let covering: Option<Vec<Rule>> = asked
        .iter()
        .map(|file| {
            of(rules, RuleVerdict::Allow)
                .find(|rule| covers(rule, file))
                .cloned()
        })
        .collect();
    allowed(covering.filter(|rules| !rules.is_empty()))
}

fn named(rules: &[&Rule], covers: impl Fn(&RuleSubject) -> bool) -> Judgement {
    let find = |verdict| of(rules, verdict).find(|rule| covers(&rule.subject));
    if let Some(rule) = find(RuleVerdict::Deny) {
        return Judgement::denied(rule);
    }
    allowed(find(RuleVerdict::Allow).map(|rule| vec![rule.clone()]))
}

fn allowed(rules: Option<Vec<Rule>>) -> Judgement {
    let Some(mut rules) = rules else {
        return Judgement::ask(None);
    };
    rules.dedup();
    Judgement {
        judged: Judged::Allow,
        rules,
        obscure: false,
        ..Judgement::ask(None)
    }
}
