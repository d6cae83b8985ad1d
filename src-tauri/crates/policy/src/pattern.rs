//! Patterns of commands: words, with `*` for what may differ.

use paddock_domain::RuleVerdict;

use crate::runners;
use crate::shell::program_name;

/// A command with its arguments, some of which may be any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    words: Vec<WordPattern>,
    /// Whether any further words may follow.
    open: bool,
}

/// One word: its fixed pieces, with anything between them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WordPattern {
    pieces: Vec<String>,
}

impl Pattern {
    /// Reads the pattern of a rule with this verdict; says what is wrong with it otherwise.
    pub(crate) fn parse(text: &str, verdict: RuleVerdict) -> Result<Self, &'static str> {
        // A star that is to be one stands in quotes; elsewhere it is put where the readers take it for a letter.
        let marked = marked(text)?;
        let commands = crate::shell::plain_commands(&marked)
            .ok_or("it is not one plain command: write the program and its arguments, as they are, with * for any")?;
        let [argv] = commands.as_slice() else {
            return Err("it is more than one command: make a rule for each");
        };
        let mut words: Vec<WordPattern> = argv.iter().map(|word| WordPattern::of(word)).collect();
        let open = words.len() > 1 && words.last().is_some_and(WordPattern::is_any);
        if open {
            words.pop();
        }
        if words
            .first()
            .is_none_or(|program| program.pieces.len() != 1)
        {
            return Err("the program must be named without *");
        }
        let program = program_name(
            words
                .first()
                .and_then(WordPattern::fixed)
                .unwrap_or_default(),
        );
        let varies = open || words.iter().any(|word| word.pieces.len() > 1);
        if verdict == RuleVerdict::Allow && varies && runners::is_runner(program) {
            return Err(
                "this program runs what its arguments say, so * would allow anything: name the whole command",
            );
        }
        Ok(Self { words, open })
    }

    /// Whether a rule that allows covers `argv`.
    pub(crate) fn allows(&self, argv: &[String]) -> bool {
        let Some(program) = argv.first() else {
            return false;
        };
        if argv.len() < self.words.len() || (argv.len() > self.words.len() && !self.open) {
            return false;
        }
        let name = program_name(program);
        let mut words = argv.iter().enumerate();
        words.all(|(nth, word)| match self.words.get(nth) {
            Some(pattern) if pattern.fixed().is_some() => pattern.fixed() == Some(word),
            Some(pattern) => pattern.matches(word) && runners::may_be_any(name, word),
            None => runners::may_be_any(name, word),
        })
    }

    /// Whether a rule that denies covers `argv`, of which some words may not be known. A program is denied
    /// wherever it lies, and with whatever follows.
    pub(crate) fn denies(&self, argv: &[Option<String>]) -> bool {
        if argv.len() < self.words.len() {
            return false;
        }
        self.words
            .iter()
            .zip(argv)
            .enumerate()
            .all(|(nth, (pattern, word))| {
                let Some(word) = word else {
                    return pattern.is_any();
                };
                let bare = nth == 0
                    && pattern
                        .fixed()
                        .is_some_and(|program| !program.contains('/'));
                pattern.matches(if bare { program_name(word) } else { word })
            })
    }
}

impl WordPattern {
    fn of(word: &str) -> Self {
        let pieces = word.split(MARK).map(str::to_owned).collect();
        Self { pieces }
    }

    fn is_any(&self) -> bool {
        self.pieces.len() > 1 && self.pieces.iter().all(String::is_empty)
    }

    /// The word, where nothing of it may differ.
    fn fixed(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    fn matches(&self, word: &str) -> bool {
        let [first, middle @ .., last] = self.pieces.as_slice() else {
            return self.fixed() == Some(word);
        };
        let Some(mut rest) = word.strip_prefix(first.as_str()) else {
            return false;
        };
        for piece in middle {
            let Some(at) = rest.find(piece.as_str()) else {
                return false;
            };
            rest = rest.get(at + piece.len()..).unwrap_or_default();
        }
        rest.ends_with(last.as_str())
    }
}

/// Stands for a star while a pattern is read: a letter that nobody writes.
const MARK: char = 'ꙮ';

/// `text` with each star that stands outside of quotes marked.
fn marked(text: &str) -> Result<String, &'static str> {
    if text.contains(MARK) {
        return Err("it has a character that cannot be used");
    }
    let mut quote = None;
    let mut marked = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, '\\') | (Some('"'), '\\') => {
                marked.push(c);
                marked.extend(chars.next());
                continue;
            }
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '*') => {
                marked.push(MARK);
                continue;
            }
            (None | Some(_), _) => {}
        }
        marked.push(c);
    }
    Ok(marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(pattern: &str, argv: &[&str]) -> bool {
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        Pattern::parse(pattern, RuleVerdict::Allow)
            .unwrap()
            .allows(&argv)
    }

    #[test]
    fn a_pattern_without_a_star_is_one_command_and_no_prefix() {
        assert!(allows("cargo build", &["cargo", "build"]));
        assert!(!allows("cargo build", &["cargo", "build", "--release"]));
        assert!(!allows("cargo build", &["cargo"]));
        assert!(!allows("cargo build", &["/tmp/cargo", "build"]));
    }

    #[test]
    fn a_last_star_is_any_further_words_and_none() {
        assert!(allows("cargo test *", &["cargo", "test"]));
        assert!(allows("cargo test *", &["cargo", "test", "-p", "x"]));
        assert!(!allows("cargo test *", &["cargo", "tests"]));
        assert!(!allows("cargo test *", &["cargo", "test", "--config", "x"]));
    }

    #[test]
    fn a_star_within_is_any_one_word_or_part_of_it() {
        assert!(allows(
            "git show * --stat",
            &["git", "show", "HEAD", "--stat"]
        ));
        assert!(!allows("git show * --stat", &["git", "show", "--stat"]));
        assert!(allows("npm run test:*", &["npm", "run", "test:unit"]));
        assert!(!allows("npm run test:*", &["npm", "run", "deploy"]));
        assert!(allows("echo 'a*b'", &["echo", "a*b"]));
        assert!(!allows("echo 'a*b'", &["echo", "aXb"]));
    }

    #[test]
    fn what_would_allow_anything_is_refused() {
        for bad in [
            "",
            "*",
            "* build",
            "bash *",
            "env *",
            "python3 *",
            "sudo *",
            "a && b",
            "a; b",
            "a | b",
            "$X",
            "a > b",
            "A=1 b",
            "(a)",
            "c*o build",
        ] {
            assert!(Pattern::parse(bad, RuleVerdict::Allow).is_err(), "{bad}");
        }
        assert!(Pattern::parse("bash -c 'make check'", RuleVerdict::Allow).is_ok());
    }
}
