//! A window with nothing in it: what the toolkit itself needs of a machine. `cargo xtask bench ui` holds the
//! desktop window's memory against it.

use tauri::{WebviewUrl, WebviewWindowBuilder};

fn main() -> tauri::Result<()> {
    tauri::Builder::default()
        .setup(|app| {
            let nothing = WebviewUrl::External("about:blank".parse()?);
            WebviewWindowBuilder::new(app, "main", nothing)
                .title("Empty")
                .inner_size(1280.0, 820.0)
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
}
