//! Terminals in a container: held by the relay in it, over the death of the server, gone with the container.

use paddock_domain::{RunExit, TerminalRequest, TerminalSize};
use paddock_kit::{Ask, TerminalLook, Watch};

use super::world::World;

#[tokio::test]
async fn a_shell_in_a_container_outlives_a_killed_server_and_ends_with_the_container()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let ask = Ask::scripted("say Ready.")
        .in_a("container")
        .boxed("network", "none".into())
        .on(&world.repository);
    let mut task = world.serve.task(&ask).await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let shell = client
        .open_terminal(task.id(), &TerminalRequest::default())
        .await?;
    let mut look = TerminalLook::at(client, task.id(), &shell.name).await?;
    look.resize(TerminalSize { rows: 33, cols: 90 }).await?;
    look.type_in("stty size; pwd; id -u; kept=still-here; echo rea''dy\n")
        .await?;
    look.until("ready").await?;
    let seen = look.seen();
    assert!(
        seen.contains("33 90") && seen.contains("/work/repository"),
        "{seen}"
    );

    let world = world.restart()?;
    let client = world.serve.client();
    let mut look = TerminalLook::at(client, task.id(), &shell.name).await?;
    look.until("/work/repository").await?;
    look.type_in("echo $kept-the''re\n").await?;
    look.until("still-here-there").await?;
    assert_eq!(client.terminals(task.id()).await?.folder, None);
    look.type_in("exit 4\n").await?;
    assert_eq!(look.ending().await?, RunExit::Code { code: 4 });

    // The next server has another address.
    let mut task = Watch::new(client.clone(), task.id().clone());
    task.purge().await
}
