//! What users do to their repositories while a task works on them: each is told in plain words, and no
//! line of work is lost.

use std::fs;
use std::path::PathBuf;

use paddock_api::ErrorCode;
use paddock_domain::{
    Body, Event, Message, PurgeRequest, StateName, SyncRequest, SyncTarget, TurnOutcome,
};
use paddock_kit::{Ask, Repository, Watch};
use serde_json::json;

use super::trash::hold_sound;
use super::world::World;

const LOCAL: SyncTarget = SyncTarget::Local;

pub(crate) fn local() -> SyncRequest {
    SyncRequest {
        target: LOCAL,
        ..SyncRequest::default()
    }
}

pub(crate) fn say(text: &str) -> Message {
    Message {
        input_id: None,
        text: text.to_owned(),
        attachments: Vec::new(),
    }
}

/// What a notice says; nothing for what is none.
pub(crate) fn notice(event: &Event) -> Option<&str> {
    if let Body::Notice { text, .. } = &event.body {
        return Some(text);
    }
    None
}

/// The warnings that the task was given.
fn warnings(task: &Watch) -> String {
    let texts = task.seen().iter().filter_map(notice);
    texts.collect::<Vec<_>>().join("\n")
}

#[track_caller]
pub(crate) fn holds(said: &str, words: &[&str]) {
    for word in words {
        assert!(said.contains(word), "`{said}` does not say `{word}`");
    }
}

#[tokio::test]
async fn a_repository_that_was_moved_is_told_and_work_goes_on_when_it_is_back() -> anyhow::Result<()>
{
    let world = World::new().await?;
    let away = world.path("away");
    let script = "write a.txt a\ncommit First\nask Shall I go on?|Yes|No";
    let mut task = world.begin(script).await?;
    task.until_state(StateName::Asking).await?;
    fs::rename(&world.repository.path, &away)?;
    let client = world.serve.client();
    let refused = client.sync(task.id(), &local()).await.unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::NotFound), "{refused}");
    holds(
        &refused.to_string(),
        &["moved or deleted", "paddock relink"],
    );
    task.until_state(StateName::Asking).await?;
    let preview = client.purge_preview(task.id()).await?;
    holds(
        preview.unknown.as_deref().unwrap_or_default(),
        &["moved or deleted"],
    );
    let refused = client
        .purge(task.id(), &PurgeRequest::default())
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(ErrorCode::WouldLose), "{refused}");

    // A link to where it is now will do.
    std::os::unix::fs::symlink(&away, &world.repository.path)?;
    client.interrupt(task.id()).await?;
    task.until_turn_ends().await?;
    client
        .say(task.id(), &say("write b.txt b\ncommit Second"))
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    client.sync(task.id(), &local()).await?;
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Second", "First"]
    );
    fs::remove_file(&world.repository.path)?;
    fs::rename(&away, &world.repository.path)?;
    client.sync(task.id(), &local()).await?;
    hold_sound(&world.repository);
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_turn_that_ends_while_the_repository_is_away_says_where_its_commits_are()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let away = world.path("away");
    let mut task = world.begin("say Ready.").await?;
    task.until_turn_ends().await?;
    fs::rename(&world.repository.path, &away)?;
    let client = world.serve.client();
    client.say(task.id(), &say("say Still here.")).await?;
    task.until_turn_ends().await?;
    holds(
        &warnings(&task),
        &["still in the box only", "moved or deleted"],
    );
    fs::rename(&away, &world.repository.path)?;
    client
        .say(task.id(), &say("write a.txt a\ncommit After it came back"))
        .await?;
    task.until_turn_ends().await?;
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["After it came back"]
    );
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn another_repository_in_the_place_of_the_first_gets_nothing() -> anyhow::Result<()> {
    let world = World::new().await?;
    let away = world.path("away");
    let mut task = world.begin("write a.txt a\ncommit First").await?;
    task.until_turn_ends().await?;
    fs::rename(&world.repository.path, &away)?;
    let other = Repository::empty(&world.repository.path)?;
    other.write("other.txt", "other")?;
    other.git(&["add", "-A"])?;
    other.git(&["commit", "-q", "-m", "Other"])?;
    let client = world.serve.client();
    let refused = client.sync(task.id(), &local()).await.unwrap_err();
    holds(&refused.to_string(), &["another repository", "git fsck"]);
    let refs = other.git(&["for-each-ref", "--format=%(refname)"])?;
    assert_eq!(refs, "refs/heads/main");
    fs::remove_dir_all(&world.repository.path)?;
    fs::rename(&away, &world.repository.path)?;
    client.sync(task.id(), &local()).await?;
    world.hold_untouched();
    Ok(())
}

