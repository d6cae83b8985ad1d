//! The OpenAPI document, made from the handlers and the types they take and give.

use axum::http::header;
use axum::response::IntoResponse;
use paddock_api::{
    CursorData, DeltaData, ErrorBody, InstallFailed, InstallProgress, ResetData, StatisticsData,
    paths,
};
use paddock_domain::{Event, LinkData};
use utoipa::OpenApi;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{ContentBuilder, PathItem, Ref, ResponseBuilder, SecurityRequirement};

use super::{
    accounts, all_events, attachments, auth, events, groups, handing, install, journals, marks,
    orphans, places, queue, relink, rules, search, secrets, sessions, settings, statistics, system,
    tasks, templates, terminals, trash, tuning, work,
};

#[derive(OpenApi)]
#[openapi(
    info(title = "Paddock", description = "Runs AI coding agents, each in its own box.", license(name = "Apache-2.0", identifier = "Apache-2.0")),
    paths(
        system::health, system::version, serve, auth::make_code, auth::exchange, auth::pair, auth::sign_out,
        places::hosts, places::change, places::place, places::move_in_line, queue::send, queue::show, queue::order,
        queue::edit, queue::remove, queue::send_now, orphans::list, orphans::adopt, orphans::remove, system::repositories, system::inspect, system::harnesses, install::install,
        journals::list, journals::verify, journals::repair, journals::expired, journals::let_go,
        system::doctor, settings::show, settings::change, templates::list, templates::show, templates::save, templates::remove, templates::fill, search::find, secrets::list, secrets::keep, secrets::forget, all_events::all, tasks::list, tasks::create, tasks::show,
        attachments::upload, attachments::show, groups::list, groups::create, groups::show, groups::check, groups::pick,
        handing::fork, handing::hand_off, sessions::list, sessions::adopt, sessions::of_task, sessions::revive, events::of_task, tasks::answer, tasks::approval, tasks::plan, tasks::interrupt,
        tasks::stop, tasks::revive, accounts::list, accounts::keep, accounts::choose, accounts::remove,
        rules::list, rules::add, rules::remove, rules::test,
        tuning::tune, tuning::offers, tuning::compact, tuning::clear, tuning::limit, tuning::restart, marks::aside, marks::archive, relink::relink, work::purge_preview, work::purge, work::restore, work::diff,
        work::commit_preview, work::commit, work::squash_preview, work::sync, work::artifact,
        trash::commits, trash::branches, trash::list, trash::show, trash::drop_entry, trash::restore,
        statistics::all, statistics::of_task, statistics::processes, statistics::signal,
        terminals::list, terminals::open, terminals::close, terminals::socket,
    ),
    components(schemas(Event, DeltaData, LinkData, CursorData, ResetData, InstallProgress, InstallFailed, StatisticsData, ErrorBody)),
    tags(
        (name = "tasks", description = "Tasks, and talking to their agents"),
        (name = "events", description = "What happens, as it happens"),
        (name = "groups", description = "One prompt on several agents"),
        (name = "sessions", description = "Sessions that agents keep for themselves"),
        (name = "work", description = "What a task has made"),
        (name = "boxes", description = "What boxes use, and what runs in them"),
        (name = "terminals", description = "Terminals in boxes"),
        (name = "trash", description = "What was kept before something destructive"),
        (name = "journals", description = "Journals as files"),
        (name = "repos", description = "Repositories"),
        (name = "harnesses", description = "Agent programs"),
        (name = "hosts", description = "Machines that hold boxes"),
        (name = "accounts", description = "Logins and keys by name"),
        (name = "rules", description = "What agents may do without asking, and what not"),
        (name = "templates", description = "Tasks with gaps"),
        (name = "settings", description = "What is chosen"),
        (name = "auth", description = "Pairing browsers"),
        (name = "system", description = "This Paddock"),
    ),
)]
struct Document;

/// The OpenAPI document as JSON, ending with a newline. The same for the same sources, byte for byte.
#[must_use]
pub fn document() -> String {
    let mut document = Document::openapi();
    let components = document.components.get_or_insert_with(Default::default);
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.add_security_scheme("bearer", bearer);
    let cookie = ApiKeyValue::with_description(
        "paddock_<instance>",
        "Set by pairing; HttpOnly, SameSite=Strict",
    );
    components.add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    let any = ["bearer", "cookie"].map(|name| SecurityRequirement::new(name, [""; 0]));
    document.security = Some(any.to_vec());
    let public = super::public();
    for (path, item) in &mut document.paths.paths {
        let open = public.iter().any(|(_, at)| at == path);
        for operation in operations(item) {
            operation
                .responses
                .responses
                .insert("default".to_owned(), refusal());
            if open {
                operation.security = Some(Vec::new());
            }
        }
    }
    // Serialising data of ours that was just made has no way to fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// The document that this server speaks
#[utoipa::path(get, path = paths::OPENAPI, tag = "system",
    responses((status = 200, content_type = "application/json", body = Object)))]
pub(crate) async fn serve() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], document())
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [
        &mut item.get,
        &mut item.post,
        &mut item.put,
        &mut item.patch,
        &mut item.delete,
    ]
    .into_iter()
    .flatten()
}

fn refusal() -> utoipa::openapi::RefOr<utoipa::openapi::Response> {
    let schema = Ref::from_schema_name("ErrorBody");
    let content = ContentBuilder::new().schema(Some(schema)).build();
    let response = ResponseBuilder::new().description("Refused or failed; `error.code` says how");
    response.content("application/json", content).build().into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_document_has_every_route_and_no_other() {
        let mut document = Document::openapi();
        let mut described = BTreeSet::new();
        for (path, item) in &mut document.paths.paths {
            let methods = [
                ("GET", item.get.is_some()),
                ("POST", item.post.is_some()),
                ("PUT", item.put.is_some()),
                ("PATCH", item.patch.is_some()),
                ("DELETE", item.delete.is_some()),
            ];
            described.extend(
                methods
                    .iter()
                    .filter(|(_, is)| *is)
                    .map(|(m, _)| format!("{m} {path}")),
            );
        }
        let routes: BTreeSet<_> = crate::routes::table()
            .iter()
            .map(|route| format!("{} {}", route.method, route.path))
            .collect();
        assert_eq!(described, routes);
    }

    #[test]
    fn the_committed_document_is_what_the_code_says() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/openapi.json");
        let committed = std::fs::read_to_string(file).unwrap_or_default();
        assert!(
            committed == document(),
            "run `paddock openapi > docs/openapi.json` and commit it"
        );
    }
}
