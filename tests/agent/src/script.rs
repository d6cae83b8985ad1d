//! The words that a prompt can use: each line that is a step becomes one.
//!
//! Start at [`read`]; `README.md` lists the words.

use std::time::Duration;

use crate::garbage::Garbage;
use crate::message::ToolInput;

/// Longest line that a step can ask for, in bytes.
const LONGEST: usize = 64 * 1024 * 1024;

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Say(String),
    SayMany(Bulk),
    Delta(String),
    DeltaMany(Bulk),
    Think(String),
    Tool(ToolInput),
    /// At once.
    Ask(Vec<Asked>),
    Approve {
        command: String,
    },
    Plan(String),
    Todo(Vec<String>),
    Subagent(String),
    Usage {
        input: u64,
        output: u64,
        cached: u64,
    },
    Offers(Vec<String>),
    RateLimit {
        ms: u64,
    },
    LimitUntil(String),
    Remember(String),
    Recall,
    Env(String),
    Sleep(Duration),
    Stderr(String),
    Fail(String),
    Crash(i32),
    Hang,
    IgnoreSigterm,
    CloseStdout,
    SpawnOrphan {
        seconds: String,
        holding: bool,
    },
    Garbage(Vec<Garbage>),
}

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    pub(crate) question: String,
    pub(crate) options: Vec<String>,
    pub(crate) multiple: bool,
}

/// So many lines of so many bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bulk {
    pub(crate) count: u64,
    pub(crate) bytes: usize,
    /// Lines a second; 0: as fast as it can.
    pub(crate) rate: f64,
}

/// The steps of `prompt`, in order.
pub(crate) fn read(prompt: &str) -> Vec<Step> {
    prompt.lines().filter_map(step).collect()
}

fn step(line: &str) -> Option<Step> {
    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let rest = rest.trim();
    let text = || (!rest.is_empty()).then(|| unescaped(rest));
    let first = || rest.split_whitespace().next();
    Some(match word {
        "say" => bulk(rest, "lines").map_or(Step::Say(text()?), Step::SayMany),
        "delta" => bulk(rest, "pieces").map_or(Step::Delta(text()?), Step::DeltaMany),
        "think" => Step::Think(text()?),
        "write" | "edit" | "read" | "bash" | "commit" => Step::Tool(tool(word, rest)?),
        "ask" | "ask-many" => Step::Ask(vec![ask(rest, word == "ask-many")?]),
        "ask-all" => Step::Ask(all(rest)?),
        "approve" => Step::Approve { command: text()? },
        "plan" => Step::Plan(text()?),
        "todo" => Step::Todo(parts(rest)),
        "subagent" => Step::Subagent(text()?),
        "usage" => usage(rest)?,
        "offers" => Step::Offers(rest.split_whitespace().map(str::to_owned).collect()),
        "rate-limit" => Step::RateLimit {
            ms: rest.parse().ok()?,
        },
        "limit-until" => Step::LimitUntil(first()?.to_owned()),
        "remember" => Step::Remember(text()?),
        "recall" if rest.is_empty() => Step::Recall,
        "env" => Step::Env(first()?.to_owned()),
        "sleep" => Step::Sleep(Duration::try_from_secs_f64(rest.parse().ok()?).ok()?),
        "stderr" => Step::Stderr(text()?),
        "fail" => Step::Fail(text()?),
        "crash" => Step::Crash(rest.parse().ok()?),
        "hang" if rest.is_empty() => Step::Hang,
        "ignore-sigterm" if rest.is_empty() => Step::IgnoreSigterm,
        "close-stdout" if rest.is_empty() => Step::CloseStdout,
        "spawn-orphan" => Step::SpawnOrphan {
            seconds: first().filter(|s| s.parse::<f64>().is_ok())?.to_owned(),
            holding: rest.ends_with(" holding"),
        },
        "garbage" => Step::Garbage(Garbage::read(rest)?),
        _ => return None,
    })
}

