//! The seam: all that the shell asks of a desktop. Behind it stands the window system, or a test.
//!
//! What to show is decided before the seam ([`crate::attention`], [`crate::follow`]); what stands behind
//! it only shows.

use std::io;
use std::path::Path;

use paddock_api::Link;

use crate::open_box::With;
use crate::words::Language;

/// A desktop: tray, notifications, windows, a badge, other programs. Every method returns at once.
pub(crate) trait Desktop: Send + Sync {
    /// Shows what waits for the user in the tray.
    fn tray(&self, tray: &Tray);

    /// Shows how many tasks need the user on the program's icon; 0 takes the badge away.
    fn badge(&self, count: usize);

    /// Shows a notification; a click on it opens its link.
    fn notify(&self, notice: &Notice);

    /// Brings the window to the front, makes it where there is none, and goes to `link` in it.
    fn open(&self, link: &Link);

    /// What the user reads.
    fn language(&self) -> Language;

    /// What the user looks at, while our window has the focus.
    fn watched(&self) -> Option<Link>;

    /// Shows `folder` in another program, within a quarter of a second or so.
    ///
    /// # Errors
    /// That no program for it is there, or that it would not start.
    fn show(&self, folder: &Path, with: With) -> io::Result<()>;
}

/// What the tray shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tray {
    /// Tasks that need the user, longest first; at most [`Self::ENTRIES_MAX`].
    pub(crate) entries: Vec<Entry>,
    /// How many tasks need the user, in all.
    pub(crate) count: usize,
}

impl Tray {
    /// Most tasks in the menu.
    pub(crate) const ENTRIES_MAX: usize = 12;
}

/// A task in the tray's menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Where a click leads.
    pub(crate) link: Link,
    /// What is needed, in an English word.
    pub(crate) need: &'static str,
    /// The task's title.
    pub(crate) title: String,
}

impl Entry {
    /// What it says.
    #[must_use]
    pub(crate) fn label(&self, language: Language) -> String {
        format!("{}: {}", language.say(self.need), self.title)
    }
}

/// A notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    /// Where a click leads.
    pub(crate) link: Link,
    /// Its heading.
    pub(crate) title: String,
    /// Its text.
    pub(crate) body: String,
}
