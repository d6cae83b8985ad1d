//! An agent that destroys or damages the repository in its own box: what came out stays, every file is kept,
//! and what could not be kept is told.

use paddock_api::ErrorCode;
use paddock_domain::{Message, PurgeRequest, StateName};
use paddock_kit::Watch;

use super::bad_repository::{holds, notice};
use super::trash::{FORCE, here, hold_sound};
use super::world::World;

fn notices(task: &Watch) -> String {
    let texts = task.seen().iter().filter_map(notice);
    texts.collect::<Vec<_>>().join("\n")
}

/// An agent delivers one commit, makes files and another commit, and then does `harm`. Purged, the task
/// leaves its files in the trash; gives the world with what the trash's entry holds.
async fn purged_after(harm: &str) -> anyhow::Result<(World, String)> {
    let world = World::new().await?;
    let mut task = world.begin("write a.txt a\ncommit First").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let script =
        format!("write b.txt b\ncommit Second\nwrite c.txt precious\nbash {harm}\nsay Sorry.");
    let message = Message {
        input_id: None,
        text: script,
        attachments: Vec::new(),
    };
    client.say(task.id(), &message).await?;
    task.until_turn_ends().await?;
    holds(&notices(&task), &["cannot be read"]);
    let subjects = world.repository.subjects("main..paddock-0")?;
    assert_eq!(subjects, ["First"], "what came out before stays");

    let preview = client.purge_preview(task.id()).await?;
    let unknown = preview.unknown.unwrap_or_default();
    holds(&unknown, &["cannot be read"]);
    let refused = client.purge(task.id(), &PurgeRequest::default()).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::WouldLose), "{refused}");

    client.purge(task.id(), &FORCE).await?;
    task.until_state(StateName::Purged).await?;
    holds(&notices(&task), &["kept in the trash as 1", "at most"]);
    let entries = client.trash(&here(&world.repository)).await?.items;
    assert_eq!(entries.len(), 1);
    let kept = format!("refs/paddock/trash/{}/1", task.id());
    for (file, content) in [("a.txt", "a"), ("b.txt", "b"), ("c.txt", "precious")] {
        let found = world.repository.git(&["show", &format!("{kept}:{file}")])?;
        assert_eq!(found, content, "{file}");
    }
    let subjects = world.repository.subjects("main..paddock-0")?;
    assert_eq!(subjects, ["First"]);
    hold_sound(&world.repository);
    world.hold_untouched();
    Ok((world, kept))
}

#[tokio::test]
async fn a_box_whose_repository_was_removed_leaves_its_files_in_the_trash() -> anyhow::Result<()> {
    purged_after("rm -rf .git").await.map(drop)
}

#[tokio::test]
async fn a_box_whose_repository_is_damaged_leaves_what_is_left_of_that_too() -> anyhow::Result<()> {
    let (world, kept) = purged_after("echo garbage > .git/HEAD; echo garbage > .git/index").await?;
    let list = ["ls-tree", "-r", "--name-only", &format!("{kept}^2"), "git/"];
    let left = world.repository.git(&list)?;
    holds(
        &left,
        &["git/HEAD", "git/objects/", "git/refs/heads/paddock-0"],
    );
    Ok(())
}

#[tokio::test]
async fn a_box_that_lost_its_objects_leaves_its_files_in_the_trash() -> anyhow::Result<()> {
    purged_after("rm -rf .git/objects").await.map(drop)
}
