//! What a task is to be: the prompt, the repositories, the harness, the box.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountName, Attachment, HarnessName, HostName, Origin, RequestKey, TaskGroup};

/// What a user asked for. It never changes after the task was created, but for the agent: a hand-off names
/// another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskSpec {
    /// What the agent is told first.
    pub prompt: String,
    /// Files that go with the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// A title of the user's own; taken from the prompt when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The repositories to work on; none for a task that needs no code.
    #[serde(default)]
    pub repositories: Vec<RepositorySpec>,
    /// The agent program.
    pub harness: HarnessName,
    /// Which of its versions; the newest installed when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness_version: Option<String>,
    /// The model, in the harness's words; its default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How hard the model thinks, in the harness's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// The account to work with; the harness's default one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountName>,
    /// Whether it goes on by itself when a usage limit is lifted; as configured when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_on_limit: Option<bool>,
    /// What the agent may do without asking.
    #[serde(default)]
    pub permission_mode: PermissionMode,
    /// Where the box stands.
    #[serde(default = "HostName::local")]
    pub host: HostName,
    /// The box.
    #[serde(default, rename = "box")]
    pub place: BoxSpec,
    /// Chosen by the client: a repeated key gives the task that is there and creates none. The same as
    /// the header `Idempotency-Key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_key: Option<RequestKey>,
    /// The group that it belongs to: one prompt on several agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<TaskGroup>,
    /// Where it came from. Written by Paddock; a request that names one is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Box<Origin>>,
}

/// One repository of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RepositorySpec {
    /// Absolute path of a checkout on the host.
    pub path: String,
    /// Branch, tag or commit to start from; the checkout's current branch when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// An existing branch to adopt in place of a new `paddock-N`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// What an agent may do without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PermissionMode {
    /// Everything: the box is the fence.
    #[default]
    FullAuto,
    /// Edits, but commands are asked for.
    AcceptEdits,
    /// Everything that changes something is asked for.
    Ask,
    /// A plan comes first and is decided on.
    Plan,
}

/// The box that a task asks for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BoxSpec {
    /// Container or worktree; a container where there is an engine when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<BoxKind>,
    /// The container's image; the configured default when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// What of the network a container reaches; bridged when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<Network>,
    /// Most memory, in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// Most processors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<f64>,
    /// Most processes and threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pids: Option<u64>,
}

/// What a box is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoxKind {
    /// A container on an engine.
    Container,
    /// A directory on the host, its writes confined where the kernel can.
    Worktree,
}

/// What of the network a container reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// The engine's bridge: the internet, not the host's loopback.
    Bridge,
    /// Nothing but what the relay carries.
    None,
}

/// The specification cannot be a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSpec {
    /// There is nothing to do.
    #[error("the prompt is empty: say what the agent is to do")]
    EmptyPrompt,
    /// The prompt is too large.
    #[error(
        "the prompt has {len} bytes, more than {max}: put the text into a file of the repository and name it"
    )]
    LongPrompt {
        /// Its length in bytes.
        len: usize,
        /// The limit in bytes.
        max: usize,
    },
    /// Too many repositories.
    #[error("{count} repositories are more than {max}")]
    TooManyRepositories {
        /// How many.
        count: usize,
        /// The limit.
        max: usize,
    },
    /// A repository's path is relative.
    #[error("`{path}` is not an absolute path")]
    RelativePath {
        /// The path.
        path: String,
    },
    /// The same repository is named twice.
    #[error("`{path}` is named twice")]
    RepeatedRepository {
        /// The path.
        path: String,
    },
    /// A figure of the box is out of bounds.
    #[error("{field} is {value}, out of bounds: {bounds}")]
    OutOfBounds {
        /// Which figure.
        field: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        bounds: &'static str,
    },
    /// The files cannot go with it.
    #[error("{message}")]
    Attachments {
        /// What is wrong and what to do.
        message: String,
    },
    /// The check command of a group is empty or too long.
    #[error("the check is a command of 1 to {} bytes", TaskGroup::CHECK_MAX)]
    BadCheck,
    /// A text has characters that no such name has, or begins like an option.
    #[error("`{value}` is not a {field}: use visible characters, and no `-` first")]
    BadName {
        /// Which text.
        field: &'static str,
        /// What came.
        value: String,
    },
}

impl TaskSpec {
    /// Longest prompt, in bytes.
    pub const PROMPT_MAX: usize = 1 << 20;
    /// Most repositories of one task.
    pub const REPOSITORIES_MAX: usize = 16;
    /// Longest title, in characters.
    pub const TITLE_MAX: usize = 80;

    /// Holds the specification against every rule that needs no look at the world.
    ///
    /// # Errors
    /// The first [`InvalidSpec`] that was found.
    pub fn check(&self) -> Result<(), InvalidSpec> {
        if self.prompt.trim().is_empty() {
            return Err(InvalidSpec::EmptyPrompt);
        }
        if self.prompt.len() > Self::PROMPT_MAX {
            return Err(InvalidSpec::LongPrompt {
                len: self.prompt.len(),
                max: Self::PROMPT_MAX,
            });
        }
        Attachment::check(&self.attachments)?;
        let check = self.group.as_ref().and_then(|group| group.check.as_deref());
        if check.is_some_and(|check| check.trim().is_empty() || check.len() > TaskGroup::CHECK_MAX)
        {
            return Err(InvalidSpec::BadCheck);
        }
        self.check_repositories()?;
        self.check_names()?;
        self.place.check()
    }

