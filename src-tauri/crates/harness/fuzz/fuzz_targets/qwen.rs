//! Any bytes for the codec of `qwen`: `cargo +nightly fuzz run qwen` in the crate of the codecs.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(harness) = paddock_harness::find("qwen") {
        body::take(harness, bytes);
    }
});
