//! What leaves: a commit that was previewed, a push with a lease, a squash without conflicts.

use paddock_git::{
    CommitError, Onto, PreviewToken, Pushed, RemoteError, ScanLimits, SquashError, commit,
    commit_chosen, commit_preview, fetch_branch, push, remote_tip, squash, squash_preview, status,
};

use crate::world::{World, branch_named, read, write};

#[tokio::test]
async fn a_commit_holds_just_what_its_preview_showed() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let base = world.oid(&repo, "HEAD");
    write(&dir, "a.txt", "changed\n");
    write(&dir, "new.txt", "new\n");
    write(&dir, ".gitignore", "ignored\n");
    write(&dir, "ignored", "x");
    world.git(&dir, &["init", "-q", "inner"]);
    world.git(
        &format!("{dir}/inner"),
        &["commit", "-q", "--allow-empty", "-m", "x"],
    );
    let preview = commit_preview(&world.place, &dir, ScanLimits::default())
        .await
        .unwrap();
    let paths: Vec<_> = preview.stat.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, [".gitignore", "a.txt", "inner", "new.txt"]);
    assert_eq!(preview.embedded, ["inner"]);
    assert!(preview.findings.is_empty() && preview.left_out.is_empty());
    assert_eq!(world.oid(&dir, "HEAD"), base);
    let token = PreviewToken::parse(&preview.token.to_text()).unwrap();
    let made = commit(&world.place, &dir, "say: \"ünïcode\"\n\nbody", &token)
        .await
        .unwrap();
    assert_eq!(world.oid(&dir, "paddock-0"), made);
    assert_eq!(
        world.git(&dir, &["log", "-1", "--format=%s|%an"]),
        "say: \"ünïcode\"|Ada"
    );
    assert!(status(&world.place, &dir, &base).await.unwrap().is_clean());
    let nothing = commit_preview(&world.place, &dir, ScanLimits::default()).await;
    assert!(matches!(nothing, Err(CommitError::Nothing)));
}

#[tokio::test]
async fn a_preview_that_is_out_of_date_commits_nothing() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "new.txt", "1\n");
    let preview = commit_preview(&world.place, &dir, ScanLimits::default())
        .await
        .unwrap();
    write(&dir, "new.txt", "2\n");
    let error = commit(&world.place, &dir, "m", &preview.token)
        .await
        .unwrap_err();
    assert!(matches!(error, CommitError::Changed), "{error}");
    write(&dir, "new.txt", "1\n");
    let error = commit(&world.place, &dir, "  \n", &preview.token)
        .await
        .unwrap_err();
    assert!(matches!(error, CommitError::NoMessage), "{error}");
    assert_eq!(world.oid(&dir, "HEAD"), world.oid(&repo, "HEAD"));
    commit(&world.place, &dir, "m", &preview.token)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_commit_of_some_files_leaves_the_others_as_they_are() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let many: String = (0..40).map(|n| format!("line {n}\n")).collect();
    for path in ["moved.txt", "gone.txt", "kept.txt"] {
        write(&dir, path, format!("{path}\n{many}"));
    }
    world.commit(&dir, "a base");
    write(&dir, "a.txt", "changed\n");
    write(&dir, "*", "a star\n");
    write(&dir, ":(top)x", "magic\n");
    write(&dir, "kept.txt", "not yet\n");
    std::fs::rename(format!("{dir}/moved.txt"), format!("{dir}/to.txt")).unwrap();
    std::fs::remove_file(format!("{dir}/gone.txt")).unwrap();
    let preview = async || {
        commit_preview(&world.place, &dir, ScanLimits::default())
            .await
            .unwrap()
    };
    let shown = preview().await;
    let some = async |token: &PreviewToken, files: &[&str]| {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        commit_chosen(&world.place, &dir, "some", token, Some(&files)).await
    };
    for nothing in ["../a.txt", "**", "./a.txt", "/etc/passwd", "b.txt"] {
        let error = some(&shown.token, &["a.txt", nothing]).await.unwrap_err();
        assert!(
            matches!(&error, CommitError::NoSuchFile { path } if path == nothing),
            "{error}"
        );
    }
    let error = some(&shown.token, &[]).await.unwrap_err();
    assert!(matches!(error, CommitError::NoFiles), "{error}");

    // A name that would mean all files to git means one.
    some(&shown.token, &["*", "to.txt"]).await.unwrap();
    let held = world.git(&dir, &["show", "--format=", "--name-status", "-M", "HEAD"]);
    let held: Vec<_> = held.lines().collect();
    assert_eq!(held, ["A\t*", "R100\tmoved.txt\tto.txt"]);

    let left = preview().await;
    let paths: Vec<_> = left.stat.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, [":(top)x", "a.txt", "gone.txt", "kept.txt"]);
    some(&left.token, &[":(top)x", "gone.txt"]).await.unwrap();
    let left = preview().await;
    let paths: Vec<_> = left.stat.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["a.txt", "kept.txt"]);
    let kept = std::fs::read_to_string(format!("{dir}/kept.txt")).unwrap();
    assert_eq!(kept, "not yet\n");
}

