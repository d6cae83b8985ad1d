//! Any bytes for the codec of `pi`: `cargo +nightly fuzz run pi` in the crate of the codecs.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(harness) = paddock_harness::find("pi") {
        body::take(harness, bytes);
    }
});
