//! Any bytes for the codec of `scripted`: `cargo +nightly fuzz run scripted` in the crate of the codecs.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(harness) = paddock_harness::find("scripted") {
        body::take(harness, bytes);
    }
});
