//! What a user could allow or deny from now on, made from what an agent asks for.

use paddock_domain::{RuleOffer, RuleSubject, RuleVerdict};

use crate::asked::{Asked, AskedPath};
use crate::shell::{self, program_name};
use crate::{check, runners};

/// Most commands of one line that are offered together.
const PARTS_MAX: usize = 8;

/// Offers, narrowest first; none where no rule could cover it.
#[must_use]
pub fn offers(asked: &Asked) -> Vec<RuleOffer> {
    let mut offers = match asked {
        Asked::Command { text, doubt: None } => of_command(text),
        Asked::Command { doubt: Some(_), .. } | Asked::Unknown => Vec::new(),
        Asked::Edit { paths } => of_paths(paths, |paths| RuleSubject::Edit { paths }),
        Asked::Read { paths } => of_paths(paths, |paths| RuleSubject::Read { paths }),
        Asked::Web { host } => vec![one(RuleSubject::Web {
            domain: host.clone(),
        })],
        Asked::Tool { name } => of_tool(name),
    };
    offers.retain(|offer| {
        offer
            .subjects
            .iter()
            .all(|subject| check(subject, RuleVerdict::Allow).is_ok())
    });
    for offer in &mut offers {
        let mut seen = Vec::new();
        offer.subjects.retain(|subject| {
            let is_new = !seen.contains(subject);
            seen.push(subject.clone());
            is_new
        });
    }
    offers.dedup();
    offers
}

fn one(subject: RuleSubject) -> RuleOffer {
    RuleOffer {
        subjects: vec![subject],
    }
}

fn of_command(text: &str) -> Vec<RuleOffer> {
    let Some(mut commands) = shell::plain_commands(text) else {
        return Vec::new();
    };
    let mut seen = Vec::new();
    commands.retain(|argv| {
        let is_new = !seen.contains(argv);
        seen.push(argv.clone());
        is_new
    });
    if commands.is_empty() || commands.len() > PARTS_MAX {
        return Vec::new();
    }
    let subject = |command: String| RuleSubject::Command { command };
    let exact = commands.iter().map(|argv| subject(shell::quoted(argv)));
    let broad = commands.iter().map(|argv| subject(broad(argv)));
    vec![
        RuleOffer {
            subjects: exact.collect(),
        },
        RuleOffer {
            subjects: broad.collect(),
        },
    ]
}

/// The program and its subcommand with any arguments; the command itself where that would be too much.
fn broad(argv: &[String]) -> String {
    let exact = shell::quoted(argv);
    let Some(program) = argv.first() else {
        return exact;
    };
    let name = program_name(program);
    if runners::is_runner(name) || !runners::may_be_any(name, "any") {
        return exact;
    }
    let is_subcommand = |word: &&String| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == ':')
    };
    let words = match argv.get(1).filter(is_subcommand) {
        Some(subcommand) => vec![program.clone(), subcommand.clone()],
        None => vec![program.clone()],
    };
    if argv.iter().any(|word| word.contains('*')) {
        return exact;
    }
    let rest = argv.get(words.len()..).unwrap_or_default();
    if rest.iter().any(|word| !runners::may_be_any(name, word)) {
        return exact;
    }
    format!("{} *", shell::quoted(&words))
}

fn of_paths(paths: &[AskedPath], subject: fn(String) -> RuleSubject) -> Vec<RuleOffer> {
    let sound = |path: &AskedPath| {
        path.doubt.is_none() && !path.path.is_empty() && !path.path.contains('*')
    };
    if paths.is_empty() || !paths.iter().all(sound) {
        return Vec::new();
    }
    let exact = paths.iter().map(|path| subject(path.path.clone()));
    let below = paths.iter().map(|path| match path.path.rsplit_once('/') {
        Some((dir, _)) => subject(format!("{dir}/**")),
        None => subject("*".to_owned()),
    });
    vec![
        RuleOffer {
            subjects: exact.collect(),
        },
        RuleOffer {
            subjects: below.collect(),
        },
        one(subject("**".to_owned())),
    ]
}

fn of_tool(name: &str) -> Vec<RuleOffer> {
    let exact = one(RuleSubject::Tool {
        tool: name.to_owned(),
    });
    let server = name
        .strip_prefix("mcp__")
        .and_then(|rest| rest.split_once("__"));
    let all = server.map(|(server, _)| {
        one(RuleSubject::Tool {
            tool: format!("mcp__{server}__*"),
        })
    });
    std::iter::once(exact).chain(all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(asked: &Asked) -> Vec<String> {
        let of = |offer: &RuleOffer| {
            offer
                .subjects
                .iter()
                .map(RuleSubject::text)
                .collect::<Vec<_>>()
                .join(" + ")
        };
        offers(asked).iter().map(of).collect()
    }

    fn command(text: &str) -> Vec<String> {
        texts(&Asked::Command {
            text: text.into(),
            doubt: None,
        })
    }

    #[test]
    fn a_command_is_offered_as_it_is_and_with_any_arguments() {
        assert_eq!(
            command("cargo test -p x"),
            ["cargo test -p x", "cargo test *"]
        );
        assert_eq!(command("ls -la"), ["ls -la", "ls *"]);
        assert_eq!(
            command("git add . && git commit -m 'a b'"),
            [
                "git add . + git commit -m 'a b'",
                "git add * + git commit *"
            ]
        );
    }

    #[test]
    fn what_could_run_anything_is_offered_as_it_is_alone() {
        assert_eq!(command("python3 x.py"), ["python3 x.py"]);
        assert_eq!(command("bash -c 'make'"), ["bash -c make"]);
        assert_eq!(command("sed -i s/a/b/ f"), ["sed -i s/a/b/ f"]);
        for none in ["echo $(id)", "a > b", "for x in a; do b; done", "", "a &"] {
            assert_eq!(command(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn files_are_offered_by_name_by_directory_and_all() {
        let path = AskedPath {
            repository: Some("/r".into()),
            path: "src/a/b.rs".into(),
            doubt: None,
        };
        assert_eq!(
            texts(&Asked::Edit { paths: vec![path] }),
            ["src/a/b.rs", "src/a/**", "**"]
        );
        assert_eq!(
            texts(&Asked::Tool {
                name: "mcp__gh__issue".into()
            }),
            ["mcp__gh__issue", "mcp__gh__*"]
        );
        assert_eq!(
            texts(&Asked::Web {
                host: "docs.rs".into()
            }),
            ["docs.rs"]
        );
    }
}
