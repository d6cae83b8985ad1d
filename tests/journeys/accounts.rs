//! Accounts: two tasks with two accounts see two keys, and no other.

use paddock_api::{AccountRequest, ErrorCode, TuneRequest};
use paddock_client::ClientError;
use paddock_domain::{AccountName, HarnessName, Message, StateName, TurnOutcome};
use paddock_kit::{Ask, ServeOptions};

use super::world::World;

/// The one variable that the `scripted` agent reads; it stands for a key here.
const KEY: &str = "SCRIPTED_RECORD";

fn code(error: &ClientError) -> Option<ErrorCode> {
    error.code()
}

async fn keep(world: &World, name: &str, value: &str) -> anyhow::Result<()> {
    let request = AccountRequest {
        harness: HarnessName::parse("scripted")?,
        name: AccountName::parse(name)?,
        values: [(KEY.to_owned(), value.to_owned())].into(),
        base_url: None,
        is_default: false,
    };
    world.serve.client().keep_account(&request).await?;
    Ok(())
}

async fn seen_by(world: &World, account: Option<&str>) -> anyhow::Result<String> {
    let mut ask = Ask::scripted(&format!("env {KEY}")).on(&world.repository);
    if let Some(account) = account {
        ask = ask.with("account", account.into());
    }
    let mut task = world.serve.task(&ask).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    Ok(task.said())
}

#[tokio::test]
async fn two_tasks_with_two_accounts_see_two_keys_and_never_a_stale_one() -> anyhow::Result<()> {
    let options = ServeOptions::default()
        .env("PADDOCK_VAULT_KIND", "file")
        .env("PADDOCK_LOG", "trace")
        .env(KEY, "~/stale-key");
    let world = World::with(options).await?;
    assert!(seen_by(&world, None).await?.contains("stale-key"));
    keep(&world, "work", "~/work-key").await?;
    keep(&world, "home", "~/home-key").await?;
    let work = seen_by(&world, Some("work")).await?;
    let home = seen_by(&world, Some("home")).await?;
    assert!(
        work.contains("work-key") && !work.contains("stale"),
        "{work}"
    );
    assert!(
        home.contains("home-key") && !home.contains("work-key"),
        "{home}"
    );
    // The first is used by those who name none, until another is chosen.
    assert!(seen_by(&world, None).await?.contains("work-key"));
    let (harness, name) = (HarnessName::parse("scripted")?, AccountName::parse("home")?);
    world.serve.client().use_account(&harness, &name).await?;
    let world = world.restart()?;
    assert!(seen_by(&world, None).await?.contains("home-key"));
    let log = world.serve.log()?;
    assert!(
        !log.contains("work-key") && !log.contains("home-key"),
        "the log says a key"
    );
    let kept = std::fs::read_to_string(world.data().join("accounts.json"))?;
    assert!(!kept.contains("-key"), "{kept}");
    Ok(())
}

#[tokio::test]
async fn a_task_that_is_stopped_goes_on_with_another_account() -> anyhow::Result<()> {
    let options = ServeOptions::default().env("PADDOCK_VAULT_KIND", "file");
    let world = World::with(options).await?;
    keep(&world, "work", "~/work-key").await?;
    keep(&world, "home", "~/home-key").await?;
    let ask = Ask::scripted("remember it").on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let to = |name: &str| -> anyhow::Result<TuneRequest> {
        Ok(TuneRequest {
            account: Some(AccountName::parse(name)?),
            ..TuneRequest::default()
        })
    };
    let refused = client.tune(task.id(), &to("home")?).await.unwrap_err();
    assert_eq!(code(&refused), Some(ErrorCode::Conflict), "{refused}");
    client.stop(task.id()).await?;
    task.until_state(StateName::Stopped).await?;
    let unknown = client.tune(task.id(), &to("nobody")?).await.unwrap_err();
    assert!(unknown.to_string().contains("nobody"), "{unknown}");

    client.tune(task.id(), &to("home")?).await?;
    let words = Message {
        input_id: None,
        text: format!("recall\nenv {KEY}"),
        attachments: Vec::new(),
    };
    client.say(task.id(), &words).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let said = task.said();
    assert!(said.contains("home-key"), "{said}");
    assert!(said.contains("Remembered: it"), "another session: {said}");
    let account = task.task().await?.run.and_then(|run| run.account);
    assert_eq!(account, Some(AccountName::parse("home")?));
    Ok(())
}

#[tokio::test]
async fn an_account_in_use_is_not_removed_unseen_and_one_that_is_not_there_is_refused()
-> anyhow::Result<()> {
    let options = ServeOptions::default().env("PADDOCK_VAULT_KIND", "file");
    let world = World::with(options).await?;
    keep(&world, "work", "~/work-key").await?;
    let mut task = world
        .serve
        .task(
            &Ask::scripted("say hello")
                .on(&world.repository)
                .with("account", "work".into()),
        )
        .await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let (harness, name) = (HarnessName::parse("scripted")?, AccountName::parse("work")?);
    let refused = client
        .remove_account(&harness, &name, false)
        .await
        .unwrap_err();
    assert_eq!(code(&refused), Some(ErrorCode::WouldLose), "{refused}");
    assert_eq!(client.accounts().await?[0].in_use_by, [task.id().clone()]);
    client.remove_account(&harness, &name, true).await?;
    assert!(client.accounts().await?.is_empty());
    let spec = Ask::scripted("say hello")
        .with("account", "work".into())
        .spec();
    let refused = client.create(&spec).await.unwrap_err();
    assert_eq!(code(&refused), Some(ErrorCode::NotFound), "{refused}");
    Ok(())
}
