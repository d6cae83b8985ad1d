//! Switches off what a repository's configuration names one by one.
//!
//! Filters, merge drivers and credential helpers have names of the repository's choosing, so they
//! cannot be switched off unseen: the configuration is read first and each is overridden. Filters
//! pass content through unchanged (so LFS pointers stay pointers), merge drivers become git's own
//! three-way merge, and of the credential helpers and ssh commands only those of the system and the
//! user remain.
//!
//! Start at [`Disarmed::read`].

use paddock_exec::Place;

use crate::GitError;
use crate::git::{Git, LOOK, maybe};

/// The overrides that one repository needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Disarmed {
    /// Goes with every command that may read or write content.
    pub(crate) content: Vec<(String, String)>,
    /// Goes with every command that uses the network.
    pub(crate) network: Vec<(String, String)>,
    /// The user's own ssh command, if any.
    pub(crate) ssh: Option<String>,
}

const NAMED: &str = r"^(filter\..*|merge\..*\.driver|credential\..*|core\.sshcommand)$";

/// What a custom merge driver is replaced by: git's own merge of three files.
const PLAIN_MERGE: &str = "git merge-file -q %A %O %B";

impl Disarmed {
    /// Reads the configuration that `git` would use in `place`.
    pub(crate) async fn read(place: &dyn Place, git: &Git) -> Result<Self, GitError> {
        let list = git.command(["config", "-z", "--show-scope", "--get-regexp", NAMED]);
        let output = maybe(place, &list, LOOK).await?;
        Ok(output.map_or_else(Self::default, |output| Self::of(&output.text())))
    }

    /// Judges the output of `git config -z --show-scope`: scope, NUL, key, line feed, value, NUL.
    fn of(listing: &str) -> Self {
        let mut disarmed = Self::default();
        let mut fields = listing.split('\0');
        let mut users = Vec::new();
        while let (Some(scope), Some(entry)) = (fields.next(), fields.next()) {
            let (key, value) = entry.split_once('\n').unwrap_or((entry, ""));
            let trusted = matches!(scope, "system" | "global");
            disarmed.take(key, value, trusted, &mut users);
        }
        // An empty value forgets all helpers read before; the user's own then come back.
        disarmed
            .network
            .push(("credential.helper".to_owned(), String::new()));
        disarmed.network.extend(users);
        disarmed
    }

    fn take(&mut self, key: &str, value: &str, trusted: bool, users: &mut Vec<(String, String)>) {
        let off = |to: &str| (key.to_owned(), to.to_owned());
        if key.starts_with("filter.") {
            if key.ends_with(".required") {
                self.content.push(off("false"));
            } else {
                self.content.push(off(""));
            }
        } else if key.starts_with("merge.") {
            self.content.push(off(PLAIN_MERGE));
        } else if key.starts_with("credential.") && trusted {
            users.push(off(value));
        } else if key == "core.sshcommand" && trusted {
            self.ssh = Some(value.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repositorys_programs_are_off_and_the_users_stay() {
        let listing = "global\0credential.helper\nstore\0local\0credential.helper\n!evil\0\
                       local\0filter.a.b.clean\nevil\0local\0filter.x.required\ntrue\0\
                       local\0merge.m.driver\nevil\0local\0core.sshcommand\nevil\0\
                       global\0core.sshcommand\nssh -i key\0";
        let disarmed = Disarmed::of(listing);
        let text = |pairs: &[(String, String)]| {
            let lines: Vec<_> = pairs.iter().map(|(k, v)| format!("{k}={v}")).collect();
            lines.join(" ")
        };
        assert_eq!(
            text(&disarmed.content),
            format!("filter.a.b.clean= filter.x.required=false merge.m.driver={PLAIN_MERGE}")
        );
        assert_eq!(
            text(&disarmed.network),
            "credential.helper= credential.helper=store"
        );
        assert_eq!(disarmed.ssh.as_deref(), Some("ssh -i key"));
    }

    #[test]
    fn nothing_configured_still_forgets_helpers() {
        assert_eq!(Disarmed::of("").network.len(), 1);
    }
}