#[tokio::test]
async fn a_branch_that_the_user_deleted_moved_or_checked_out_is_left_alone_and_told()
-> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write a.txt a\ncommit First").await?;
    task.until_turn_ends().await?;
    let client = world.serve.client();
    let delivered = format!("refs/paddock/{}/heads/paddock-0", task.id());

    world
        .repository
        .git(&["branch", "-f", "paddock-0", "main~1"])?;
    client
        .say(task.id(), &say("write b.txt b\ncommit Second"))
        .await?;
    task.until_turn_ends().await?;
    // It stood in the history of what came: the branch goes forward again.
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Second", "First"]
    );

    let tree = world.repository.git(&["rev-parse", "main^{tree}"])?;
    let mine = world
        .repository
        .git(&["commit-tree", &tree, "-p", "main", "-m", "The user's"])?;
    world
        .repository
        .git(&["update-ref", "refs/heads/paddock-0", &mine])?;
    client
        .say(task.id(), &say("write c.txt c\ncommit Third"))
        .await?;
    task.until_turn_ends().await?;
    holds(&warnings(&task), &["moved by someone else", &delivered]);
    assert_eq!(world.repository.git(&["rev-parse", "paddock-0"])?, mine);

    world.repository.git(&["branch", "-D", "paddock-0"])?;
    client
        .say(task.id(), &say("write d.txt d\ncommit Fourth"))
        .await?;
    task.until_turn_ends().await?;
    holds(&warnings(&task), &["was deleted", &delivered]);
    assert!(
        world
            .repository
            .git(&["rev-parse", "-q", "--verify", "paddock-0"])
            .is_err()
    );

    world.repository.git(&["branch", "paddock-0", &delivered])?;
    let own = world.path("own");
    world.repository.git(&[
        "worktree",
        "add",
        "-q",
        &own.display().to_string(),
        "paddock-0",
    ])?;
    client
        .say(task.id(), &say("write e.txt e\ncommit Fifth"))
        .await?;
    task.until_turn_ends().await?;
    holds(&warnings(&task), &["is checked out in"]);
    let range = format!("main..{delivered}");
    assert_eq!(
        world.repository.subjects(&range)?,
        ["Fifth", "Fourth", "Third", "Second", "First"]
    );
    // What is on no branch of the user's is not let go with the task.
    task.purge().await?;
    let kept =
        world
            .repository
            .git(&["log", "--all", "--format=%s", "--glob=refs/paddock/trash/*"])?;
    holds(&kept, &["Fifth"]);
    hold_sound(&world.repository);
    Ok(())
}

#[tokio::test]
async fn a_base_that_was_deleted_and_cleaned_away_stays_for_the_task() -> anyhow::Result<()> {
    let world = World::new().await?;
    world.repository.git(&["branch", "start"])?;
    let tree = world.repository.git(&["rev-parse", "main^{tree}"])?;
    let base = world
        .repository
        .git(&["commit-tree", &tree, "-p", "main", "-m", "Only here"])?;
    world
        .repository
        .git(&["update-ref", "refs/heads/start", &base])?;
    let ask = Ask::scripted("write a.txt a\ncommit First")
        .repository(json!({ "path": world.repository.text(), "base": "start" }));
    let mut task = world.serve.task(&ask).await?;
    task.until_turn_ends().await?;
    world.repository.git(&["branch", "-D", "start"])?;
    world.repository.git(&["branch", "-D", "paddock-0"])?;
    let tidy = || -> anyhow::Result<()> {
        world
            .repository
            .git(&["reflog", "expire", "--expire=now", "--all"])?;
        world.repository.git(&["repack", "-q", "-adl"])?;
        world.repository.git(&["gc", "-q", "--prune=now"])?;
        world
            .repository
            .git(&["maintenance", "run", "--quiet", "--task=gc"])?;
        Ok(())
    };
    tidy()?;
    let client = world.serve.client();
    client
        .say(
            task.id(),
            &say("bash git fsck --full && git log --format=%s -3\nwrite b.txt b\ncommit Second"),
        )
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    tidy()?;
    let range = format!("main..refs/paddock/{}/heads/paddock-0", task.id());
    assert_eq!(
        world.repository.subjects(&range)?,
        ["Second", "First", "Only here"]
    );
    hold_sound(&world.repository);
    Ok(())
}

