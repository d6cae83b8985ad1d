//! Bad input: each has an error that says what to do, and nothing half-made stays behind.

use std::fs;
use std::time::{Duration, Instant};

use paddock_domain::{StateName, TurnOutcome};
use paddock_kit::{Ask, Repository};
use serde_json::json;

use super::world::World;

impl World {
    /// Asks for a task that cannot be, and gives what the user is told.
    async fn refused(&self, ask: &Ask) -> anyhow::Result<String> {
        let created = self.serve.client().create(&ask.spec()).await;
        let task = match created {
            Err(error) => return Ok(error.to_string()),
            Ok(task) => task,
        };
        let mut watch = paddock_kit::Watch::new(self.serve.client().clone(), task.task_id);
        watch.until_state(StateName::Failed).await?;
        let failure = watch.task().await?.failure;
        Ok(failure.map(|failure| failure.message).unwrap_or_default())
    }

    /// Holds that the refusal says all of `words` and leaves nothing behind.
    async fn check(&self, ask: &Ask, words: &[&str]) -> anyhow::Result<()> {
        let said = self.refused(ask).await?;
        for word in words {
            assert!(said.contains(word), "`{said}` does not say `{word}`");
        }
        self.hold_nothing_left();
        Ok(())
    }

    /// What a failed setup left is removed after the failure was told: looks until it is gone.
    #[track_caller]
    fn hold_nothing_left(&self) {
        let deadline = Instant::now() + CLEAN_MAX;
        while self.left_behind() != Vec::<String>::new() {
            assert!(
                Instant::now() < deadline,
                "left behind: {:?}",
                self.left_behind()
            );
        }
        self.hold_untouched();
    }

    fn left_behind(&self) -> Vec<String> {
        let mut left = self.repository.branches().unwrap();
        left.retain(|branch| branch != "main");
        let boxes = fs::read_dir(self.data().join("boxes"));
        left.extend(
            boxes
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path().display().to_string()),
        );
        left
    }
}

/// Longest time until what a failed setup left is removed.
const CLEAN_MAX: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_prompt_that_is_empty_or_too_long_is_refused_and_a_megabyte_is_taken()
-> anyhow::Result<()> {
    let world = World::new().await?;
    world
        .check(
            &Ask::scripted(" \n").on(&world.repository),
            &["prompt is empty"],
        )
        .await?;
    let long = "x".repeat((1 << 20) + 1);
    world
        .check(
            &Ask::scripted(&long).on(&world.repository),
            &["1048577 bytes", "put the text into a file"],
        )
        .await?;
    let most = format!("say Heard.\n{}", "x".repeat((1 << 20) - 11));
    let mut task = world.begin(&most).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert!(task.said().contains("Heard."));
    Ok(())
}

#[tokio::test]
async fn unknown_names_are_named_with_what_there_is() -> anyhow::Result<()> {
    let world = World::new().await?;
    let on = |ask: Ask| ask.on(&world.repository);
    world
        .check(
            &on(Ask::harness("nobody", "x").in_a("worktree")),
            &["nobody", "scripted"],
        )
        .await?;
    let base = Ask::scripted("x")
        .repository(json!({ "path": world.repository.text(), "base": "no-such-branch" }));
    world.check(&base, &["no-such-branch"]).await?;
    let branch = Ask::scripted("x")
        .repository(json!({ "path": world.repository.text(), "branch": "no-such-branch" }));
    world.check(&branch, &["no-such-branch"]).await?;
    let version = on(Ask::scripted("x")).with("harness_version", json!("9.9.9"));
    world
        .check(&version, &["9.9.9", "paddock harness install"])
        .await?;
    let nowhere = Ask::scripted("x").repository(json!({ "path": "/nowhere/at/all" }));
    world.check(&nowhere, &["/nowhere/at/all"]).await?;
    let relative = Ask::scripted("x").repository(json!({ "path": "repository" }));
    world.check(&relative, &["not an absolute path"]).await?;
    Ok(())
}

#[tokio::test]
async fn a_repository_without_a_commit_and_a_directory_that_is_none_are_refused()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let empty = Repository::empty(&world.path("empty"))?;
    world
        .check(&Ask::scripted("x").on(&empty), &["commit"])
        .await?;
    let plain = world.path("plain");
    fs::create_dir(&plain)?;
    let plain = Ask::scripted("x").repository(json!({ "path": plain }));
    world.check(&plain, &["plain", "repository"]).await?;
    Ok(())
}

