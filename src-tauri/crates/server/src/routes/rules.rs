//! Rules: what agents may do without asking, and what not.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use paddock_api::{
    Page, RuleAsked, RuleOutcome, RulePart, RuleQuery, RuleRequest, RuleTest, RuleVerdictView,
    paths,
};
use paddock_domain::{Rule, RuleReach};
use paddock_orchestrator::{Asked as AskedFor, AskedPath, Judged, Judgement, RuleWish};

use super::Answer;
use crate::door::Door;
use crate::input::{Asked, Given};

/// Rules, oldest first
#[utoipa::path(get, path = paths::RULES, tag = "rules", params(RuleQuery),
    responses((status = 200, body = Page<Rule>)))]
pub(crate) async fn list(
    State(door): State<Door>,
    Asked(query): Asked<RuleQuery>,
) -> Answer<Json<Page<Rule>>> {
    let orchestrator = door.orchestrator();
    let repositories: Vec<String> = match &query.task_id {
        Some(id) => {
            let task = orchestrator.task(id)?;
            task.repositories
                .iter()
                .map(|repository| repository.path.clone())
                .collect()
        }
        None => query.repository.iter().cloned().collect(),
    };
    let all = query.task_id.is_none() && query.repository.is_none();
    let chosen = |rule: &&Rule| {
        all || match &rule.reach {
            RuleReach::Task { task_id } => query.task_id.as_ref() == Some(task_id),
            RuleReach::Repository { path } => repositories.contains(path),
            RuleReach::Everywhere => true,
        }
    };
    let items = orchestrator
        .rules()
        .iter()
        .filter(chosen)
        .cloned()
        .collect();
    let next_cursor = None;
    Ok(Json(Page { items, next_cursor }))
}

/// Make a rule
///
/// One that is there already is given as it is.
#[utoipa::path(post, path = paths::RULES, tag = "rules", request_body = RuleRequest,
    responses((status = 201, body = Rule)))]
pub(crate) async fn add(
    State(door): State<Door>,
    Given(request): Given<RuleRequest>,
) -> Answer<impl IntoResponse> {
    let wish = RuleWish {
        verdict: request.verdict,
        reach: request.reach,
        subject: request.subject,
        made_in: None,
    };
    let rule = door.orchestrator().add_rule(wish).await?;
    Ok((StatusCode::CREATED, Json(rule)))
}

/// Take a rule back
#[utoipa::path(delete, path = paths::RULE, tag = "rules",
    params(("rule_id" = String, Path, description = "The rule")), responses((status = 200, body = Rule)))]
pub(crate) async fn remove(
    State(door): State<Door>,
    Path(rule_id): Path<String>,
) -> Answer<Json<Rule>> {
    Ok(Json(door.orchestrator().remove_rule(&rule_id).await?))
}

/// What rules make of something
///
/// Nothing is run, and links on the way to a file are not looked at.
#[utoipa::path(post, path = paths::RULES_TEST, tag = "rules", request_body = RuleTest,
    responses((status = 200, body = RuleVerdictView)))]
pub(crate) async fn test(
    State(door): State<Door>,
    Given(request): Given<RuleTest>,
) -> Answer<Json<RuleVerdictView>> {
    let orchestrator = door.orchestrator();
    let repository = match &request.task_id {
        Some(id) => {
            let task = orchestrator.task(id)?;
            task.repositories
                .first()
                .map(|repository| repository.path.clone())
        }
        None => request.repository.clone(),
    };
    let asked = asked_for(request.asked, repository);
    let repositories = request.repository.into_iter().collect();
    let judgement = orchestrator.test_rules(&asked, request.task_id.as_ref(), repositories)?;
    Ok(Json(shown(judgement)))
}

fn asked_for(asked: RuleAsked, repository: Option<String>) -> AskedFor {
    let one = |path: String| {
        vec![AskedPath {
            repository,
            path,
            doubt: None,
        }]
    };
    match asked {
        RuleAsked::Run { command } => AskedFor::Command {
            text: command,
            doubt: None,
        },
        RuleAsked::Edit { path } => AskedFor::Edit { paths: one(path) },
        RuleAsked::Read { path } => AskedFor::Read { paths: one(path) },
        RuleAsked::Reach { domain } => AskedFor::Web { host: domain },
        RuleAsked::Use { tool } => AskedFor::Tool { name: tool },
    }
}

fn shown(judgement: Judgement) -> RuleVerdictView {
    RuleVerdictView {
        verdict: match judgement.judged {
            Judged::Allow => RuleOutcome::Allow,
            Judged::Deny => RuleOutcome::Deny,
            Judged::Ask => RuleOutcome::Ask,
        },
        rules: judgement.rules,
        parts: judgement
            .parts
            .into_iter()
            .map(|part| RulePart {
                command: part.command,
                rule: part.rule,
            })
            .collect(),
        doubt: judgement.doubt.map(str::to_owned),
    }
}
