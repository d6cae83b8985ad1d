//! Agents that speak the Agent Client Protocol and that the user adds: `agent.<name>.<field>`.
//!
//! What makes an agent whole is the harness's to know; here each field is a text or a list of texts.

use std::collections::BTreeMap;

use paddock_domain::HarnessName;

use crate::given::Given;

/// One agent as it was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentSettings {
    /// Its program: an absolute path to one file on this machine, or where it lies below `node_modules`.
    pub program: Option<String>,
    /// Its npm package; none for a file on this machine.
    pub package: Option<String>,
    /// Its exact version.
    pub version: Option<String>,
    /// The version of Node that runs it, where it is a script.
    pub node: Option<String>,
    /// Arguments that make it speak the protocol.
    pub args: Vec<String>,
    /// Variables it gets, `NAME=value` each; never secrets.
    pub env: Vec<String>,
    /// Names of variables of which one must hold its key.
    pub keys: Vec<String>,
    /// The variable that says where its provider is.
    pub base_url: Option<String>,
    /// The variable that names its model.
    pub model_variable: Option<String>,
    /// Models to suggest.
    pub models: Vec<String>,
    /// Its own names of full auto, accepting edits, asking, and planning: none, or these four.
    pub modes: Vec<String>,
}

/// Agents by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agents(BTreeMap<HarnessName, AgentSettings>);

impl Agents {
    /// The table that they stand in.
    pub(crate) const TABLE: &'static str = "agent";
    /// The shape of the key.
    pub(crate) const SHAPE: &'static str = "agent.<name>.<program|package|version|node|args|env|keys|base_url|model_variable|models|modes>";
    /// What is allowed as a value.
    pub(crate) const ALLOWED: &'static str =
        "a text, or for `args`, `env`, `keys`, `models` and `modes` a list of texts";

    /// Every agent.
    pub fn iter(&self) -> impl Iterator<Item = (&HarnessName, &AgentSettings)> {
        self.0.iter()
    }

    /// Takes a value; nothing when it is not allowed.
    pub(crate) fn set(&mut self, key: &AgentKey, given: &Given) -> Option<()> {
        let agent = self.0.entry(key.name.clone()).or_default();
        let (texts, text) = match key.field.as_str() {
            "args" => (Some(&mut agent.args), None),
            "env" => (Some(&mut agent.env), None),
            "keys" => (Some(&mut agent.keys), None),
            "models" => (Some(&mut agent.models), None),
            "modes" => (Some(&mut agent.modes), None),
            "program" => (None, Some(&mut agent.program)),
            "package" => (None, Some(&mut agent.package)),
            "version" => (None, Some(&mut agent.version)),
            "node" => (None, Some(&mut agent.node)),
            "base_url" => (None, Some(&mut agent.base_url)),
            "model_variable" => (None, Some(&mut agent.model_variable)),
            _ => return None,
        };
        if let Some(texts) = texts {
            *texts = given.list()?;
        }
        if let Some(text) = text {
            *text = Some(given.text()?.to_owned());
        }
        Some(())
    }
}

/// The name of one field of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AgentKey {
    name: HarnessName,
    field: String,
}

impl AgentKey {
    const FIELDS: [&'static str; 11] = [
        "program",
        "package",
        "version",
        "node",
        "args",
        "env",
        "keys",
        "base_url",
        "model_variable",
        "models",
        "modes",
    ];

    /// Reads `agent.<name>.<field>`; nothing when it is not that.
    pub(crate) fn parse(key: &str) -> Option<Self> {
        let below = key.strip_prefix(Agents::TABLE)?.strip_prefix('.')?;
        let (name, field) = below.split_once('.')?;
        let name = HarnessName::parse(name).ok()?;
        let known = Self::FIELDS.contains(&field);
        known.then(|| Self {
            name,
            field: field.to_owned(),
        })
    }
}
