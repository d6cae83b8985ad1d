//! The route table: every path of the API, its method, and who answers. The router, the guard's list of
//! public routes, the OpenAPI document's test and the guard's test all read this one table.

mod accounts;
mod all_events;
mod attachments;
mod auth;
mod events;
mod groups;
mod handing;
mod install;
mod journals;
mod marks;
mod places;
mod queue;
mod relink;
mod rules;
mod search;
mod secrets;
mod sessions;
mod settings;
mod statistics;
mod system;
mod tasks;
mod templates;
mod terminals;
mod trash;
mod tuning;
mod views;
mod work;

use axum::http::{Method, StatusCode};
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use axum::{Json, response::IntoResponse};
use paddock_api::{Accepted, paths};
use paddock_domain::TaskId;

use crate::door::Door;
use crate::failure::Failure;

pub use openapi::document;
pub(crate) use system::how_it_is;

mod openapi;
mod orphans;

/// One route.
pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// Open to those who show nothing.
    pub(crate) public: bool,
    pub(crate) handler: MethodRouter<Door>,
}

/// Every route.
pub(crate) fn table() -> Vec<Route> {
    let read = |path, handler| Route {
        method: Method::GET,
        path,
        public: false,
        handler,
    };
    let write = |path, handler| Route {
        method: Method::POST,
        path,
        public: false,
        handler,
    };
    let change = |path, handler| Route {
        method: Method::PATCH,
        path,
        public: false,
        handler,
    };
    let replace = |path, handler| Route {
        method: Method::PUT,
        path,
        public: false,
        handler,
    };
    let remove = |path, handler| Route {
        method: Method::DELETE,
        path,
        public: false,
        handler,
    };
    let open = |route: Route| Route {
        public: true,
        ..route
    };
    vec![
        open(read(paths::HEALTH, get(system::health))),
        open(write(paths::AUTH_EXCHANGE, post(auth::exchange))),
        open(read(paths::PAIR, get(auth::pair))),
        write(paths::AUTH_CODES, post(auth::make_code)),
        remove(paths::AUTH_SESSION, delete(auth::sign_out)),
        read(paths::VERSION, get(system::version)),
        read(paths::OPENAPI, get(openapi::serve)),
        read(paths::HOSTS, get(places::hosts)),
        change(paths::HOST, patch(places::change)),
        read(paths::HOST_ORPHANS, get(orphans::list)),
        write(paths::HOST_ORPHAN_ADOPT, post(orphans::adopt)),
        write(paths::HOST_ORPHAN_REMOVE, post(orphans::remove)),
        read(paths::REPOS, get(system::repositories)),
        read(paths::REPOS_INSPECT, get(system::inspect)),
        read(paths::HARNESSES, get(system::harnesses)),
        write(paths::HARNESS_INSTALL, post(install::install)),
        read(paths::DOCTOR, get(system::doctor)),
        read(paths::SETTINGS, get(settings::show)),
        change(paths::SETTINGS, patch(settings::change)),
        read(paths::TEMPLATES, get(templates::list)),
        read(paths::TEMPLATE, get(templates::show)),
        replace(paths::TEMPLATE, put(templates::save)),
        remove(paths::TEMPLATE, delete(templates::remove)),
        write(paths::TEMPLATE_FILL, post(templates::fill)),
        read(paths::SEARCH, get(search::find)),
        read(paths::SECRETS, get(secrets::list)),
        replace(paths::SECRET, put(secrets::keep)),
        remove(paths::SECRET, delete(secrets::forget)),
        read(paths::EVENTS, get(all_events::all)),
        read(paths::JOURNALS, get(journals::list)),
        read(paths::RETENTION, get(journals::expired)),
        write(paths::RETENTION, post(journals::let_go)),
        read(paths::TASK_JOURNAL, get(journals::verify)),
        write(paths::TASK_JOURNAL_REPAIR, post(journals::repair)),
        write(paths::ATTACHMENTS, attachments::uploads()),
        read(paths::ATTACHMENT, get(attachments::show)),
        read(paths::GROUPS, get(groups::list)),
        write(paths::GROUPS, post(groups::create)),
        read(paths::GROUP, get(groups::show)),
        write(paths::GROUP_CHECK, post(groups::check)),
        write(paths::GROUP_PICK, post(groups::pick)),
        write(paths::TASK_FORK, post(handing::fork)),
        write(paths::TASK_HAND_OFF, post(handing::hand_off)),
        read(paths::AGENT_SESSIONS, get(sessions::list)),
        write(paths::AGENT_SESSIONS_ADOPT, post(sessions::adopt)),
        read(paths::TASKS, get(tasks::list)),
        write(paths::TASKS, post(tasks::create)),
        read(paths::TASK, get(tasks::show)),
        read(paths::TASK_EVENTS, get(events::of_task)),
        write(paths::TASK_SEND, post(queue::send)),
        read(paths::TASK_QUEUE, get(queue::show)),
        change(paths::TASK_QUEUE, patch(queue::order)),
        change(paths::TASK_QUEUED, patch(queue::edit)),
        remove(paths::TASK_QUEUED, delete(queue::remove)),
        write(paths::TASK_QUEUED_SEND, post(queue::send_now)),
        read(paths::TASK_PLACE, get(places::place)),
        write(paths::TASK_PLACE, post(places::move_in_line)),
        write(paths::TASK_ANSWER, post(tasks::answer)),
        write(paths::TASK_APPROVAL, post(tasks::approval)),
        write(paths::TASK_PLAN, post(tasks::plan)),
        read(paths::ACCOUNTS, get(accounts::list)),
        write(paths::ACCOUNTS, post(accounts::keep)),
        write(paths::ACCOUNT_DEFAULT, post(accounts::choose)),
        remove(paths::ACCOUNT, delete(accounts::remove)),
        read(paths::RULES, get(rules::list)),
        write(paths::RULES, post(rules::add)),
        write(paths::RULES_TEST, post(rules::test)),
        remove(paths::RULE, delete(rules::remove)),
        write(paths::TASK_TUNE, post(tuning::tune)),
        read(paths::TASK_OFFERS, get(tuning::offers)),
        write(paths::TASK_COMPACT, post(tuning::compact)),
        write(paths::TASK_CLEAR, post(tuning::clear)),
        write(paths::TASK_LIMIT, post(tuning::limit)),
        write(paths::TASK_RESTART, post(tuning::restart)),
        write(paths::TASK_ASIDE, post(marks::aside)),
        write(paths::TASK_ARCHIVE, post(marks::archive)),
        write(paths::TASK_INTERRUPT, post(tasks::interrupt)),
        write(paths::TASK_STOP, post(tasks::stop)),
        write(paths::TASK_REVIVE, post(tasks::revive)),
        read(paths::TASK_AGENT_SESSIONS, get(sessions::of_task)),
        write(paths::TASK_AGENT_SESSION_REVIVE, post(sessions::revive)),
        write(paths::TASK_RELINK, post(relink::relink)),
        read(paths::TASK_PURGE, get(work::purge_preview)),
        write(paths::TASK_PURGE, post(work::purge)),
        write(paths::TASK_RESTORE, post(work::restore)),
        read(paths::TASK_DIFF, get(work::diff)),
        read(paths::TASK_COMMIT, get(work::commit_preview)),
        write(paths::TASK_COMMIT, post(work::commit)),
        read(paths::TASK_SQUASH, get(work::squash_preview)),
        write(paths::TASK_SYNC, post(work::sync)),
        read(paths::STATISTICS, get(statistics::all)),
        read(paths::TASK_STATISTICS, get(statistics::of_task)),
        read(paths::TASK_PROCESSES, get(statistics::processes)),
        write(paths::TASK_PROCESS_SIGNAL, post(statistics::signal)),
        read(paths::TASK_TERMINALS, get(terminals::list)),
        write(paths::TASK_TERMINALS, post(terminals::open)),
        remove(paths::TASK_TERMINAL, delete(terminals::close)),
        read(paths::TERMINALS, get(terminals::socket)),
        read(paths::TASK_ARTIFACT, get(work::artifact)),
        read(paths::TASK_COMMITS, get(trash::commits)),
        read(paths::REPOS_BRANCHES, get(trash::branches)),
        read(paths::TRASH, get(trash::list)),
        read(paths::TRASH_ENTRY, get(trash::show)),
        remove(paths::TRASH_ENTRY, delete(trash::drop_entry)),
        write(paths::TRASH_RESTORE, post(trash::restore)),
    ]
}

/// Routes that are open to those who show nothing.
pub(crate) fn public() -> Vec<(Method, &'static str)> {
    let open = table().into_iter().filter(|route| route.public);
    open.map(|route| (route.method, route.path)).collect()
}

/// A command was taken: where the task stood.
fn accepted(door: &Door, task_id: TaskId) -> Result<impl IntoResponse + use<>, Failure> {
    let task = door.orchestrator().task(&task_id)?;
    let accepted = Accepted {
        task_id,
        state: task.state,
        seq: task.last_seq,
    };
    Ok((StatusCode::ACCEPTED, Json(accepted)))
}

/// What a handler answers.
type Answer<T> = Result<T, Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_health_and_pairing_are_public() {
        let public: Vec<_> = public().into_iter().map(|(_, path)| path).collect();
        assert_eq!(public, [paths::HEALTH, paths::AUTH_EXCHANGE, paths::PAIR]);
    }
}
