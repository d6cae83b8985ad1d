//! An engine that is not there, and one that goes away in the middle.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use paddock_boxes::{BoxError, BoxEvent, BoxRequest, BoxState, Meter};
use paddock_domain::BoxKind;
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;

use crate::support::{Stand, engine, say};

/// A way to the real engine that can be cut, or blocked.
struct Way {
    path: PathBuf,
    /// Blocked, what comes is taken and never answered.
    blocked: Arc<AtomicBool>,
    /// How many connections came while it was.
    in_vain: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Way {
    fn open(path: PathBuf, engine: PathBuf) -> Self {
        let _ = std::fs::remove_file(&path);
        let listener = UnixListener::bind(&path).unwrap();
        let blocked = Arc::new(AtomicBool::new(false));
        let in_vain = Arc::new(AtomicUsize::new(0));
        let (is_blocked, tried) = (blocked.clone(), in_vain.clone());
        let task = tokio::spawn(async move {
            let mut carried = JoinSet::new();
            let mut kept_waiting = Vec::new();
            while let Ok((mut near, _)) = listener.accept().await {
                if is_blocked.load(Ordering::SeqCst) {
                    tried.fetch_add(1, Ordering::SeqCst);
                    kept_waiting.push(near);
                    continue;
                }
                let engine = engine.clone();
                carried.spawn(async move {
                    let mut far = UnixStream::connect(engine).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                });
            }
        });
        Self {
            path,
            blocked,
            in_vain,
            task,
        }
    }

    /// Cuts it, with all that is carried.
    async fn cut(self) -> PathBuf {
        self.task.abort();
        let _ = self.task.await;
        let _ = std::fs::remove_file(&self.path);
        self.path
    }
}

#[tokio::test]
async fn without_an_engine_a_task_that_does_not_mind_gets_a_worktree() {
    let stand = Stand::with_engine(Some("/no/engine.sock".to_owned())).await;
    let wanted = stand.request(BoxKind::Container);
    let error = stand.boxes.provision(&wanted, &|_| {}).await.unwrap_err();
    assert!(matches!(error, BoxError::NoEngine(_)), "{error:?}");
    assert!(error.to_string().contains("/no/engine.sock"), "{error}");
    let either = BoxRequest {
        kind: None,
        ..wanted
    };
    let live = stand.provision(&either).await;
    assert_eq!(live.record.kind, BoxKind::Worktree);
    assert_eq!(
        say(&live, "git rev-parse HEAD").await,
        stand.repository.head
    );
}

#[tokio::test]
async fn an_engine_that_goes_away_is_told_and_its_boxes_are_kept() {
    let Some(real) = engine().await else { return };
    let real = PathBuf::from(real.name());
    let sockets = tempfile::tempdir().unwrap();
    let way = Way::open(sockets.path().join("engine.sock"), real.clone());
    let stand = Stand::with_engine(Some(way.path.display().to_string())).await;
    let mut events = pin!(stand.boxes.watch());
    let live = stand.provision(&stand.request(BoxKind::Container)).await;
    let record = live.record.clone();
    // Something is heard, so that the watch has begun.
    let other = BoxRequest {
        task_id: paddock_domain::TaskId::parse("other").unwrap(),
        ..stand.bare_request(BoxKind::Container)
    };
    stand.provision(&other).await;
    stand.boxes.remove_task(&other.task_id).await.unwrap();
    while !matches!(events.next().await, Some(BoxEvent::Removed { .. })) {}

    let path = way.cut().await;
    assert!(matches!(
        events.next().await,
        Some(BoxEvent::EngineLost { .. })
    ));
    // The relay's socket needs no engine.
    say(&stand.boxes.attach(&record).await.unwrap(), "true").await;
    let found = stand.boxes.find_besides(&BTreeSet::new()).await.unwrap();
    assert_eq!((found.len(), found[0].state), (1, BoxState::Running));
    let stopped = stand.boxes.stop(&record).await;
    assert!(matches!(stopped, Err(BoxError::NoEngine(_))), "{stopped:?}");
    let removed = stand.boxes.remove(&record).await;
    assert!(matches!(removed, Err(BoxError::NoEngine(_))), "{removed:?}");

    let _way = Way::open(path, real);
    assert_eq!(events.next().await, Some(BoxEvent::EngineBack));
    // The removal that was cut short is seen, and goes on.
    assert_eq!(
        stand.boxes.find_besides(&BTreeSet::new()).await.unwrap()[0].state,
        BoxState::HalfMade
    );
    stand.boxes.remove(&record).await.unwrap();
    assert_eq!(
        stand.boxes.find_besides(&BTreeSet::new()).await.unwrap(),
        []
    );
}

#[tokio::test]
async fn an_engine_that_dies_while_a_box_is_made_leaves_something_that_can_be_found() {
    let Some(real) = engine().await else { return };
    let real = PathBuf::from(real.name());
    let sockets = tempfile::tempdir().unwrap();
    let way = Way::open(sockets.path().join("engine.sock"), real.clone());
    let stand = Stand::with_engine(Some(way.path.display().to_string())).await;
    let request = stand.request(BoxKind::Container);
    let (cut, path) = (way.task.abort_handle(), way.path.clone());
    let socket = path.clone();
    let cut_at_start = move |step| {
        if matches!(step, paddock_boxes::Step::Starting) {
            cut.abort();
            let _ = std::fs::remove_file(&socket);
        }
    };
    let error = stand
        .boxes
        .provision(&request, &cut_at_start)
        .await
        .unwrap_err();
    assert!(
        matches!(error, BoxError::Engine(_) | BoxError::NoEngine(_)),
        "{error:?}"
    );
    let found = stand.boxes.find_besides(&BTreeSet::new()).await.unwrap();
    assert_eq!((found.len(), found[0].state), (1, BoxState::HalfMade));
    let _way = Way::open(path, real);
    let live = stand.provision(&request).await;
    assert_eq!(say(&live, "cat README.md").await, "hello");
}

#[tokio::test]
async fn an_engine_that_hangs_holds_up_no_reading_for_long_and_is_left_alone_then() {
    let Some(real) = engine().await else { return };
    let sockets = tempfile::tempdir().unwrap();
    let way = Way::open(
        sockets.path().join("engine.sock"),
        PathBuf::from(real.name()),
    );
    let stand = Stand::with_engine(Some(way.path.display().to_string())).await;
    let live = stand
        .provision(&stand.bare_request(BoxKind::Container))
        .await;
    let task = [live.record.task_id.clone()];
    let mut meter = Meter::new(stand.boxes.clone());
    way.blocked.store(true, Ordering::SeqCst);
    let begun = Instant::now();
    assert!(meter.read(&task).await.is_empty());
    assert!(begun.elapsed() < Duration::from_secs(10), "it waited on");
    assert_eq!(way.in_vain.load(Ordering::SeqCst), 1);
    assert!(meter.read(&task).await.is_empty());
    let asked = way.in_vain.load(Ordering::SeqCst);
    assert_eq!(asked, 1, "a silent engine is asked again at once");
}
