//! Addresses of remotes that may be shown to an agent.

/// `url` without credentials, or nothing when it is no network address that can be shown.
///
/// Paths on the host are left out: a box could not reach them, or should not write there.
#[must_use]
pub fn public_url(url: &str) -> Option<String> {
    if url.contains(char::is_whitespace) || url.contains(char::is_control) || url.contains("::") {
        return None;
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return scp_like(url);
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    match scheme {
        // The user of an address for ssh is part of it; over http it is a credential.
        "ssh" => {
            let user = user.and_then(|u| u.split(':').next());
            let user = user.map(|u| format!("{u}@")).unwrap_or_default();
            Some(format!("ssh://{user}{host}{path}"))
        }
        "https" | "http" => {
            let path = path.split(['?', '#']).next().unwrap_or_default();
            Some(format!("{scheme}://{host}{path}"))
        }
        "git" => Some(format!("git://{host}{path}")),
        _ => None,
    }
}

/// `user@host:path`, which is an address and not a path when the colon comes before any slash.
fn scp_like(url: &str) -> Option<String> {
    let (host, path) = url.split_once(':')?;
    let is_drive = host.len() == 1;
    let is_host = !host.is_empty() && !host.contains('/') && !host.starts_with('-');
    (is_host && !is_drive && !path.is_empty()).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_and_host_paths_never_pass() {
        for (url, public) in [
            (
                "https://u:p@example.com/a.git",
                Some("https://example.com/a.git"),
            ),
            (
                "https://ghp_x@example.com/a?token=1",
                Some("https://example.com/a"),
            ),
            ("https://a@b@example.com/a", Some("https://example.com/a")),
            (
                "ssh://git:pw@example.com:22/a",
                Some("ssh://git@example.com:22/a"),
            ),
            ("git@example.com:a/b.git", Some("git@example.com:a/b.git")),
            ("/srv/a.git", None),
            ("../a", None),
            ("file:///srv/a", None),
            ("ext::sh -c evil", None),
            ("C:/repos/a", None),
            ("-oProxyCommand=evil:x", None),
        ] {
            assert_eq!(public_url(url).as_deref(), public, "{url}");
        }
    }
}
