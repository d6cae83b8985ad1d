//! What a rule that denies stops, wherever it stands.

use paddock_policy::Judged;

use super::{all, judged};

const RULES: &[&str] = &["!rm", "!git push", "cargo *", "git *", "echo *"];

#[test]
fn a_denied_command_is_denied_in_every_disguise_that_can_be_read() {
    let disguises = [
        "rm x",
        "rm -rf ~",
        "rm",
        "/bin/rm x",
        "\\rm x",
        "'rm' x",
        "r\"m\" x",
        "cargo build && rm x",
        "rm x && cargo build",
        "cargo build; rm x",
        "cargo build | rm x",
        "cargo build & rm x",
        "(rm x)",
        "{ rm x; }",
        "if true; then rm x; fi",
        "if rm x; then :; fi",
        "for f in a b; do rm $f; done",
        "while true; do rm x; done",
        "case x in x) rm x;; esac",
        "f() { rm x; }; f",
        "echo $(rm x)",
        "echo `rm x`",
        "echo \"$(rm x)\"",
        "cat <(rm x)",
        "X=$(rm x)",
        "rm $X",
        "rm \"$@\"",
        "rm x > log",
        "env rm x",
        "env A=1 rm x",
        "A=1 rm x",
        "sudo rm x",
        "sudo -u root rm x",
        "nohup rm x",
        "nice -n 5 rm x",
        "timeout 5 rm x",
        "time rm x",
        "! rm x",
        "command rm x",
        "exec rm x",
        "xargs rm",
        "ls | xargs rm -f",
        "find . -exec rm {} +",
        "find . -name x -exec rm -rf {} \\;",
        "bash -c 'rm x'",
        "bash -c \"cd / && rm x\"",
        "sh -c 'sh -c \"rm x\"'",
        "eval rm x",
        "eval 'rm x'",
        "git push",
        "git push origin main",
        "git push --force",
        "cd x && git push",
        "cat <<E | sh\n$(rm x)\nE",
        "[[ $(rm x) ]]",
        "coproc rm x",
    ];
    all(RULES, Judged::Deny, &disguises);
}

#[test]
fn what_only_looks_like_it_is_not_denied() {
    all(
        RULES,
        Judged::Allow,
        &[
            "echo rm",
            "cargo rm",
            "git pull",
            "echo 'rm -rf ~'",
            "git status",
        ],
    );
    all(
        RULES,
        Judged::Ask,
        &["rmdir x", "farm x", "git-push", "ls rm"],
    );
}

#[test]
fn denying_wins_over_allowing_whatever_came_first() {
    assert_eq!(judged(&["rm *", "!rm"], "rm x").judged, Judged::Deny);
    assert_eq!(judged(&["!rm", "rm *"], "rm x").judged, Judged::Deny);
    assert_eq!(judged(&["rm *"], "rm x").judged, Judged::Allow);
}

#[test]
fn what_may_hide_something_is_told_from_what_does_not() {
    for obscure in [
        "$X x",
        "\"$X\" x",
        "eval \"$X\"",
        "bash -c \"$X\"",
        "$(echo rm) x",
        "echo 'open",
        "xargs $X",
    ] {
        assert!(judged(RULES, obscure).obscure, "{obscure}");
    }
    for clear in [
        "cargo build",
        "make x",
        "echo $HOME",
        "ls *.rs",
        "for f in a; do ls $f; done",
        "echo > x",
    ] {
        assert!(!judged(RULES, clear).obscure, "{clear}");
    }
}
