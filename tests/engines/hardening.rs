//! A container as it looks from inside, and from the engine.

use paddock_domain::{Body, Event, PurgeRequest, StateName, TurnOutcome};
use paddock_kit::{Ask, ServeOptions, Watch};

use super::world::World;

/// Runs each line as a command in a container and gives what they printed, in order.
async fn look(world: &World, commands: &[&str]) -> anyhow::Result<(Watch, Vec<String>)> {
    let script: Vec<String> = commands
        .iter()
        .map(|command| format!("bash {command}"))
        .collect();
    let ask = Ask::harness("scripted", &script.join("\n"))
        .in_a("container")
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    let output = |event: &Event| {
        if let Body::ToolCallFinished(call) = &event.body {
            return Some(call.output.clone().unwrap_or_default().trim().to_owned());
        }
        None
    };
    let printed = task.seen().iter().filter_map(output).collect();
    Ok((task, printed))
}

async fn purge(world: &World, mut task: Watch) -> anyhow::Result<()> {
    world
        .serve
        .client()
        .purge(
            task.id(),
            &PurgeRequest {
                force: true,
                now: true,
                ..PurgeRequest::default()
            },
        )
        .await?;
    task.until_state(StateName::Purged).await
}

#[tokio::test]
async fn no_privilege_is_found_in_a_container() -> anyhow::Result<()> {
    let world = World::new().await?;
    let (task, seen) = look(
        &world,
        &[
            "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status",
            "id -u",
            "ls /var/run/docker.sock /run/docker.sock 2>&1 | grep -vc 'No such'",
            "touch /opt/paddock/toolbox/x 2>&1; touch /srv/objects/0/x 2>&1; touch /usr/x 2>&1; true",
            "cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null",
            "env | grep -iE 'token|secret|ssh_auth' | wc -l",
        ],
    )
    .await?;
    let status = &seen[0];
    for line in [
        "CapEff:\t0000000000000000",
        "CapBnd:\t0000000000000000",
        "NoNewPrivs:\t1",
        "Seccomp:\t2",
    ] {
        assert!(status.contains(line), "{status}");
    }
    assert_ne!(seen[1], "0", "the box runs as root");
    assert_eq!(seen[2], "0", "the engine's socket is in the box");
    assert_eq!(seen[3].matches("touch:").count(), 3, "{}", seen[3]);
    assert_eq!(seen[4], "4096");
    assert_eq!(seen[5], "0");
    purge(&world, task).await
}

#[tokio::test]
async fn keys_are_in_no_label_and_no_configuration_in_a_container() -> anyhow::Result<()> {
    const KEY: &str = "planted-key-31c8";
    let dir = tempfile::tempdir()?;
    let repository = paddock_kit::Repository::sample(&dir.path().join("repository"))?;
    let options = ServeOptions::default()
        .env("ANTHROPIC_API_KEY", KEY)
        .env("SCRIPTED_RECORD", "/tmp/record");
    let serve = paddock_kit::Serve::start(&dir.path().join("data"), options).await?;
    let ask = Ask::harness("scripted", "say x")
        .in_a("container")
        .on(&repository);
    let mut task = serve.task(&ask).await?;
    task.until_turn_ends().await?;
    let name = task.task().await?.box_name.unwrap_or_default();
    let inspected = std::process::Command::new("docker")
        .args(["inspect", &name])
        .output()?;
    let inspected = String::from_utf8_lossy(&inspected.stdout).into_owned();
    assert!(
        inspected.contains(task.id().as_str()),
        "the container carries no task id: {inspected}"
    );
    assert!(
        !inspected.contains(KEY),
        "the key is in the container's configuration"
    );
    serve
        .client()
        .purge(
            task.id(),
            &PurgeRequest {
                force: true,
                now: true,
                ..PurgeRequest::default()
            },
        )
        .await?;
    task.until_state(StateName::Purged).await?;
    let left = std::process::Command::new("docker")
        .args(["inspect", &name])
        .output()?;
    assert!(!left.status.success(), "the container is still there");
    Ok(())
}

#[tokio::test]
async fn a_container_that_is_killed_ends_the_run_and_keeps_the_work_in_a_container()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let ask = Ask::harness("scripted", "write kept.txt kept\nsay Written.\nsleep 600")
        .in_a("container")
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    task.until("the agent's word", |event| {
        event.body.type_name().eq("assistant_message").then_some(())
    })
    .await?;
    let name = task.task().await?.box_name.unwrap_or_default();
    let killed = std::process::Command::new("docker")
        .args(["kill", &name])
        .output()?;
    assert!(killed.status.success());
    task.until("the end of the run", |event| {
        event.body.type_name().eq("run_ended").then_some(())
    })
    .await?;
    task.until_state(StateName::Stopped).await?;

    let message = paddock_domain::Message {
        input_id: None,
        attachments: Vec::new(),
        text: "read kept.txt".to_owned(),
    };
    world.serve.client().say(task.id(), &message).await?;
    task.until_state(StateName::Waiting).await?;
    let read = task.seen().iter().any(|event| {
        matches!(&event.body, Body::ToolCallFinished(call) if call.output.as_deref() == Some("kept\n"))
    });
    assert!(read, "the work is gone");
    purge(&world, task).await
}
