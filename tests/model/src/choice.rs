//! Chooses what to answer: a story's step, a summary, a sample of a schema, a title, or an echo.
//!
//! The choice depends on the request alone. Start at [`choose`].

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::bind;
use crate::conversation::{Conversation, Message, Role};
use crate::marker::Marker;
use crate::sample;
use crate::story::{self, Reply, SUMMARY, SUMMARY_SIGN, Scene, Step, say};

/// Longest piece of a tool result that a story repeats, in characters.
const RESULT_LEN: usize = 300;
/// Longest piece of an unmarked prompt that is echoed, in characters.
const ECHO_LEN: usize = 200;

/// What to answer, and why.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) step: Step,
    /// The story and the step (`write/0`), or a word in brackets for what is no story.
    pub(crate) label: String,
    /// The same for a repeated request, another for any other prompt or step.
    pub(crate) key: u64,
}

/// Chooses for `conversation`; `forced` is the story that the base URL names.
pub(crate) fn choose(conversation: &Conversation, forced: Option<&str>) -> Choice {
    if wants_summary(conversation) {
        return aside(say(SUMMARY), "(summary)");
    }
    if let Some(schema) = &conversation.schema {
        let sample = sample::from_schema(schema, "").to_string();
        return aside(say(sample), "(schema)");
    }
    let found = marked(conversation);
    if conversation.tools.is_empty() && forced.is_none() && !asks_without_tools(&found) {
        return aside(say("Fake session title"), "(title)");
    }
    match (found, forced) {
        (Some((marker, at)), _) => play(conversation, &marker, Some(at)),
        (None, Some(name)) => play(conversation, &Marker::named(name), None),
        (None, None) => {
            let text = conversation.last_user_text().unwrap_or("(nothing)");
            aside(say(format!("ECHO: {}", tail(text, ECHO_LEN))), "(echo)")
        }
    }
}

fn aside(reply: Reply, label: &str) -> Choice {
    Choice {
        step: Step::Reply(reply),
        label: label.to_owned(),
        key: 0,
    }
}

fn play(conversation: &Conversation, marker: &Marker, at: Option<usize>) -> Choice {
    let after = &conversation.messages[at.map_or(0, |at| at + 1)..];
    let mut number = model_turns(after);
    let mut steps = story::steps(marker, &scene(conversation, marker));
    if after
        .iter()
        .any(|message| message.text.contains(SUMMARY_SIGN))
    {
        // The turns in between were condensed away: go to the end.
        number = number.max(
            steps
                .as_ref()
                .map_or(0, |steps| steps.len().saturating_sub(1)),
        );
    }
    let name = &marker.name;
    let step = match steps.as_mut() {
        None => Step::Reply(say(format!("There is no story named {name:?}."))),
        Some(steps) if number < steps.len() => steps.swap_remove(number),
        Some(_) => Step::Reply(say(format!("(The story {name} is over; turn {number}.)"))),
    };
    let prompt = at.map(|at| conversation.messages[at].text.as_str());
    let mut hasher = DefaultHasher::new();
    (name, number, prompt).hash(&mut hasher);
    Choice {
        step,
        label: format!("{name}/{number}"),
        key: hasher.finish(),
    }
}

fn scene(conversation: &Conversation, marker: &Marker) -> Scene {
    let named = marker.text("cwd").map(str::to_owned);
    let directory = named.or_else(|| conversation.working_directory());
    let results = conversation.fresh_results();
    let last = results.last().map_or("", |result| result.trim());
    Scene {
        // Most tools take a path that is relative to where they work.
        directory: directory.unwrap_or_else(|| ".".to_owned()),
        last_result: last.chars().take(RESULT_LEN).collect(),
        images: conversation.images(),
        plan_file: conversation.plan_file(),
        plans_in_text: bind::plans_in_text(&conversation.tools),
    }
}

/// The last marker of the user's texts (or of notes of the agent program), and where it stands.
fn marked(conversation: &Conversation) -> Option<(Marker, usize)> {
    let numbered = conversation.messages.iter().enumerate().rev();
    let mut spoken = numbered.filter(|(_, m)| matches!(m.role, Role::User | Role::System));
    spoken.find_map(|(at, message)| Some((Marker::last_in(&message.text)?, at)))
}

/// Agents ask for titles without offering tools and with the prompt inside; a marker that really
/// wants its story without tools says `tools=none`.
fn asks_without_tools(found: &Option<(Marker, usize)>) -> bool {
    let marker = found.as_ref().map(|(marker, _)| marker);
    marker.and_then(|marker| marker.text("tools")) == Some("none")
}

