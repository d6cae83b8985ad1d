//! Rules: `rules ls`, `rules add`, `rules rm`, `rules test`.

use anyhow::Result;
use paddock_api::{RuleAsked, RuleOutcome, RuleQuery, RuleRequest, RuleTest, RuleVerdictView};
use paddock_client::Client;
use paddock_domain::{Rule, RuleReach, RuleSubject};

use super::run::{absolute, around_here};
use crate::args::{Global, RuleArgs, RulesArgs, RulesVerb, SubjectArgs, TestArgs, WhereArgs};
use crate::exit::{Exit, told};
use crate::reach;
use crate::render::{clean, json, line, say, table};
use crate::resolve::{self, one_of};

/// Lists, makes, removes or tries rules.
pub(crate) async fn rules(global: &Global, args: RulesArgs) -> Result<Exit> {
    let client = reach::client_or_start(global).await?;
    match args.verb {
        RulesVerb::Ls(place) => ls(global, &client, place).await,
        RulesVerb::Add(rule) => add(global, &client, rule).await,
        RulesVerb::Rm { rule } => rm(global, &client, &rule).await,
        RulesVerb::Test(test) => try_out(global, &client, test).await,
    }
}

async fn ls(global: &Global, client: &Client, place: WhereArgs) -> Result<Exit> {
    let mut query = RuleQuery::default();
    match reach_of(client, place).await? {
        Some(RuleReach::Task { task_id }) => query.task_id = Some(task_id),
        Some(RuleReach::Repository { path }) => query.repository = Some(path),
        Some(RuleReach::Everywhere) | None => {}
    }
    let rules = client.rules(&query).await?;
    if global.json {
        json(&rules)?;
        return Ok(Exit::Well);
    }
    if rules.is_empty() {
        say("no rules; `paddock rules add --help` says how to make one");
        return Ok(Exit::Well);
    }
    let rows = rules.iter().map(row).collect();
    line(&table(&["RULE", "", "WHAT", "WHERE"], rows, None));
    Ok(Exit::Well)
}

fn row(rule: &Rule) -> Vec<String> {
    vec![
        rule.rule_id.to_string(),
        rule.verdict.to_string(),
        clean(&rule.subject.to_string()),
        clean(&rule.reach.to_string()),
    ]
}

async fn add(global: &Global, client: &Client, args: RuleArgs) -> Result<Exit> {
    let reach = reach_of(client, args.reach).await?;
    let reach = reach.ok_or_else(|| {
        told(
            Exit::Usage,
            "say where it holds: --task, --repo or --everywhere",
        )
    })?;
    let request = RuleRequest {
        verdict: args.verdict.into(),
        reach,
        subject: subject_of(args.subject),
    };
    let rule = client.add_rule(&request).await?;
    if global.json {
        json(&rule)?;
    } else {
        line(&format!("{}  {}", rule.rule_id, clean(&rule.to_string())));
    }
    Ok(Exit::Well)
}

async fn rm(global: &Global, client: &Client, named: &str) -> Result<Exit> {
    let rules = client.rules(&RuleQuery::default()).await?;
    let none = |named: &str| format!("there is no rule `{}`", clean(named));
    let rule = one_of(&rules, |rule| rule.rule_id.as_str(), "rules", named, none)?;
    let removed = client.remove_rule(rule.rule_id.as_str()).await?;
    if global.json {
        json(&removed)?;
    } else {
        line(&format!("removed: {}", clean(&removed.to_string())));
    }
    Ok(Exit::Well)
}

async fn try_out(global: &Global, client: &Client, args: TestArgs) -> Result<Exit> {
    let task_id = match &args.task {
        Some(task) => Some(resolve::task(client, task).await?),
        None => None,
    };
    let repository = match (&task_id, &args.repo) {
        (None, Some(path)) => Some(absolute(path)?),
        (None, None) => around_here().map(|path| absolute(&path)).transpose()?,
        (Some(_), _) => None,
    };
    let request = RuleTest {
        asked: asked_of(args.subject),
        task_id,
        repository,
    };
    let view = client.test_rules(&request).await?;
    if global.json {
        json(&view)?;
    } else {
        show(&view);
    }
    Ok(match view.verdict {
        RuleOutcome::Allow => Exit::Well,
        RuleOutcome::Deny | RuleOutcome::Ask => Exit::Refused,
    })
}

fn show(view: &RuleVerdictView) {
    line(match view.verdict {
        RuleOutcome::Allow => "allowed",
        RuleOutcome::Deny => "denied",
        RuleOutcome::Ask => "asked",
    });
    if let Some(doubt) = &view.doubt {
        line(&format!("  because {}", clean(doubt)));
    }
    for part in &view.parts {
        let by = match &part.rule {
            Some(rule) => clean(&rule.to_string()),
            None => "no rule".to_owned(),
        };
        line(&format!("  {}  ({by})", clean(&part.command)));
    }
    if view.parts.is_empty() {
        for rule in &view.rules {
            line(&format!("  {}", clean(&rule.to_string())));
        }
    }
}

async fn reach_of(client: &Client, place: WhereArgs) -> Result<Option<RuleReach>> {
    Ok(match (place.task, place.repo, place.everywhere) {
        (Some(task), _, _) => Some(RuleReach::Task {
            task_id: resolve::task(client, &task).await?,
        }),
        (None, Some(path), _) => Some(RuleReach::Repository {
            path: absolute(&path)?,
        }),
        (None, None, true) => Some(RuleReach::Everywhere),
        (None, None, false) => None,
    })
}

/// One of them is given; the command line says so.
fn subject_of(args: SubjectArgs) -> RuleSubject {
    if let Some(paths) = args.edit {
        RuleSubject::Edit { paths }
    } else if let Some(paths) = args.read {
        RuleSubject::Read { paths }
    } else if let Some(domain) = args.web {
        RuleSubject::Web { domain }
    } else if let Some(tool) = args.tool {
        RuleSubject::Tool { tool }
    } else {
        let command = args.command.unwrap_or_default();
        RuleSubject::Command { command }
    }
}

fn asked_of(args: SubjectArgs) -> RuleAsked {
    match subject_of(args) {
        RuleSubject::Command { command } => RuleAsked::Run { command },
        RuleSubject::Edit { paths } => RuleAsked::Edit { path: paths },
        RuleSubject::Read { paths } => RuleAsked::Read { path: paths },
        RuleSubject::Web { domain } => RuleAsked::Reach { domain },
        RuleSubject::Tool { tool } => RuleAsked::Use { tool },
    }
}
