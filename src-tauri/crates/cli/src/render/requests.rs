//! What an agent waits for: questions, permissions, a plan; with all that is needed to decide.

use std::fmt::Write as _;

use paddock_domain::Task;

use super::{Paint, Tone, clean};

/// Most characters of an input that are shown; `paddock show --json` has all of it.
const INPUT_MAX: usize = 2000;

/// Every open request of a task. Ids are shown where an answer has to name one.
pub(super) fn requests(task: &Task, paint: Paint) -> String {
    let mut text = String::new();
    let several = task.questions.len() + task.approvals.len() > 1;
    let quiet = |words: &str| paint.text(Tone::Quiet, words);
    let id = |id: &str| match several {
        true => quiet(&format!(" --id {id}")),
        false => String::new(),
    };
    for question in &task.questions {
        let head = paint.text(Tone::Attention, "question");
        let about = question.header.as_deref().map(clean);
        let about = about.map(|about| format!("{about}: ")).unwrap_or_default();
        let words = clean(&question.text);
        let mark = id(question.question_id.as_str());
        let _ = writeln!(text, "{head} {about}{words}{mark}");
        for choice in &question.choices {
            let about = choice.description.as_deref().map(clean);
            let about = about.map(|about| quiet(&format!("  {about}")));
            let label = clean(&choice.label);
            let _ = writeln!(text, "  – {label}{}", about.unwrap_or_default());
        }
        if question.multiple {
            let _ = writeln!(text, "  {}", quiet("several may be chosen"));
        }
    }
    for approval in &task.approvals {
        let head = paint.text(Tone::Attention, "may it?");
        let mark = id(approval.approval_id.as_str());
        let _ = writeln!(text, "{head} {}{mark}", clean(&approval.summary));
        if let Some(reason) = &approval.reason {
            let _ = writeln!(text, "  {}", clean(reason));
        }
        if let Some(input) = &approval.input {
            let _ = writeln!(text, "  {}", quiet(&cut(&input.to_string())));
        }
    }
    if let Some(plan) = &task.plan {
        let head = paint.text(Tone::Attention, "plan");
        let _ = writeln!(text, "{head}\n{}", clean(&plan.text));
    }
    text
}

fn cut(input: &str) -> String {
    let shown: String = input.chars().take(INPUT_MAX).collect();
    let whole = shown.len() == input.len();
    let shown = clean(&shown);
    match whole {
        true => shown,
        false => format!("{shown} …"),
    }
}
