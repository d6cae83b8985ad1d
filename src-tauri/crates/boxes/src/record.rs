//! What a box is made of, written down beside it.
//!
//! The record is small and complete: with it and the directories, a lost container can be made again.

use std::fs::{self, File};
use std::io::{self, Write};

use paddock_domain::{BoxKind, Network, Program, TaskId};
use serde::{Deserialize, Serialize};

use crate::{BoxDirs, BoxError};

/// One box, as `box.json` keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxRecord {
    /// The format of this record.
    pub format: u32,
    /// The task.
    pub task_id: TaskId,
    /// Container or worktree.
    pub kind: BoxKind,
    /// How far it is made.
    pub stage: Stage,
    /// The container's name on its engine; a name for people otherwise.
    pub name: String,
    /// The container's image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// What of the network a container reaches.
    pub network: Network,
    /// Most memory, in MiB.
    pub memory_mib: u64,
    /// Most processors; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<f64>,
    /// Most processes and threads.
    pub pids: u64,
    /// Its repositories.
    pub repositories: Vec<RecordedRepository>,
    /// Directories of objects on the host that the box borrows, in the order of their mounts.
    #[serde(default)]
    pub objects: Vec<String>,
    /// The agent program.
    pub program: Program,
    /// Whether it sees the whole toolbox, so that other programs can be run in it.
    #[serde(default)]
    pub whole_toolbox: bool,
    /// Addresses of the host that ports of the box lead to; served again by whoever finds the box.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forwards: Vec<std::net::SocketAddr>,
}

/// One repository of a box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRepository {
    /// Absolute path on the host, as the task names it.
    pub host_path: String,
    /// Its directory's name below the work directory.
    pub name: String,
}

/// How far a box is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It is being made, or its making was cut short.
    Making,
    /// It is complete.
    Ready,
    /// It is being removed, or its removal was cut short.
    Removing,
}

impl BoxRecord {
    /// The format that this build writes.
    pub const FORMAT: u32 = 1;

    /// Largest record that is read, in bytes.
    const MAX_LEN: u64 = 1 << 20;

    /// Reads the record in `dirs`; none when there is none.
    pub(crate) fn read(dirs: &BoxDirs) -> Result<Option<Self>, BoxError> {
        let path = dirs.record();
        let unreadable = |why: String| BoxError::BadRecord {
            path: path.display().to_string(),
            why,
        };
        let len = match fs::metadata(&path) {
            Ok(meta) => meta.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(error.to_string())),
        };
        if len > Self::MAX_LEN {
            return Err(unreadable(format!("it has {len} bytes")));
        }
        let text = fs::read(&path).map_err(|e| unreadable(e.to_string()))?;
        let record: Self = serde_json::from_slice(&text).map_err(|e| unreadable(e.to_string()))?;
        if record.format > Self::FORMAT {
            return Err(unreadable(format!(
                "it has the format {}, which a newer Paddock wrote",
                record.format
            )));
        }
        Ok(Some(record))
    }

    /// Writes the record into `dirs`, whole or not at all.
    pub(crate) fn write(&self, dirs: &BoxDirs) -> Result<(), BoxError> {
        let path = dirs.record();
        let part = path.with_extension("part");
        let written = || -> io::Result<()> {
            let mut file = File::create(&part)?;
            file.write_all(&serde_json::to_vec_pretty(self)?)?;
            file.sync_all()?;
            fs::rename(&part, &path)?;
            File::open(&dirs.root)?.sync_all()
        };
        written().map_err(|e| BoxError::disk(&path, e))
    }

    /// The record at another stage.
    pub(crate) fn at(&self, stage: Stage) -> Self {
        Self {
            stage,
            ..self.clone()
        }
    }
}
