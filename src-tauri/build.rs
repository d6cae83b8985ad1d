//! Checks `tauri.conf.json` and compiles it in.

fn main() {
    tauri_build::build();
}
