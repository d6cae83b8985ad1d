//! A repository that is all traps springs none of them, on the host or in a box.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use paddock_domain::DiffWhat;
use paddock_exec::Place;
use paddock_git::{
    AskRemotes, Delivery, DiffLimits, Onto, ScanLimits, adopt_branch, besides, branch_names,
    bring_back, claim_branch, commit, commit_preview, commits, commits_here, diff, diff_stat,
    drop_kept, fetch_branch, free_branch, fsck, hold, inspect, is_contained, keep, look_into,
    pack_from_box, pin, push, receive, remote_tip, resolve_base, scan, squash, squash_preview,
    status, tip_in_box, trash, unpin, unpublished,
};

use crate::world::{World, branch_named, exists, keeping, now, task, write};

/// Every hook that git knows, and some that it may learn.
const HOOKS: [&str; 24] = [
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "pre-rebase",
    "post-checkout",
    "post-merge",
    "pre-push",
    "pre-receive",
    "update",
    "proc-receive",
    "post-receive",
    "post-update",
    "reference-transaction",
    "push-to-checkout",
    "pre-auto-gc",
    "post-rewrite",
    "sendemail-validate",
    "fsmonitor-watchman",
    "post-index-change",
];

/// Sets every trap in the repository `dir`: each would leave a file in the directory `canaries`.
fn set_traps(world: &World, dir: &str, canaries: &str) {
    let trap = |name: &str| format!("sh -c 'touch \"{canaries}/{name}\"; exit 1' trap");
    for hook in HOOKS {
        let path = format!("{dir}/.git/hooks/{hook}");
        write(
            dir,
            &format!(".git/hooks/{hook}"),
            format!("#!/bin/sh\ntouch '{canaries}/hook-{hook}'\n"),
        );
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let settings: &[(&str, &str)] = &[
        ("core.fsmonitor", "fsmonitor"),
        ("core.pager", "pager"),
        ("core.editor", "editor"),
        ("core.sshCommand", "ssh"),
        ("core.askPass", "askpass"),
        ("core.gitProxy", "gitproxy"),
        ("core.alternateRefsCommand", "alternaterefs"),
        ("sequence.editor", "sequence"),
        ("diff.external", "extdiff"),
        ("diff.trap.command", "diffcommand"),
        ("diff.trap.textconv", "textconv"),
        ("filter.trap.clean", "clean"),
        ("filter.trap.smudge", "smudge"),
        ("filter.trap.process", "process"),
        ("filter.od.d=1.clean", "oddclean"),
        ("merge.trap.driver", "mergedriver"),
        ("credential.helper", "credential"),
        ("credential.https://example.invalid.helper", "urlcredential"),
        ("gpg.program", "gpg"),
        ("gpg.ssh.program", "gpgssh"),
        ("uploadpack.packObjectsHook", "packobjects"),
        ("remote.origin.uploadpack", "uploadpack"),
        ("remote.origin.receivepack", "receivepack"),
        ("interactive.diffFilter", "difffilter"),
        ("pager.diff", "pagerdiff"),
        ("pager.status", "pagerstatus"),
        ("alias.status", "alias"),
        ("trailer.sign.command", "trailer"),
        ("man.viewer", "man"),
    ];
    let mut config = String::new();
    for (key, name) in settings {
        let (section, field) = key.rsplit_once('.').unwrap();
        let value = trap(name).replace('\\', "\\\\").replace('"', "\\\"");
        let value = if *name == "credential" || *name == "urlcredential" || *name == "alias" {
            format!("!{value}")
        } else {
            value
        };
        let head = match section.split_once('.') {
            Some((section, sub)) => format!("[{section} \"{sub}\"]"),
            None => format!("[{section}]"),
        };
        config.push_str(&format!("{head}\n\t{field} = \"{value}\"\n"));
    }
    config.push_str(
        "[commit]\n\tgpgSign = true\n[push]\n\tgpgSign = if-asked\n\trecurseSubmodules = on-demand\n\
         [log]\n\tshowSignature = true\n[gc]\n\tauto = 1\n[submodule]\n\trecurse = true\n\
         [fetch]\n\trecurseSubmodules = true\n[protocol]\n\tallow = always\n\
         [remote \"ext\"]\n\turl = ext::sh -c touch% CANARY/ext\n\
         [remote \"vcs\"]\n\turl = x\n\tvcs = trap\n\
         [remote \"ssh\"]\n\turl = ssh://127.0.0.1:9/x\n\
         [remote \"proxy\"]\n\turl = git://127.0.0.1:9/x\n\
         [remote \"web\"]\n\turl = http://127.0.0.1:9/x\n",
    );
    let config = config.replace("CANARY", canaries);
    write(dir, ".git/traps.config", config);
    world.git(dir, &["config", "include.path", "traps.config"]);
    write(
        dir,
        ".git/info/attributes",
        "* diff=trap filter=trap merge=trap\nodd filter=od.d=1\n",
    );
}

fn sprung(canaries: &str) -> Vec<String> {
    let files = std::fs::read_dir(canaries).unwrap();
    files
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// All files below `dir` that are not objects or refs, with their content, mode and time.
fn fingerprint(dir: &Path) -> BTreeMap<String, (Vec<u8>, u32, std::time::SystemTime)> {
    let mut all = BTreeMap::new();
    let mut left = vec![dir.to_path_buf()];
    while let Some(next) = left.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(dir).unwrap().display().to_string();
            let ours = [".git/objects", ".git/refs", ".git/logs/refs"];
            if ours.iter().any(|ours| name == *ours) {
                continue;
            }
            let meta = std::fs::symlink_metadata(&path).unwrap();
            if meta.is_dir() {
                left.push(path);
            } else {
                let content = std::fs::read(&path).unwrap_or_default();
                all.insert(
                    name,
                    (content, meta.permissions().mode(), meta.modified().unwrap()),
                );
            }
        }
    }
    all
}

