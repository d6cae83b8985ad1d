//! An empty window: what the toolkit itself needs of a machine. `cargo xtask bench ui` holds the desktop window's
//! memory against it.
//!
//! Without a word the window has no page at all: no process that draws pages begins then. With the word `page` it
//! shows an empty one.

use tauri::http::Response;
use tauri::{WebviewUrl, WebviewWindowBuilder};

/// All that is in the page.
const PAGE: &[u8] = b"<!doctype html><title>Empty</title>";

fn main() -> tauri::Result<()> {
    let has_page = std::env::args().nth(1).is_some_and(|word| word == "page");
    let address = if has_page {
        "empty://localhost/"
    } else {
        "about:blank"
    };
    tauri::Builder::default()
        .register_uri_scheme_protocol("empty", |_, _| {
            let mut page = Response::new(PAGE);
            let kind = tauri::http::HeaderValue::from_static("text/html");
            page.headers_mut().insert("content-type", kind);
            page
        })
        .setup(move |app| {
            WebviewWindowBuilder::new(app, "main", WebviewUrl::External(address.parse()?))
                .title("Empty")
                .inner_size(1280.0, 820.0)
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
}
