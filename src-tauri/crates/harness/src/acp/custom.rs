//! Agents of the protocol that a configuration adds, without a line of code.
//!
//! They become harnesses like any other. What an entry lacks is said with its name and the field, before
//! any agent is started. Start at [`AcpAgent::check`].

use std::path::Path;

use paddock_domain::HarnessName;

use super::profile::Profile;

/// An agent as a user describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcpAgent {
    /// The name that tasks choose it by.
    pub name: String,
    /// Its program: an absolute path to one file on this machine, or where it lies below `node_modules`.
    pub program: String,
    /// Its npm package; none for a file on this machine.
    pub package: Option<String>,
    /// Its exact version.
    pub version: String,
    /// The version of Node that runs it, where it is a script.
    pub node: Option<String>,
    /// Arguments that make it speak the protocol.
    pub args: Vec<String>,
    /// Variables it gets. Never secrets.
    pub env: Vec<(String, String)>,
    /// Names of variables of which one must hold its key; none where it needs no key.
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

/// An agent that was described cannot be had like that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the agent `{name}` of the configuration cannot be used: {reason}")]
pub struct BadAcpAgent {
    /// Its name.
    pub name: String,
    /// What is missing or wrong, and what to give.
    pub reason: &'static str,
}

impl AcpAgent {
    /// Whether it is whole.
    ///
    /// # Errors
    /// [`BadAcpAgent`] with the first fault.
    pub fn check(&self) -> Result<(), BadAcpAgent> {
        match self.fault() {
            None => Ok(()),
            Some(reason) => Err(BadAcpAgent {
                name: self.name.clone(),
                reason,
            }),
        }
    }

    fn fault(&self) -> Option<&'static str> {
        let is_variable = |name: &String| {
            let letter = |c: char| c.is_ascii_uppercase() || c == '_';
            name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit())
        };
        let named = self.keys.iter().chain(&self.base_url);
        let mut named = named.chain(&self.model_variable);
        let is_file = Path::new(&self.program).is_absolute();
        let climbs = self.program.split('/').any(|part| part == "..");
        if HarnessName::parse(&self.name).is_err() {
            Some("its name is not one: lower-case letters, digits and `-`, at most 32")
        } else if self.program.is_empty() {
            Some("`program` is missing: give a path, or where it lies in its npm package")
        } else if self.package.is_none() && !is_file {
            Some("`program` is no absolute path, and no `package` says where it comes from")
        } else if self.package.is_some() && (is_file || climbs) {
            Some("`program` must be a path below `node_modules`, such as goose/bin/goose.js")
        } else if self.package.is_some() && self.version.is_empty() {
            Some("`version` is missing: give the exact version of its package")
        } else if self
            .version
            .contains(|c: char| c.is_whitespace() || "/^~*".contains(c))
        {
            Some("`version` is not exact: give one such as 1.2.3")
        } else if !matches!(self.modes.len(), 0 | 4) {
            Some(
                "`modes` must be four: what it calls full auto, accepting edits, asking, and planning",
            )
        } else if !named.all(is_variable) {
            Some("a variable's name has upper-case letters, digits and `_` only")
        } else if self.env.iter().any(|(name, _)| !is_variable(name)) {
            Some("`env` takes NAME=value each, names in upper-case letters, digits and `_`")
        } else {
            None
        }
    }

    /// It as the codec knows its agents. What it holds is never given back: a process adds its agents once.
    pub(crate) fn profile(&self) -> &'static Profile {
        let modes = match self.modes.as_slice() {
            [auto, edits, ask, plan] => [auto, edits, ask, plan].map(|mode| leaked(mode)),
            // None is told: the agent stays in the mode that it begins with.
            _ => [""; 4],
        };
        let version = match self.version.as_str() {
            // The toolbox keeps programs by version, and a file of this machine tells none.
            "" => "0.0.0",
            version => leaked(version),
        };
        let base_url = self.base_url.as_deref().map(leaked);
        let keys = list(&self.keys);
        let variables = keys.iter().copied().chain(base_url);
        let variables: Vec<&'static str> = variables.collect();
        let env = self.env.iter();
        let env: Vec<_> = env
            .map(|(name, value)| (leaked(name), leaked(value)))
            .collect();
        Box::leak(Box::new(Profile {
            name: leaked(&self.name),
            versions: Vec::leak(vec![version]),
            package: self.package.as_deref().map(leaked),
            candidates: Vec::leak(vec![leaked(&self.program)]),
            node: self.node.as_deref().map(leaked),
            args: list(&self.args),
            env: Vec::leak(env),
            keys,
            variables: Vec::leak(variables),
            base_url,
            default_base_url: None,
            model_variable: self.model_variable.as_deref().map(leaked),
            model_argument: None,
            default_model: None,
            models: list(&self.models),
            modes,
            clears: true,
            configure: None,
            todos_in_calls: false,
            tells_the_past_late: false,
            says_its_errors: false,
            retries_say: None,
            questions: false,
            switches_mode: !self.modes.is_empty(),
            compact: None,
        }))
    }
}

fn leaked(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

fn list(texts: &[String]) -> &'static [&'static str] {
    Vec::leak(texts.iter().map(|text| leaked(text)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goose() -> AcpAgent {
        AcpAgent {
            name: "goose".to_owned(),
            program: "/opt/goose".to_owned(),
            args: vec!["acp".to_owned()],
            keys: vec!["GOOSE_API_KEY".to_owned()],
            ..AcpAgent::default()
        }
    }

    #[test]
    fn a_file_on_this_machine_and_a_package_are_whole() {
        assert_eq!(goose().check(), Ok(()));
        let packaged = AcpAgent {
            package: Some("goose".to_owned()),
            program: "goose/bin/goose.js".to_owned(),
            version: "1.2.3".to_owned(),
            ..goose()
        };
        assert_eq!(packaged.check(), Ok(()));
    }

    #[test]
    fn each_fault_is_told_with_the_field() {
        type Spoil = fn(&mut AcpAgent);
        let faulty: [(&str, Spoil); 8] = [
            ("name", |it| it.name = "Not One".to_owned()),
            ("program", |it| it.program.clear()),
            ("program", |it| it.program = "goose".to_owned()),
            ("node_modules", |it| it.package = Some("goose".to_owned())),
            ("version", |it| it.version = "^1".to_owned()),
            ("modes", |it| it.modes = vec!["auto".to_owned()]),
            ("variable", |it| it.keys = vec!["goose key".to_owned()]),
            ("env", |it| it.env = vec![("a".to_owned(), "b".to_owned())]),
        ];
        for (word, spoil) in faulty {
            let mut agent = goose();
            spoil(&mut agent);
            let told = agent.check().unwrap_err().to_string();
            assert!(told.contains(word), "{word}: {told}");
        }
    }
}