#[tokio::test]
async fn shallow_dirty_detached_and_oddly_named_repositories_work() -> anyhow::Result<()> {
    let world = World::new().await?;
    let bare = world.repository.with_remote(&world.path("bare.git"))?;
    let shallow = world.path("shallow");
    let url = format!("file://{}", bare.text());
    world.repository.git(&[
        "clone",
        "-q",
        "--depth=1",
        &url,
        shallow.to_str().unwrap_or_default(),
    ])?;
    let shallow = Repository { path: shallow };
    let odd = Repository::sample(&world.path("ünïcode & spaces's"))?;
    let dirty = Repository::sample(&world.path("dirty"))?;
    dirty.write("README.md", "changed, not committed")?;
    let detached = Repository::sample(&world.path("detached"))?;
    detached.git(&["checkout", "-q", "--detach", "HEAD~1"])?;

    for repository in [&shallow, &odd, &dirty, &detached] {
        let before = repository.fingerprint()?;
        let ask = Ask::scripted("write a.txt a\ncommit Done").on(repository);
        let mut task = world.serve.task(&ask).await?;
        assert_eq!(
            task.until_turn_ends().await?,
            TurnOutcome::Completed,
            "{}",
            repository.text()
        );
        assert_eq!(
            repository.git(&["log", "-1", "--format=%s", "paddock-0"])?,
            "Done"
        );
        assert_eq!(repository.fingerprint()?, before, "{}", repository.text());
    }
    Ok(())
}

#[tokio::test]
async fn a_missing_engine_is_said_with_what_to_do() -> anyhow::Result<()> {
    let options =
        paddock_kit::ServeOptions::default().env("PADDOCK_ENGINE_SOCKET", "/nowhere/engine.sock");
    let world = World::with(options).await?;
    let ask = Ask::scripted("x").on(&world.repository).in_a("container");
    world.check(&ask, &["engine", "worktree"]).await
}

#[tokio::test]
async fn an_agent_program_that_is_missing_or_has_no_key_is_said_with_what_to_do()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let missing = Ask::harness("codex", "x")
        .in_a("worktree")
        .on(&world.repository)
        .with("harness_version", json!("0.0.1"));
    world
        .check(&missing, &["codex", "paddock harness install codex"])
        .await
}

#[tokio::test]
async fn an_agent_that_dies_at_start_fails_the_task_and_says_why() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let broken = dir.path().join("scripted");
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && { echo scripted 0.1.0; exit 0; }\necho 'cannot find my library' >&2\nexit 127\n";
    fs::write(&broken, script)?;
    let mut mode = fs::metadata(&broken)?.permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    fs::set_permissions(&broken, mode)?;
    let options = paddock_kit::ServeOptions::default()
        .env(
            "PADDOCK_SCRIPTED_AGENT",
            broken.to_str().unwrap_or_default(),
        )
        .env(
            "PADDOCK_TOOLBOX_DIR",
            dir.path().join("toolbox").to_str().unwrap_or_default(),
        );
    let world = World::with(options).await?;
    world
        .check(
            &Ask::scripted("x").on(&world.repository),
            &["cannot find my library"],
        )
        .await
}

#[tokio::test]
async fn unknown_fields_and_other_sites_are_refused() -> anyhow::Result<()> {
    let world = World::new().await?;
    let curl = |args: &[&str]| {
        let output = std::process::Command::new("curl")
            .args(["-sS", "-o", "/dev/null", "-w", "%{http_code}", "-m", "20"])
            .args(args)
            .output()?;
        anyhow::Ok(String::from_utf8(output.stdout)?)
    };
    let tasks = format!("{}/api/paddock/v1/tasks", world.serve.url());
    let bearer = format!("Authorization: Bearer {}", world.serve.token());
    let json = "Content-Type: application/json";
    let body = r#"{"prompt":"x","harness":"scripted","surprise":1}"#;
    assert_eq!(
        curl(&["-H", &bearer, "-H", json, "-d", body, &tasks])?,
        "400"
    );
    assert_eq!(curl(&["-H", &bearer, "-d", body, &tasks])?, "415");
    assert_eq!(curl(&[&tasks])?, "401");
    assert_eq!(curl(&["-H", "Authorization: Bearer wrong", &tasks])?, "401");
    assert_eq!(
        curl(&["-H", &bearer, "-H", "Origin: http://evil.example", &tasks])?,
        "403"
    );
    assert_eq!(
        curl(&["-H", &bearer, "-H", "Host: evil.example", &tasks])?,
        "403"
    );
    assert_eq!(
        curl(&["-H", &bearer, "-H", "Sec-Fetch-Site: cross-site", &tasks])?,
        "403"
    );
    assert_eq!(curl(&["-H", &bearer, &tasks])?, "200");
    Ok(())
}
