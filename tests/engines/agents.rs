//! The real agents do real work in both kinds of box, and what they do looks the same.

use paddock_api::{PlanRequest, RuleRequest};
use paddock_domain::{
    Body, Event, PermissionMode, PlanDecision, RuleReach, RuleSubject, RuleVerdict, TodoStatus,
    TurnOutcome,
};
use paddock_kit::Ask;

use super::world::World;

const PROMPT: &str = "Please add the file. [[fake:tool file=made.txt]]";

/// What comes when it comes, whoever works: progress of setting up, and figures that follow the work
/// tree. Everything else must be told alike.
const NOT_COMPARED: &[&str] = &["notice", "diff_stat", "agent_offers", "context_measured"];

/// Plays the story in one box with one harness, and gives the event types it yields.
async fn play(harness: &str, kind: &str) -> anyhow::Result<Vec<&'static str>> {
    let world = World::new().await?;
    let before = world.repository.fingerprint()?;
    let ask = Ask::harness(harness, PROMPT)
        .in_a(kind)
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);

    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Add made.txt"]
    );
    assert_eq!(
        world.repository.git(&["show", "paddock-0:made.txt"])?,
        "made with a tool"
    );
    assert_eq!(
        world.repository.fingerprint()?,
        before,
        "the host's checkout was touched"
    );
    assert!(
        !world.model.requests().is_empty(),
        "the agent asked another model"
    );
    let failed = task.seen().iter().any(failed_call);
    assert!(!failed, "a tool call failed: {}", task.said());

    let types = task.types();
    task.purge().await?;
    Ok(types
        .into_iter()
        .filter(|name| !NOT_COMPARED.contains(name))
        .collect())
}

fn failed_call(event: &Event) -> bool {
    matches!(&event.body, Body::ToolCallFinished(call) if call.is_error)
}

#[tokio::test]
async fn real_claude_and_codex_tell_the_same_story_in_a_container_and_in_a_worktree()
-> anyhow::Result<()> {
    let one = play("claude", "container").await?;
    for (harness, kind) in [
        ("claude", "worktree"),
        ("codex", "container"),
        ("codex", "worktree"),
    ] {
        let other = play(harness, kind).await?;
        assert_eq!(
            other, one,
            "{harness} in a {kind} against claude in a container"
        );
    }
    Ok(())
}

#[tokio::test]
async fn real_claude_and_codex_tell_the_same_story_in_a_worktree() -> anyhow::Result<()> {
    assert_eq!(
        play("codex", "worktree").await?,
        play("claude", "worktree").await?
    );
    Ok(())
}

#[tokio::test]
async fn real_claude_keeps_its_list_of_things_to_do() -> anyhow::Result<()> {
    let world = World::new().await?;
    let ask = Ask::harness("claude", "Please go on. [[fake:todo]]")
        .in_a("worktree")
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let listed = task.seen().iter().filter_map(|event| match &event.body {
        Body::TodoUpdated { items } => Some(items.iter().map(|item| item.status).collect()),
        _ => None,
    });
    let listed: Vec<Vec<TodoStatus>> = listed.collect();
    let expected = [
        vec![TodoStatus::InProgress, TodoStatus::Pending],
        vec![TodoStatus::Completed, TodoStatus::Completed],
    ];
    assert_eq!(listed, expected, "{}", task.said());
    task.purge().await
}

#[tokio::test]
async fn real_claude_carries_an_approved_plan_out_and_rules_still_deny() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let rule = RuleRequest {
        verdict: RuleVerdict::Deny,
        reach: RuleReach::Everywhere,
        subject: RuleSubject::Edit {
            paths: "**/planned.txt".to_owned(),
        },
    };
    let rule = client.add_rule(&rule).await?;
    for denied in [true, false] {
        if !denied {
            client.remove_rule(rule.rule_id.as_str()).await?;
        }
        let ask = Ask::harness("claude", "Please go on. [[fake:plan]]")
            .in_a("worktree")
            .with("permission_mode", "plan".into())
            .on(&world.repository);
        let mut task = world.serve.task(&ask).await?;
        let proposed = |event: &Event| match &event.body {
            Body::PlanProposed(plan) => Some(plan.plan_id.clone()),
            _ => None,
        };
        let plan_id = task.until("a plan", proposed).await?;
        let decision = PlanDecision::Approve { text: None };
        client
            .decide_plan(task.id(), &PlanRequest { plan_id, decision })
            .await?;
        assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
        let failed = task.seen().iter().any(failed_call);
        assert_eq!(failed, denied, "{}", task.said());
        let mode = task.task().await?.spec.permission_mode;
        assert_eq!(mode, PermissionMode::AcceptEdits);
        task.purge().await?;
    }
    Ok(())
}
