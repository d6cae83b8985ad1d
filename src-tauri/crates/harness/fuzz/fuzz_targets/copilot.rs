//! Any bytes for the codec of `copilot`: `cargo +nightly fuzz run copilot` in the crate of the codecs.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(harness) = paddock_harness::find("copilot") {
        body::take(harness, bytes);
    }
});
