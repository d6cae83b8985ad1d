//! A real server followed, with a desktop that writes down what it is asked to show.

#![cfg(unix)]

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Mutex;

use paddock_api::{InstallRequest, Link};
use paddock_client::InstallItem;
use paddock_domain::HarnessName;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::*;
use crate::args::Args;
use crate::desktop::{Notice, Tray};
use crate::home::Home;
use crate::open_box::With;
use crate::premises::Premises;
use crate::words::Language;

#[derive(Debug, PartialEq)]
enum Shown {
    Tray(Tray),
    Badge(usize),
    Notice(Notice),
}

/// Writes down what it shows.
struct Paper {
    shown: UnboundedSender<Shown>,
    language: Language,
    watched: Mutex<Option<Link>>,
}

impl Paper {
    fn new() -> (Self, UnboundedReceiver<Shown>) {
        let (shown, seen) = unbounded_channel();
        (
            Self {
                shown,
                language: Language::En,
                watched: Mutex::default(),
            },
            seen,
        )
    }
}

impl Desktop for Paper {
    fn tray(&self, tray: &Tray) {
        self.shown.send(Shown::Tray(tray.clone())).unwrap();
    }
    fn badge(&self, count: usize) {
        self.shown.send(Shown::Badge(count)).unwrap();
    }
    fn notify(&self, notice: &Notice) {
        self.shown.send(Shown::Notice(notice.clone())).unwrap();
    }
    fn open(&self, _: &Link) {}
    fn language(&self) -> Language {
        self.language
    }
    fn watched(&self) -> Option<Link> {
        self.watched.lock().unwrap().clone()
    }
    fn show(&self, _: &Path, _: With) -> io::Result<()> {
        Ok(())
    }
}

async fn home(data: &Path) -> Home {
    let args = Args {
        data: Some(data.to_owned()),
        set: vec![("listen".to_owned(), "127.0.0.1:0".to_owned())],
        ..Args::default()
    };
    let agent = data.join("agent");
    std::fs::write(&agent, "#!/bin/sh\necho 0.1.0\n").unwrap();
    std::fs::set_permissions(&agent, Permissions::from_mode(0o755)).unwrap();
    let premises = Premises::load(&args).unwrap().with_agent(&agent);
    let home = Home::open(&premises).await.unwrap();
    let scripted = HarnessName::parse("scripted").unwrap();
    let mut installing = home
        .client()
        .install(&scripted, &InstallRequest { version: None })
        .await
        .unwrap();
    while !matches!(installing.next().await.unwrap(), InstallItem::Done(_)) {}
    home
}

/// A task that fails: no relay stands beside the tests, so there is no box.
async fn fail(client: &Client, title: &str) -> Link {
    let spec = serde_json::json!({"prompt": "x", "title": title, "harness": "scripted", "box": {"kind": "worktree"}});
    let task = client
        .create(&serde_json::from_value(spec).unwrap())
        .await
        .unwrap();
    Link::Task(task.task_id)
}

/// Follows until what is shown passes `end`; gives all of it.
async fn until(
    client: &Client,
    paper: &Paper,
    seen: &mut UnboundedReceiver<Shown>,
    attention: &mut Attention,
    end: impl Fn(&Shown) -> bool,
) -> Vec<Shown> {
    let mut all = Vec::new();
    let read = async {
        loop {
            let shown = seen.recv().await.unwrap();
            let is_end = end(&shown);
            all.push(shown);
            if is_end {
                break;
            }
        }
    };
    tokio::select! {
        error = follow(client, paper, attention) => panic!("{error:?}"),
        () = read => {}
    }
    all
}

