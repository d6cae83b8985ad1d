//! A repository with a gigabyte of history against the same files without it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::{Figure, median, start};
use crate::checkout::Checkout;
use crate::served::Served;
use crate::step;

const TIMES: usize = 7;
const FILES: usize = 2000;
/// Old versions of a file that is gone, each of [`BLOB_LEN`] bytes that nothing compresses.
const BLOBS: usize = 256;
const BLOB_LEN: usize = 4 << 20;
/// Largest ratio aimed at.
const RATIO_MAX: f64 = 1.1;

pub(crate) fn measure(checkout: &Checkout) -> anyhow::Result<Vec<Figure>> {
    let dir = tempfile::tempdir()?;
    let (large, small) = (dir.path().join("large"), dir.path().join("small"));
    make(&large, BLOBS)?;
    make(&small, 0)?;
    // What was just made is on its way to the disk, and a journal's lines would wait behind it.
    step::quiet("sync", &mut Command::new("sync"))?;
    let data = dir.path().join("data");
    std::fs::create_dir(&data)?;
    let served = Served::start(checkout, &data, &BTreeMap::new())?;
    served.install(checkout, "scripted")?;
    let (mut with, mut without) = (Vec::new(), Vec::new());
    start::warm_start(&served, &large)?;
    start::warm_start(&served, &small)?;
    for _ in 0..TIMES {
        with.push(start::warm_start(&served, &large)?);
        without.push(start::warm_start(&served, &small)?);
    }
    let (with, without) = (median(&mut with), median(&mut without));
    Ok(vec![Figure {
        what: "warm start with 1 GB of history over the same 2,000 files without",
        measured: format!("{:.2}× ({with:.0} ms over {without:.0} ms)", with / without),
        aim: "≤ 1.10×",
        met: with / without <= RATIO_MAX,
        note: format!(
            "medians of {TIMES}, in turn. The history is {BLOBS} commits with 4 MiB each that nothing compresses; objects are borrowed, so only the checkout costs."
        ),
    }])
}

/// A repository of [`FILES`] files whose history holds `blobs` large ones.
fn make(path: &Path, blobs: usize) -> anyhow::Result<()> {
    step::quiet(
        "git init",
        Command::new("git")
            .args(["init", "-q", "-b", "main"])
            .arg(path),
    )?;
    for (key, value) in [("user.name", "Bench"), ("user.email", "bench@example.com")] {
        step::quiet(
            "git config",
            Command::new("git")
                .arg("-C")
                .arg(path)
                .args(["config", key, value]),
        )?;
    }
    let mut import = Command::new("git");
    import
        .arg("-C")
        .arg(path)
        .args(["-c", "core.compression=0", "fast-import", "--quiet"]);
    let mut child = import.stdin(Stdio::piped()).spawn()?;
    let mut to = std::io::BufWriter::new(child.stdin.take().context("no stdin")?);
    let mut noise = Noise(1);
    for n in 0..blobs {
        begin(&mut to, n)?;
        writeln!(to, "M 100644 inline large.bin\ndata {BLOB_LEN}")?;
        to.write_all(&noise.bytes(BLOB_LEN))?;
        writeln!(to)?;
    }
    begin(&mut to, blobs)?;
    if blobs > 0 {
        writeln!(to, "D large.bin")?;
    }
    for n in 0..FILES {
        let text = format!("file {n}\n").repeat(40);
        write!(
            to,
            "M 100644 inline src/{}/file{n}.txt\ndata {}\n{text}\n",
            n % 50,
            text.len()
        )?;
    }
    to.flush()?;
    drop(to);
    ensure!(child.wait()?.success(), "git fast-import failed");
    step::quiet(
        "git checkout",
        Command::new("git")
            .arg("-C")
            .arg(path)
            .args(["checkout", "-q", "main", "--", "."]),
    )?;
    Ok(())
}

fn begin(to: &mut impl Write, n: usize) -> std::io::Result<()> {
    write!(
        to,
        "commit refs/heads/main\ncommitter Bench <bench@example.com> {} +0000\ndata 1\n.\n",
        1_700_000_000 + n
    )
}

/// Bytes that nothing compresses: xorshift64.
struct Noise(u64);

impl Noise {
    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(len);
        while bytes.len() < len {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            bytes.extend_from_slice(&self.0.to_le_bytes());
        }
        bytes
    }
}
