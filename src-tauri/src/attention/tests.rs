//! What is told, once, and what the tray shows of it.

use super::*;
use serde_json::{Value, json};

/// A task with what happened to it, from its first event on.
struct Story {
    task: Task,
    seq: u64,
    language: Language,
}

impl Story {
    fn new(id: &str, title: &str) -> Self {
        let spec = json!({"prompt": "x", "harness": "scripted"});
        let first = event(
            id,
            1,
            json!({"type": "session_started", "task_description": title, "coding_provider": "scripted", "spec": spec}),
        );
        let mut story = Self {
            task: Task::begin(&first).unwrap(),
            seq: 1,
            language: Language::En,
        };
        for (from, to, on) in [
            ("pending", "branching", json!("scheduled")),
            ("branching", "provisioning", json!("branched")),
            ("provisioning", "starting", json!("box_ready")),
            ("starting", "running", json!("prompted")),
        ] {
            story.now(json!({"type": "state_changed", "from": from, "to": to, "on": on}));
        }
        story
    }

    /// Something happens; gives what the user is told of it.
    fn now(&mut self, body: Value) -> Option<Notice> {
        self.seq += 1;
        let event = event(self.task.task_id.as_str(), self.seq, body);
        self.task.record(&event);
        notice(&event, &self.task, self.language)
    }

    fn summary(&self) -> TaskSummary {
        TaskSummary::from(&self.task)
    }
}

/// An event at the time of its place, in milliseconds.
fn event(task: &str, seq: u64, mut body: Value) -> Event {
    let ts = Timestamp::from_unix_ms(i64::try_from(seq).unwrap());
    let mut event = json!({"event_id": format!("e{seq}"), "ts": ts, "seq": seq, "task_id": task, "turn_id": null});
    event
        .as_object_mut()
        .unwrap()
        .append(body.as_object_mut().unwrap());
    serde_json::from_value(event).unwrap()
}

fn question(id: &str, text: &str) -> Value {
    json!({"type": "question_asked", "question_id": id, "text": text})
}

fn told(notice: Option<Notice>) -> String {
    notice.map_or("nothing".to_owned(), |notice| {
        assert!(matches!(notice.link, Link::Task(_)));
        format!("{} | {}", notice.title, notice.body)
    })
}

#[test]
fn what_the_agent_asks_is_told_in_its_words() {
    let mut story = Story::new("t1", "Mend the login");
    assert_eq!(
        told(story.now(question("q1", "Which database?"))),
        "Question: Mend the login | Which database?"
    );
    let approval = json!({"type": "approval_requested", "approval_id": "a1", "tool": "bash", "tool_name": "Bash",
        "summary": "rm -r build", "scopes": ["once"]});
    assert_eq!(
        told(story.now(approval)),
        "Permission: Mend the login | rm -r build"
    );
    let plan = json!({"type": "plan_proposed", "plan_id": "p1", "text": "1. Look\n2. Mend"});
    assert_eq!(
        told(story.now(plan)),
        "Plan: Mend the login | 1. Look 2. Mend"
    );
}

#[test]
fn who_reads_german_is_told_in_german_and_agents_in_their_own_words() {
    let mut story = Story::new("t1", "Mend the login");
    story.language = Language::De;
    assert_eq!(
        told(story.now(question("q1", "Which database?"))),
        "Frage: Mend the login | Which database?"
    );
    story.now(json!({"type": "turn_finished", "outcome": "completed"}));
    assert_eq!(
        told(story.now(rests())),
        "Fertig: Mend the login | Wartet auf deinen nächsten Auftrag."
    );
    let tray = Attention::default().tray(&[story.summary()]);
    assert_eq!(
        tray.entries[0].label(Language::De),
        "Fertig: Mend the login"
    );
    let mut attention = Attention::default();
    attention.listed(&[], Language::De);
    let missed = attention.listed(&[story.summary()], Language::De);
    assert_eq!(missed[0].title, "Fertig: Mend the login");
}

#[test]
fn what_was_answered_meanwhile_is_not_told() {
    let mut story = Story::new("t1", "T");
    let asked = event("t1", 90, question("q1", "Which?"));
    story.now(question("q1", "Which?"));
    story.now(json!({"type": "question_answered", "question_id": "q1", "answer": null}));
    assert_eq!(notice(&asked, &story.task, Language::En), None);
}

/// The agent comes to rest.
fn rests() -> Value {
    json!({"type": "state_changed", "from": "running", "to": "waiting", "on": {"rested": "prompt"}})
}

#[test]
fn how_a_turn_ends_is_told_once_unless_the_user_ended_it() {
    let ends = |outcome: &str| {
        let mut story = Story::new("t1", "T");
        assert_eq!(
            story.now(json!({"type": "turn_finished", "outcome": outcome})),
            None
        );
        told(story.now(rests()))
    };
    assert_eq!(
        ends("completed"),
        "Finished: T | Waits for your next prompt."
    );
    assert!(ends("failed").starts_with("Failed: T | "));
    assert_eq!(ends("interrupted"), "nothing");
    assert_eq!(ends("run_ended"), "nothing");
}

#[test]
fn a_turn_that_the_next_one_followed_is_not_told_as_finished() {
    let mut story = Story::new("t1", "T");
    story.now(json!({"type": "turn_finished", "outcome": "completed"}));
    let rested = event("t1", 90, rests());
    story.now(rests());
    story.now(
        json!({"type": "user_message", "input_id": "i1", "content": "go on", "turn_id": "turn2"}),
    );
    assert_eq!(notice(&rested, &story.task, Language::En), None);
}

