//! Which key an agent was refused with, and where it is set: said behind the agent's own words.
//!
//! The names of variables and accounts alone; never a value. Where the vault does not answer in time, the
//! agent's words stand by themselves.

use std::time::Duration;

use paddock_domain::{AccountName, Body, ErrorClass, HarnessName, Task};
use paddock_store::Draft;

use crate::keys::{self, KeyFound, KeySource};
use crate::rooms::Rooms;

/// Longest wait for the vault.
const WAIT: Duration = Duration::from_secs(2);

/// Says of every refused key among `drafts` which one it is.
pub(crate) async fn tell(rooms: &Rooms, task: &Task, drafts: &mut [Draft]) {
    let is_refusal = |body: &Body| {
        let class = ErrorClass::Auth;
        matches!(body, Body::Error { class: found, .. } if *found == class)
    };
    if !drafts.iter().any(|draft| is_refusal(&draft.body)) {
        return;
    }
    let Some(words) = words(rooms, task).await else {
        return;
    };
    for draft in drafts {
        if is_refusal(&draft.body)
            && let Body::Error { message, .. } = &mut draft.body
        {
            *message = format!("{}. {words}", message.trim_end_matches('.'));
        }
    }
}

async fn words(rooms: &Rooms, task: &Task) -> Option<String> {
    let name = &task.spec.harness;
    let account = task.run.as_ref().and_then(|run| run.account.as_ref());
    if let Some(account) = account {
        let accounts = rooms.accounts.now();
        let known = accounts
            .iter()
            .find(|one| one.harness == *name && one.name == *account);
        let variables = known.map(|one| one.variables.clone()).unwrap_or_default();
        return Some(of_account(name, account, &variables));
    }
    let harness = paddock_harness::find(name.as_str())?;
    let given = tokio::time::timeout(WAIT, keys::given(rooms, harness)).await;
    let found = given.ok()?.ok()?.found();
    of_keys(name, &found, harness.base_url_variable())
}

fn of_account(harness: &HarnessName, account: &AccountName, variables: &[String]) -> String {
    let key = variables.first().map_or("KEY", String::as_str);
    format!(
        "It works with the account `{account}` ({}): `paddock account add {harness} {account} --key {key}`, or the settings, give it another value",
        variables.join(", ")
    )
}

/// What is used of `found`, addresses left out.
fn of_keys(harness: &HarnessName, found: &[KeyFound], address: Option<&str>) -> Option<String> {
    let used = found
        .iter()
        .filter(|key| key.used && Some(key.variable.as_str()) != address);
    let used: Vec<String> = used.map(|key| set(harness, key)).collect();
    (!used.is_empty()).then(|| format!("It was given {}", used.join("; and ")))
}

/// A key, where it is from, and how it is set there.
fn set(harness: &HarnessName, key: &KeyFound) -> String {
    let variable = &key.variable;
    match key.source {
        KeySource::Vault => format!(
            "{variable} of the vault: `paddock secret set {variable}` (or `provider.{harness}.{variable}`, where `paddock secret ls` lists that) gives it another value"
        ),
        KeySource::Settings => {
            format!("{variable} of the configuration: it stands below [provider.{harness}]")
        }
        KeySource::Environment => format!(
            "{variable} of the environment of `paddock serve`: set it there, or keep another with `paddock secret set {variable}`, which goes before it"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_told_by_its_name_and_by_where_it_is_set() {
        let harness = HarnessName::parse("claude").unwrap();
        let key = |variable: &str, source, used| KeyFound {
            variable: variable.to_owned(),
            source,
            used,
        };
        let told = |found: &[KeyFound]| of_keys(&harness, found, Some("ANTHROPIC_BASE_URL"));
        let found = [
            key("ANTHROPIC_BASE_URL", KeySource::Settings, true),
            key("ANTHROPIC_API_KEY", KeySource::Environment, true),
            key("CLAUDE_CODE_OAUTH_TOKEN", KeySource::Environment, false),
        ];
        let words = told(&found).unwrap();
        assert!(
            words.starts_with("It was given ANTHROPIC_API_KEY of the environment"),
            "{words}"
        );
        assert!(
            !words.contains("BASE_URL") && !words.contains("OAUTH"),
            "{words}"
        );
        assert_eq!(told(&found[..1]), None);
        let vault = [key("ANTHROPIC_API_KEY", KeySource::Vault, true)];
        assert!(
            told(&vault)
                .unwrap()
                .contains("`paddock secret set ANTHROPIC_API_KEY`")
        );
        let settings = [key("ANTHROPIC_API_KEY", KeySource::Settings, true)];
        assert!(told(&settings).unwrap().contains("[provider.claude]"));
    }

    #[test]
    fn an_account_is_told_by_its_name() {
        let (harness, name) = (
            HarnessName::parse("codex").unwrap(),
            AccountName::parse("work").unwrap(),
        );
        let words = of_account(&harness, &name, &["OPENAI_API_KEY".to_owned()]);
        assert!(words.contains("account `work` (OPENAI_API_KEY)"), "{words}");
        let command = "`paddock account add codex work --key OPENAI_API_KEY`";
        assert!(words.contains(command), "{words}");
    }
}