#[tokio::test]
async fn refs_of_ours_that_the_user_deleted_are_made_again() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("write a.txt a\ncommit First").await?;
    task.until_turn_ends().await?;
    let refs = world
        .repository
        .git(&["for-each-ref", "--format=%(refname)", "refs/paddock/"])?;
    assert!(!refs.is_empty());
    for name in refs.lines() {
        world.repository.git(&["update-ref", "-d", name])?;
    }
    let client = world.serve.client();
    client
        .say(task.id(), &say("write b.txt b\ncommit Second"))
        .await?;
    task.until_turn_ends().await?;
    assert_eq!(
        world.repository.subjects("main..paddock-0")?,
        ["Second", "First"]
    );
    let again = world
        .repository
        .git(&["for-each-ref", "--format=%(refname)", "refs/paddock/"])?;
    holds(&again, &["/heads/paddock-0", "/base"]);
    hold_sound(&world.repository);
    world.hold_untouched();
    Ok(())
}

/// Takes the loose object `name` away; gives its file and what was in it.
fn lose(repository: &Repository, name: &str) -> anyhow::Result<(PathBuf, Vec<u8>)> {
    let objects = repository.path.join(".git/objects");
    let object = objects.join(&name[..2]).join(&name[2..]);
    let saved = fs::read(&object)?;
    fs::remove_file(&object)?;
    Ok((object, saved))
}

#[tokio::test]
async fn a_damaged_repository_is_told_and_takes_the_work_when_it_is_mended() -> anyhow::Result<()> {
    let world = World::new().await?;
    let mut task = world.begin("say Ready.").await?;
    task.until_turn_ends().await?;
    let blob = world.repository.git(&["rev-parse", "main:src/lib.py"])?;
    let (object, saved) = lose(&world.repository, &blob)?;
    let client = world.serve.client();
    client
        .say(
            task.id(),
            &say("bash git commit -q --allow-empty -m Blind; true"),
        )
        .await?;
    task.until_turn_ends().await?;
    fs::write(&object, &saved)?;
    client
        .say(task.id(), &say("write a.txt a\ncommit Seeing"))
        .await?;
    task.until_turn_ends().await?;
    let subjects = world.repository.subjects("main..paddock-0")?;
    assert_eq!(subjects.first().map(String::as_str), Some("Seeing"));
    hold_sound(&world.repository);

    let commit = world.repository.git(&["rev-parse", "main"])?;
    let (object, saved) = lose(&world.repository, &commit)?;
    let refused = client.sync(task.id(), &local()).await.unwrap_err();
    holds(&refused.to_string(), &["git fsck"]);
    let refused = client
        .create(&Ask::scripted("x").on(&world.repository).spec())
        .await;
    let refused = refused.map(|_| ()).unwrap_err();
    assert!(!refused.to_string().is_empty());
    fs::write(&object, saved)?;
    client.sync(task.id(), &local()).await?;
    hold_sound(&world.repository);
    Ok(())
}

#[tokio::test]
async fn locks_that_were_left_are_in_nobodys_way() -> anyhow::Result<()> {
    let world = World::new().await?;
    for lock in ["index.lock", "HEAD.lock", "config.lock"] {
        fs::write(world.repository.path.join(".git").join(lock), "")?;
    }
    let mut task = world
        .begin("write a.txt a\ncommit First\nwrite loose.txt loose\nbash touch .git/index.lock")
        .await?;
    assert_eq!(task.until_turn_ends().await?, TurnOutcome::Completed);
    assert_eq!(world.repository.subjects("main..paddock-0")?, ["First"]);
    let client = world.serve.client();
    let preview = client.purge_preview(task.id()).await?;
    assert_eq!(preview.unknown, None);
    task.purge().await?;
    assert_eq!(
        client
            .trash(&paddock_api::TrashQuery::default())
            .await?
            .items
            .len(),
        1
    );
    Ok(())
}