    fn check_repositories(&self) -> Result<(), InvalidSpec> {
        let (count, max) = (self.repositories.len(), Self::REPOSITORIES_MAX);
        if count > max {
            return Err(InvalidSpec::TooManyRepositories { count, max });
        }
        for (nth, repository) in self.repositories.iter().enumerate() {
            let path = &repository.path;
            if !std::path::Path::new(path).is_absolute() {
                return Err(InvalidSpec::RelativePath { path: path.clone() });
            }
            if self
                .repositories
                .iter()
                .take(nth)
                .any(|other| other.path == *path)
            {
                return Err(InvalidSpec::RepeatedRepository { path: path.clone() });
            }
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), InvalidSpec> {
        let refs = self.repositories.iter().flat_map(|repository| {
            [
                ("base", repository.base.as_ref()),
                ("branch", repository.branch.as_ref()),
            ]
        });
        let own = [
            ("model", self.model.as_ref()),
            ("effort", self.effort.as_ref()),
            ("harness version", self.harness_version.as_ref()),
            ("image", self.place.image.as_ref()),
        ];
        for (field, value) in own.into_iter().chain(refs) {
            let Some(value) = value else { continue };
            let bad = value.is_empty()
                || value.len() > 256
                || value.starts_with('-')
                || value.chars().any(|c| c.is_control() || c.is_whitespace());
            if bad {
                return Err(InvalidSpec::BadName {
                    field,
                    value: value.chars().take(80).collect(),
                });
            }
        }
        Ok(())
    }

    /// The user's title, or the first words of the prompt.
    #[must_use]
    pub fn title(&self) -> String {
        let line = self
            .prompt
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty());
        let text = self.title.as_deref().or(line).unwrap_or_default();
        let mut title: String = text.chars().take(Self::TITLE_MAX).collect();
        if title.len() < text.len() {
            title.pop();
            title.push('…');
        }
        title
    }
}

impl BoxSpec {
    /// Whether its figures are within their bounds.
    ///
    /// # Errors
    /// [`InvalidSpec::OutOfBounds`].
    pub fn check(&self) -> Result<(), InvalidSpec> {
        let refuse = |field, value: String, bounds| {
            Err(InvalidSpec::OutOfBounds {
                field,
                value,
                bounds,
            })
        };
        match (self.memory_mib, self.cpus, self.pids) {
            (Some(mib), _, _) if !(64..=1 << 22).contains(&mib) => {
                refuse("memory_mib", mib.to_string(), "64 to 4194304")
            }
            (_, Some(cpus), _) if !(0.01..=1024.0).contains(&cpus) => {
                refuse("cpus", cpus.to_string(), "0.01 to 1024")
            }
            (_, _, Some(pids)) if !(16..=1 << 20).contains(&pids) => {
                refuse("pids", pids.to_string(), "16 to 1048576")
            }
            (_, _, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(json: &str) -> TaskSpec {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_prompt_and_a_harness_are_enough() {
        let spec = spec(r#"{"prompt":"\n Fix the bug\nplease","harness":"claude"}"#);
        assert_eq!(spec.check(), Ok(()));
        assert_eq!(spec.title(), "Fix the bug");
        assert_eq!(spec.permission_mode, PermissionMode::FullAuto);
    }

    #[test]
    fn empty_and_overlong_prompts_are_refused_and_a_megabyte_is_taken() {
        let mut spec = spec(r#"{"prompt":" ","harness":"claude"}"#);
        assert_eq!(spec.check(), Err(InvalidSpec::EmptyPrompt));
        spec.prompt = "x".repeat(TaskSpec::PROMPT_MAX);
        assert_eq!(spec.check(), Ok(()));
        assert_eq!(spec.title().chars().count(), TaskSpec::TITLE_MAX);
        spec.prompt.push('x');
        assert!(matches!(spec.check(), Err(InvalidSpec::LongPrompt { .. })));
    }

    #[test]
    fn names_that_could_be_options_are_refused() {
        let spec = spec(
            r#"{"prompt":"x","harness":"claude","repositories":[{"path":"/r","base":"--upload-pack=x"}]}"#,
        );
        assert!(matches!(
            spec.check(),
            Err(InvalidSpec::BadName { field: "base", .. })
        ));
    }

    #[test]
    fn a_repository_named_twice_and_a_relative_one_are_refused() {
        let twice = spec(
            r#"{"prompt":"x","harness":"claude","repositories":[{"path":"/r"},{"path":"/r"}]}"#,
        );
        assert!(matches!(
            twice.check(),
            Err(InvalidSpec::RepeatedRepository { .. })
        ));
        let relative = spec(r#"{"prompt":"x","harness":"claude","repositories":[{"path":"r"}]}"#);
        assert!(matches!(
            relative.check(),
            Err(InvalidSpec::RelativePath { .. })
        ));
    }

    #[test]
    fn unknown_fields_are_refused() {
        assert!(serde_json::from_str::<TaskSpec>(r#"{"prompt":"x","harness":"c","x":1}"#).is_err());
    }
}
