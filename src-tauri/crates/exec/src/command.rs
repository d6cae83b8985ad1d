//! What to run: a program, its arguments, its environment and its working directory.
//!
//! Nothing passes through a shell. Text that reaches a command from outside is one argument, never
//! syntax.

use std::collections::BTreeMap;

use bytes::Bytes;

/// One command, ready to be run in any place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The program: a name to look up in the place's `PATH`, or an absolute path there.
    pub program: String,
    /// Its arguments, without the program's own name.
    pub args: Vec<String>,
    /// Variables set on top of the place's own environment.
    pub env: BTreeMap<String, String>,
    /// Working directory in the place; the place's default when absent.
    pub cwd: Option<String>,
    /// Bytes for its standard input, which is closed after them.
    pub stdin: Bytes,
}

impl Command {
    /// A command without arguments.
    pub fn new(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
            ..Self::default()
        }
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds several arguments.
    #[must_use]
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets one variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub fn cwd(mut self, dir: impl Into<String>) -> Self {
        self.cwd = Some(dir.into());
        self
    }

    /// Sets what the command reads from its standard input.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Bytes>) -> Self {
        self.stdin = bytes.into();
        self
    }
}
