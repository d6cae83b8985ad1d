//! Where a request may come from and by which name it may call us.
//!
//! The host name stands against DNS rebinding, `Origin` and `Sec-Fetch-Site` against other sites that a
//! browser has open.

use axum::http::{HeaderMap, Uri, header};
use paddock_api::ErrorCode;

use crate::failure::Failure;

/// The names and origins that are ours.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Places {
    /// Loopback's own names, `hosts` (without port) and `origins` (`scheme://host[:port]`) besides.
    pub(crate) fn new(hosts: &[String], origins: &[String]) -> Self {
        let lower = |texts: &[String]| texts.iter().map(|text| text.to_ascii_lowercase()).collect();
        let mut all: Vec<String> = lower(hosts);
        all.extend(["localhost", "127.0.0.1", "[::1]"].map(str::to_owned));
        Self {
            hosts: all,
            origins: lower(origins),
        }
    }

    /// The request calls us by a name of ours, in its line and in its header.
    pub(super) fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let mut named = headers.get_all(header::HOST).iter();
        let host = named
            .next()
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let line = uri.authority().map_or(host, |authority| authority.as_str());
        if named.next().is_none() && self.is_ours(host) && self.is_ours(line) {
            return Ok(());
        }
        let shown: String = host.chars().take(80).collect();
        let message = format!(
            "`{shown}` is not a name of this server: start it with `--allow-host` if it should be"
        );
        Err(Failure::new(ErrorCode::Forbidden, message))
    }

    fn is_ours(&self, authority: &str) -> bool {
        let host = without_port(authority).to_ascii_lowercase();
        self.hosts.contains(&host)
    }

    /// The request does not come from another site.
    pub(super) fn check_origin(&self, headers: &HeaderMap) -> Result<(), Failure> {
        let text = |name: &str| {
            headers
                .get(name)
                .map(|value| value.to_str().unwrap_or("unreadable"))
        };
        if let Some(origin) = text("origin") {
            let origin = origin.to_ascii_lowercase();
            if self.origins.contains(&origin) {
                return Ok(());
            }
            let host = text("host").unwrap_or_default().to_ascii_lowercase();
            let same = origin
                .strip_prefix("http://")
                .or_else(|| origin.strip_prefix("https://"));
            if same != Some(host.as_str()) {
                return Err(foreign());
            }
        }
        match text("sec-fetch-site") {
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) => Err(foreign()),
        }
    }
}

/// A write that is let in by a cookie alone shows that our own pages sent it: every browser that knows
/// `SameSite` says so.
pub(super) fn proves_same_origin(headers: &HeaderMap) -> Result<(), Failure> {
    let same_site = headers
        .get("sec-fetch-site")
        .is_some_and(|site| site == "same-origin");
    // An origin that came this far is ours.
    if same_site || headers.contains_key(header::ORIGIN) {
        Ok(())
    } else {
        Err(foreign())
    }
}

fn foreign() -> Failure {
    let message = "requests from other sites are refused: start the server with `--allow-origin` if this one should be let in";
    Failure::new(ErrorCode::Forbidden, message)
}

/// `host:port` without its port; `[::1]:80` gives `[::1]`.
fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') && port.bytes().all(|b| b.is_ascii_digit()) => {
            host
        }
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn refused(host: &'static str, more: &[(&'static str, &'static str)]) -> bool {
        let places = Places::new(
            &["pad.example".to_owned()],
            &["tauri://localhost".to_owned()],
        );
        let mut headers = HeaderMap::new();
        headers.insert("host", HeaderValue::from_static(host));
        for &(name, value) in more {
            headers.append(name, HeaderValue::from_static(value));
        }
        let uri = Uri::from_static("/x");
        places
            .check_host(&uri, &headers)
            .and_then(|()| places.check_origin(&headers))
            .is_err()
    }

    #[test]
    fn loopback_and_configured_names_are_ours_and_no_others() {
        for ours in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:1234",
            "[::1]:80",
            "[::1]",
            "pad.example:9",
        ] {
            assert!(!refused(ours, &[]), "{ours}");
        }
        for foreign in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil",
            "evil:80:localhost",
            "x@localhost",
        ] {
            assert!(refused(foreign, &[]), "{foreign}");
        }
        assert!(
            refused("localhost", &[("host", "localhost")]),
            "two host names"
        );
    }

    #[test]
    fn other_sites_are_refused_and_our_own_pages_are_not() {
        let host = "127.0.0.1:80";
        assert!(!refused(
            host,
            &[
                ("origin", "http://127.0.0.1:80"),
                ("sec-fetch-site", "same-origin")
            ]
        ));
        assert!(!refused(host, &[("sec-fetch-site", "none")]));
        assert!(!refused(
            host,
            &[
                ("origin", "tauri://localhost"),
                ("sec-fetch-site", "cross-site")
            ]
        ));
        assert!(
            refused(host, &[("origin", "http://127.0.0.1:81")]),
            "another port is another origin"
        );
        assert!(refused(host, &[("origin", "null")]));
        assert!(refused(host, &[("origin", "https://evil.example")]));
        assert!(refused(host, &[("sec-fetch-site", "cross-site")]));
        assert!(refused(host, &[("sec-fetch-site", "same-site")]));
    }
}
