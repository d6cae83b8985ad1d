//! Any bytes for the codec of `kimi`: `cargo +nightly fuzz run kimi` in the crate of the codecs.

#![no_main]

#[path = "../body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(harness) = paddock_harness::find("kimi") {
        body::take(harness, bytes);
    }
});
