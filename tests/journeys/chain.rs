//! From a prompt to commits on a branch.

use futures_util::future::try_join_all;
use paddock_domain::{Body, Event, StateName, TurnOutcome};
use paddock_kit::{Ask, Repository, ServeOptions};

use super::world::World;

const WORK: &str = "say On it.\nwrite hello.txt hello\ncommit Say hello\nsay Done.";

#[tokio::test]
async fn a_prompt_becomes_commits_on_paddock_0() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin(WORK).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);

    assert_eq!(world.repository.subjects("main..paddock-0")?, ["Say hello"]);
    assert_eq!(
        world.repository.git(&["show", "paddock-0:hello.txt"])?,
        "hello"
    );
    let seen = task.task().await?;
    assert_eq!(seen.state, StateName::Waiting);
    assert_eq!(seen.repositories[0].branch.as_deref(), Some("paddock-0"));
    assert_eq!(seen.repositories[0].diff.commits, 1);
    assert!(task.said().contains("On it.\nDone."), "{}", task.said());
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn the_states_are_walked_in_order_and_sequence_numbers_have_no_gap() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin(WORK).await?;
    task.until_turn_ends().await?;

    let entered = |event: &Event| {
        if let Body::StateChanged { to, .. } = &event.body {
            return Some(to.as_str());
        }
        None
    };
    let walked: Vec<_> = task.seen().iter().filter_map(entered).collect();
    assert_eq!(
        walked,
        [
            "branching",
            "provisioning",
            "starting",
            "running",
            "waiting"
        ]
    );
    let numbers: Vec<u64> = task.seen().iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    Ok(())
}

#[tokio::test]
async fn four_tasks_work_on_one_repository_at_once_and_never_meet() -> anyhow::Result<()> {
    let world = World::new().await?;
    let scripts =
        (0..4).map(|n| format!("write same.txt from {n}\ncommit Change {n}\nbash cat same.txt"));
    let tasks = try_join_all(scripts.map(|script| {
        let world = &world;
        async move { world.begin(&script).await }
    }));
    let ended = try_join_all(tasks.await?.into_iter().map(|mut task| async move {
        task.until_turn_ends().await?;
        task.task().await
    }));
    let mut branches = Vec::new();
    for task in ended.await? {
        assert_eq!(task.last_outcome, Some(TurnOutcome::Completed));
        let branch = task.repositories[0].branch.clone().unwrap_or_default();
        let number = task.title.rsplit(' ').next().unwrap_or_default().to_owned();
        let subjects = world.repository.subjects(&format!("main..{branch}"))?;
        assert_eq!(subjects, [format!("Change {number}")]);
        branches.push(branch);
    }
    branches.sort();
    assert_eq!(
        branches,
        ["paddock-0", "paddock-1", "paddock-2", "paddock-3"]
    );
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn tasks_over_the_limit_wait_until_a_place_is_free() -> anyhow::Result<()> {
    let options = ServeOptions::default().env("PADDOCK_LIMITS_PARALLEL_TASKS", "1");
    let world = World::with(options).await?;
    let mut first = world.begin("say Busy.\nsleep 600").await?;
    first.until_state(StateName::Running).await?;
    let mut second = world.begin(WORK).await?;
    assert_eq!(second.task().await?.state, StateName::Pending);

    world.serve.client().stop(first.id()).await?;
    first.until_state(StateName::Stopped).await?;
    assert_eq!(second.until_turn_ends().await?, TurnOutcome::Completed);
    Ok(())
}

#[tokio::test]
async fn a_task_works_on_two_repositories_and_on_none() -> anyhow::Result<()> {
    let world = World::new().await?;
    let other = Repository::sample(&world.path("second one"))?;
    let commits = ["second-one There", "repository Here"].map(|commit| {
        let (dir, subject) = commit.split_once(' ').unwrap();
        format!("bash git -C {dir} commit -q --allow-empty -m {subject}")
    });
    let ask = Ask::scripted(&commits.join("\n"))
        .on(&world.repository)
        .on(&other);
    let mut both = world.serve.task(&ask).await?;
    both.until_turn_ends().await?;
    assert_eq!(world.repository.subjects("main..paddock-0")?, ["Here"]);
    assert_eq!(other.subjects("main..paddock-0")?, ["There"]);

    let mut none = world.serve.task(&Ask::scripted("bash pwd")).await?;
    assert_eq!(none.until_turn_ends().await?, TurnOutcome::Completed);
    world.hold_untouched();
    Ok(())
}
