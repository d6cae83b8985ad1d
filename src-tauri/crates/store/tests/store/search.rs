//! Search finds what the journals say, no more and no less, however it came to know it.

use std::fs;
use std::path::Path;

use paddock_domain::{Body, Event, SearchKind, ToolCallFinished, Transition};
use paddock_store::{BadQuery, Hits, Retention, SearchQuery, Store};
use proptest::prelude::*;

use crate::support::*;

fn query(text: &str) -> SearchQuery {
    SearchQuery::parse(text, now().plus_ms(60_000)).unwrap()
}

async fn catch_up(store: &Store) {
    for id in store.search_behind().await.unwrap() {
        store.index_words(&id).await.unwrap();
    }
}

async fn find(store: &Store, text: &str) -> Hits {
    store.search(&query(text), 0, 1000).await.unwrap()
}

/// Tasks and numbers of what `text` finds, sorted.
async fn places(store: &Store, text: &str) -> Vec<String> {
    let found = find(store, text).await.hits;
    let mut places: Vec<_> = found
        .iter()
        .map(|hit| format!("{}:{}", hit.task_id, hit.seq))
        .collect();
    places.sort();
    places
}

/// A tool call that gave `output` and failed.
fn failed(output: &str) -> Body {
    Body::ToolCallFinished(ToolCallFinished {
        exit_code: Some(101),
        output: Some(output.to_owned()),
        ..ToolCallFinished::default()
    })
}

/// Two tasks that say a few things.
async fn told(data: &Path) -> Store {
    let (store, _) = open(data).await;
    let mut one = store
        .create(first_with_prompt("t1", "Fix the authentication bug"))
        .await
        .unwrap();
    let say = [
        said("I will look at the login first; the token format is wrong."),
        failed("error[E0433]: failed to resolve: use of undeclared type `TokenFormat`"),
        noted("the Straße of Ünicode"),
        finished(),
    ];
    one.append(say.map(draft).to_vec()).await.unwrap();
    let mut two = store
        .create(first_with_prompt("t2", "Write docs for std::fs"))
        .await
        .unwrap();
    let say = [
        said("format of the token? no"),
        gave("ok: token"),
        finished(),
    ];
    two.append(say.map(draft).to_vec()).await.unwrap();
    catch_up(&store).await;
    store
}

#[tokio::test]
async fn words_are_found_by_their_beginnings_in_any_case_and_phrases_whole() {
    let data = tempfile::tempdir().unwrap();
    let store = told(data.path()).await;
    for (typed, expected) in [
        ("auth", &["t1:1"][..]),
        ("AUTHENTICATION bug", &["t1:1"]),
        ("token", &["t1:2", "t1:3", "t2:2"]),
        ("\"token format\"", &["t1:2"]),
        ("token -login", &["t1:3", "t2:2"]),
        ("strasse", &[]),
        ("unicode", &["t1:4"]),
        ("std::fs", &["t2:1"]),
        ("E0433", &["t1:3"]),
        ("tokens", &[]),
        ("\"tok\"", &[]),
        ("\"tok\"*", &["t1:2", "t1:3", "t2:2"]),
    ] {
        assert_eq!(places(&store, typed).await, expected, "{typed}");
    }
}

#[tokio::test]
async fn filters_leave_what_they_name() {
    let data = tempfile::tempdir().unwrap();
    let store = told(data.path()).await;
    for (typed, expected) in [
        ("token task:t2", &["t2:2"][..]),
        ("token kind:output", &["t1:3"]),
        ("kind:prompt", &["t1:1", "t2:1"]),
        ("kind:prompt harness:scripted repo:/r", &["t1:1", "t2:1"]),
        ("token harness:claude", &[]),
        ("token repo:elsewhere", &[]),
        ("token before:2020-01-01", &[]),
        ("token after:2020-01-01 kind:agent", &["t1:2", "t2:2"]),
    ] {
        assert_eq!(places(&store, typed).await, expected, "{typed}");
    }
}

