//! `search`: what was said and done in any task, grouped by task, best first.

use anyhow::Result;
use paddock_api::{PAGE_MAX, SearchHit, SearchPage, SearchRequest};

use crate::args::{Global, SearchArgs};
use crate::exit::Exit;
use crate::reach;
use crate::render::{Paint, Tone, clean, json, line, say};
use crate::resolve::short;

/// Searches.
pub(crate) async fn search(global: &Global, args: SearchArgs) -> Result<Exit> {
    let mut words = args.words.join(" ");
    if let Some(task) = &args.task {
        words.push_str(" task:");
        words.push_str(task);
    }
    let client = reach::client(global).await?;
    let mut request = SearchRequest {
        q: words,
        ..SearchRequest::default()
    };
    let mut items = Vec::new();
    loop {
        request.limit = Some((args.limit - items.len()).clamp(1, PAGE_MAX));
        let mut page = client.search(&request).await?;
        items.append(&mut page.items);
        if items.len() >= args.limit || page.next_cursor.is_none() {
            tell(global, &SearchPage { items, ..page })?;
            return Ok(Exit::Well);
        }
        request.cursor = page.next_cursor;
    }
}

fn tell(global: &Global, found: &SearchPage) -> Result<()> {
    if global.json {
        return json(found);
    }
    let mut told: Vec<&str> = Vec::new();
    for hit in &found.items {
        let id = hit.task_id.as_str();
        if told.contains(&id) {
            continue;
        }
        told.push(id);
        line(&heading(hit));
        let of_task = found.items.iter().filter(|hit| hit.task_id.as_str() == id);
        of_task.for_each(|hit| line(&told_hit(hit)));
    }
    if found.items.is_empty() {
        say("nothing was found");
    }
    let shown = found.items.len() as u64;
    if found.ranked > shown || found.more {
        let over = if found.more { "more than " } else { "" };
        say(&format!("{shown} of {over}{}", found.ranked));
    }
    if found.unread > 0 {
        let unread = found.unread;
        say(&format!(
            "{unread} journals are still being read: what they say is not found yet"
        ));
    }
    Ok(())
}

fn heading(hit: &SearchHit) -> String {
    let paint = Paint::of_stdout();
    let state = hit.state.map_or("", |state| state.as_str());
    format!(
        "{}  {}  {}",
        paint.text(Tone::Strong, short(&hit.task_id)),
        clean(&hit.title),
        paint.text(Tone::Quiet, &format!("{} {state}", hit.harness))
    )
}

fn told_hit(hit: &SearchHit) -> String {
    let paint = Paint::of_stdout();
    let head = format!("  {:>5} {:<8} ", hit.seq, hit.kind.as_str());
    format!("{}{}", paint.text(Tone::Quiet, &head), marked(hit, paint))
}

/// The snippet in one line, what matches made to stand out.
fn marked(hit: &SearchHit, paint: Paint) -> String {
    let characters: Vec<char> = hit.snippet.chars().collect();
    let part = |from: usize, to: usize| -> String {
        let part = characters.get(from..to).unwrap_or_default().iter();
        let text: String = part.collect();
        clean(&text.replace('\n', " "))
    };
    let (mut text, mut at) = (String::new(), 0);
    for mark in &hit.marks {
        let (from, to) = (mark.from as usize, mark.to as usize);
        text.push_str(&part(at, from));
        text.push_str(&paint.text(Tone::Attention, &part(from, to)));
        at = to;
    }
    text.push_str(&part(at, characters.len()));
    text
}
