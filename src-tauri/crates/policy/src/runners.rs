//! Programs that run, write or change what their arguments say, as data.
//!
//! A wildcard of a rule says "any arguments", and its author thinks of files and switches. For programs whose
//! arguments are commands again no wildcard holds; for programs with single such options it holds without
//! them. This is a second fence: the first is that a rule names the program.

/// Programs whose arguments are, or can be, programs: no wildcard holds for them.
const RUNNERS: &[&str] = &[
    "ash",
    "bash",
    "bash5",
    "busybox",
    "builtin",
    "bun",
    "bunx",
    "chroot",
    "chrt",
    "command",
    "csh",
    "dash",
    "deno",
    "doas",
    "docker",
    "env",
    "eval",
    "exec",
    "expect",
    "fish",
    "flock",
    "gdb",
    "ionice",
    "irb",
    "ksh",
    "ld.so",
    "lua",
    "ltrace",
    "mksh",
    "nice",
    "node",
    "nohup",
    "npx",
    "nsenter",
    "osascript",
    "parallel",
    "perl",
    "php",
    "pipx",
    "pkexec",
    "podman",
    "proot",
    "pwsh",
    "python",
    "python2",
    "python3",
    "rbash",
    "ruby",
    "run0",
    "runuser",
    "script",
    "setarch",
    "setpriv",
    "setsid",
    "sh",
    "source",
    ".",
    "ssh",
    "start-stop-daemon",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "tclsh",
    "tcsh",
    "time",
    "timeout",
    "tmux",
    "toybox",
    "trap",
    "unshare",
    "uvx",
    "watch",
    "xargs",
    "xterm",
    "zsh",
    "alias",
    "unalias",
    "enable",
    "hash",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "set",
    "shopt",
    "complete",
    "bind",
    "mapfile",
    "readarray",
    "coproc",
];

/// Options of other programs that run or write something else; an option that begins so counts.
const OPTIONS: &[(&str, &[&str])] = &[
    ("ag", &["--pager"]),
    ("awk", &["*"]),
    ("gawk", &["*"]),
    ("mawk", &["*"]),
    ("nawk", &["*"]),
    (
        "cargo",
        &[
            "--config",
            "-Z",
            "+",
            "--manifest-path",
            "-C",
            "--target-dir",
            "--artifact-dir",
            "--out-dir",
        ],
    ),
    (
        "curl",
        &[
            "-o",
            "-O",
            "--output",
            "--remote-name",
            "-K",
            "--config",
            "-T",
            "--upload",
            "-d",
            "--data",
            "-F",
            "--form",
        ],
    ),
    ("ed", &["*"]),
    ("emacs", &["*"]),
    ("ex", &["*"]),
    ("fd", &["-x", "-X", "--exec"]),
    ("fdfind", &["-x", "-X", "--exec"]),
    ("find", &["-exec", "-ok", "-delete", "-fprint", "-fls"]),
    (
        "git",
        &[
            "-c",
            "--config-env",
            "--exec-path",
            "-p",
            "--paginate",
            "--upload-pack",
            "--receive-pack",
            "-u",
            "-x",
            "--exec",
            "--ext-diff",
            "--textconv",
            "-O",
            "--open-files-in-pager",
            "--output",
            "--git-dir",
            "--work-tree",
            "-C",
            "--template",
            "ext::",
        ],
    ),
    ("go", &["-exec", "-toolexec", "-vettool", "-C", "-o"]),
    ("less", &["*"]),
    (
        "make",
        &[
            "-f",
            "-C",
            "-I",
            "--file",
            "--makefile",
            "--directory",
            "--eval",
            "-E",
            "SHELL=",
        ],
    ),
    ("man", &["-P", "--pager", "-H", "--html"]),
    ("more", &["*"]),
    ("nvim", &["*"]),
    ("rg", &["--pre", "--hostname-bin", "-z", "--search-zip"]),
    ("rsync", &["-e", "--rsh", "--rsync-path"]),
    ("scp", &["-S", "-o"]),
    ("sed", &["*"]),
    ("sort", &["--compress-program", "-o", "--output"]),
    (
        "tar",
        &[
            "--to-command",
            "--checkpoint-action",
            "-I",
            "--use-compress-program",
            "--rsh-command",
            "-F",
            "--info-script",
            "--new-volume-script",
        ],
    ),
    ("tee", &["*"]),
    ("vi", &["*"]),
    ("vim", &["*"]),
    (
        "wget",
        &["-O", "--output", "-e", "--execute", "--use-askpass"],
    ),
    ("zip", &["-T", "-TT", "--unzip-command"]),
];

/// Whether no wildcard holds for the program of this name.
pub(crate) fn is_runner(name: &str) -> bool {
    let versioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    RUNNERS.contains(&name) || (!versioned.is_empty() && RUNNERS.contains(&versioned))
}

/// Whether a wildcard may stand for `argument` of the program of this name.
pub(crate) fn may_be_any(name: &str, argument: &str) -> bool {
    if is_runner(name) {
        return false;
    }
    let Some((_, options)) = OPTIONS.iter().find(|(program, _)| *program == name) else {
        return true;
    };
    !options
        .iter()
        .any(|option| *option == "*" || argument.starts_with(option) || clustered(option, argument))
}

/// Whether a one-letter option stands in `argument` together with others, as the `x` of `-nx`.
fn clustered(option: &str, argument: &str) -> bool {
    let (Some(letter), Some(others)) = (option.strip_prefix('-'), argument.strip_prefix('-'))
    else {
        return false;
    };
    letter.len() == 1 && !others.starts_with('-') && others.contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_versioned_interpreter_is_one_too() {
        for name in ["python3.12", "bash", "perl5", ".", "lua5.4"] {
            assert!(is_runner(name), "{name}");
        }
        for name in ["cargo", "ls", "git", ""] {
            assert!(!is_runner(name), "{name}");
        }
    }

    #[test]
    fn options_that_run_something_are_seen_alone_and_in_a_cluster() {
        for (name, argument) in [
            ("find", "-exec"),
            ("find", "-execdir"),
            ("git", "-c"),
            ("git", "--output=x"),
            ("rg", "--pre=sh"),
            ("sort", "-no"),
            ("sed", "s/a/b/"),
        ] {
            assert!(!may_be_any(name, argument), "{name} {argument}");
        }
        for (name, argument) in [
            ("find", "-name"),
            ("git", "status"),
            ("cargo", "--release"),
            ("ls", "-la"),
        ] {
            assert!(may_be_any(name, argument), "{name} {argument}");
        }
    }
}
