//! `upload` and `download`: tar archives into the box and out of it.
//!
//! Packing and unpacking block, so they have a thread of their own and a short queue between them and
//! the stream. An archive that breaks off in the middle is an error, never a smaller archive.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use bytes::{Buf, Bytes, BytesMut};
use paddock_relay_protocol::{
    Done, Download, FrameFault, FrameKind, FrameReader, MuxStream, Refusal, RefusalCode, Upload,
    Uploaded, WireError, limits, write_frame,
};
use tokio::sync::mpsc;

use crate::session::{grant, refuse, reply};

/// Chunks that wait between the stream and the thread.
const WAITING: usize = 4;

pub(crate) async fn upload(stream: &mut MuxStream, upload: Upload) -> Result<(), WireError> {
    let dir = PathBuf::from(&upload.dir);
    if !dir.is_dir() {
        let message = format!("{} is no directory: make it first", upload.dir);
        return refuse(stream, Refusal::new(RefusalCode::Io, message)).await;
    }
    grant(stream, Done {}).await?;
    let (give, get) = mpsc::channel(WAITING);
    let unpacking = tokio::task::spawn_blocking(move || unpack(ChunkReader::new(get), &dir));
    let received = receive(stream, give).await;
    let unpacked = unpacking.await.map_err(io::Error::other)?;
    // Why it cannot be unpacked says more than that the rest was not taken.
    let outcome = unpacked.map_err(|error| {
        Refusal::new(
            RefusalCode::Io,
            format!("cannot unpack into {}: {error}", upload.dir),
        )
    });
    received?;
    reply(stream, outcome).await
}

/// Moves the archive into the channel until its end, or until nobody takes it any more.
async fn receive(
    stream: &mut MuxStream,
    give: mpsc::Sender<Option<Bytes>>,
) -> Result<(), WireError> {
    let mut frames = FrameReader::new(stream);
    loop {
        let (kind, payload) = frames.next().await?;
        let chunk = match kind {
            FrameKind::Stdin => Some(payload),
            FrameKind::Eof => None,
            kind @ (FrameKind::Stdout
            | FrameKind::Stderr
            | FrameKind::Exit
            | FrameKind::Resize
            | FrameKind::Signal
            | FrameKind::Log
            | FrameKind::LogEnd
            | FrameKind::Diff
            | FrameKind::Error
            | FrameKind::Unread) => return Err(FrameFault::OutOfPlace { kind }.into()),
        };
        let last = chunk.is_none();
        if give.send(chunk).await.is_err() || last {
            return Ok(());
        }
    }
}

fn unpack(archive: ChunkReader, dir: &Path) -> io::Result<Uploaded> {
    let mut archive = tar::Archive::new(archive);
    archive.set_preserve_permissions(true);
    archive.set_overwrite(true);
    let mut entries = 0;
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.unpack_in(dir)? {
            let path = entry.path()?.display().to_string();
            return Err(io::Error::other(format!(
                "{path} leads out of the directory"
            )));
        }
        entries += 1;
    }
    io::copy(&mut archive.into_inner(), &mut io::sink())?;
    Ok(Uploaded { entries })
}

/// The blocking end of an upload.
struct ChunkReader {
    chunks: mpsc::Receiver<Option<Bytes>>,
    current: Bytes,
    ended: bool,
}

impl ChunkReader {
    fn new(chunks: mpsc::Receiver<Option<Bytes>>) -> Self {
        Self {
            chunks,
            current: Bytes::new(),
            ended: false,
        }
    }
}

impl Read for ChunkReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() && !self.ended {
            match self.chunks.blocking_recv() {
                Some(Some(chunk)) => self.current = chunk,
                Some(None) => self.ended = true,
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
        let len = self.current.len().min(out.len());
        self.current.copy_to_slice(&mut out[..len]);
        Ok(len)
    }
}

pub(crate) async fn download(stream: &mut MuxStream, download: Download) -> Result<(), WireError> {
    let path = PathBuf::from(&download.path);
    if let Err(error) = fs::symlink_metadata(&path) {
        let message = format!("{} cannot be read: {error}", download.path);
        return refuse(stream, Refusal::new(RefusalCode::Io, message)).await;
    }
    grant(stream, Done {}).await?;
    let (give, mut chunks) = mpsc::channel(WAITING);
    let packing = tokio::task::spawn_blocking(move || pack(&path, ChunkWriter::new(give)));
    while let Some(chunk) = chunks.recv().await {
        write_frame(stream, FrameKind::Stdout, &chunk).await?;
    }
    match packing.await.map_err(io::Error::other)? {
        Ok(()) => write_frame(stream, FrameKind::Eof, &[]).await,
        Err(error) => {
            let message = format!("{} cannot be packed: {error}", download.path);
            let refusal = serde_json::to_vec(&Refusal::new(RefusalCode::Io, message))?;
            write_frame(stream, FrameKind::Error, &refusal).await
        }
    }
}

/// Packs files, directories and links; sockets, pipes and devices are no content and are left out.
fn pack(path: &Path, out: ChunkWriter) -> io::Result<()> {
    let mut archive = tar::Builder::new(out);
    archive.follow_symlinks(false);
    let name = path
        .file_name()
        .map_or_else(|| PathBuf::from("root"), PathBuf::from);
    let mut next = vec![(path.to_owned(), name)];
    while let Some((path, name)) = next.pop() {
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_dir() {
            archive.append_dir(&name, &path)?;
            let mut entries = fs::read_dir(&path)?.collect::<io::Result<Vec<_>>>()?;
            entries.sort_by_key(fs::DirEntry::file_name);
            let children = entries
                .iter()
                .rev()
                .map(|e| (e.path(), name.join(e.file_name())));
            next.extend(children);
        } else if kind.is_file() {
            append_file(&mut archive, &path, &name)?;
        } else if kind.is_symlink() {
            archive.append_path_with_name(&path, &name)?;
        }
    }
    archive.into_inner()?.flush()
}

/// A file that grows or shrinks meanwhile must not spoil what follows it: it is cut, or filled up.
fn append_file(
    archive: &mut tar::Builder<ChunkWriter>,
    path: &Path,
    name: &Path,
) -> io::Result<()> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    let mut header = tar::Header::new_gnu();
    header.set_metadata(&meta);
    let exact = file.chain(io::repeat(0)).take(meta.len());
    archive.append_data(&mut header, name, exact)
}

/// The blocking end of a download.
struct ChunkWriter {
    chunks: mpsc::Sender<Bytes>,
    current: BytesMut,
}

impl ChunkWriter {
    fn new(chunks: mpsc::Sender<Bytes>) -> Self {
        Self {
            chunks,
            current: BytesMut::new(),
        }
    }

    fn send(&mut self) -> io::Result<()> {
        let chunk = self.current.split().freeze();
        self.chunks
            .blocking_send(chunk)
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len().min(limits::CHUNK_LEN - self.current.len());
        self.current.extend_from_slice(&bytes[..len]);
        if self.current.len() == limits::CHUNK_LEN {
            self.send()?;
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.current.is_empty() {
            Ok(())
        } else {
            self.send()
        }
    }
}
