//! The command line held against what users and programs type.

use clap::CommandFactory;

use super::*;

fn parse(line: &str) -> Result<Args, clap::Error> {
    Args::try_parse_from(std::iter::once("paddock").chain(line.split_whitespace()))
}

#[test]
fn the_command_line_is_sound() {
    Args::command().debug_assert();
}

#[test]
fn what_automation_relies_on_is_taken() {
    let args = parse("run --json --repo /r --harness codex --box worktree fix").unwrap();
    assert!(args.global.json);
    let Verb::Run(run) = args.verb else {
        panic!("another verb")
    };
    assert_eq!(run.prompt, "fix");
    assert_eq!(run.harness.as_deref(), Some("codex"));
    assert_eq!(
        run.kind.map(paddock_domain::BoxKind::from),
        Some(paddock_domain::BoxKind::Worktree)
    );
    let args = parse("serve --data /d --listen 127.0.0.1:0").unwrap();
    assert_eq!(args.global.data, Some(PathBuf::from("/d")));
    let Verb::Serve(serve) = args.verb else {
        panic!("another verb")
    };
    assert_eq!(serve.listen, Some(SocketAddr::from(([127, 0, 0, 1], 0))));
    assert!(parse("decode --harness claude -").is_ok());
}

#[test]
fn what_makes_no_sense_is_refused_with_two() {
    for line in [
        "",
        "fly",
        "run",
        "ls --state nowhere",
        "answer t --approve --deny",
        "answer t --scope task",
        "answer t words --plan approve",
        "commit t",
        "purge t --preview --force",
        "run --box boat x",
        "run --no-repo --repo /r x",
        "--set nonsense ls",
    ] {
        let error = parse(line).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{line}");
    }
}

#[test]
fn every_verb_explains_itself_with_an_example() {
    fn walk(command: &clap::Command) {
        let leaf = command.get_subcommands().next().is_none();
        let help = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        if leaf && command.get_name() != "help" {
            assert!(
                help.contains("paddock "),
                "`{}` has no example",
                command.get_name()
            );
            assert!(
                command.get_about().is_some(),
                "`{}` says nothing",
                command.get_name()
            );
        }
        command.get_subcommands().for_each(walk);
    }
    walk(&Args::command());
}