#[test]
fn a_sync_that_is_done_is_no_end_of_a_turn() {
    let mut story = Story::new("t1", "T");
    story.now(json!({"type": "turn_finished", "outcome": "completed"}));
    story.now(rests());
    let synced =
        json!({"type": "state_changed", "from": "pushing", "to": "waiting", "on": "synced"});
    assert_eq!(story.now(synced), None);
}

#[test]
fn a_crash_is_told_with_its_cause() {
    let mut story = Story::new("t1", "T");
    story.now(json!({"type": "error", "class": "agent", "message": "out of memory"}));
    let crashed =
        json!({"type": "state_changed", "from": "running", "to": "crashed", "on": "crashed"});
    assert_eq!(told(story.now(crashed)), "Crashed: T | out of memory");
}

#[test]
fn agents_cannot_write_markup_or_control_characters_into_a_notification() {
    let mut story = Story::new("t1", "<b>x</b>\u{1b}[2J");
    let hostile = "<a href='http://evil'>\u{202e}click\u{0}</a>\n\n\nme";
    let told = told(story.now(question("q1", hostile)));
    assert_eq!(
        told,
        "Question: ‹b›x‹/b› [2J | ‹a href='http://evil'›click ‹/a› me"
    );
    let long = story.now(question("q2", &"word ".repeat(100_000))).unwrap();
    assert!(
        long.body.chars().count() <= TEXT_MAX && long.body.ends_with('…'),
        "{}",
        long.body
    );
}

#[test]
fn what_needed_the_user_before_the_first_look_is_shown_and_not_told() {
    let mut story = Story::new("t1", "T");
    story.now(json!({"type": "state_changed", "from": "running", "to": "waiting", "on": {"rested": "prompt"}}));
    let needs = [story.summary()];
    assert_eq!(Attention::default().listed(&needs, Language::En), []);
    assert_eq!(Attention::default().tray(&needs).count, 1);
}

#[test]
fn what_was_missed_is_told_once_and_what_was_heard_is_not() {
    let mut attention = Attention::default();
    assert_eq!(attention.listed(&[], Language::En), []);
    let (mut missed, mut live) = (Story::new("t1", "Missed"), Story::new("t2", "Live"));
    let rests = json!({"type": "state_changed", "from": "running", "to": "waiting", "on": {"rested": "prompt"}});
    missed.now(rests.clone());
    live.now(rests.clone());
    let heard = json!({"task_id": "t2", "seq": live.seq, "ts": live.task.updated_at, "type": "state_changed"});
    let heard: Heard = serde_json::from_value(heard).unwrap();
    assert!(attention.heard(&heard));
    let needs = [missed.summary(), live.summary()];
    let told: Vec<String> = attention
        .listed(&needs, Language::En)
        .into_iter()
        .map(|notice| notice.title)
        .collect();
    assert_eq!(told, ["Finished: Missed"]);
    assert_eq!(attention.listed(&needs, Language::En), []);
    assert!(!attention.heard(&heard), "the list stood for it");
    missed
        .now(json!({"type": "state_changed", "from": "waiting", "to": "running", "on": "engaged"}));
    missed.now(rests);
    assert_eq!(
        attention.listed(&[missed.summary()], Language::En).len(),
        1,
        "it rested again"
    );
}

#[test]
fn whatever_a_silent_agent_says_has_the_tray_read_again_until_it_is_silent_no_more() {
    let mut attention = Attention::default();
    let mut story = Story::new("t1", "T");
    let heard = |kind: &str| -> Heard {
        let event =
            json!({"task_id": "t1", "seq": 9, "ts": "2026-01-01T00:00:00.000Z", "type": kind});
        serde_json::from_value(event).unwrap()
    };
    assert!(!attention.moves(&heard("assistant_message")));
    assert!(attention.moves(&heard("agent_silent")));
    story.now(json!({"type": "agent_silent", "since_at": "2026-01-01T00:00:00.000Z"}));
    attention.tray(&[story.summary()]);
    assert!(attention.moves(&heard("tool_call_started")));
    story.now(json!({"type": "agent_stirred"}));
    attention.tray(&[]);
    assert!(!attention.moves(&heard("assistant_message")));
}

#[test]
fn the_tray_shows_the_urgent_first_and_the_rest_as_a_number() {
    let needs: Vec<TaskSummary> = (0..20)
        .map(|n| {
            let mut story = Story::new(&format!("t{n}"), &format!("Task {n}"));
            let (to, need) = if n == 19 { ("asking", "answers") } else { ("waiting", "prompt") };
            story.now(json!({"type": "state_changed", "from": "running", "to": to, "on": {"rested": need}}));
            story.summary()
        })
        .collect();
    let tray = Attention::default().tray(&needs);
    assert_eq!((tray.count, tray.entries.len()), (20, Tray::ENTRIES_MAX));
    assert_eq!(tray.entries[0].label(Language::En), "Question: Task 19");
    assert_eq!(tray.entries[1].label(Language::En), "Finished: Task 0");
}

#[test]
fn agents_that_do_something_count_as_working() {
    let working: Vec<&str> = StateName::ALL
        .iter()
        .filter(|state| is_working(**state))
        .map(|state| state.as_str())
        .collect();
    assert_eq!(
        working,
        [
            "branching",
            "provisioning",
            "starting",
            "running",
            "pulling",
            "pushing",
            "stopping"
        ]
    );
}
