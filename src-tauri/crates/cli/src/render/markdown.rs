//! What happened, as a document: messages as they are, tool calls folded, everything else in a line.
//!
//! What an agent or a tool wrote is fenced or quoted, so that it cannot end its own frame.

use std::fmt::Write as _;

use paddock_domain::{Body, Event, ToolCallFinished, ToolCallStarted};

use super::{Paint, Transcript, clean};

/// Most lines of a tool's output; all of it is in the journal and the artifacts.
const OUTPUT_LINES: usize = 40;

/// A document under way.
pub(crate) struct MarkdownTranscript {
    /// Tells what has no form of its own here.
    plain: Transcript,
}

impl Default for MarkdownTranscript {
    fn default() -> Self {
        Self {
            plain: Transcript::new(Paint::never(), false),
        }
    }
}

impl MarkdownTranscript {
    /// The part of the document that `event` is.
    pub(crate) fn event(&mut self, event: &Event) -> String {
        let at = event.ts;
        if let Body::SessionStarted {
            task_description,
            coding_provider,
            spec,
            ..
        } = &event.body
        {
            let mut text = format!("# {}\n\n", heading(task_description));
            let _ = writeln!(text, "- Task: `{}`", event.task_id);
            let _ = writeln!(text, "- Harness: {coding_provider}");
            for repository in &spec.repositories {
                let _ = writeln!(text, "- Repository: `{}`", clean(&repository.path));
            }
            let _ = writeln!(text, "- Created: {at}\n");
            return text;
        }
        if let Body::UserMessage { content, .. } = &event.body {
            return format!("## User, {at}\n\n{}\n\n", quoted(content));
        }
        if let Body::AssistantMessage { blocks, .. } = &event.body {
            let said: Vec<_> = blocks.iter().map(|block| clean(&block.content)).collect();
            return format!("{}\n\n", said.join("\n\n").trim_end());
        }
        if let Body::Thinking { text, .. } = &event.body {
            return folded("Thinking", &quoted(text));
        }
        if let Body::ToolCallStarted(call) = &event.body {
            return started(call);
        }
        if let Body::ToolCallFinished(call) = &event.body {
            return finished(call);
        }
        let told = self.plain.event(event);
        let told = told.trim();
        if told.is_empty() {
            return String::new();
        }
        format!("{}\n\n", quoted(told))
    }
}

fn started(call: &ToolCallStarted) -> String {
    let what = [&call.command, &call.path].into_iter().flatten().next();
    let what = what.cloned().or_else(|| {
        let args = call.args.as_ref();
        args.map(|args| serde_json::to_string_pretty(args).unwrap_or_default())
    });
    let mut text = format!("**{}**\n\n", heading(&call.tool_name));
    if let Some(what) = what {
        text.push_str(&fenced(&what));
    }
    text
}

fn finished(call: &ToolCallFinished) -> String {
    let mut text = String::new();
    if call.is_error || call.exit_code.unwrap_or(0) != 0 {
        let code = call.exit_code.map(|code| format!(" with code {code}"));
        let _ = writeln!(text, "*failed{}*\n", code.unwrap_or_default());
    }
    let parts = [
        ("Output", &call.output, &call.stdout_ref),
        ("Patch", &call.patch, &call.patch_ref),
    ];
    for (name, short, long) in parts {
        if let Some(long) = long {
            let _ = writeln!(
                text,
                "{name}: [artifacts/{0}](artifacts/{0})\n",
                long.sha256
            );
        } else if let Some(short) = short.as_ref().filter(|short| !short.trim().is_empty()) {
            let mut lines: Vec<_> = short.lines().take(OUTPUT_LINES).collect();
            if short.lines().nth(OUTPUT_LINES).is_some() {
                lines.push("…");
            }
            text.push_str(&folded(name, &fenced(&lines.join("\n"))));
        }
    }
    for image in &call.images {
        let _ = writeln!(
            text,
            "![{}](artifacts/{})\n",
            clean(&image.name),
            image.sha256
        );
    }
    text
}

/// `text` in a fence that nothing in it can end.
fn fenced(text: &str) -> String {
    let text = clean(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{}\n{fence}\n\n", text.trim_end())
}

/// `text` with a mark before each line.
fn quoted(text: &str) -> String {
    let text = clean(text.trim_end());
    let lines: Vec<_> = text.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}

fn folded(name: &str, text: &str) -> String {
    format!(
        "<details><summary>{name}</summary>\n\n{}\n\n</details>\n\n",
        text.trim_end()
    )
}

/// The first line of `text`, without what would make more of it than words.
fn heading(text: &str) -> String {
    let line = clean(text.lines().next().unwrap_or_default());
    line.replace(['`', '*', '_', '<', '>', '[', ']', '#'], " ")
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_in_it() {
        let text = fenced("a\n````\nb");
        assert!(
            text.starts_with("`````text\n") && text.trim_end().ends_with("\n`````"),
            "{text}"
        );
    }

    #[test]
    fn what_is_quoted_stays_quoted() {
        assert_eq!(quoted("a\n\n# b\n"), "> a\n> \n> # b");
        assert_eq!(heading("# [x](y) <b>\nmore"), "x (y)  b");
    }
}
