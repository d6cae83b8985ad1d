//! Any bytes for the codec of `claude`: `cargo +nightly fuzz run claude` in the crate of the codecs.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(harness) = paddock_harness::find("claude") {
        body::take(harness, bytes);
    }
});