#[tokio::test]
async fn traps_do_spring_when_git_is_used_plainly() {
    let world = World::new();
    let repo = world.repo("repo");
    let canaries = world.dir("canaries");
    set_traps(&world, &repo, &canaries);
    write(&repo, "a.txt", "changed\n");
    let off = ["clean", "smudge", "process"].map(|f| format!("filter.trap.{f}="));
    let [clean, smudge, process] = &off;
    world.try_git(&repo, &["-c", clean, "-c", smudge, "-c", process, "diff"]);
    world.try_git(&repo, &["add", "-A"]);
    world.try_git(&repo, &["fetch", "ssh"]);
    world.try_git(&repo, &["ls-remote", "ext"]);
    world.try_git(&repo, &["update-ref", "refs/heads/x", "HEAD"]);
    let sprung = sprung(&canaries);
    for name in [
        "ssh",
        "ext",
        "diffcommand",
        "process",
        "hook-reference-transaction",
        "fsmonitor",
    ] {
        assert!(
            sprung.iter().any(|s| s == name),
            "{name} not among {sprung:?}"
        );
    }
}

#[tokio::test]
async fn nothing_that_is_done_on_the_host_springs_a_trap_or_touches_the_checkout() {
    let world = World::new();
    let repo = world.repo("repo");
    let origin = world.origin(&repo, "origin.git");
    world.git(&repo, &["branch", "adopted"]);
    world.git(&repo, &["branch", "target"]);
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    write(&dir, "new.txt", "new\n");
    write(&dir, "a.txt", "one\ntwo\n3\n");
    let tip = world.commit(&dir, "work");
    let canaries = world.dir("canaries");
    set_traps(&world, &repo, &canaries);
    write(&repo, "dirty.txt", "not committed");
    write(&repo, "a.txt", "one\n2\nthree\n");
    let before = fingerprint(Path::new(&repo));

    let place = &world.place;
    let repository = inspect(place, &repo).await.unwrap();
    assert!(repository.dirty);
    let base = resolve_base(place, &repository, None).await.unwrap();
    resolve_base(place, &repository, Some("origin/main"))
        .await
        .unwrap();
    let within = AskRemotes::Within(std::time::Duration::from_secs(20));
    let branch = claim_branch(place, &task("t"), &[(&repository, &base.commit)], within)
        .await
        .unwrap();
    assert_eq!(branch.as_str(), "paddock-0");
    adopt_branch(place, &[&repository], &branch_named("adopted"))
        .await
        .unwrap();
    let id = task("t1");
    pin(place, &repository, &id, &base.commit).await.unwrap();
    let tips = std::slice::from_ref(&tip);
    let pack = pack_from_box(place, &dir, tips, std::slice::from_ref(&base.commit))
        .await
        .unwrap();
    let delivery = Delivery {
        task: &id,
        branch: &branch,
        start: &base.commit,
        tip: &tip,
        at: now(),
    };
    receive(place, &repository, delivery, pack).await.unwrap();
    scan(
        place,
        &repository,
        &base.commit,
        &tip,
        ScanLimits::default(),
    )
    .await
    .unwrap();
    assert!(fsck(place, &repository).await.unwrap().is_empty());
    for remote in ["ext", "vcs", "ssh", "proxy", "web"] {
        assert!(
            remote_tip(place, &repository, remote, &branch)
                .await
                .is_err(),
            "{remote}"
        );
        assert!(
            push(place, &repository, remote, &tip, &branch, None)
                .await
                .is_err(),
            "{remote}"
        );
        assert!(
            fetch_branch(place, &repository, remote, &branch)
                .await
                .is_err(),
            "{remote}"
        );
    }
    push(place, &repository, "origin", &tip, &branch, None)
        .await
        .unwrap();
    assert_eq!(world.oid(&origin, "paddock-0"), tip);
    let main = branch_named("main");
    fetch_branch(place, &repository, "origin", &main)
        .await
        .unwrap();
    for onto in [
        Onto::Local(branch_named("target")),
        Onto::Remote {
            remote: "origin".into(),
            branch: main,
        },
    ] {
        let plan = squash_preview(place, &repository, onto, &tip)
            .await
            .unwrap();
        squash(place, &repository, &plan, "squashed").await.unwrap();
    }
    write(&dir, "more.txt", "more\n");
    world.git(&dir, &["branch", "side"]);
    hold(place, &dir, place, &repository, &branch, keeping(&id))
        .await
        .unwrap();
    let kept = keep(place, &dir, place, &repository, keeping(&id))
        .await
        .unwrap()
        .unwrap();
    let listed = trash(place, &repository.git_dir, None).await.unwrap();
    assert_eq!(listed, std::slice::from_ref(&kept));
    look_into(place, &repository, &kept, None, DiffLimits::default())
        .await
        .unwrap();
    let free = free_branch(place, &repository, &kept).await.unwrap();
    bring_back(place, &repository, &kept, &free, true)
        .await
        .unwrap();
    drop_kept(place, &repository, &kept).await.unwrap();
    unpublished(place, &repository, &tip, &[]).await.unwrap();
    is_contained(place, &repository, &tip, &base.commit)
        .await
        .unwrap();
    branch_names(place, &repository.git_dir, "pad", 10)
        .await
        .unwrap();
    commits_here(place, &repository.git_dir, &tip, &base.commit)
        .await
        .unwrap();
    unpin(place, &repository, keeping(&id)).await.unwrap();

    assert_eq!(sprung(&canaries), Vec::<String>::new());
    let after = fingerprint(Path::new(&repo));
    let changed: Vec<_> = before
        .iter()
        .filter(|(name, was)| after.get(*name) != Some(*was))
        .map(|(name, _)| name)
        .chain(after.keys().filter(|name| !before.contains_key(*name)))
        .collect();
    assert!(changed.is_empty(), "{changed:?}");
}

