//! Any bytes for the codec of `codex`: `cargo +nightly fuzz run codex` in the crate of the codecs.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(harness) = paddock_harness::find("codex") {
        body::take(harness, bytes);
    }
});
