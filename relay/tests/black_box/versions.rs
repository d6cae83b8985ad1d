//! Relays of other builds, older and newer: what is common is spoken, what is not is refused with both
//! ranges, and the agents of a relay that nobody understands work on.

use paddock_relay_client::protocol::VersionRange;
use paddock_relay_client::{RelayClient, RelayError};

use super::rig::*;

#[tokio::test]
async fn a_relay_of_an_older_or_newer_build_speaks_the_version_that_both_know() {
    let ours = VersionRange::THIS_BUILD;
    for range in [(ours.min, ours.max + 3), (0, ours.max), (0, ours.max + 1)] {
        let rig = Rig::start_with(&["--speak", &format!("{}-{}", range.0, range.1)]);
        let client = rig.client().await;
        let peer = client.peer();
        assert_eq!(peer.version, ours.max);
        assert_eq!((peer.peer.versions.min, peer.peer.versions.max), range);
        spawn(&client, "r", "echo understood").await;
        assert_eq!(outs(&whole_log(&client, "r").await), ["understood"]);
    }
}

#[tokio::test]
async fn a_relay_that_shares_no_version_is_named_and_its_run_is_left_alone() {
    for range in ["900-901", "0-0"] {
        let rig = Rig::start();
        let client = rig.client().await;
        let agent = spawn(&client, "r", "while :; do sleep 0.1; done")
            .await
            .pid
            .unwrap();
        stop(&client, "r", 100).await;
        assert!(!lives(&agent.to_string()));
        drop(client);
        rig.signal("-TERM");
        rig.wait_until_gone();
        rig.serve_with(&["--speak", range]);
        let refused = RelayClient::connect_unix(rig.dir()).await.unwrap_err();
        let said = refused.to_string();
        let RelayError::VersionMismatch { ours, theirs, .. } = refused else {
            panic!("{said}");
        };
        assert_eq!(ours, VersionRange::THIS_BUILD);
        assert_eq!(VersionRange::parse(range), Some(theirs));
        for part in [ours.to_string(), theirs.to_string(), "update".to_owned()] {
            assert!(said.contains(&part), "{said}");
        }
    }
}
