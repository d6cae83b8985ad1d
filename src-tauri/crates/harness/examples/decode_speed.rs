//! How fast recorded conversations are decoded, against parsing the same lines to `serde_json::Value`.
//!
//! `cargo run --release -p paddock-harness --example decode_speed [SECONDS]`: a line for each harness
//! with MB/s of both ways in the same run and their ratio.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use paddock_harness::{CodecSetup, Harness, registry};

fn main() -> std::io::Result<()> {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let span = Duration::from_secs_f64(seconds.unwrap_or(2.0));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/transcripts");
    for harness in registry() {
        for folder in std::fs::read_dir(&root)? {
            let folder = folder?;
            let name = folder.file_name().to_string_lossy().into_owned();
            if !name.starts_with(&format!("{}-", harness.name())) {
                continue;
            }
            let files = transcripts(&folder.path())?;
            let bytes: usize = files.iter().flatten().map(Vec::len).sum();
            let decoded = rate(bytes, span, || decode(*harness, &files));
            let parsed = rate(bytes, span, || parse(&files));
            println!(
                "{name}: {decoded:.0} MB/s decoded, {parsed:.0} MB/s as Value, ratio {:.2}, {bytes} bytes",
                decoded / parsed
            );
        }
    }
    Ok(())
}

/// The lines of each transcript.
fn transcripts(folder: &Path) -> std::io::Result<Vec<Vec<Vec<u8>>>> {
    let mut files = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".jsonl") && name.matches('.').count() == 1 {
            let bytes = std::fs::read(&path)?;
            files.push(
                bytes
                    .split(|byte| *byte == b'\n')
                    .map(<[u8]>::to_vec)
                    .collect(),
            );
        }
    }
    Ok(files)
}

/// MB/s of `work`, which takes `bytes`, repeated for `span`.
fn rate(bytes: usize, span: Duration, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut rounds = 0_u32;
    while start.elapsed() < span {
        work();
        rounds += 1;
    }
    #[allow(clippy::cast_precision_loss)] // a few megabytes
    let total = bytes as f64 * f64::from(rounds);
    total / start.elapsed().as_secs_f64() / 1e6
}

fn decode(harness: &dyn Harness, files: &[Vec<Vec<u8>>]) {
    let mut heard = Vec::new();
    for lines in files {
        let mut codec = harness.codec(CodecSetup::default());
        for line in lines {
            codec.hear(line, &mut heard);
            black_box(&heard);
            heard.clear();
        }
    }
}

fn parse(files: &[Vec<Vec<u8>>]) {
    for line in files.iter().flatten() {
        black_box(serde_json::from_slice::<serde_json::Value>(line).ok());
    }
}