#[tokio::test]
async fn a_hit_says_where_it_stands_and_marks_what_matches() {
    let data = tempfile::tempdir().unwrap();
    let store = told(data.path()).await;
    let found = find(&store, "login").await.hits;
    let [hit] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(
        (hit.kind, hit.seq, hit.at),
        (SearchKind::Agent, 2, now().plus_ms(5))
    );
    assert_eq!(
        (hit.title.as_str(), hit.harness.as_str()),
        ("Fix the authentication bug", "scripted")
    );
    let marked: String = hit.snippet.chars().collect::<Vec<_>>()
        [hit.marks[0].0 as usize..hit.marks[0].1 as usize]
        .iter()
        .collect();
    assert_eq!(marked, "login");
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap_or_a_repeat() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    drop(with_notices(&store, "t1", 25).await);
    catch_up(&store).await;
    let all = find(&store, "note").await;
    assert_eq!((all.hits.len(), all.ranked, all.more), (25, 25, false));
    let mut paged = Vec::new();
    for skip in [0, 10, 20, 30] {
        paged.extend(store.search(&query("note"), skip, 10).await.unwrap().hits);
    }
    assert_eq!(paged, all.hits);
}

#[tokio::test]
async fn the_newer_of_two_that_match_as_well_comes_first() {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    let old = Event {
        ts: now().plus_ms(-90 * 86_400_000),
        ..first_with_prompt("t1", "same words here")
    };
    drop(store.create(old).await.unwrap());
    drop(
        store
            .create(first_with_prompt("t2", "same words here"))
            .await
            .unwrap(),
    );
    catch_up(&store).await;
    let found = find(&store, "same words").await.hits;
    let tasks: Vec<_> = found.iter().map(|hit| hit.task_id.as_str()).collect();
    assert_eq!(tasks, ["t2", "t1"]);
}

#[tokio::test]
async fn a_journal_that_grows_is_told_of_and_only_its_end_is_read() {
    let data = tempfile::tempdir().unwrap();
    let store = told(data.path()).await;
    let mut journal = store.journal(&task("t1")).await.unwrap();
    assert!(
        store.grown().await.contains(&task("t1")),
        "told when it was made"
    );
    journal
        .append(vec![draft(asked("a wholly novel wish"))])
        .await
        .unwrap();
    assert!(store.grown().await.contains(&task("t1")));
    store.index_words(&task("t1")).await.unwrap();
    assert_eq!(places(&store, "novel").await, ["t1:6"]);
    assert_eq!(places(&store, "login").await, ["t1:2"], "once, not twice");
}

#[tokio::test]
async fn settled_journals_are_not_read_again_and_packed_ones_are_read_once() {
    let data = tempfile::tempdir().unwrap();
    let store = told(data.path()).await;
    let mut journal = store.journal(&task("t2")).await.unwrap();
    journal.pack().await.unwrap();
    drop(journal);
    store.close().await;
    drop(store);
    let (store, _) = open(data.path()).await;
    assert_eq!(store.search_behind().await.unwrap(), []);
    store.close().await;
    drop(store);
    fs::remove_file(data.path().join("search.sqlite")).unwrap();
    let (store, _) = open(data.path()).await;
    assert_eq!(
        store.search_behind().await.unwrap(),
        [task("t2"), task("t1")]
    );
    catch_up(&store).await;
    assert_eq!(places(&store, "docs").await, ["t2:1"]);
}

#[tokio::test]
async fn what_is_let_go_of_is_not_found_any_more() {
    let data = tempfile::tempdir().unwrap();
    let store = told(data.path()).await;
    let mut journal = store.journal(&task("t1")).await.unwrap();
    let ends = [Transition::PurgeRequested, Transition::PurgeDone];
    journal
        .append(ends.map(moved).map(draft).to_vec())
        .await
        .unwrap();
    drop(journal);
    store.archive(&task("t1")).await.unwrap();
    store.index_words(&task("t1")).await.unwrap();
    assert_eq!(
        places(&store, "login").await,
        ["t1:2"],
        "purged is not forgotten"
    );
    let keep = Retention {
        journals: Some(std::time::Duration::from_secs(14 * 86_400)),
        artifacts: None,
    };
    let later = now().plus_ms(400 * 86_400_000);
    assert!(!store.let_go(keep, false, later).await.unwrap().is_empty());
    for id in store.grown().await {
        store.index_words(&id).await.unwrap();
    }
    assert_eq!(places(&store, "login").await, [""; 0]);
    assert_eq!(places(&store, "docs").await, ["t2:1"]);
}

#[tokio::test]
async fn a_broken_file_is_made_anew() {
    let data = tempfile::tempdir().unwrap();
    let store = told(data.path()).await;
    store.close().await;
    drop(store);
    fs::write(
        data.path().join("search.sqlite"),
        "this is no database, and long enough to be none",
    )
    .unwrap();
    let (store, _) = open(data.path()).await;
    catch_up(&store).await;
    assert_eq!(places(&store, "login").await, ["t1:2"]);
}

