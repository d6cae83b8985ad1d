//! Agents that the configuration adds, as the harnesses take them.

use std::io;

use paddock_config::{AgentSettings, Agents};
use paddock_harness::{AcpAgent, add_acp_agents};

/// Adds them to the harnesses of this process.
///
/// # Errors
/// What is missing in the first that is not whole.
pub fn add(agents: &Agents) -> io::Result<()> {
    let described: Vec<AcpAgent> = agents
        .iter()
        .map(|(name, agent)| described(name.as_str(), agent))
        .collect();
    add_acp_agents(&described).map_err(io::Error::other)
}

fn described(name: &str, agent: &AgentSettings) -> AcpAgent {
    // One without `=` keeps its whole text for a name, which is then told as none.
    let pair = |text: &String| {
        let (name, value) = text.split_once('=').unwrap_or((text.as_str(), ""));
        (name.to_owned(), value.to_owned())
    };
    AcpAgent {
        name: name.to_owned(),
        program: agent.program.clone().unwrap_or_default(),
        package: agent.package.clone(),
        version: agent.version.clone().unwrap_or_default(),
        node: agent.node.clone(),
        args: agent.args.clone(),
        env: agent.env.iter().map(pair).collect(),
        keys: agent.keys.clone(),
        base_url: agent.base_url.clone(),
        model_variable: agent.model_variable.clone(),
        models: agent.models.clone(),
        modes: agent.modes.clone(),
    }
}
