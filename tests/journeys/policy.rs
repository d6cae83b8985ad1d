//! What agents may do without asking: rules decide, say which they were, and outlive everything.

use paddock_api::{ApprovalRequest, RuleOutcome, RuleRequest, RuleTest, TuneRequest};
use paddock_domain::{
    Approval, ApprovalScope, Body, Decision, KeepRule, Rule, RuleReach, RuleSubject, RuleVerdict,
    StateName, TurnOutcome,
};
use paddock_kit::Watch;

use super::world::World;

fn approval(event: &paddock_domain::Event) -> Option<Approval> {
    match &event.body {
        Body::ApprovalRequested(approval) => Some(Approval::clone(approval)),
        _ => None,
    }
}

/// What became of the requests so far: allowed, by rules alone, and which.
fn resolved(task: &Watch) -> Vec<(bool, bool, Vec<String>)> {
    let resolved = task.seen().iter().filter_map(|event| match &event.body {
        Body::ApprovalResolved {
            decision: Some(decision),
            rules,
            by_rule,
            ..
        } => {
            let allowed = matches!(decision, Decision::Allow { .. });
            let rules = rules.iter().map(|rule| rule.subject.text().to_owned());
            Some((allowed, *by_rule, rules.collect()))
        }
        _ => None,
    });
    resolved.collect()
}

fn allow() -> Decision {
    Decision::Allow {
        scope: ApprovalScope::Once,
        input: None,
    }
}

async fn rule(world: &World, verdict: RuleVerdict, command: &str) -> anyhow::Result<Rule> {
    let request = RuleRequest {
        verdict,
        reach: RuleReach::Everywhere,
        subject: RuleSubject::Command {
            command: command.to_owned(),
        },
    };
    Ok(world.serve.client().add_rule(&request).await?)
}

#[tokio::test]
async fn always_in_this_repository_is_a_rule_and_holds_in_the_next_task_and_the_next_life()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut first = world.begin("approve touch a.txt && touch b.txt").await?;
    let asked = first.until("an approval", approval).await?;
    let offered: Vec<String> = asked
        .offers
        .iter()
        .map(|offer| {
            offer
                .subjects
                .iter()
                .map(RuleSubject::text)
                .collect::<Vec<_>>()
                .join(" + ")
        })
        .collect();
    assert_eq!(offered, ["touch a.txt + touch b.txt", "touch *"]);
    assert!(
        asked.scopes.contains(&ApprovalScope::Repository),
        "{:?}",
        asked.scopes
    );
    first.until_state(StateName::Asking).await?;
    let request = ApprovalRequest {
        approval_id: asked.approval_id,
        decision: allow(),
        keep: Some(KeepRule {
            scope: ApprovalScope::Repository,
            subjects: Vec::new(),
        }),
    };
    world.serve.client().decide(first.id(), &request).await?;
    assert_eq!(first.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(
        resolved(&first),
        [(
            true,
            false,
            vec!["touch a.txt".to_owned(), "touch b.txt".to_owned()]
        )]
    );

    let world = world.restart()?;
    let mut next = world
        .begin("approve touch b.txt\napprove touch a.txt; rm -rf b.txt\napprove touch c.txt")
        .await?;
    let text = "approve one by a rule, two by hand";
    for _ in 0..3 {
        let asked = next.until(text, approval).await?;
        if asked.summary.contains("touch b.txt") && !asked.summary.contains("rm") {
            continue;
        }
        next.until_state(StateName::Asking).await?;
        let request = ApprovalRequest {
            approval_id: asked.approval_id,
            decision: Decision::Deny {
                message: None,
                interrupt: false,
            },
            keep: None,
        };
        world.serve.client().decide(next.id(), &request).await?;
    }
    assert_eq!(next.until_turn_ends().await?, TurnOutcome::Completed);
    let (yes, no) = (
        (true, true, vec!["touch b.txt".to_owned()]),
        (false, false, Vec::new()),
    );
    assert_eq!(resolved(&next), [yes, no.clone(), no]);
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_denying_rule_wins_tells_the_agent_and_asks_nobody() -> anyhow::Result<()> {
    let world = World::new().await?;
    rule(&world, RuleVerdict::Allow, "touch *").await?;
    let denying = rule(&world, RuleVerdict::Deny, "touch secret.txt").await?;
    let mut task = world
        .begin("approve touch a.txt\napprove sh -c 'touch secret.txt'\nbash ls")
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(
        resolved(&task),
        [
            (true, true, vec!["touch *".to_owned()]),
            (false, true, vec!["touch secret.txt".to_owned()])
        ]
    );
    let asked = |event: &paddock_domain::Event| {
        matches!(
            event.body,
            Body::StateChanged {
                to: StateName::Asking,
                ..
            }
        )
    };
    assert!(!task.seen().iter().any(asked), "somebody was asked");
    assert!(task.said().contains("touch secret.txt"), "{}", task.said());
    world
        .serve
        .client()
        .remove_rule(denying.rule_id.as_str())
        .await?;
    assert_eq!(
        world.serve.client().rules(&Default::default()).await?.len(),
        1
    );
    Ok(())
}

#[tokio::test]
async fn a_rule_that_is_made_while_an_agent_waits_lets_it_go_on() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("approve touch late.txt\nsay went on").await?;
    task.until_state(StateName::Asking).await?;
    rule(&world, RuleVerdict::Allow, "touch *").await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(resolved(&task), [(true, true, vec!["touch *".to_owned()])]);
    Ok(())
}

#[tokio::test]
async fn rules_are_tried_without_running_anything_and_bad_ones_are_refused() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    rule(&world, RuleVerdict::Allow, "cargo build").await?;
    let tried = |command: &str| RuleTest {
        asked: paddock_api::RuleAsked::Run {
            command: command.to_owned(),
        },
        task_id: None,
        repository: None,
    };
    assert_eq!(
        client.test_rules(&tried("cargo build")).await?.verdict,
        RuleOutcome::Allow
    );
    let view = client.test_rules(&tried("cargo build && rm -rf ~")).await?;
    assert_eq!((view.verdict, view.parts.len()), (RuleOutcome::Ask, 0));
    assert!(view.doubt.is_some());
    for bad in ["bash *", "a && b", "*", "cargo build $(x)"] {
        assert!(
            rule(&world, RuleVerdict::Allow, bad).await.is_err(),
            "{bad}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_model_is_changed_in_the_run_that_lives_and_what_cannot_be_changed_is_refused()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say ready").await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let client = world.serve.client();
    let tune = TuneRequest {
        model: Some("other-model".to_owned()),
        ..TuneRequest::default()
    };
    client.tune(task.id(), &tune).await?;
    let model = |event: &paddock_domain::Event| match &event.body {
        Body::ModelSelected { model, .. } if model == "other-model" => Some(()),
        _ => None,
    };
    task.until("the other model", model).await?;
    assert_eq!(
        task.task().await?.spec.model.as_deref(),
        Some("other-model")
    );
    let effort = TuneRequest {
        effort: Some("enormous".to_owned()),
        ..TuneRequest::default()
    };
    assert!(client.tune(task.id(), &effort).await.is_err());
    Ok(())
}
