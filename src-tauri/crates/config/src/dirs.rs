//! Where a user's configuration and data belong on this system.

use std::path::PathBuf;

use directories::{BaseDirs, ProjectDirs};

/// The directories of the user that the program runs for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserDirs {
    /// The user's home; `~/` in a path stands for it.
    pub home: PathBuf,
    /// Where `paddock.toml` is looked for.
    pub config: PathBuf,
    /// The data directory unless another is chosen.
    pub data: PathBuf,
}

impl UserDirs {
    /// The directories by the customs of the system (XDG, Known Folders, Library), which look at this
    /// process's environment. Nothing when the user has no home.
    #[must_use]
    pub fn of_this_user() -> Option<Self> {
        let base = BaseDirs::new()?;
        let paddock = ProjectDirs::from("", "", "paddock")?;
        Some(Self {
            home: base.home_dir().to_owned(),
            config: paddock.config_dir().to_owned(),
            data: paddock.data_local_dir().to_owned(),
        })
    }
}
