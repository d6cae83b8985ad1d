//! Pages for a browser: the built user interface where there is one, a plain list of tasks where there is
//! not, and what to do for a browser that is not paired.

use std::fmt::Write as _;
use std::path::Path;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use paddock_api::ErrorCode;
use tower::ServiceExt;
use tower_http::services::{ServeDir, ServeFile};

use crate::door::Door;
use crate::failure::Failure;

/// Most tasks that the plain page lists.
const LISTED_MAX: usize = 200;

/// Whatever no route answers: an error below `/api`, else the user interface in `ui` or the plain page.
pub(crate) fn with_pages(router: Router<Door>, ui: Option<&Path>) -> Router<Door> {
    let Some(dir) = ui else {
        return router.fallback(plain);
    };
    let index = ServeFile::new(dir.join("index.html"))
        .precompressed_br()
        .precompressed_gzip();
    let files = ServeDir::new(dir)
        .precompressed_br()
        .precompressed_gzip()
        .precompressed_zstd()
        .append_index_html_on_directories(false)
        .fallback(index);
    router.fallback(async move |request: Request| {
        let path = request.uri().path().to_owned();
        if !is_page_path(&path) {
            return nothing_there(&path).into_response();
        }
        let hashed = path.starts_with("/assets/");
        let Ok(response) = files.oneshot(request).await;
        let mut response = response.map(axum::body::Body::new);
        let keep = if hashed && response.status().is_success() {
            "private, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
        response
    })
}

async fn plain(State(door): State<Door>, request: Request) -> Response {
    if request.uri().path() != "/" || !is_reading(request.method()) {
        return nothing_there(request.uri().path()).into_response();
    }
    Html(task_list(&door)).into_response()
}

fn task_list(door: &Door) -> String {
    let snapshot = door.orchestrator().snapshot();
    let mut rows = String::new();
    for task in snapshot.tasks.values().rev().take(LISTED_MAX) {
        let branch = task
            .repositories
            .first()
            .and_then(|repository| repository.branch.as_deref());
        let _ = write!(
            rows,
            "<tr><td><code>{}</code><td>{}<td>{}<td>{}<td><code>{}</code></tr>",
            escape(task.task_id.as_str()),
            escape(task.state.as_str()),
            escape(&task.title),
            escape(task.spec.harness.as_str()),
            escape(branch.unwrap_or("–")),
        );
    }
    let body = if rows.is_empty() {
        "<p>No task yet. Start one: <code>paddock run --repo . \"what to do\"</code></p>".to_owned()
    } else {
        format!("<table><tr><th>Task<th>State<th>Title<th>Harness<th>Branch</tr>{rows}</table>")
    };
    html(
        "Paddock",
        &format!(
            "<h1>Tasks</h1>{body}<p>The full interface is not part of this build; <code>paddock</code> in a terminal has every action.</p>"
        ),
    )
}

/// What a browser without a session sees in place of an error it cannot use.
pub(crate) fn not_paired() -> Response {
    let body = "<h1>This browser is not paired</h1><p>Run <code>paddock pair</code> in a terminal on the machine that serves, and open the link that it prints.</p>";
    (
        StatusCode::UNAUTHORIZED,
        Html(html("Paddock: not paired", body)),
    )
        .into_response()
}

/// What a browser sees when its pairing link is not good any more.
pub(crate) fn bad_code() -> Response {
    let body = "<h1>This link is no longer good</h1><p>A pairing link works once and for ten minutes. Run <code>paddock pair</code> for a new one.</p>";
    (
        StatusCode::UNAUTHORIZED,
        Html(html("Paddock: pairing", body)),
    )
        .into_response()
}

/// Whether the one who asks is a person with a browser.
pub(crate) fn wants_page(request: &Request) -> bool {
    is_reading(request.method())
        && is_page_path(request.uri().path())
        && accepts_html(request.headers())
}

fn accepts_html(headers: &HeaderMap) -> bool {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    accept.is_some_and(|kinds| kinds.contains("text/html"))
}

fn is_reading(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

fn is_page_path(path: &str) -> bool {
    !["/api/", "/webhooks/"]
        .iter()
        .any(|prefix| path.starts_with(prefix))
        && path != "/api"
}

fn nothing_there(path: &str) -> Failure {
    let shown: String = path.chars().take(200).collect();
    let message = format!("there is nothing at {shown}");
    Failure::new(ErrorCode::NotFound, message).with(serde_json::json!({ "what": "path" }))
}

fn html(title: &str, body: &str) -> String {
    let style = "body{font:13px/1.5 system-ui,sans-serif;max-width:72rem;margin:32px auto;padding:0 16px;color-scheme:light dark}\
        table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:4px 12px 4px 0}code{font-family:ui-monospace,monospace}";
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{style}</style><body>{body}</body></html>"
    )
}

/// `text` as HTML shows it.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_become_markup() {
        assert_eq!(escape("<script>\"&'"), "&lt;script&gt;&quot;&amp;&#39;");
    }

    #[test]
    fn the_api_is_never_answered_with_a_page() {
        for path in [
            "/api/paddock/v1/nothing",
            "/api/x",
            "/api",
            "/webhooks/github",
        ] {
            assert!(!is_page_path(path), "{path}");
        }
        assert!(is_page_path("/tasks/x") && is_page_path("/"));
    }
}
