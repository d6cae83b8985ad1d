//! A command line as the commands that it runs.
//!
//! [`read`] gives the plain commands of a line, and a doubt where it is anything more than plain commands
//! joined by `&&`, `||`, `;`, new lines and `|`. What is found inside of whatever it is (substitutions,
//! functions, the arguments of `sudo`) is given besides, for rules that deny.

mod plain;
mod walk;

use crate::runners;

/// Longest command line that is read, in bytes.
const TEXT_MAX: usize = 16 << 10;
/// Most brackets and keywords that may nest: the grammar is recursive.
const NESTING_MAX: usize = 48;

/// A command with its arguments, as they reach the program.
pub(crate) type Argv = Vec<String>;

/// What a command line is.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Its commands, one after the other; empty when there is a doubt.
    pub(crate) commands: Vec<Argv>,
    /// Why it is not only that.
    pub(crate) doubt: Option<&'static str>,
    /// Every command that stands anywhere in it, with `None` for words that only the shell will know.
    pub(crate) found: Vec<Vec<Option<String>>>,
    /// Whether something runs that cannot be known from the text.
    pub(crate) obscure: bool,
}

/// Reads a command line.
pub(crate) fn read(text: &str) -> Reading {
    let unread = |doubt| Reading {
        doubt: Some(doubt),
        obscure: true,
        ..Reading::default()
    };
    if text.len() > TEXT_MAX {
        return unread("it is too long to be read");
    }
    if text.trim().is_empty() {
        return unread("it is empty");
    }
    if nests_deeply(text) {
        return unread("it nests too deeply to be read");
    }
    let mut walked = walk::Walked::default();
    // The grammar logs what it reads, and a command may hold anything.
    let silent = tracing::subscriber::NoSubscriber::default();
    let was_read = tracing::subscriber::with_default(silent, || walked.walk(text, 0));
    if !was_read {
        return unread("it cannot be read as a command line");
    }
    let commands = plain::commands(text);
    let doubt = match (&commands, walked.doubt) {
        (_, Some(doubt)) => Some(doubt),
        (None, None) => Some("it is more than plain commands"),
        (Some(commands), None) if *commands != walked.commands => {
            Some("it can be read in more than one way")
        }
        (Some(commands), None) if commands.is_empty() => Some("it is empty"),
        (Some(_), None) => None,
    };
    Reading {
        commands: commands.filter(|_| doubt.is_none()).unwrap_or_default(),
        doubt,
        found: walked.found,
        obscure: walked.obscure,
    }
}

/// The commands of a line that is nothing but plain commands.
pub(crate) fn plain_commands(text: &str) -> Option<Vec<Argv>> {
    let reading = read(text);
    reading.doubt.is_none().then_some(reading.commands)
}

/// `argv` as a line that is read as it again.
pub(crate) fn quoted(argv: &[String]) -> String {
    let words: Vec<String> = argv.iter().map(|word| quoted_word(word)).collect();
    words.join(" ")
}

fn quoted_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+./:,@%=".contains(c);
    let bare = !word.is_empty() && !word.starts_with('=') && word.chars().all(plain);
    if bare {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Whether the text could take a recursive reader too deep. Counts more than there is, never less.
fn nests_deeply(text: &str) -> bool {
    let brackets = text.bytes().filter(|byte| b"({[`!".contains(byte)).count();
    let keywords = [
        "if", "while", "until", "for", "case", "select", "do", "then", "elif", "coproc", "time",
    ];
    let words = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| keywords.contains(word))
        .count();
    brackets + words > NESTING_MAX
}

/// The name of a program without its directory.
pub(crate) fn program_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Whether a program runs what its arguments say.
pub(crate) fn runs_others(program: &str) -> bool {
    runners::is_runner(program_name(program))
}
