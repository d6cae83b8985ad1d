//! Keys and base URLs on their way from the host into a box.
//!
//! They come from the vault, else from the settings, else from the environment of `paddock serve`
//! ([`crate::keys`]). They reach a box as environment of one run: never an image, an argument, a label, a
//! log or a file of ours. A base URL on
//! this machine's loopback is carried into a container by the relay; nothing else of the host's network
//! is opened for it.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use paddock_boxes::LiveBox;
use paddock_domain::{AccountName, ErrorClass};
use paddock_harness::{Harness, LaunchError};

use crate::accounts;
use crate::keys;
use crate::rooms::Rooms;
use crate::runner::SetupError;

/// What `harness` is given in `place`, its base URL as that box reaches it.
pub(crate) async fn for_box(
    rooms: &Rooms,
    harness: &dyn Harness,
    account: Option<&AccountName>,
    place: &LiveBox,
) -> Result<BTreeMap<String, String>, SetupError> {
    let given = keys::given(rooms, harness).await;
    let given = given.map_err(|error| SetupError::new(ErrorClass::Auth, error))?;
    let mut provider = given.values();
    if let Some(account) = account {
        provider = accounts::values(rooms, harness, account, provider).await?;
    }
    let Some(variable) = harness.base_url_variable() else {
        return Ok(provider);
    };
    let Some(url) = provider.get(variable).filter(|url| !url.trim().is_empty()) else {
        return Ok(provider);
    };
    if let Some(target) = loopback_target(url) {
        let port = place
            .forward(target)
            .await
            .map_err(|error| SetupError::new(ErrorClass::Network, error))?;
        if port != target.port() {
            let moved = with_port(url, port);
            provider.insert(variable.to_owned(), moved);
        }
    }
    Ok(provider)
}

/// The address that `url` means on this machine's loopback; nothing when it leads elsewhere.
fn loopback_target(url: &str) -> Option<SocketAddr> {
    let uri: http::Uri = url.trim().parse().ok()?;
    let host = uri.host()?.trim_matches(['[', ']']);
    let default = if uri.scheme_str() == Some("https") {
        443
    } else {
        80
    };
    let port = uri.port_u16().unwrap_or(default);
    let address: IpAddr = match host {
        "localhost" => Ipv4Addr::LOCALHOST.into(),
        other => other.parse().ok()?,
    };
    address
        .is_loopback()
        .then(|| SocketAddr::new(address, port))
}

/// `url` with its host's address as a box sees it: its own loopback, at `port`.
fn with_port(url: &str, port: u16) -> String {
    let url = url.trim();
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    let host = if scheme == "https" {
        "localhost"
    } else {
        "127.0.0.1"
    };
    format!("{scheme}://{host}:{port}{path}")
}

/// What kind of failure a launch that is refused is.
pub(crate) fn class_of(error: &LaunchError) -> ErrorClass {
    if let LaunchError::MissingKey { .. } = error {
        ErrorClass::Auth
    } else {
        ErrorClass::Setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str) -> Option<String> {
        loopback_target(url).map(|address| address.to_string())
    }

    #[test]
    fn only_this_machine_is_carried() {
        assert_eq!(
            target("http://127.0.0.1:8191/v1").as_deref(),
            Some("127.0.0.1:8191")
        );
        assert_eq!(
            target("http://localhost:8191").as_deref(),
            Some("127.0.0.1:8191")
        );
        assert_eq!(target("http://[::1]:8191").as_deref(), Some("[::1]:8191"));
        assert_eq!(
            target("https://127.0.0.9").as_deref(),
            Some("127.0.0.9:443")
        );
        for elsewhere in [
            "https://api.example.com",
            "http://192.168.0.1:80",
            "nonsense",
            "",
        ] {
            assert_eq!(target(elsewhere), None, "{elsewhere}");
        }
    }

    #[test]
    fn a_carried_url_keeps_its_path() {
        assert_eq!(
            with_port("http://localhost:8191/s/x/v1", 40000),
            "http://127.0.0.1:40000/s/x/v1"
        );
        assert_eq!(
            with_port("http://[::1]:8191", 40000),
            "http://127.0.0.1:40000"
        );
    }
}
