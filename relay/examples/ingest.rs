//! Measures how fast a relay takes in what an agent prints: `ingest RELAY_BINARY FILE`.
//!
//! Starts the relay, lets an agent `cat` the file, and prints one line of JSON: bytes, milliseconds until
//! the exit record is durable, and the relay's resident memory, before and at its peak, in bytes.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, ensure};
use paddock_relay_client::RelayClient;
use paddock_relay_client::protocol::{Launch, RunId, Spawn, Stdio};

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let (relay, file) = (args.next(), args.next());
    let (relay, file) = relay.zip(file).context("usage: ingest RELAY_BINARY FILE")?;
    let dir = tempfile::tempdir_in(Path::new(&file).parent().context("no directory")?)?;
    let served = Command::new(relay)
        .args(["serve", "--dir"])
        .arg(dir.path())
        .status()?;
    ensure!(served.success(), "the relay does not serve");
    let pid = std::fs::read_to_string(dir.path().join("lock"))?;
    let client = RelayClient::connect_unix(dir.path()).await?;
    let idle = memory(&pid, "VmRSS:")?;

    let bytes = std::fs::metadata(&file)?.len();
    let run = RunId::parse("ingest")?;
    let program = "cat".to_owned();
    let launch = Launch {
        program,
        args: vec![file],
        ..Launch::default()
    };
    let spawn = Spawn {
        run: run.clone(),
        launch,
        stdio: Stdio::Pipes,
        owner: None,
    };
    let started = Instant::now();
    client.spawn(&spawn).await?;
    while client.runs().await?.iter().any(|run| run.exit.is_none()) {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let ms = started.elapsed().as_millis();
    let peak = memory(&pid, "VmHWM:")?;
    println!("{{\"bytes\":{bytes},\"ms\":{ms},\"idle_rss\":{idle},\"peak_rss\":{peak}}}");
    client.shutdown(std::time::Duration::from_secs(1)).await?;
    Ok(())
}

fn memory(pid: &str, field: &str) -> anyhow::Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.trim()))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field))
        .context("no such field")?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024)
}
