//! Accounts: several logins or keys for one harness, chosen for each task.
//!
//! Which accounts there are stands in `<data>/accounts.json`, without a secret; their values stand in the vault
//! as `account.<harness>.<name>.<VARIABLE>`. A task with an account gets the account's values and no other key
//! of its harness, from wherever: nothing that was left in the environment ever wins over what was chosen. They
//! reach the box as environment of one run. Every task has a home of its own in its box, so accounts never share
//! one, and nothing of the host's own logins is copied there.
//!
//! Start at [`of_task`].

use std::collections::BTreeMap;
use std::sync::Arc;

use paddock_domain::{
    Account, AccountName, ErrorClass, HarnessName, RunView, Task, TaskId, TaskSpec, TaskState,
};
use paddock_harness::Harness;
use paddock_secrets::{ExposeSecret as _, SecretName, SecretString};

use crate::kept::Kept;
use crate::rooms::Rooms;
use crate::runner::SetupError;
use crate::{CommandError, Orchestrator, ids};

/// All accounts, oldest first.
pub(crate) type AccountBook = Kept<Vec<Account>>;

/// The file, below the data directory.
pub(crate) const FILE: &str = "accounts.json";
/// Most accounts that are kept.
const ACCOUNTS_MAX: usize = 200;
/// Longest address, in bytes.
const URL_MAX: usize = 2048;

/// What an account is to be.
pub struct AccountWish {
    /// The harness that it is for.
    pub harness: HarnessName,
    /// Its name.
    pub name: AccountName,
    /// Its values by variable.
    pub values: BTreeMap<String, SecretString>,
    /// Where the agent calls.
    pub base_url: Option<String>,
    /// Whether tasks use it that name none; the first account of a harness is used so anyway.
    pub is_default: bool,
}

/// Doors.
impl Orchestrator {
    /// All accounts, oldest first.
    #[must_use]
    pub fn accounts(&self) -> Arc<Vec<Account>> {
        self.rooms.accounts.now()
    }

    /// Tasks that work with an account and are not over.
    #[must_use]
    pub fn account_users(&self, account: &Account) -> Vec<TaskId> {
        let snapshot = self.snapshot();
        let uses = |task: &&Arc<Task>| {
            let begun = || own_run(task)?.account.as_ref();
            let named = task.spec.account.as_ref().or_else(begun);
            task.spec.harness == account.harness && named == Some(&account.name) && !is_over(task)
        };
        let users = snapshot.tasks.values().filter(uses);
        users.map(|task| task.task_id.clone()).collect()
    }

    /// Makes an account, or gives one new values.
    ///
    /// # Errors
    /// [`CommandError::NotFound`] for an unknown harness, [`CommandError::Bad`] for a variable that it does not
    /// read, [`CommandError::Conflict`] when the vault is locked or there are too many.
    pub async fn keep_account(&self, wish: AccountWish) -> Result<Account, CommandError> {
        check(&wish)?;
        let variables: Vec<String> = wish.values.keys().cloned().collect();
        // First the values: an account without them would be none.
        for (variable, value) in wish.values {
            let name = secret_name(&wish.harness, &wish.name, &variable)?;
            self.rooms.secrets.set(name, value).await?;
        }
        let now = ids::now();
        let before = self.find_account(&wish.harness, &wish.name);
        let account = self.rooms.accounts.change(|accounts| {
            let of_harness = |account: &&mut Account| account.harness == wish.harness;
            let first = !accounts
                .iter()
                .any(|account| account.harness == wish.harness);
            let known = accounts
                .iter()
                .position(|account| is_named(account, &wish.harness, &wish.name));
            if known.is_none() && accounts.len() >= ACCOUNTS_MAX {
                let message =
                    format!("{ACCOUNTS_MAX} accounts are kept already: remove some first");
                return Err(CommandError::conflict(message));
            }
            let was_default = known
                .and_then(|at| accounts.get(at))
                .is_some_and(|account| account.is_default);
            let made_at = known
                .and_then(|at| accounts.get(at))
                .map_or(now, |account| account.made_at);
            let account = Account {
                harness: wish.harness.clone(),
                name: wish.name.clone(),
                variables: variables.clone(),
                base_url: wish.base_url.clone(),
                is_default: wish.is_default || was_default || first,
                made_at,
            };
            if wish.is_default {
                accounts
                    .iter_mut()
                    .filter(of_harness)
                    .for_each(|account| account.is_default = false);
            }
            match known.and_then(|at| accounts.get_mut(at)) {
                Some(known) => *known = account.clone(),
                None => accounts.push(account.clone()),
            }
            Ok(account)
        });
        let account = account.await?;
        // What it gave before and gives no more.
        for variable in before.iter().flat_map(|before| &before.variables) {
            if !variables.contains(variable) {
                let name = secret_name(&account.harness, &account.name, variable)?;
                self.rooms.secrets.delete(&name).await?;
            }
        }
        Ok(account)
    }