#[tokio::test]
async fn a_file_takes_the_place_of_a_folder_where_both_are_chosen() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "part/one.txt", "1\n");
    world.commit(&dir, "a folder");
    std::fs::remove_dir_all(format!("{dir}/part")).unwrap();
    write(&dir, "part", "a file\n");
    let shown = commit_preview(&world.place, &dir, ScanLimits::default())
        .await
        .unwrap();
    let files: Vec<String> = shown.stat.files.iter().map(|f| f.path.clone()).collect();
    commit_chosen(&world.place, &dir, "m", &shown.token, Some(&files))
        .await
        .unwrap();
    let head = world.git(&dir, &["rev-parse", "HEAD^{tree}"]);
    assert_eq!(head.trim(), shown.token.tree.as_str());
}

#[tokio::test]
async fn what_was_not_chosen_is_not_let_go_of_for_what_takes_its_place() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "file", "a file\n");
    write(&dir, "part/one.txt", "1\n");
    world.commit(&dir, "both kinds");
    std::fs::remove_file(format!("{dir}/file")).unwrap();
    write(&dir, "file/in.txt", "a folder\n");
    std::fs::remove_dir_all(format!("{dir}/part")).unwrap();
    write(&dir, "part", "a file now\n");
    let shown = commit_preview(&world.place, &dir, ScanLimits::default())
        .await
        .unwrap();
    let some = async |files: &[&str]| {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        commit_chosen(&world.place, &dir, "some", &shown.token, Some(&files)).await
    };
    let head = world.git(&dir, &["rev-parse", "HEAD"]);
    for (chosen, other) in [("file/in.txt", "file"), ("part", "part/one.txt")] {
        let error = some(&[chosen]).await.unwrap_err();
        let CommitError::TakesPlace { path, was, with } = &error else {
            panic!("{error}");
        };
        assert_eq!((&**path, &**was, &**with), (chosen, other, other));
    }
    assert_eq!(world.git(&dir, &["rev-parse", "HEAD"]), head);
    some(&["file", "file/in.txt"]).await.unwrap();
    let held = world.git(&dir, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(
        held.contains("file/in.txt") && held.contains("part/one.txt"),
        "{held}"
    );
}

#[tokio::test]
async fn a_commit_while_the_agents_git_is_busy_is_undone() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "new.txt", "1\n");
    let preview = commit_preview(&world.place, &dir, ScanLimits::default())
        .await
        .unwrap();
    write(&dir, ".git/index.lock", "");
    let error = commit(&world.place, &dir, "m", &preview.token)
        .await
        .unwrap_err();
    assert!(matches!(error, CommitError::Busy), "{error}");
    assert_eq!(world.oid(&dir, "HEAD"), world.oid(&repo, "HEAD"));
}

#[tokio::test]
async fn conflicts_and_unfinished_merges_are_not_committed() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    world.git(&dir, &["checkout", "-q", "-b", "other"]);
    write(&dir, "a.txt", "theirs\n");
    world.commit(&dir, "theirs");
    world.git(&dir, &["checkout", "-q", "paddock-0"]);
    write(&dir, "a.txt", "ours\n");
    world.commit(&dir, "ours");
    assert!(!world.try_git(&dir, &["merge", "other"]).0);
    let error = commit_preview(&world.place, &dir, ScanLimits::default())
        .await
        .unwrap_err();
    assert!(
        matches!(error, CommitError::Underway { operation: "merge" }),
        "{error}"
    );
    std::fs::remove_file(format!("{dir}/.git/MERGE_HEAD")).unwrap();
    let error = commit_preview(&world.place, &dir, ScanLimits::default())
        .await
        .unwrap_err();
    assert!(
        matches!(&error, CommitError::Conflicted { paths } if paths == &["a.txt"]),
        "{error}"
    );
}

