//! The desktop shell stays thin: it opens windows and holds no rules.

use super::files::code_lines;
use super::tree::{TextFile, files, is_test_file, split_tests};

/// The room, without the crates that stand below it.
const SHELL: &str = "src-tauri/src/";
/// Most lines of code of the whole room.
const LINES_MAX: usize = 1500;
/// Most commands that the page may give it.
const COMMANDS_MAX: usize = 15;
/// What a command begins with.
const COMMAND: &str = "#[tauri::command]";

fn breaches(files: &[TextFile]) -> Vec<String> {
    let ours = |file: &&TextFile| file.path.starts_with(SHELL) && !is_test_file(&file.path);
    let programs: Vec<&str> = files
        .iter()
        .filter(ours)
        .map(|file| split_tests(&file.text).0)
        .collect();
    let lines: usize = programs.iter().map(|text| code_lines(text)).sum();
    let commands: usize = programs
        .iter()
        .map(|text| text.matches(COMMAND).count())
        .sum();
    let over = |count: usize, max: usize, what: &str| {
        (count > max).then(|| format!("{SHELL} has {count} {what}, more than {max}"))
    };
    let found = [
        over(lines, LINES_MAX, "lines of code"),
        over(commands, COMMANDS_MAX, "commands"),
    ];
    found.into_iter().flatten().collect()
}

#[test]
fn the_shell_is_thin() {
    super::hold(&breaches(&files(&[".rs"])));
}

#[test]
fn a_shell_that_grows_is_seen_and_its_tests_do_not_count() {
    let file = |path: &str, text: String| TextFile {
        path: path.to_owned(),
        text,
    };
    let long = "let x = 1;\n".repeat(LINES_MAX);
    let one = file("src-tauri/src/a.rs", long.clone());
    assert!(breaches(std::slice::from_ref(&one)).is_empty());
    let tests = format!("\n#[cfg(test)]\nmod tests {{\n{long}}}\n");
    let tested = file("src-tauri/src/b.rs", tests);
    let below = file("src-tauri/crates/api/src/c.rs", long.clone());
    assert!(breaches(&[one, tested, below]).is_empty());
    let longer = file("src-tauri/src/a.rs", format!("{long}let y = 1;\n"));
    assert_eq!(
        breaches(&[longer]),
        ["src-tauri/src/ has 1501 lines of code, more than 1500"]
    );
    let commands = file("src-tauri/src/a.rs", COMMAND.repeat(COMMANDS_MAX + 1));
    assert_eq!(
        breaches(&[commands]),
        ["src-tauri/src/ has 16 commands, more than 15"]
    );
}
