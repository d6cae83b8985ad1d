//! Any bytes for the codec of `gemini`: `cargo +nightly fuzz run gemini` in the crate of the codecs.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(harness) = paddock_harness::find("gemini") {
        body::take(harness, bytes);
    }
});
