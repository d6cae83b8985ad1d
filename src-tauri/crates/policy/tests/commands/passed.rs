//! What passes: nothing but what rules name.

use paddock_policy::Judged;

use super::all;

#[test]
fn an_allowed_command_passes_however_it_is_written() {
    let same = [
        "cargo build",
        " cargo  build ",
        "cargo\tbuild",
        "cargo build\n",
        "\ncargo build",
        "'cargo' build",
        "cargo \"build\"",
        "cargo 'build'",
        "ca\"rg\"o bu'il'd",
        "cargo \\build",
        "\\cargo build",
        "cargo \\\n build",
        "cargo bui\\\nld",
        "cargo build;",
        "cargo build 2>&1",
        "cargo build >/dev/null",
        "cargo build > /dev/null 2>&1",
        "cargo build 2>/dev/null",
        "cargo build </dev/null",
        "cargo build &>/dev/null",
        "cargo build && cargo build",
        "cargo build || cargo build",
        "cargo build; cargo build",
        "cargo build\ncargo build",
        "cargo build\n\n\ncargo build\n",
        "cargo build | cargo build",
        "cargo build 2>&1 | cargo build",
        "cargo build &&\ncargo build",
    ];
    all(&["cargo build"], Judged::Allow, &same);
}

#[test]
fn lines_of_allowed_commands_pass_when_each_is_allowed() {
    let rules = [
        "cargo test *",
        "cargo build *",
        "tail *",
        "grep *",
        "cd *",
        "git status",
        "git diff *",
        "ls *",
        "echo *",
    ];
    let lines = [
        "cargo test -p api 2>&1 | tail -n 50",
        "cd src && ls -la",
        "git status && git diff --stat",
        "cargo build --release || echo failed",
        "cargo test -- --nocapture 2>&1 | grep -i 'test result' | tail -5",
        "echo 'a $HOME `id` \\ *'",
        "echo \"it's \\$5\"",
        "echo a\\ b\\;c",
        "git diff HEAD~1",
        "git diff HEAD^ -- src/main.rs",
        "ls a=b",
        "echo x#y",
        "echo -n 'multi\nline'",
    ];
    all(&rules, Judged::Allow, &lines);
    all(
        &rules,
        Judged::Ask,
        &[
            "cargo test && rm -rf ~",
            "cd src && make",
            "git status | sh",
            "tails -f x",
        ],
    );
}

#[test]
fn wildcards_take_what_they_say() {
    all(
        &["npm run test:*"],
        Judged::Allow,
        &["npm run test:unit", "npm run 'test:a b'"],
    );
    all(
        &["npm run test:*"],
        Judged::Ask,
        &["npm run test", "npm run test:unit --x", "npm run deploy"],
    );
    all(
        &["make *"],
        Judged::Allow,
        &["make", "make check", "make -j4 check"],
    );
    all(
        &["make *"],
        Judged::Ask,
        &[
            "make -f /tmp/x",
            "make -C /tmp",
            "make --eval=x",
            "make SHELL=/tmp/sh",
            "gmake",
        ],
    );
    all(&["git log *"], Judged::Allow, &["git log --oneline -5"]);
    all(
        &["git log *"],
        Judged::Ask,
        &[
            "git -c core.pager=x log",
            "git log --output=/tmp/x",
            "git logs",
        ],
    );
    all(
        &["find *"],
        Judged::Allow,
        &["find . -name x", "find src -type f"],
    );
    all(
        &["find *"],
        Judged::Ask,
        &[
            "find . -exec rm -rf {} +",
            "find . -execdir sh -c x ';'",
            "find . -delete",
            "find . -ok rm x ';'",
            "find . -fprint /etc/x",
            "find . -name *.rs",
        ],
    );
}