    /// Has tasks use an account that name none.
    ///
    /// # Errors
    /// [`CommandError::NotFound`].
    pub async fn use_account(
        &self,
        harness: &HarnessName,
        name: &AccountName,
    ) -> Result<Account, CommandError> {
        let chosen = self.rooms.accounts.change(|accounts| {
            let mut chosen = None;
            for account in accounts
                .iter_mut()
                .filter(|account| account.harness == *harness)
            {
                account.is_default = account.name == *name;
                chosen = account.is_default.then(|| account.clone()).or(chosen);
            }
            chosen.ok_or_else(|| no_account(harness, name))
        });
        chosen.await
    }

    /// Forgets an account and its values.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], [`CommandError::Conflict`] while tasks work with it, unless `force`.
    pub async fn remove_account(
        &self,
        harness: &HarnessName,
        name: &AccountName,
        force: bool,
    ) -> Result<Account, CommandError> {
        let account = self
            .find_account(harness, name)
            .ok_or_else(|| no_account(harness, name))?;
        let users = self.account_users(&account);
        if !force && !users.is_empty() {
            let users: Vec<_> = users.iter().map(ToString::to_string).collect();
            return Err(CommandError::WouldLose {
                message: format!(
                    "{} tasks work with the account `{name}` and could not be revived without it: {}. Purge them, or repeat with force",
                    users.len(),
                    users.join(", ")
                ),
            });
        }
        let named = |account: &Account| is_named(account, harness, name);
        let removed = self.rooms.accounts.change(|accounts| {
            accounts.retain(|account| !named(account));
            Ok(())
        });
        removed.await?;
        for variable in &account.variables {
            let secret = secret_name(harness, name, variable)?;
            self.rooms.secrets.delete(&secret).await?;
        }
        Ok(account)
    }

    fn find_account(&self, harness: &HarnessName, name: &AccountName) -> Option<Account> {
        find(&self.rooms.accounts.now(), harness, name).cloned()
    }
}

/// The account that the next run of `task` works with; nothing where it has none.
pub(crate) fn of_task(rooms: &Rooms, task: &Task) -> Option<AccountName> {
    let named = task.spec.account.clone();
    // A session belongs to whom it was begun with, whatever became the default meanwhile.
    named.or_else(|| match own_run(task) {
        Some(run) => run.account.clone(),
        None => default(rooms, &task.spec.harness),
    })
}

fn default(rooms: &Rooms, harness: &HarnessName) -> Option<AccountName> {
    let accounts = rooms.accounts.now();
    let mut of_harness = accounts
        .iter()
        .filter(|account| account.harness == *harness);
    of_harness
        .find(|account| account.is_default)
        .map(|account| account.name.clone())
}

/// Holds the account that a task is to have against those there are.
pub(crate) fn check_spec(rooms: &Rooms, spec: &TaskSpec) -> Result<(), CommandError> {
    match &spec.account {
        Some(name) if find(&rooms.accounts.now(), &spec.harness, name).is_none() => {
            Err(no_account(&spec.harness, name))
        }
        Some(_) | None => Ok(()),
    }
}