/// What may happen to a journal while it is searched.
#[derive(Clone, Debug)]
enum Step {
    Say(usize, String),
    CatchUp,
    Pack(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let words = prop::sample::select(vec![
        "alpha",
        "beta gamma",
        "α β",
        "x_y::z",
        "\u{2}odd\u{3}",
        "-",
        "gamma alpha",
    ]);
    prop_oneof![
        6 => (0..3_usize, words).prop_map(|(task, words)| Step::Say(task, words.to_owned())),
        2 => Just(Step::CatchUp),
        1 => (0..3_usize).prop_map(Step::Pack),
    ]
}

async fn take(store: &Store, step: &Step) {
    match step {
        Step::CatchUp => catch_up(store).await,
        Step::Say(n, words) => {
            let mut journal = store.journal(&task(&format!("t{n}"))).await.unwrap();
            journal.append(vec![draft(said(words))]).await.unwrap();
        }
        Step::Pack(n) => {
            let mut journal = store.journal(&task(&format!("t{n}"))).await.unwrap();
            journal.pack().await.unwrap();
        }
    }
}

const ASKED: [&str; 6] = [
    "alpha",
    "gamma",
    "\"beta gamma\"",
    "x_y",
    "odd task:t1",
    "kind:agent",
];

async fn all_found(store: &Store) -> Vec<Hits> {
    let mut all = Vec::new();
    for text in ASKED {
        all.push(find(store, text).await);
    }
    all
}

async fn rebuilt_finds_the_same(steps: &[Step]) {
    let data = tempfile::tempdir().unwrap();
    let (store, _) = open(data.path()).await;
    for n in 0..3 {
        drop(store.create(first(&format!("t{n}"))).await.unwrap());
    }
    for step in steps {
        take(&store, step).await;
    }
    catch_up(&store).await;
    let before = all_found(&store).await;
    store.close().await;
    drop(store);
    fs::remove_file(data.path().join("search.sqlite")).unwrap();
    let (store, _) = open(data.path()).await;
    catch_up(&store).await;
    assert_eq!(all_found(&store).await, before);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn an_index_that_grew_finds_what_a_rebuilt_one_finds(steps in prop::collection::vec(step(), 1..30)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(rebuilt_finds_the_same(&steps));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_text_breaks_a_search() {
    let data = tempfile::tempdir().unwrap();
    let store = told(data.path()).await;
    let handle = tokio::runtime::Handle::current();
    let hostile = [
        "\"",
        "\"\"\"",
        "a\"b",
        "(",
        ")",
        "a AND",
        "NOT",
        "a NOT b",
        "NEAR(a b, 1)",
        "words : a",
        "tags:x",
        "{words}:a",
        "^a",
        "a^",
        "a + b",
        "*",
        "a*b",
        "-",
        "--",
        "-\"",
        "';DROP TABLE tasks;--",
        "\0",
        "a\0b",
        "\u{2}",
        "ß:ß",
        "🐴",
        "́",
        "Ⅷ ½ ²",
        "task:",
        "task:\"",
        "kind:",
        "a:b:c",
        "\\",
        "%",
        "_",
    ];
    for text in hostile {
        held_against(&store, text).await;
    }
    tokio::task::spawn_blocking(move || {
        let typed = prop::collection::vec(
            prop_oneof![
                "[a-z]{1,3}",
                Just("\"".to_owned()),
                Just(" ".to_owned()),
                Just("-".to_owned()),
                Just("*".to_owned()),
                Just("AND".to_owned()),
                Just("OR ".to_owned()),
                Just("NOT ".to_owned()),
                Just("(".to_owned()),
                Just(")".to_owned()),
                Just(":".to_owned()),
                Just("^".to_owned()),
                "\\PC{1,2}",
                "[\u{0}-\u{1f}]",
            ],
            0..20,
        );
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: 400,
            ..ProptestConfig::default()
        });
        let run = runner.run(&typed, |parts| {
            handle.block_on(held_against(&store, &parts.concat()));
            Ok(())
        });
        run.unwrap();
    })
    .await
    .unwrap();
}

async fn held_against(store: &Store, text: &str) {
    match SearchQuery::parse(text, now()) {
        Ok(query) => {
            let found = store.search(&query, 0, 5).await;
            assert!(found.is_ok(), "{text:?}: {found:?}");
        }
        Err(
            BadQuery::Nothing
            | BadQuery::TooLong { .. }
            | BadQuery::NoSuchKind { .. }
            | BadQuery::BadTime { .. },
        ) => {}
        Err(other) => panic!("{text:?}: {other}"),
    }
}