#[tokio::test]
async fn a_merge_driver_of_the_repository_is_replaced_by_gits_own_merge() {
    let world = World::new();
    let repo = world.repo("repo");
    world.git(&repo, &["checkout", "-q", "-b", "task"]);
    write(&repo, "a.txt", "1\ntwo\nthree\n");
    let tip = world.commit(&repo, "task");
    world.git(&repo, &["checkout", "-q", "main"]);
    write(&repo, "a.txt", "one\ntwo\n3\n");
    world.commit(&repo, "upstream");
    world.git(&repo, &["checkout", "-q", "--detach"]);
    let canaries = world.dir("canaries");
    set_traps(&world, &repo, &canaries);
    let before = fingerprint(Path::new(&repo));
    let repository = world.inspect(&repo).await;
    let onto = Onto::Local(branch_named("main"));
    let plan = squash_preview(&world.place, &repository, onto, &tip)
        .await
        .unwrap();
    squash(&world.place, &repository, &plan, "both")
        .await
        .unwrap();
    assert_eq!(sprung(&canaries), Vec::<String>::new());
    assert_eq!(fingerprint(Path::new(&repo)), before);
    assert_eq!(
        world.git(&repo, &["cat-file", "blob", "main:a.txt"]),
        "1\ntwo\n3"
    );
}