fn model_turns(messages: &[Message]) -> usize {
    let spoken = messages.chunk_by(|a, b| a.role == b.role);
    spoken
        .filter(|turn| turn[0].role == Role::Assistant)
        .count()
}

fn wants_summary(conversation: &Conversation) -> bool {
    const PHRASES: [&str; 9] = [
        "detailed summary of the conversation",
        "detailed summary of our conversation",
        "detailed summary of this conversation",
        "context checkpoint compaction",
        "context summarization",
        "state_snapshot",
        "summarize the conversation",
        "anchored summary",
        "<conversation-to-summarize>",
    ];
    let text = conversation.last_user_text().unwrap_or_default();
    if Marker::last_in(tail(text, 2 * ECHO_LEN)).is_some() {
        return conversation.condense;
    }
    let mut asked = text.to_ascii_lowercase();
    if conversation.tools.is_empty() {
        asked.push_str(&conversation.system.to_ascii_lowercase());
    }
    conversation.condense || PHRASES.iter().any(|phrase| asked.contains(phrase))
}

/// The last `count` characters of `text`.
fn tail(text: &str, count: usize) -> &str {
    let start = text.char_indices().rev().nth(count.saturating_sub(1));
    &text[start.map_or(0, |(at, _)| at)..]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::conversation::{Shape, Tool};

    #[test]
    fn the_number_of_model_turns_after_the_marker_is_the_step() {
        check("u:hi [[fake:write]]", "write/0");
        check("u:hi [[fake:write]]|a:|t:ok", "write/1");
        check("u:hi [[fake:write]]|a:|a:|t:ok|t:ok|a:|t:ok", "write/2");
        check(
            "u:[[fake:hello]]|a:hello|u:now [[fake:bash]]|a:|t:42",
            "bash/1",
        );
    }

    #[test]
    fn a_marker_in_a_tool_result_or_an_answer_picks_nothing() {
        check("u:plain|a:[[fake:write]]|t:[[fake:bash]]", "(echo)");
    }

    #[test]
    fn a_request_without_tools_is_for_a_title_unless_the_marker_says_not() {
        let label = |text: &str| {
            choose(
                &Conversation {
                    tools: vec![],
                    ..read(text)
                },
                None,
            )
            .label
        };
        assert_eq!(label("u:[[fake:write]]"), "(title)");
        assert_eq!(label("u:[[fake:hello tools=none]]"), "hello/0");
    }

    #[test]
    fn a_forced_story_plays_where_no_marker_is() {
        let conversation = read("u:plain");
        assert_eq!(choose(&conversation, Some("bash")).label, "bash/0");
        let marked = read("u:[[fake:hello]]");
        assert_eq!(choose(&marked, Some("bash")).label, "hello/0");
    }

    #[test]
    fn a_condensed_conversation_goes_to_the_last_step() {
        let text = format!("u:[[fake:write]]|u:{SUMMARY}");
        check(&text, "write/2");
    }

    #[test]
    fn a_call_to_condense_gets_a_summary() {
        check(
            "u:Create a detailed summary of the conversation so far",
            "(summary)",
        );
    }

    #[test]
    fn an_unknown_story_and_one_that_is_over_say_so() {
        for text in ["u:[[fake:nonsense]]", "u:[[fake:hello]]|a:x|u:y|a:z|u:q"] {
            let Step::Reply(reply) = choose(&read(text), None).step else {
                panic!("a reply");
            };
            assert!(format!("{:?}", reply.parts).contains("story"), "{reply:?}");
        }
    }

    fn check(text: &str, label: &str) {
        assert_eq!(choose(&read(text), None).label, label, "{text}");
    }

    /// Reads messages `ROLE:TEXT` parted by `|`, with one tool on offer.
    fn read(text: &str) -> Conversation {
        let messages = text.split('|').map(|message| match message.split_at(2) {
            ("u:", text) => Message::text(Role::User, text.into()),
            ("a:", text) => Message::text(Role::Assistant, text.into()),
            (_, text) => Message::result(text.into()),
        });
        let bash = Tool {
            name: "Bash".into(),
            schema: json!({}),
            shape: Shape::Function,
        };
        Conversation {
            messages: messages.collect(),
            tools: vec![bash],
            ..Conversation::default()
        }
    }
}
