//! What is said in which language, and that nothing is said in one alone.

use std::path::PathBuf;

use super::*;

fn nowhere(_: &str) -> Option<String> {
    None
}

#[test]
fn what_was_chosen_is_kept_and_goes_before_the_language_of_the_session() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config").join(Language::FILE);
    let german = |name: &str| (name == "LANG").then(|| "de_DE.UTF-8".to_owned());
    assert_eq!(Language::kept(&file, nowhere), Language::En);
    assert_eq!(Language::kept(&file, german), Language::De);
    Language::En.keep(&file).unwrap();
    assert_eq!(Language::kept(&file, german), Language::En);
    Language::De.keep(&file).unwrap();
    assert_eq!(Language::kept(&file, nowhere), Language::De);
}

#[test]
fn an_earlier_variable_of_the_session_goes_before_a_later_and_an_empty_one_is_none() {
    let file = PathBuf::from("/nowhere/language");
    let session = |all: &'static str| {
        move |name: &str| Some(if name == "LC_ALL" { all } else { "de_AT" }.to_owned())
    };
    assert_eq!(Language::kept(&file, session("C")), Language::En);
    assert_eq!(Language::kept(&file, session("")), Language::De);
}

#[test]
fn figures_stand_in_the_words() {
    let tasks = |language: Language, n| {
        language.count(
            n,
            "Paddock: a task needs you",
            "Paddock: {n} tasks need you",
        )
    };
    assert_eq!(tasks(Language::En, 1), "Paddock: a task needs you");
    assert_eq!(
        tasks(Language::De, 12),
        "Paddock: 12 Aufgaben brauchen dich"
    );
}

/// All of the shell's sources but tests, each text in them with what the compiler reads of it.
fn sources() -> String {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut dirs = vec![src];
    let mut all = String::new();
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs")
            {
                let text = std::fs::read_to_string(path).unwrap();
                all += text.split("\n#[cfg(test)]").next().unwrap();
            }
        }
    }
    // A text that goes over a line's end.
    let mut joined = String::new();
    for part in all.split("\\\n") {
        joined += part.trim_start();
    }
    joined
}

#[test]
fn everything_that_is_said_is_said_in_german_and_the_table_has_nothing_else() {
    let sources = sources();
    for line in DE.lines() {
        let (english, german) = line.split_once(IS).expect(line);
        assert!(
            sources.contains(&format!("\"{english}\"")),
            "nobody says {english:?}"
        );
        assert_eq!(english.contains("{n}"), german.contains("{n}"), "{english}");
    }
    let known = |text: &str| {
        DE.lines()
            .any(|line| line.starts_with(&format!("{text}{IS}")))
    };
    for call in [".say(\"", ".count("] {
        for given in sources.split(call).skip(1) {
            let given = given.split(')').next().unwrap();
            let texts: Vec<&str> = match call {
                ".count(" => given.split('"').skip(1).step_by(2).collect(),
                _ => vec![given.split('"').next().unwrap()],
            };
            for text in texts {
                assert!(known(text), "not in German: {text:?}");
            }
        }
    }
    for state in paddock_domain::StateName::ALL {
        let need = crate::attention::need(*state);
        assert!(known(need), "not in German: {need:?}");
    }
}
