//! Where everything is. The server mounts these, the client calls them, the document lists them.
//!
//! A path in braces is filled by [`fill`], which percent-encodes: an id can never add a segment.

macro_rules! api {
    ($($(#[$doc:meta])* $name:ident = $tail:literal;)*) => {
        $($(#[$doc])* pub const $name: &str = concat!("/api/paddock/v1", $tail);)*
    };
}

/// What every path of the API begins with.
pub const BASE: &str = "/api/paddock/v1";
/// Opens a pairing link in a browser: exchanges the code for a cookie and goes to the start page.
pub const PAIR: &str = "/pair";

api! {
    /// Whether it serves; public.
    HEALTH = "/health";
    /// Which Paddock this is.
    VERSION = "/version";
    /// The OpenAPI document.
    OPENAPI = "/openapi.json";
    /// Exchanges a pairing code for a cookie; public.
    AUTH_EXCHANGE = "/auth/exchange";
    /// Makes a pairing code.
    AUTH_CODES = "/auth/codes";
    /// The session of the cookie that is sent; deleting it signs out.
    AUTH_SESSION = "/auth/session";
    /// Machines that hold boxes.
    HOSTS = "/hosts";
    /// One of them.
    HOST = "/hosts/{host}";
    /// Boxes on it that belong to no task.
    HOST_ORPHANS = "/hosts/{host}/orphans";
    /// Makes a task of one.
    HOST_ORPHAN_ADOPT = "/hosts/{host}/orphans/{task_id}/adopt";
    /// Removes one.
    HOST_ORPHAN_REMOVE = "/hosts/{host}/orphans/{task_id}/remove";
    /// Repositories that tasks have used.
    REPOS = "/repos";
    /// A look at one repository by its path.
    REPOS_INSPECT = "/repos/inspect";
    /// Names that a task on a repository can start from.
    REPOS_BRANCHES = "/repos/branches";
    /// What was kept in repositories before something destructive.
    TRASH = "/trash";
    /// One entry of it.
    TRASH_ENTRY = "/trash/{task_id}/{number}";
    /// Brings it back onto a branch of its own.
    TRASH_RESTORE = "/trash/{task_id}/{number}/restore";
    /// Agent programs.
    HARNESSES = "/harnesses";
    /// Installs one.
    HARNESS_INSTALL = "/harnesses/{harness}/install";
    /// What is missing on this machine.
    DOCTOR = "/doctor";
    /// What is chosen, secrets blotted out.
    SETTINGS = "/settings";
    /// Tasks with gaps.
    TEMPLATES = "/templates";
    /// One of them.
    TEMPLATE = "/templates/{name}";
    /// Fills its gaps.
    TEMPLATE_FILL = "/templates/{name}/fill";
    /// Search in what was said and done.
    SEARCH = "/search";
    /// The vault and the names of what it keeps.
    SECRETS = "/secrets";
    /// One secret.
    SECRET = "/secrets/{name}";
    /// Files that go with messages.
    ATTACHMENTS = "/attachments";
    /// One of them, by its hash.
    ATTACHMENT = "/attachments/{sha256}";
    /// One prompt on several agents.
    GROUPS = "/groups";
    /// One group.
    GROUP = "/groups/{group_id}";
    /// Checks the work of its tasks.
    GROUP_CHECK = "/groups/{group_id}/check";
    /// Chooses one of its tasks.
    GROUP_PICK = "/groups/{group_id}/pick";
    /// What happens to every task, as it happens.
    EVENTS = "/events";
    /// What every box uses.
    STATISTICS = "/statistics";
    /// Every journal on the disk.
    JOURNALS = "/journals";
    /// What is kept longer than it was set to be; removes it.
    RETENTION = "/retention";
    /// Logins and keys by name.
    ACCOUNTS = "/accounts";
    /// One of them.
    ACCOUNT = "/accounts/{harness}/{name}";
    /// Has tasks use it that name none.
    ACCOUNT_DEFAULT = "/accounts/{harness}/{name}/default";
    /// What agents may do without asking, and what not.
    RULES = "/rules";
    /// One rule.
    RULE = "/rules/{rule_id}";
    /// What rules make of something.
    RULES_TEST = "/rules/test";
    /// Sessions that agents keep outside Paddock.
    AGENT_SESSIONS = "/agent-sessions";
    /// Creates a task that goes on with one of them.
    AGENT_SESSIONS_ADOPT = "/agent-sessions/adopt";
    /// All tasks.
    TASKS = "/tasks";
    /// One task.
    TASK = "/tasks/{task_id}";
    /// What happened to it, and what happens.
    TASK_EVENTS = "/tasks/{task_id}/events";
    /// Begins another task where it stands.
    TASK_FORK = "/tasks/{task_id}/fork";
    /// Lets another agent go on with it.
    TASK_HAND_OFF = "/tasks/{task_id}/handoff";
    /// Says something to its agent.
    TASK_SEND = "/tasks/{task_id}/send";
    /// What is to be said to its agent after the turn.
    TASK_QUEUE = "/tasks/{task_id}/queue";
    /// One message of it.
    TASK_QUEUED = "/tasks/{task_id}/queue/{input_id}";
    /// Says it now.
    TASK_QUEUED_SEND = "/tasks/{task_id}/queue/{input_id}/send";
    /// Where it stands in the line for a place on its host.
    TASK_PLACE = "/tasks/{task_id}/place";
    /// Answers a question.
    TASK_ANSWER = "/tasks/{task_id}/answer";
    /// Decides on a permission.
    TASK_APPROVAL = "/tasks/{task_id}/approval";
    /// Decides on a plan.
    TASK_PLAN = "/tasks/{task_id}/plan";
    /// Ends its turn.
    TASK_INTERRUPT = "/tasks/{task_id}/interrupt";
    /// Changes how its agent works.
    TASK_TUNE = "/tasks/{task_id}/tune";
    /// Has its agent shorten its context.
    TASK_COMPACT = "/tasks/{task_id}/compact";
    /// Has its agent forget the conversation.
    TASK_CLEAR = "/tasks/{task_id}/clear";
    /// Whether it goes on by itself when a usage limit is lifted.
    TASK_LIMIT = "/tasks/{task_id}/limit";
    /// Ends its run and starts its agent again.
    TASK_RESTART = "/tasks/{task_id}/restart";
    /// Ends its run.
    TASK_STOP = "/tasks/{task_id}/stop";
    /// Starts its agent again.
    TASK_REVIVE = "/tasks/{task_id}/revive";
    /// The agent's sessions in its box.
    TASK_AGENT_SESSIONS = "/tasks/{task_id}/agent-sessions";
    /// Starts its agent again with one of them.
    TASK_AGENT_SESSION_REVIVE = "/tasks/{task_id}/agent-sessions/{session_id}/revive";
    /// Puts aside what it calls for, or takes it up again.
    TASK_ASIDE = "/tasks/{task_id}/aside";
    /// Puts it into the archive, or takes it out.
    TASK_ARCHIVE = "/tasks/{task_id}/archive";
    /// What its agent's program offers.
    TASK_OFFERS = "/tasks/{task_id}/offers";
    /// Where a repository of the task is now.
    TASK_RELINK = "/tasks/{task_id}/relink";
    /// Shows what a purge would take; removes its box.
    TASK_PURGE = "/tasks/{task_id}/purge";
    /// Takes a purge back.
    TASK_RESTORE = "/tasks/{task_id}/restore";
    /// What changed, as a unified diff.
    TASK_DIFF = "/tasks/{task_id}/diff";
    /// Its commits.
    TASK_COMMITS = "/tasks/{task_id}/commits";
    /// Shows what is uncommitted; commits it.
    TASK_COMMIT = "/tasks/{task_id}/commit";
    /// What a squash onto the default branch would do.
    TASK_SQUASH = "/tasks/{task_id}/squash";
    /// Brings commits out and pushes them.
    TASK_SYNC = "/tasks/{task_id}/sync";
    /// What its box uses and used.
    TASK_STATISTICS = "/tasks/{task_id}/statistics";
    /// What runs in its box.
    TASK_PROCESSES = "/tasks/{task_id}/processes";
    /// Sends a signal to one of them.
    TASK_PROCESS_SIGNAL = "/tasks/{task_id}/processes/{pid}/signal";
    /// Its terminals.
    TASK_TERMINALS = "/tasks/{task_id}/terminals";
    /// One of them.
    TASK_TERMINAL = "/tasks/{task_id}/terminals/{terminal}";
    /// The WebSocket through which terminals are looked at and typed on.
    TERMINALS = "/terminals";
    /// Whether its journal is whole.
    TASK_JOURNAL = "/tasks/{task_id}/journal";
    /// Mends its journal.
    TASK_JOURNAL_REPAIR = "/tasks/{task_id}/journal/repair";
    /// A large output by its hash.
    TASK_ARTIFACT = "/tasks/{task_id}/artifacts/{sha256}";
}

/// Fills the braces of `path`, in order, with `values`, percent-encoded.
///
/// ```
/// use paddock_api::paths::{TASK_ARTIFACT, fill};
/// assert_eq!(fill(TASK_ARTIFACT, &["t1", "a/b"]), "/api/paddock/v1/tasks/t1/artifacts/a%2Fb");
/// ```
#[must_use]
pub fn fill(path: &str, values: &[&str]) -> String {
    let mut filled = String::with_capacity(path.len() + 32);
    let mut values = values.iter();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        if let Some(value) = values.next() {
            encode(value, &mut filled);
        }
        rest = after.split_once('}').map_or("", |(_, tail)| tail);
    }
    filled.push_str(rest);
    filled
}

/// Appends `text` to `to`, everything but unreserved characters (RFC 3986) percent-encoded.
pub fn encode(text: &str, to: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            to.push(char::from(byte));
        } else {
            let hex = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
            to.push('%');
            to.push(hex(byte >> 4).to_ascii_uppercase());
            to.push(hex(byte & 15).to_ascii_uppercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_id_stays_one_segment() {
        let path = fill(TASK, &["../../x?y#z ä"]);
        assert_eq!(path, "/api/paddock/v1/tasks/..%2F..%2Fx%3Fy%23z%20%C3%A4");
    }

    #[test]
    fn a_missing_value_leaves_its_place_empty() {
        assert_eq!(fill(TASK_STOP, &[]), "/api/paddock/v1/tasks//stop");
    }
}
