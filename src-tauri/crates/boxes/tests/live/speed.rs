//! How long a warm start takes, beside a bare container of the same image.

use std::time::{Duration, Instant};

use paddock_domain::BoxKind;

use crate::support::{IMAGE, Stand, engine};

const ROUNDS: usize = 15;

#[tokio::test]
#[ignore = "a measurement: run it alone, with --run-ignored only --no-capture"]
async fn a_warm_start_beside_a_bare_container() {
    let Some(_) = engine().await else { return };
    let stand = Stand::new().await;
    let (mut bare, mut empty, mut seeded, mut worktree) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        bare.push(bare_run());
        empty.push(provision(&stand, &stand.bare_request(BoxKind::Container)).await);
        seeded.push(provision(&stand, &stand.request(BoxKind::Container)).await);
        worktree.push(provision(&stand, &stand.request(BoxKind::Worktree)).await);
    }
    let bare = median(bare);
    println!("docker run --network none {IMAGE} true: {bare:?}");
    for (what, times) in [
        ("container, no repository", empty),
        ("container, seeded", seeded),
        ("worktree, seeded", worktree),
    ] {
        let time = median(times);
        println!(
            "provision, {what}: {time:?}, {:.2} of it",
            time.as_secs_f64() / bare.as_secs_f64()
        );
    }
}

fn bare_run() -> Duration {
    let begun = Instant::now();
    let run = ["run", "--rm", "--network", "none", IMAGE, "true"];
    assert!(
        std::process::Command::new("docker")
            .args(run)
            .status()
            .unwrap()
            .success()
    );
    begun.elapsed()
}

async fn provision(stand: &Stand, request: &paddock_boxes::BoxRequest) -> Duration {
    let begun = Instant::now();
    let live = stand.provision(request).await;
    let time = begun.elapsed();
    stand.boxes.remove(&live.record).await.unwrap();
    time
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
