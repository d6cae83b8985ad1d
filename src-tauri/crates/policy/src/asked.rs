//! What an agent asks for, as rules see it.

use paddock_domain::{Approval, ToolKind};
use serde_json::Value;

use crate::shell;

/// What an agent asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To run a command line.
    Command {
        /// The line.
        text: String,
        /// Why it is not where it seems to be.
        doubt: Option<&'static str>,
    },
    /// To write, change or remove files.
    Edit {
        /// Which.
        paths: Vec<AskedPath>,
    },
    /// To read files.
    Read {
        /// Which.
        paths: Vec<AskedPath>,
    },
    /// To read from a host on the web.
    Web {
        /// Its name, in small letters.
        host: String,
    },
    /// To use another tool.
    Tool {
        /// Its name.
        name: String,
    },
    /// Something that cannot be told.
    Unknown,
}

/// A file that an agent asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPath {
    /// The repository that it lies in, by its path on the host; none outside of all.
    pub repository: Option<String>,
    /// Its path from the repository's top, or as it was given.
    pub path: String,
    /// Why it may be another file than it seems to be.
    pub doubt: Option<&'static str>,
}

/// Where a repository lies in a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryDir {
    /// Its path on the host.
    pub host_path: String,
    /// Its directory in the box.
    pub dir: String,
}

/// Keys under which harnesses give the path of a file.
const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "filepath",
    "path",
    "notebook_path",
    "abs_path",
    "absolute_path",
    "fileName",
];
/// Keys under which they give a command line.
const COMMANDS: &[&str] = &["command", "cmd", "commandLine", "script"];
/// Keys under which they give the directory of a command.
const DIRECTORIES: &[&str] = &[
    "cwd",
    "directory",
    "workdir",
    "dir_path",
    "working_directory",
];

/// What `approval` asks for, in a box with these repositories whose agent works in `work_dir`.
#[must_use]
pub fn asked(approval: &Approval, work_dir: &str, repositories: &[RepositoryDir]) -> Asked {
    let input = approval.input.as_ref().unwrap_or(&Value::Null);
    let paths = || -> Vec<AskedPath> {
        let given = PATHS
            .iter()
            .filter_map(|key| input.get(key).and_then(Value::as_str));
        given
            .map(|path| located(path, work_dir, repositories))
            .collect()
    };
    let files = |paths: Vec<AskedPath>, asked: fn(Vec<AskedPath>) -> Asked| {
        if paths.is_empty() {
            Asked::Unknown
        } else {
            asked(paths)
        }
    };
    match approval.tool {
        ToolKind::Bash => command(input, work_dir, repositories),
        ToolKind::Write | ToolKind::Edit => files(paths(), |paths| Asked::Edit { paths }),
        ToolKind::Read | ToolKind::Glob | ToolKind::Grep => {
            files(paths(), |paths| Asked::Read { paths })
        }
        ToolKind::Web => match input.get("url").and_then(Value::as_str).and_then(host_of) {
            Some(host) => Asked::Web { host },
            None => tool(&approval.tool_name),
        },
        ToolKind::Mcp | ToolKind::Subagent | ToolKind::Todo | ToolKind::Other => {
            tool(&approval.tool_name)
        }
    }
}

fn tool(name: &str) -> Asked {
    let hides = name.trim().is_empty() || name.chars().any(|c| c.is_control() || c == '*');
    if hides {
        return Asked::Unknown;
    }
    Asked::Tool {
        name: name.to_owned(),
    }
}

fn command(input: &Value, work_dir: &str, repositories: &[RepositoryDir]) -> Asked {
    let given: Vec<&Value> = COMMANDS.iter().filter_map(|key| input.get(key)).collect();
    let [given] = given.as_slice() else {
        return Asked::Unknown;
    };
    let text = match given {
        Value::String(text) => text.clone(),
        Value::Array(words) => {
            let words: Option<Vec<String>> = words
                .iter()
                .map(|word| word.as_str().map(str::to_owned))
                .collect();
            let Some(words) = words.filter(|words| !words.is_empty()) else {
                return Asked::Unknown;
            };
            shell::quoted(&words)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return Asked::Unknown;
        }
    };
    let directory = DIRECTORIES
        .iter()
        .find_map(|key| input.get(key).and_then(Value::as_str));
    let outside = directory.is_some_and(|dir| {
        let place = located(dir, work_dir, repositories);
        let at_work = dir.trim_end_matches('/') == work_dir.trim_end_matches('/');
        !at_work && (place.repository.is_none() || place.doubt.is_some())
    });
    Asked::Command {
        text,
        doubt: outside.then_some("it runs outside of the repositories"),
    }
}