#[tokio::test]
async fn a_preview_flags_secrets_and_large_binaries() {
    let world = World::new();
    let repo = world.repo("repo");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(
        &dir,
        "key.txt",
        format!("a\nghp_{}\n", crate::scanning::noise(36)),
    );
    write(&dir, "big.bin", vec![0_u8; 600_000]);
    let preview = commit_preview(&world.place, &dir, ScanLimits::default())
        .await
        .unwrap();
    let found: Vec<_> = preview
        .findings
        .iter()
        .map(|f| (f.rule, f.path.as_str(), f.line))
        .collect();
    assert_eq!(
        found,
        [
            ("large-binary", "big.bin", 0),
            ("github-token", "key.txt", 2)
        ]
    );
}

#[tokio::test]
async fn a_push_replaces_only_what_it_expects() {
    let world = World::new();
    let repo = world.repo("repo");
    let origin = world.origin(&repo, "origin.git");
    let repository = world.inspect(&repo).await;
    let branch = branch_named("paddock-0");
    let first = world.oid(&repo, "HEAD");
    let second = world.commit(&repo, "second");
    let place = &world.place;
    assert_eq!(
        remote_tip(place, &repository, "origin", &branch)
            .await
            .unwrap(),
        None
    );
    let send = async |commit, expected| {
        push(place, &repository, "origin", commit, &branch, expected).await
    };
    assert_eq!(send(&first, None).await.unwrap(), Pushed::Created);
    assert_eq!(send(&first, Some(&first)).await.unwrap(), Pushed::UpToDate);
    assert_eq!(send(&second, Some(&first)).await.unwrap(), Pushed::Advanced);
    assert_eq!(send(&first, Some(&second)).await.unwrap(), Pushed::Replaced);
    let tip = remote_tip(place, &repository, "origin", &branch)
        .await
        .unwrap();
    assert_eq!(tip.as_ref(), Some(&first));
    // A reviewer pushes.
    world.git(&origin, &["fetch", "-q", &repo, "+main:paddock-0"]);
    for expected in [Some(&first), None] {
        let error = send(&first, expected).await.unwrap_err();
        assert!(matches!(error, RemoteError::Moved { .. }), "{error}");
    }
    assert_eq!(world.oid(&origin, "paddock-0"), second);
    let fetched = fetch_branch(place, &repository, "origin", &branch)
        .await
        .unwrap();
    assert_eq!(fetched, second);
    assert_eq!(world.oid(&repo, "origin/paddock-0"), second);
}

#[tokio::test]
async fn a_remote_that_refuses_or_is_away_says_so() {
    let world = World::new();
    let repo = world.repo("repo");
    let origin = world.origin(&repo, "origin.git");
    world.git(&repo, &["remote", "add", "gone", &world.path("gone.git")]);
    world.git(
        &repo,
        &["remote", "add", "trick", "ext::sh -c touch% canary"],
    );
    write(&origin, "hooks/pre-receive", "#!/bin/sh\nexit 1\n");
    world.git("/", &["config", "--global", "x.y", "z"]);
    let hook = format!("{origin}/hooks/pre-receive");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(hook, executable).unwrap();
    let repository = world.inspect(&repo).await;
    let branch = branch_named("paddock-0");
    let first = world.oid(&repo, "HEAD");
    let to = async |remote| push(&world.place, &repository, remote, &first, &branch, None).await;
    assert!(matches!(
        to("origin").await,
        Err(RemoteError::Refused { .. })
    ));
    assert!(matches!(
        to("gone").await,
        Err(RemoteError::Unreachable { .. })
    ));
    assert!(matches!(
        to("trick").await,
        Err(RemoteError::Unreachable { .. })
    ));
    assert!(matches!(
        to("none").await,
        Err(RemoteError::NoSuchRemote { .. })
    ));
}

