//! What an installed program is and where it came from.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use paddock_domain::Program;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ToolboxError;

/// `manifest.json` of an installed program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The format of this file.
    pub(crate) format: u32,
    /// The program.
    pub(crate) program: Program,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// The packages that it came in.
    pub(crate) packages: Vec<Package>,
}

/// A package that was installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// What the registry says its content hashes to, as npm checked it.
    pub(crate) integrity: String,
}

impl Manifest {
    pub(crate) const FORMAT: u32 = 1;
    const NAME: &str = "manifest.json";

    /// Reads the manifest of the installation `dir`; none when there is none.
    pub(crate) fn read(dir: &Path) -> Result<Option<Self>, ToolboxError> {
        let path = dir.join(Self::NAME);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ToolboxError::disk(&path, error)),
        };
        let Ok(mut manifest) = serde_json::from_slice::<Self>(&text) else {
            return Err(ToolboxError::damaged(&path));
        };
        // A toolbox may have been moved.
        manifest.program.dir = dir.display().to_string();
        Ok(Some(manifest))
    }

    /// Writes it into the staging directory `dir`.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), ToolboxError> {
        let path = dir.join(Self::NAME);
        let written = || -> io::Result<()> {
            let mut file = File::create(&path)?;
            file.write_all(&serde_json::to_vec_pretty(self)?)?;
            file.sync_all()
        };
        written().map_err(|e| ToolboxError::disk(&path, e))
    }

    /// Whether the program is there in its size, without reading it.
    pub(crate) fn seems_whole(&self) -> bool {
        let path = Path::new(&self.program.dir).join(&self.program.program);
        fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() == self.size)
    }
}

/// SHA-256 of a file, in hexadecimal.
pub(crate) fn sha256(path: &Path) -> io::Result<String> {
    const PIECE: usize = 1 << 20;
    let (mut file, mut hash) = (File::open(path)?, Sha256::new());
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            len => hash.update(&piece[..len]),
        }
    }
    Ok(hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}
