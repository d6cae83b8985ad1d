//! What packages call this machine.

/// npm's name of the processor.
pub(crate) fn npm_arch() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    }
}

/// Rust's names of this machine, best first: a static program runs in every image.
pub(crate) fn triples() -> [String; 2] {
    let arch = std::env::consts::ARCH;
    ["musl", "gnu"].map(|libc| format!("{arch}-unknown-linux-{libc}"))
}

/// Where `candidate` of a recipe may lie on this machine.
pub(crate) fn spelled_out(candidate: &str) -> Vec<String> {
    let candidate = candidate.replace("{arch}", npm_arch());
    if !candidate.contains("{triple}") {
        return vec![candidate];
    }
    triples()
        .map(|triple| candidate.replace("{triple}", &triple))
        .to_vec()
}