/// What the account gives the agent, over the address that `given` has. No other key of the harness.
///
/// # Errors
/// Says which value is not there, and how to set it.
pub(crate) async fn values(
    rooms: &Rooms,
    harness: &dyn Harness,
    name: &AccountName,
    mut given: BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, SetupError> {
    let auth = |error: &dyn std::fmt::Display| SetupError::new(ErrorClass::Auth, error);
    let accounts = rooms.accounts.now();
    let account = find(&accounts, &harness.name(), name);
    let account = account.ok_or_else(|| auth(&no_account(&harness.name(), name)))?;
    given.retain(|variable, _| harness.base_url_variable() == Some(variable));
    if let (Some(variable), Some(url)) = (harness.base_url_variable(), &account.base_url) {
        given.insert(variable.to_owned(), url.clone());
    }
    for variable in &account.variables {
        let secret = secret_name(&account.harness, name, variable).map_err(|error| auth(&error))?;
        let value = rooms
            .secrets
            .get(&secret)
            .await
            .map_err(|error| auth(&error))?;
        let value = value.ok_or_else(|| {
            auth(&format!(
                "the account `{name}` has no {variable} in the vault any more: `paddock account add {} {name} --key {variable}` sets it",
                account.harness
            ))
        })?;
        given.insert(variable.clone(), value.expose_secret().to_owned());
    }
    Ok(given)
}

fn check(wish: &AccountWish) -> Result<(), CommandError> {
    let harness =
        paddock_harness::find(wish.harness.as_str()).ok_or_else(|| CommandError::NotFound {
            what: "harness",
            message: format!("there is no harness `{}`", wish.harness),
        })?;
    let address = harness.base_url_variable();
    let keys: Vec<&str> = harness
        .provider_variables()
        .iter()
        .copied()
        .filter(|name| Some(*name) != address)
        .collect();
    if wish.values.is_empty() {
        return Err(CommandError::bad(format!(
            "an account needs a value: one of {}",
            keys.join(", ")
        )));
    }
    if let Some(unknown) = wish
        .values
        .keys()
        .find(|name| !keys.contains(&name.as_str()))
    {
        return Err(CommandError::bad(format!(
            "{} does not read {unknown}; it reads {}",
            wish.harness,
            keys.join(", ")
        )));
    }
    let sound = |url: &String| {
        url.len() <= URL_MAX
            && (url.starts_with("https://") || url.starts_with("http://"))
            && !url.chars().any(|c| c.is_control() || c.is_whitespace())
    };
    if wish.base_url.as_ref().is_some_and(|url| !sound(url)) {
        return Err(CommandError::bad(
            "the address is a URL that begins with https:// or http://",
        ));
    }
    if wish.base_url.is_some() && address.is_none() {
        return Err(CommandError::bad(format!(
            "{} takes no address",
            wish.harness
        )));
    }
    Ok(())
}

/// The last run of the task's agent. What another worked with before a hand-off is not for the one that takes
/// over.
pub(crate) fn own_run(task: &Task) -> Option<&RunView> {
    let run = task.run.as_ref();
    run.filter(|_| task.taken_over_from.is_none())
}

fn is_over(task: &Task) -> bool {
    matches!(
        task.machine(),
        TaskState::Purging(_) | TaskState::Purged | TaskState::Failed
    )
}

fn is_named(account: &Account, harness: &HarnessName, name: &AccountName) -> bool {
    account.harness == *harness && account.name == *name
}

fn find<'a>(
    accounts: &'a [Account],
    harness: &HarnessName,
    name: &AccountName,
) -> Option<&'a Account> {
    accounts
        .iter()
        .find(|account| is_named(account, harness, name))
}

fn no_account(harness: &HarnessName, name: &AccountName) -> CommandError {
    CommandError::NotFound {
        what: "account",
        message: format!(
            "there is no account `{name}` for {harness}: `paddock account ls` lists them"
        ),
    }
}

fn secret_name(
    harness: &HarnessName,
    name: &AccountName,
    variable: &str,
) -> Result<SecretName, CommandError> {
    SecretName::parse(&format!("account.{harness}.{name}.{variable}")).map_err(CommandError::bad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::told::told;

    const STARTED: &str = r#""run_id":"r","type":"run_started","harness":"claude","version":"1","resumed":false,"account":"work""#;
    const HANDED: &str =
        r#""type":"provider_switched","from_provider":"claude","to_provider":"codex","reason":"r""#;

    #[test]
    fn an_account_stays_with_its_agent_and_is_not_handed_on_to_another() {
        let begun = told(&[STARTED]);
        let account = own_run(&begun).unwrap().account.as_ref().unwrap();
        assert_eq!(account.as_str(), "work");
        let handed = told(&[STARTED, HANDED]);
        assert!(handed.run.is_some() && own_run(&handed).is_none());
    }
}