/// Where `path` lies. Nothing is looked up: links are the business of who can see the files.
fn located(path: &str, work_dir: &str, repositories: &[RepositoryDir]) -> AskedPath {
    let outside = |doubt| AskedPath {
        repository: None,
        path: path.to_owned(),
        doubt: Some(doubt),
    };
    if path.is_empty() || path.len() > 4096 || path.chars().any(char::is_control) {
        return outside("its path cannot be read");
    }
    if path.split('/').any(|part| part == "..") {
        return outside("its path leads upwards");
    }
    let whole = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{work_dir}/{path}")
    };
    let parts = |path: &str| -> Vec<String> {
        let real = path
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".");
        real.map(str::to_owned).collect()
    };
    let whole = parts(&whole);
    let inside = repositories.iter().find_map(|repository| {
        let below = whole.strip_prefix(parts(&repository.dir).as_slice())?;
        Some((repository, below.join("/")))
    });
    match inside {
        Some((repository, path)) => AskedPath {
            repository: Some(repository.host_path.clone()),
            path,
            doubt: None,
        },
        None => outside("it lies outside of the repositories"),
    }
}

/// The host of a URL; nothing where it is written in any way but the plainest.
fn host_of(url: &str) -> Option<String> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = match authority.split_once(':') {
        Some((host, port)) if port.chars().all(|c| c.is_ascii_digit()) => host,
        Some(_) => return None,
        None => authority,
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let known = !host.is_empty() && host.chars().all(plain);
    known.then(|| host.trim_end_matches('.').to_ascii_lowercase())
}

#[cfg(test)]
#[allow(clippy::wildcard_enum_match_arm)] // tests look for one kind
mod tests {
    use super::*;

    fn of(tool: &str, name: &str, input: &str) -> Asked {
        let json = format!(
            r#"{{"approval_id":"a","tool":"{tool}","tool_name":"{name}","summary":"s","scopes":["once"],"input":{input}}}"#
        );
        let approval = serde_json::from_str(&json).unwrap();
        let repositories = [RepositoryDir {
            host_path: "/host/api".into(),
            dir: "/box/api".into(),
        }];
        asked(&approval, "/box/api", &repositories)
    }

    fn path(input: &str) -> (Option<String>, String) {
        match of("edit", "Edit", &format!(r#"{{"file_path":"{input}"}}"#)) {
            Asked::Edit { paths } => (
                paths[0]
                    .doubt
                    .is_none()
                    .then(|| paths[0].repository.clone())
                    .flatten(),
                paths[0].path.clone(),
            ),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_path_is_told_from_its_repository_and_never_upwards() {
        let host = Some("/host/api".to_owned());
        assert_eq!(path("/box/api/src/a.rs"), (host.clone(), "src/a.rs".into()));
        assert_eq!(path("src//./a.rs"), (host, "src/a.rs".into()));
        for outside in [
            "/etc/passwd",
            "/box/api2/x",
            "/box/api/../x",
            "../x",
            "a/../../x",
        ] {
            assert_eq!(path(outside).0, None, "{outside}");
        }
    }

    #[test]
    fn a_host_is_taken_only_from_a_plain_url() {
        let host = |url: &str| match of("web", "WebFetch", &format!(r#"{{"url":"{url}"}}"#)) {
            Asked::Web { host } => Some(host),
            _ => None,
        };
        assert_eq!(host("https://Docs.RS/x?y").as_deref(), Some("docs.rs"));
        assert_eq!(host("http://docs.rs:8080").as_deref(), Some("docs.rs"));
        for odd in [
            "https://docs.rs@evil.com/",
            "ftp://docs.rs",
            "https://",
            "//docs.rs",
            "https://docs.rs:x@evil.com",
            r"https://docs.rs\\@evil.com",
        ] {
            assert_ne!(host(odd).as_deref(), Some("docs.rs"), "{odd}");
        }
    }

    #[test]
    fn a_command_is_a_line_or_its_words() {
        let line = |input: &str| match of("bash", "Bash", input) {
            Asked::Command { text, doubt: None } => Some(text),
            _ => None,
        };
        assert_eq!(
            line(r#"{"command":"cargo build"}"#).as_deref(),
            Some("cargo build")
        );
        assert_eq!(
            line(r#"{"command":["echo","a b;c"]}"#).as_deref(),
            Some("echo 'a b;c'")
        );
        assert_eq!(
            line(r#"{"command":"ls","cwd":"/box/api/src"}"#).as_deref(),
            Some("ls")
        );
        assert_eq!(line(r#"{"command":"ls","cwd":"/etc"}"#), None);
        assert_eq!(line(r#"{"command":"ls","cmd":"rm"}"#), None);
        assert_eq!(line("{}"), None);
    }
}