fn tool(word: &str, rest: &str) -> Option<ToolInput> {
    let pair = || {
        rest.split_once(' ')
            .map(|(path, rest)| (path.to_owned(), rest.trim()))
    };
    if rest.is_empty() {
        return None;
    }
    Some(match word {
        "write" => {
            let (path, text) = pair()?;
            let content = format!("{}\n", unescaped(text));
            ToolInput::Write { path, content }
        }
        "edit" => {
            let (path, change) = pair()?;
            let (old, new) = change.split_once(" => ")?;
            let (old, new) = (unescaped(old), unescaped(new));
            ToolInput::Edit { path, old, new }
        }
        "read" => ToolInput::Read {
            path: rest.to_owned(),
        },
        "commit" => {
            let message = rest.replace('\'', r"'\''");
            let command = format!("git add -A && git commit -m '{message}'");
            ToolInput::Bash { command }
        }
        _ => ToolInput::Bash {
            command: rest.to_owned(),
        },
    })
}

/// Questions between double bars; `many ` before one lets it have several answers.
fn all(rest: &str) -> Option<Vec<Asked>> {
    let questions = rest.split("||").map(str::trim);
    let read = |one: &str| match one.strip_prefix("many ") {
        Some(rest) => ask(rest, true),
        None => ask(one, false),
    };
    questions.map(read).collect()
}

fn ask(rest: &str, multiple: bool) -> Option<Asked> {
    let mut parts = parts(rest).into_iter();
    let question = parts.next().filter(|question| !question.is_empty())?;
    let options: Vec<String> = parts.collect();
    Some(Asked {
        question,
        options,
        multiple,
    })
}

fn usage(rest: &str) -> Option<Step> {
    let mut numbers = rest.split_whitespace().map(|number| number.parse().ok());
    Some(Step::Usage {
        input: numbers.next()??,
        output: numbers.next()??,
        cached: numbers.next().flatten().unwrap_or(0),
    })
}

/// `N lines of M bytes at R per second`.
fn bulk(rest: &str, unit: &str) -> Option<Bulk> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [
        count,
        of_what,
        "of",
        bytes,
        "bytes",
        "at",
        rate,
        "per",
        "second",
    ] = words[..]
    else {
        return None;
    };
    let bulk = Bulk {
        count: count.parse().ok()?,
        bytes: bytes.parse().ok()?,
        rate: rate.parse().ok()?,
    };
    let sane = bulk.bytes <= LONGEST && bulk.rate >= 0.0 && bulk.rate.is_finite();
    (sane && of_what == unit).then_some(bulk)
}

fn parts(rest: &str) -> Vec<String> {
    rest.split('|').map(|part| unescaped(part.trim())).collect()
}

fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_steps_are_passed_over() {
        let prompt = "Please do this:\nsay hello\\nthere\n\n  recall  \nwrite onlyname\nsay\ncrash now\nhang on";
        let expected = [Step::Say("hello\nthere".into()), Step::Recall];
        assert_eq!(read(prompt), expected);
    }

    #[test]
    fn a_flood_is_read_by_its_numbers_and_else_it_is_a_text() {
        let bulk = Bulk {
            count: 3,
            bytes: 100,
            rate: 0.5,
        };
        check(
            "say 3 lines of 100 bytes at 0.5 per second",
            Step::SayMany(bulk),
        );
        check(
            "delta 3 pieces of 100 bytes at 0.5 per second",
            Step::DeltaMany(bulk),
        );
        check("say 3 lines of text", Step::Say("3 lines of text".into()));
    }

    #[test]
    fn tools_take_what_they_need() {
        let write = ToolInput::Write {
            path: "a.txt".into(),
            content: "one two\n".into(),
        };
        check("write a.txt one two", Step::Tool(write));
        let edit = ToolInput::Edit {
            path: "a".into(),
            old: "b c".into(),
            new: "d".into(),
        };
        check("edit a b c => d", Step::Tool(edit));
        let command = r"git add -A && git commit -m 'it'\''s'".to_owned();
        check("commit it's", Step::Tool(ToolInput::Bash { command }));
    }

    #[test]
    fn questions_have_their_options_behind_bars_and_others_behind_two() {
        let asked = |question: &str, options: &[&str], multiple| Asked {
            question: question.to_owned(),
            options: options.iter().map(|&one| one.to_owned()).collect(),
            multiple,
        };
        let which = asked("Which one?", &["Red", "Dark blue"], false);
        check("ask Which one? | Red|Dark blue", Step::Ask(vec![which]));
        let all = vec![
            asked("Which one?", &["Red", "Blue"], false),
            asked("How large?", &["S", "M"], true),
        ];
        check(
            "ask-all Which one?|Red|Blue || many How large?|S|M",
            Step::Ask(all),
        );
    }

    fn check(line: &str, expected: Step) {
        assert_eq!(read(line), [expected], "{line}");
    }
}
