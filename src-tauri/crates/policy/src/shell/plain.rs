//! Our own small reader: plain commands, and nothing at all where there is anything else.
//!
//! It knows quotes, backslashes, the operators that join commands, and redirections that go nowhere. It gives up
//! on every character that a shell might give a meaning: expansions, globs, braces, comments, groups,
//! assignments, keywords.

use std::iter::Peekable;
use std::str::Chars;

use super::Argv;

/// Words that are no program where a command begins.
const KEYWORDS: &[&str] = &[
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for",
    "function", "if", "in", "select", "then", "time", "until", "while", "{", "}",
];

/// What joins commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// `&&`, `||` or `|`: a command must follow.
    Operator,
    /// `;` or a new line.
    End,
}

/// The commands of `text`, each with its words as the program gets them.
pub(super) fn commands(text: &str) -> Option<Vec<Argv>> {
    let mut reader = Reader {
        rest: text.chars().peekable(),
        commands: Vec::new(),
        argv: Vec::new(),
        word: None,
        bare: true,
        redirected: false,
        joint: None,
    };
    while reader.step()? {}
    reader.finish()
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    commands: Vec<Argv>,
    argv: Argv,
    word: Option<String>,
    /// Nothing of the word was quoted.
    bare: bool,
    /// The command has a redirection, which is more than nothing.
    redirected: bool,
    /// What stands before the command.
    joint: Option<Joint>,
}

impl Reader<'_> {
    /// Takes what comes next; says whether there was anything.
    fn step(&mut self) -> Option<bool> {
        let Some(c) = self.rest.next() else {
            return Some(false);
        };
        match c {
            ' ' | '\t' => self.end_word()?,
            '\n' => self.new_line()?,
            ';' => {
                self.end_command()?;
                self.joint = Some(Joint::End);
                if matches!(self.rest.peek(), Some(';' | '&')) {
                    return None;
                }
            }
            '&' => match self.rest.next()? {
                '&' => self.operator()?,
                '>' => {
                    self.end_word()?;
                    self.nowhere()?;
                }
                _ => return None,
            },
            '|' => {
                match self.rest.peek() {
                    Some('|') => {
                        self.rest.next();
                    }
                    Some('&') => return None,
                    Some(_) | None => {}
                }
                self.operator()?;
            }
            '>' | '<' => self.redirection(c)?,
            '\'' => self.single_quoted()?,
            '"' => self.double_quoted()?,
            '\\' => match self.rest.next()? {
                '\n' => {}
                escaped => {
                    self.quote();
                    self.push(plain(escaped)?);
                }
            },
            _ => self.bare_character(c)?,
        }
        Some(true)
    }

    fn bare_character(&mut self, c: char) -> Option<()> {
        let before = self.word.as_deref().and_then(|word| word.chars().last());
        let allowed = match c {
            '$' | '`' | '*' | '?' | '[' | ']' | '{' | '}' | '(' | ')' | '!' => false,
            // Comments and the expansions of other shells begin words.
            '#' | '=' => self.word.is_some(),
            // So does a home; it may stand behind `=` and `:` too.
            '~' => before.is_some_and(|before| before != '=' && before != ':'),
            c => plain(c).is_some(),
        };
        if !allowed {
            return None;
        }
        self.push(c);
        Some(())
    }

    fn single_quoted(&mut self) -> Option<()> {
        self.quote();
        loop {
            match self.rest.next()? {
                '\'' => return Some(()),
                c => self.push(quotable(c)?),
            }
        }
    }

    fn double_quoted(&mut self) -> Option<()> {
        self.quote();
        loop {
            match self.rest.next()? {
                '"' => return Some(()),
                '$' | '`' | '!' => return None,
                '\\' => match self.rest.next()? {
                    c @ ('$' | '`' | '"' | '\\') => self.push(c),
                    '\n' => {}
                    '!' => return None,
                    c => {
                        self.push('\\');
                        self.push(quotable(c)?);
                    }
                },
                c => self.push(quotable(c)?),
            }
        }
    }

    /// A redirection that neither reads nor writes a file: to another stream, or to nowhere.
    fn redirection(&mut self, first: char) -> Option<()> {
        if self.bare
            && self
                .word
                .as_deref()
                .is_some_and(|word| matches!(word, "0" | "1" | "2"))
        {
            self.word = None;
        } else if self.bare && self.word.as_deref().is_some_and(is_number) {
            return None;
        }
        self.end_word()?;
        if first == '<' {
            return self.nowhere();
        }
        match self.rest.peek() {
            Some('&') => {
                self.rest.next();
                if !matches!(self.rest.next()?, '1' | '2') || !self.at_border() {
                    return None;
                }
                self.redirected = true;
                Some(())
            }
            Some('>') => {
                self.rest.next();
                self.nowhere()
            }
            Some(_) | None => self.nowhere(),
        }
    }

    fn nowhere(&mut self) -> Option<()> {
        while self.rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        for wanted in "/dev/null".chars() {
            self.rest.next_if_eq(&wanted)?;
        }
        self.redirected = true;
        self.at_border().then_some(())
    }

    fn at_border(&mut self) -> bool {
        matches!(
            self.rest.peek(),
            None | Some(' ' | '\t' | '\n' | ';' | '|' | '&')
        )
    }

    fn quote(&mut self) {
        self.word.get_or_insert_default();
        self.bare = false;
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) -> Option<()> {
        self.bare = true;
        let Some(word) = self.word.take() else {
            return Some(());
        };
        // An assignment, or a keyword; quoted ones too, though a shell would take those for programs.
        let first = self.argv.is_empty();
        if first && (word.contains('=') || word.is_empty() || KEYWORDS.contains(&word.as_str())) {
            return None;
        }
        self.argv.push(word);
        Some(())
    }

    /// Ends a command that must be there.
    fn end_command(&mut self) -> Option<()> {
        self.end_word()?;
        if self.argv.is_empty() {
            return None;
        }
        self.commands.push(std::mem::take(&mut self.argv));
        self.redirected = false;
        Some(())
    }

    fn operator(&mut self) -> Option<()> {
        self.end_command()?;
        self.joint = Some(Joint::Operator);
        Some(())
    }

    fn new_line(&mut self) -> Option<()> {
        self.end_word()?;
        if self.argv.is_empty() {
            // An empty line, or the rest of a line that ended with an operator.
            return (!self.redirected).then_some(());
        }
        self.end_command()?;
        self.joint = Some(Joint::End);
        Some(())
    }

    fn finish(mut self) -> Option<Vec<Argv>> {
        self.end_word()?;
        if self.argv.is_empty() {
            let open = self.redirected || self.joint == Some(Joint::Operator);
            return (!open).then_some(self.commands);
        }
        self.end_command()?;
        Some(self.commands)
    }
}

fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}

/// A character that means itself outside of quotes.
fn plain(c: char) -> Option<char> {
    let unseen = c.is_control() || (!c.is_ascii() && !c.is_alphanumeric());
    (!unseen).then_some(c)
}

/// A character that means itself within quotes.
fn quotable(c: char) -> Option<char> {
    let unseen = (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
    (!unseen).then_some(c)
}
