//! Bad input that only shows with a real engine or a real agent.

use paddock_domain::{StateName, TurnOutcome};
use paddock_kit::{Ask, Repository, Serve, ServeOptions};

/// Asks for a task that cannot be, and gives what the user is told.
async fn refused(serve: &Serve, ask: &Ask) -> anyhow::Result<String> {
    let task = match serve.client().create(&ask.spec()).await {
        Ok(task) => task,
        Err(error) => return Ok(error.to_string()),
    };
    let mut watch = paddock_kit::Watch::new(serve.client().clone(), task.task_id);
    watch.until_state(StateName::Failed).await?;
    let failure = watch.task().await?.failure;
    Ok(failure.map(|failure| failure.message).unwrap_or_default())
}

#[tokio::test]
async fn an_unknown_image_is_named_in_a_container() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let repository = Repository::sample(&dir.path().join("repository"))?;
    let serve = Serve::start(&dir.path().join("data"), ServeOptions::default()).await?;
    let ask = Ask::harness("scripted", "say x")
        .in_a("container")
        .on(&repository);
    let ask = ask.boxed("image", "localhost/no-such-image:1".into());
    let said = refused(&serve, &ask).await?;
    assert!(said.contains("no-such-image"), "{said}");
    Ok(())
}

#[tokio::test]
async fn real_claude_without_a_key_says_which_key() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let repository = Repository::sample(&dir.path().join("repository"))?;
    let serve = Serve::start(&dir.path().join("data"), ServeOptions::default()).await?;
    let ask = Ask::harness("claude", "say x")
        .in_a("worktree")
        .on(&repository);
    let said = refused(&serve, &ask).await?;
    assert!(said.contains("ANTHROPIC_API_KEY"), "{said}");
    Ok(())
}

#[tokio::test]
async fn a_task_without_a_repository_runs_in_a_container() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let serve = Serve::start(&dir.path().join("data"), ServeOptions::default()).await?;
    let ask = Ask::harness("scripted", "say Here.").in_a("container");
    let mut task = serve.task(&ask).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(task.said().contains("Here."));
    task.purge().await
}
