//! Any bytes for the codec of `opencode`: `cargo +nightly fuzz run opencode` in the crate of the codecs.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(harness) = paddock_harness::find("opencode") {
        body::take(harness, bytes);
    }
});
