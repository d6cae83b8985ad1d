//! The command line of the desktop program: few flags, and a deep link.
//!
//! A link that comes with other words is not taken: systems start us with the link alone, and whoever
//! can smuggle more into it must not reach a flag.

use std::ffi::OsString;
use std::path::PathBuf;

use paddock_api::{BadLink, Link};

/// What the program was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Args {
    /// The data directory; the user's own when absent.
    pub(crate) data: Option<PathBuf>,
    /// The configuration file.
    pub(crate) config: Option<PathBuf>,
    /// Settings by key.
    pub(crate) set: Vec<(String, String)>,
    /// The built user interface; `ui` beside the program when absent.
    pub(crate) ui: Option<PathBuf>,
    /// Start in the tray, without a window.
    pub(crate) hidden: bool,
    /// Where to go.
    pub(crate) link: Option<Link>,
}

/// The command line is wrong.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadArgs {
    /// There is no such flag.
    #[error("`{0}` is not known: use {USAGE}")]
    Unknown(String),
    /// A flag came without its value.
    #[error("`{0}` needs a value: use {USAGE}")]
    NoValue(String),
    /// A setting is not written as one.
    #[error("`--set {0}`: write it as KEY=VALUE")]
    NoSetting(String),
    /// The link is none of ours.
    #[error(transparent)]
    Link(#[from] BadLink),
    /// A link came with other words.
    #[error("a link is taken alone, without flags")]
    LinkAndMore,
}

/// How it is called.
pub(crate) const USAGE: &str = "paddock-desktop [--data DIR] [--config FILE] [--set KEY=VALUE]… [--ui DIR] [--hidden], or paddock-desktop LINK";

impl Args {
    /// The flag that starts in the tray.
    pub(crate) const HIDDEN: &'static str = "--hidden";

    /// Reads the words after the program's name.
    ///
    /// # Errors
    /// [`BadArgs`].
    pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Self, BadArgs> {
        let mut args = Self::default();
        let words: Vec<OsString> = words.into_iter().collect();
        if let Some(claimed) = words
            .iter()
            .filter_map(|word| word.to_str())
            .find(|word| Link::is_claimed(word))
        {
            args.link = Some(Link::parse(claimed)?);
            let is_alone = words.len() == 1;
            return is_alone.then_some(args).ok_or(BadArgs::LinkAndMore);
        }
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let flag = word.to_string_lossy().into_owned();
            let mut value = || words.next().ok_or_else(|| BadArgs::NoValue(flag.clone()));
            match flag.as_str() {
                "--data" => args.data = Some(value()?.into()),
                "--config" => args.config = Some(value()?.into()),
                "--ui" => args.ui = Some(value()?.into()),
                "--set" => args.set.push(setting(&value()?.to_string_lossy())?),
                Self::HIDDEN => args.hidden = true,
                _ => return Err(BadArgs::Unknown(flag)),
            }
        }
        Ok(args)
    }
}

fn setting(text: &str) -> Result<(String, String), BadArgs> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| BadArgs::NoSetting(text.to_owned()))?;
    Ok((key.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Args, BadArgs> {
        Args::parse(words.split_whitespace().map(OsString::from))
    }

    #[test]
    fn flags_are_read_and_strange_ones_are_refused() {
        let args = parse("--data /d --set log=debug --set a.b=c=d --ui u --hidden").unwrap();
        assert_eq!(args.data, Some("/d".into()));
        let set = [("log", "debug"), ("a.b", "c=d")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!((args.set, args.hidden, args.link), (set.into(), true, None));
        assert_eq!(parse("--date /d"), Err(BadArgs::Unknown("--date".into())));
        assert_eq!(parse("--data"), Err(BadArgs::NoValue("--data".into())));
        assert_eq!(parse("--set x"), Err(BadArgs::NoSetting("x".into())));
    }

    #[test]
    fn a_link_comes_alone_or_not_at_all() {
        assert_eq!(
            parse("paddock://task/a").unwrap().link,
            Some(Link::parse("paddock://task/a").unwrap())
        );
        assert_eq!(
            parse("paddock://task/a --data /evil"),
            Err(BadArgs::LinkAndMore)
        );
        assert_eq!(parse("--data paddock://task/a"), Err(BadArgs::LinkAndMore));
        assert!(matches!(parse("paddock:evil"), Err(BadArgs::Link(_))));
    }
}
