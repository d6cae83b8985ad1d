//! Made-up lines: nothing that passes runs anything but what is allowed, and a real shell says so.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use paddock_policy::Judged;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use super::judged;

const RULES: &[&str] = &["cargo build", "cargo test *"];

/// Pieces of shell, the dangerous ones among them.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "cargo",
        "build",
        "test",
        "cargo build",
        "cargo test",
        "-p",
        "x",
        " ",
        " ",
        " ",
        "\t",
        "\n",
        "\r",
        ";",
        "&&",
        "||",
        "|",
        "&",
        "|&",
        ";;",
        "(",
        ")",
        "{",
        "}",
        "{ ",
        "; }",
        "$(",
        "`",
        "${",
        "$X",
        "$",
        "\"",
        "'",
        "\\",
        "\\\n",
        "#",
        "!",
        "~",
        "*",
        "?",
        "[",
        "]",
        "=",
        "A=1",
        "A=1 ",
        ">",
        ">>",
        "<",
        "<<",
        "<<<",
        "2>&1",
        ">/dev/null",
        "2>/dev/null",
        ">&",
        ">|",
        "<(",
        ">(",
        "&>",
        "$'",
        "$\"",
        "((",
        "))",
        "[[",
        "]]",
        "if ",
        "then ",
        "fi",
        "while ",
        "do ",
        "done",
        "for x in a",
        "case x in",
        "esac",
        "f() ",
        "function f ",
        "eval ",
        "exec ",
        "command ",
        "env ",
        "time ",
        "coproc ",
        "alias cargo=evil",
        "evil",
        "evil x",
        "/tmp/evil",
        "\u{a0}",
        "\u{200b}",
        "\u{0}",
        "é",
        "{a,b}",
        "EOF",
        "<<EOF\nevil\nEOF\n",
        "1",
        "2",
        "@",
        "+",
        "%",
        ",",
        ":",
        "-",
        "..",
        "^",
    ]);
    prop_oneof![9 => fixed.prop_map(str::to_owned), 1 => ".{1,3}"]
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(piece(), 0..14).prop_map(|pieces| pieces.concat()),
        (
            prop::collection::vec(piece(), 0..4),
            prop::collection::vec(piece(), 0..6)
        )
            .prop_map(|(before, after)| format!(
                "{}cargo build{}",
                before.concat(),
                after.concat()
            )),
        prop::collection::vec(piece(), 0..6)
            .prop_map(|pieces| format!("cargo test {}", pieces.concat())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn whatever_comes_is_judged_and_what_passes_has_no_other_command(line in line()) {
        let judgement = judged(RULES, &line);
        if judgement.judged == Judged::Allow {
            prop_assert!(!judgement.parts.is_empty());
            for part in &judgement.parts {
                prop_assert!(part.command.starts_with("cargo "), "{part:?}");
            }
            prop_assert!(!line.contains(['$', '`', '(', '\u{0}', '\r']) || line.contains(['\'', '"', '\\']), "{line:?}");
        }
    }

    #[test]
    fn any_text_at_all_is_judged(line in "\\PC{0,60}") {
        judged(&["cargo build", "!rm"], &line);
    }

    #[test]
    fn any_bytes_that_are_text_are_judged(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        judged(&["cargo build", "!rm"], &String::from_utf8_lossy(&bytes));
    }
}

/// A place where a shell can run lines and leave traces of what it ran.
struct Stage {
    dir: tempfile::TempDir,
}

impl Stage {
    fn new() -> Option<Self> {
        if !Path::new("/bin/bash").exists() {
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let bin = dir.path().join("bin");
        fs::create_dir(&bin).unwrap();
        for program in ["cargo", "evil"] {
            let file = bin.join(program);
            // Its name and every argument, each ended by a mark that no argument here has.
            let script = format!(
                "#!/bin/bash\nprintf '%s\\036' {program} \"$@\" >>\"$TRACE\"\nprintf '\\035' >>\"$TRACE\"\n"
            );
            fs::write(&file, script).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::create_dir(dir.path().join("work")).unwrap();
        Some(Self { dir })
    }

    /// What the shell ran for `line`, and what it left in its directory.
    fn run(&self, line: &str) -> (Vec<Vec<String>>, Vec<String>, String) {
        let trace = self.dir.path().join("trace");
        let _ = fs::remove_file(&trace);
        let work = self.dir.path().join("work");
        let output = Command::new("/bin/bash")
            .args(["--norc", "--noprofile", "-c", line])
            .env_clear()
            .env("PATH", self.dir.path().join("bin"))
            .env("TRACE", &trace)
            .env("HOME", self.dir.path())
            .current_dir(&work)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = fs::read_to_string(&trace).unwrap_or_default();
        let run = text
            .split_terminator('\u{1d}')
            .map(|run| run.split_terminator('\u{1e}').map(str::to_owned).collect());
        let left = fs::read_dir(&work)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        (
            run.collect(),
            left.collect(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    }
}

/// Whether a rule of [`RULES`] names this very command.
fn is_allowed(argv: &[String]) -> bool {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    words == ["cargo", "build"] || words.starts_with(&["cargo", "test"])
}

#[test]
fn a_real_shell_runs_of_what_passes_what_is_allowed_and_nothing_else() {
    let Some(stage) = Stage::new() else {
        return;
    };
    let mut passed = 0;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..2500 {
        let line = line().new_tree(&mut runner).unwrap().current();
        if judged(RULES, &line).judged != Judged::Allow {
            continue;
        }
        passed += 1;
        let (run, left, stderr) = stage.run(&line);
        assert!(left.is_empty(), "{line:?} left {left:?}");
        assert!(
            run.iter().all(|argv| is_allowed(argv)),
            "{line:?} ran {run:?}"
        );
        assert!(
            !stderr.contains("not found") && !stderr.contains("syntax error"),
            "{line:?}: {stderr}"
        );
    }
    assert!(
        passed > 50,
        "only {passed} lines passed: the test says little"
    );
}

#[test]
fn a_real_shell_runs_each_part_with_the_words_that_were_judged() {
    let Some(stage) = Stage::new() else {
        return;
    };
    let lines = [
        "cargo test 'a b' \"c\\\"d\" e\\ f",
        "cargo test a\\\nb \\\n c",
        "cargo test \"x\\y\" 'it'\\''s'",
        "cargo test HEAD~1 a=b a,b 100% x@y ^z -- '' \"\"",
        "cargo build 2>&1 >/dev/null; cargo test é 2>/dev/null\n\ncargo build",
        "cargo test 2 2>&1",
        "cargo test a#b",
        "cargo test 'a\nb'",
    ];
    for line in lines {
        let judgement = judged(RULES, line);
        assert_eq!(
            judgement.judged,
            Judged::Allow,
            "{line:?}: {:?}",
            judgement.doubt
        );
        let parts: Vec<String> = judgement
            .parts
            .iter()
            .map(|part| part.command.clone())
            .collect();
        let (run, _, stderr) = stage.run(&parts.join("\n"));
        let (original, _, _) = stage.run(line);
        assert_eq!(original, run, "{line:?}: {stderr}");
        assert_eq!(run.len(), parts.len(), "{line:?}");
    }
}