fn notices(all: &[Shown]) -> Vec<&Notice> {
    all.iter()
        .filter_map(|shown| match shown {
            Shown::Notice(notice) => Some(notice),
            Shown::Tray(_) | Shown::Badge(_) => None,
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_fails_is_told_once_and_stands_in_the_tray() {
    let data = tempfile::tempdir().unwrap();
    let home = home(data.path()).await;
    let client = home.client().clone();
    let (paper, mut seen) = Paper::new();
    let mut attention = Attention::default();
    let first = until(&client, &paper, &mut seen, &mut attention, |shown| {
        *shown == Shown::Badge(0)
    })
    .await;
    assert_eq!(first, [Shown::Tray(Tray::default()), Shown::Badge(0)]);
    let link = fail(&client, "Mend the login").await;
    let all = until(&client, &paper, &mut seen, &mut attention, |shown| {
        *shown == Shown::Badge(1)
    })
    .await;
    let told = notices(&all);
    assert_eq!(
        (told.len(), told[0].title.as_str(), &told[0].link),
        (1, "Failed: Mend the login", &link)
    );
    let entry = all.iter().rev().find_map(|shown| match shown {
        Shown::Tray(tray) => tray.entries.first(),
        Shown::Badge(_) | Shown::Notice(_) => None,
    });
    assert_eq!(
        entry.map(|entry| (entry.label(Language::En), &entry.link)),
        Some(("Failed: Mend the login".to_owned(), &link))
    );
    assert_eq!(working(&client).await.unwrap(), 0);
    home.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_while_nobody_followed_is_told_and_what_was_there_before_is_not() {
    let data = tempfile::tempdir().unwrap();
    let home = home(data.path()).await;
    let client = home.client().clone();
    let (paper, mut seen) = Paper::new();
    let mut attention = Attention::default();
    fail(&client, "Before").await;
    wait_for_needs(&client, 1).await;
    let first = until(&client, &paper, &mut seen, &mut attention, |shown| {
        *shown == Shown::Badge(1)
    })
    .await;
    assert_eq!(notices(&first), Vec::<&Notice>::new());
    let link = fail(&client, "Missed").await;
    wait_for_needs(&client, 2).await;
    let then = until(&client, &paper, &mut seen, &mut attention, |shown| {
        *shown == Shown::Badge(2)
    })
    .await;
    assert_eq!(
        notices(&then)
            .iter()
            .map(|notice| &notice.link)
            .collect::<Vec<_>>(),
        [&link]
    );
    let again = until(&client, &paper, &mut seen, &mut attention, |shown| {
        *shown == Shown::Badge(2)
    })
    .await;
    assert_eq!(notices(&again), Vec::<&Notice>::new());
    home.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_aside_anywhere_leaves_tray_and_badge() {
    let data = tempfile::tempdir().unwrap();
    let home = home(data.path()).await;
    let client = home.client().clone();
    let (paper, mut seen) = Paper::new();
    let mut attention = Attention::default();
    let Link::Task(task) = fail(&client, "Look later").await else {
        panic!("a task that failed is no task");
    };
    wait_for_needs(&client, 1).await;
    let mark = |aside: bool| {
        let (client, task) = (client.clone(), task.clone());
        let request = paddock_api::AsideRequest {
            aside,
            ..paddock_api::AsideRequest::default()
        };
        tokio::spawn(async move { client.put_aside(&task, &request).await.unwrap() });
    };
    // While it is followed: the event alone leads there.
    let once = std::sync::Once::new();
    let all = until(&client, &paper, &mut seen, &mut attention, |shown| {
        if *shown == Shown::Badge(1) {
            once.call_once(|| mark(true));
        }
        *shown == Shown::Badge(0)
    })
    .await;
    assert!(all.contains(&Shown::Tray(Tray::default())), "{all:?}");
    let once = std::sync::Once::new();
    let back = until(&client, &paper, &mut seen, &mut attention, |shown| {
        if *shown == Shown::Badge(0) {
            once.call_once(|| mark(false));
        }
        *shown == Shown::Badge(1)
    })
    .await;
    assert_eq!(notices(&back), Vec::<&Notice>::new());
    home.close().await;
}

/// Waits until `count` tasks need the user.
async fn wait_for_needs(client: &Client, count: usize) {
    let mut feed = client.all_events(None);
    while needs(client).await.unwrap().len() < count {
        feed.next().await.unwrap();
    }
}
