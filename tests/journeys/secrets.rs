//! Planted secrets: whatever a journey does, no log of ours says them.

use paddock_domain::TurnOutcome;
use paddock_kit::ServeOptions;

use super::world::World;

const KEY: &str = "planted-key-7c1f";
const PROMPT: &str = "planted-prompt-51aa";
const CONTENT: &str = "planted-content-09de";

#[tokio::test]
async fn no_log_says_a_key_a_token_a_prompt_or_a_files_content() -> anyhow::Result<()> {
    let options = ServeOptions::default()
        .env("PADDOCK_LOG", "trace")
        .env("ANTHROPIC_API_KEY", KEY)
        .env("OPENAI_API_KEY", KEY);
    let world = World::with(options).await?;
    let mut task = world
        .begin(&format!(
            "say {PROMPT}\nwrite a.txt {CONTENT}\ncommit A\nread a.txt"
        ))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    world.serve.client().stop(task.id()).await?;
    task.until_state(paddock_domain::StateName::Stopped).await?;

    let log = world.serve.log()?;
    assert!(!log.is_empty(), "there is no log to look at");
    for secret in [KEY, world.serve.token(), PROMPT, CONTENT] {
        let said = log.lines().find(|line| line.contains(secret));
        assert_eq!(said, None, "the log says {secret}");
    }
    Ok(())
}
