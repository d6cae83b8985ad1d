//! Builds what goes into a box: the relay and the scripted agent, static, small and without a foreign
//! toolchain, and puts both beside the `paddock` program, where it looks for them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::checkout::Checkout;
use crate::{say, step};

/// The programs, by package and by name. The first is held to [`SIZE_MAX`].
const PROGRAMS: &[(&str, &str)] = &[
    ("paddock-relay", "paddock-relay"),
    ("paddock-scripted-agent", "scripted"),
];
/// Largest relay, in bytes: it must go into any box without a second thought.
const SIZE_MAX: u64 = 3_000_000;
/// The cargo profile: for size, without unwinding tables.
const PROFILE: &str = "relay";

/// Builds both and gives where the relay is.
pub(crate) fn build(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    let triple = host_triple(checkout)?;
    let flags = format!(
        "CARGO_TARGET_{}_RUSTFLAGS",
        triple.to_uppercase().replace('-', "_")
    );
    let mut cargo = checkout.cargo();
    cargo.args([
        "build",
        "--quiet",
        "--profile",
        PROFILE,
        "--target",
        &triple,
    ]);
    for (package, _) in PROGRAMS {
        cargo.args(["-p", package]);
    }
    if triple.contains("linux") {
        cargo.env(flags, "-C target-feature=+crt-static");
    }
    step::shown("build the static relay and the scripted agent", &mut cargo)?;
    let built = checkout.target.join(&triple).join(PROFILE);
    fs::create_dir_all(checkout.bin())?;
    for (_, name) in PROGRAMS {
        place(&built.join(name), &checkout.bin().join(name))?;
    }
    let (_, name) = PROGRAMS[0];
    hold_size(&built.join(name))?;
    Ok(checkout.bin().join(name))
}

/// Copies a program into its place in one step: a relay may be running from there.
fn place(from: &Path, to: &Path) -> anyhow::Result<()> {
    let part = to.with_extension("part");
    fs::copy(from, &part).with_context(|| format!("cannot copy {}", from.display()))?;
    fs::rename(&part, to).with_context(|| format!("cannot place {}", to.display()))
}

fn hold_size(relay: &Path) -> anyhow::Result<()> {
    let size = fs::metadata(relay)?.len();
    if size > SIZE_MAX {
        bail!(
            "the relay has {size} bytes, more than {SIZE_MAX}: see what it links with `cargo tree -p paddock-relay`"
        );
    }
    say::good(&format!("the relay has {size} bytes (at most {SIZE_MAX})"));
    Ok(())
}

/// What this machine's own compiler builds for.
pub(crate) fn host_triple(checkout: &Checkout) -> anyhow::Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = step::quiet("ask the compiler", checkout.command(rustc).arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .context("the compiler does not name its host")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relay_that_has_grown_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let relay = dir.path().join("relay");
        fs::File::create(&relay)
            .unwrap()
            .set_len(SIZE_MAX + 1)
            .unwrap();
        assert!(hold_size(&relay).is_err());
        fs::File::create(&relay).unwrap().set_len(SIZE_MAX).unwrap();
        assert!(hold_size(&relay).is_ok());
    }
}
