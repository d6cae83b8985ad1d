//! Search: what was said and done is found, in tasks at work, settled and purged ones, after every restart.

use std::time::Duration;

use paddock_api::{ErrorCode, SearchPage, SearchRequest};
use paddock_client::{Client, ClientError};
use paddock_domain::{SearchKind, StateName};

use super::trash::FORCE;
use super::world::World;

/// How long a word may take to be found.
const SOON: Duration = Duration::from_secs(20);

fn asked(q: &str) -> SearchRequest {
    SearchRequest {
        q: q.to_owned(),
        ..SearchRequest::default()
    }
}

/// What `q` finds once it finds `hits` events.
async fn until_found(client: &Client, q: &str, hits: usize) -> anyhow::Result<SearchPage> {
    let begun = tokio::time::Instant::now();
    let mut again = tokio::time::interval(Duration::from_millis(50));
    loop {
        again.tick().await;
        let page = client.search(&asked(q)).await?;
        if page.items.len() == hits {
            return Ok(page);
        }
        if begun.elapsed() > SOON {
            anyhow::bail!("{q}: {page:?}");
        }
    }
}

#[tokio::test]
async fn what_an_agent_said_and_did_is_found_and_leads_to_its_event() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world
        .begin("say The zebrafish swims\nwrite plankton.txt food\nbash echo krill")
        .await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();

    let page = until_found(client, "zebrafi kind:agent", 1).await?;
    let hit = &page.items[0];
    assert_eq!((&hit.task_id, hit.kind), (task.id(), SearchKind::Agent));
    let marked: String = hit
        .snippet
        .chars()
        .skip(hit.marks[0].from as usize)
        .take((hit.marks[0].to - hit.marks[0].from) as usize)
        .collect();
    assert_eq!(marked, "zebrafish");
    assert!(
        !client
            .search(&asked("plankton kind:tool"))
            .await?
            .items
            .is_empty()
    );
    assert!(
        !client
            .search(&asked("\"echo krill\""))
            .await?
            .items
            .is_empty()
    );
    assert!(
        !client
            .search(&asked("kind:branch paddock-0"))
            .await?
            .items
            .is_empty()
    );

    let only = asked(&format!("zebrafish task:{}", task.id()));
    assert!(!client.search(&only).await?.items.is_empty());
    assert!(
        client
            .search(&asked("zebrafish task:nobody"))
            .await?
            .items
            .is_empty()
    );
    for hostile in ["\" OR (", "kind:joke", "", "NEAR(", "*"] {
        match client.search(&asked(hostile)).await {
            Ok(_) => {}
            Err(error) => assert_eq!(code(&error), Some(ErrorCode::Invalid), "{hostile}"),
        }
    }
    world.hold_untouched();
    Ok(())
}

fn code(error: &ClientError) -> Option<ErrorCode> {
    error.code()
}

#[tokio::test]
async fn search_outlives_a_kill_a_lost_index_and_a_purge() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say The zebrafish swims").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    until_found(client, "\"the zebrafish swims\" kind:agent", 1).await?;
    client.purge(task.id(), &FORCE).await?;
    task.until_state(StateName::Purged).await?;

    let world = world.restart()?;
    let page = until_found(world.serve.client(), "zebrafish kind:agent", 1).await?;
    assert_eq!(page.items[0].state, Some(StateName::Purged));

    std::fs::remove_file(world.data().join("search.sqlite"))?;
    for beside in ["search.sqlite-wal", "search.sqlite-shm"] {
        // They are there while the index is open, and not always.
        let _ = std::fs::remove_file(world.data().join(beside));
    }
    let world = world.restart()?;
    let page = until_found(world.serve.client(), "zebrafish kind:agent", 1).await?;
    assert_eq!(page.items[0].task_id, *task.id());

    let found = world
        .serve
        .cli()?
        .args(["search", "zebrafish", "--json"])
        .output()?;
    let page: SearchPage = serde_json::from_slice(&found.stdout)?;
    assert!(!page.items.is_empty());
    let told = world.serve.cli()?.args(["search", "zebrafish"]).output()?;
    assert!(String::from_utf8(told.stdout)?.contains("zebrafish swims"));
    Ok(())
}
