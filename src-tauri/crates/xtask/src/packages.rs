//! System packages, by Debian's own client, where it can be used: as root, with `apt-get`.
//!
//! Whoever asks says what for; where they cannot be had, the caller names them to the user.

use crate::checkout::Checkout;
use crate::step;

/// Installs `packages`; whether that worked.
pub(crate) fn install(checkout: &Checkout, what: &str, packages: &[&str]) -> bool {
    let packages = packages.join(" ");
    let script = format!(
        "export DEBIAN_FRONTEND=noninteractive; o='-o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -qq'; \
         [ \"$(id -u)\" = 0 ] && command -v apt-get >/dev/null && \
         {{ apt-get $o install -y --no-install-recommends {packages} >/dev/null 2>&1 || \
         {{ apt-get $o update >/dev/null && apt-get $o install -y --no-install-recommends {packages} >/dev/null; }}; }}"
    );
    let mut install = checkout.command("sh");
    install.args(["-c", &script]);
    step::shown(&format!("install {what}"), &mut install).is_ok()
}

/// How a user gets them.
pub(crate) fn remedy(packages: &[&str]) -> String {
    format!("on Debian, as root: apt-get install {}", packages.join(" "))
}