#[tokio::test]
async fn a_squash_keeps_what_others_have_added_meanwhile() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["checkout", "-q", "-b", "task"]);
    write(&repo, "mine.txt", "mine\n");
    world.commit(&repo, "one");
    write(&repo, "a.txt", "one\ntwo\n3\n");
    let tip = world.commit(&repo, "two");
    world.git(&repo, &["checkout", "-q", "main"]);
    write(&repo, "theirs.txt", "theirs\n");
    let upstream = world.commit(&repo, "upstream");
    world.git(&repo, &["checkout", "-q", "-b", "elsewhere"]);
    let repository = world.inspect(&repo).await;
    let onto = Onto::Local(branch_named("main"));
    let plan = squash_preview(&world.place, &repository, onto, &tip)
        .await
        .unwrap();
    assert_eq!((plan.stat.added, plan.stat.removed), (2, 1));
    let made = squash(&world.place, &repository, &plan, "all of it")
        .await
        .unwrap();
    assert_eq!(world.oid(&repo, "main"), made);
    assert_eq!(world.oid(&repo, "main^"), upstream);
    let files = world.git(&repo, &["ls-tree", "-r", "--name-only", "main"]);
    assert_eq!(files, "a.txt\nmine.txt\nsrc/b.txt\ntheirs.txt");
    let again = squash(&world.place, &repository, &plan, "again").await;
    assert!(matches!(again, Err(SquashError::Moved { .. })));
    let onto = Onto::Local(branch_named("main"));
    let nothing = squash_preview(&world.place, &repository, onto, &tip).await;
    assert!(matches!(nothing, Err(SquashError::Nothing)));
}

#[tokio::test]
async fn a_squash_refuses_conflicts_and_a_branch_that_is_checked_out() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["checkout", "-q", "-b", "task"]);
    write(&repo, "a.txt", "ours\n");
    let tip = world.commit(&repo, "task");
    world.git(&repo, &["checkout", "-q", "main"]);
    write(&repo, "a.txt", "theirs\n");
    let main = world.commit(&repo, "upstream");
    let repository = world.inspect(&repo).await;
    let onto = || Onto::Local(branch_named("main"));
    let error = squash_preview(&world.place, &repository, onto(), &tip)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, SquashError::CheckedOut { worktree, .. } if *worktree == repo),
        "{error}"
    );
    world.git(&repo, &["checkout", "-q", "--detach"]);
    let error = squash_preview(&world.place, &repository, onto(), &tip)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, SquashError::Conflicts { paths } if paths == &["a.txt"]),
        "{error}"
    );
    assert_eq!(world.oid(&repo, "main"), main);
    world.git(&repo, &["checkout", "-q", "--orphan", "alone"]);
    let alone = world.commit(&repo, "alone");
    let error = squash_preview(&world.place, &repository, onto(), &alone)
        .await
        .unwrap_err();
    assert!(matches!(error, SquashError::Unrelated), "{error}");
}

#[tokio::test]
async fn a_squash_onto_a_remote_leaves_the_checkout_alone() {
    let world = World::new();
    let repo = world.repo("repo");
    let origin = world.origin(&repo, "origin.git");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "mine.txt", "mine\n");
    let tip = world.commit(&dir, "one");
    world.git(&repo, &["fetch", "-q", &dir, "paddock-0"]);
    let main = world.oid(&repo, "main");
    let repository = world.inspect(&repo).await;
    let onto = Onto::Remote {
        remote: "origin".into(),
        branch: branch_named("main"),
    };
    let plan = squash_preview(&world.place, &repository, onto, &tip)
        .await
        .unwrap();
    let made = squash(&world.place, &repository, &plan, "squashed")
        .await
        .unwrap();
    assert_eq!(world.oid(&origin, "main"), made);
    assert_eq!(world.oid(&repo, "main"), main);
    assert_eq!(read(&repo, "a.txt"), "one\ntwo\nthree\n");
    let stale = squash(&world.place, &repository, &plan, "again").await;
    assert!(matches!(
        stale,
        Err(SquashError::Remote(RemoteError::Moved { .. }))
    ));
}