#[tokio::test]
async fn nothing_that_is_done_in_a_box_springs_its_traps() {
    let world = World::new();
    let repo = world.repo("repo");
    let lib = world.repo("lib");
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    let base = world.oid(&repo, "HEAD");
    world.add_submodule(&dir, &lib, "lib");
    world.commit(&dir, "with a submodule");
    let canaries = world.dir("canaries");
    set_traps(&world, &dir, &canaries);
    let inner = format!("{dir}/.git/modules/lib");
    for hook in ["post-index-change", "fsmonitor-watchman"] {
        write(
            &inner,
            &format!("hooks/{hook}"),
            format!("#!/bin/sh\ntouch '{canaries}/inner-{hook}'\n"),
        );
        std::fs::set_permissions(
            format!("{inner}/hooks/{hook}"),
            PermissionsExt::from_mode(0o755),
        )
        .unwrap();
    }
    write(&inner, "info/attributes", "* filter=inner\n");
    let clean = format!("touch '{canaries}/inner-clean'");
    for (key, value) in [("core.fsmonitor", &clean), ("filter.inner.clean", &clean)] {
        world.git(&format!("{dir}/lib"), &["config", key, value]);
    }
    write(&dir, "a.txt", "one\n2\nthree\n");
    write(&dir, "odd", "odd\n");
    write(&dir, "lib/a.txt", "changed\n");

    let place: &dyn Place = &world.place;
    let seen = status(place, &dir, &base).await.unwrap();
    assert_eq!(seen.submodules, ["lib"]);
    assert_eq!(diff_stat(place, &dir, &base).await.unwrap().commits, 1);
    for what in [DiffWhat::All, DiffWhat::Committed, DiffWhat::Uncommitted] {
        diff(place, &dir, &base, what, None, DiffLimits::default())
            .await
            .unwrap();
    }
    let id = task("t1");
    let repository = world.inspect(&repo).await;
    besides(place, &dir).await.unwrap();
    commits(place, &dir, &base).await.unwrap();
    keep(place, &dir, &world.place, &repository, keeping(&id))
        .await
        .unwrap()
        .unwrap();
    let preview = commit_preview(place, &dir, ScanLimits::default())
        .await
        .unwrap();
    commit(place, &dir, "made from outside", &preview.token)
        .await
        .unwrap();
    let tip = tip_in_box(place, &dir, &branch_named("paddock-0"))
        .await
        .unwrap()
        .unwrap();
    pack_from_box(place, &dir, &[tip], &[base]).await.unwrap();
    assert_eq!(sprung(&canaries), Vec::<String>::new());
    assert!(exists(&dir, "odd"));
}

#[tokio::test]
async fn traps_in_the_users_own_configuration_do_not_spring_in_a_fresh_box() {
    let world = World::new();
    let repo = world.repo("repo");
    let canaries = world.dir("canaries");
    let templates = world.dir("templates");
    write(
        &templates,
        "hooks/post-checkout",
        format!("#!/bin/sh\ntouch '{canaries}/template'\n"),
    );
    std::fs::set_permissions(
        format!("{templates}/hooks/post-checkout"),
        PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let smudge = format!("touch '{canaries}/smudge'");
    write(&repo, ".gitattributes", "* filter=trap\n");
    world.commit(&repo, "attributes");
    for (key, value) in [
        ("init.templateDir", &templates),
        ("filter.trap.smudge", &smudge),
    ] {
        world.git("/", &["config", "--global", key, value]);
    }
    let dir = world.seeded(&repo, "box", "paddock-0").await;
    assert!(!exists(&dir, ".git/hooks"));
    assert_eq!(sprung(&canaries), Vec::<String>::new());
}
