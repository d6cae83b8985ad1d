//! Ports in a box that lead to one fixed target on the host.
//!
//! One owned task per forward keeps it served: when its connection is lost, it connects again and
//! takes the same name, so the port in the box stays and connections that wait there go on.

use std::time::Duration;

use paddock_relay_client::protocol::Forward;
use paddock_relay_client::{ForwardTarget, Forwarding, RelayClient, RelayError};
use tokio_util::task::AbortOnDropHandle;

use crate::reach::Reach;

/// First and longest pause before connecting again.
const PAUSE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));

/// A forward that is served for as long as this lives.
pub(crate) struct Served {
    pub(crate) port: u16,
    _task: AbortOnDropHandle<()>,
}

impl Served {
    /// Forwards a port of the box to `target`, for which `name` stands.
    pub(crate) async fn start(
        relay: RelayClient,
        reach: Reach,
        name: String,
        target: String,
    ) -> Result<Self, RelayError> {
        let mut forward = Forward { name, port: 0 };
        let target = ForwardTarget::Tcp(target);
        let forwarding = relay.forward(&forward, target.clone()).await?;
        let port = forwarding.port();
        forward.port = port;
        let task = tokio::spawn(serve(relay, reach, forward, target, forwarding));
        Ok(Self {
            port,
            _task: AbortOnDropHandle::new(task),
        })
    }
}

async fn serve(
    mut relay: RelayClient,
    reach: Reach,
    forward: Forward,
    target: ForwardTarget,
    mut forwarding: Forwarding,
) {
    loop {
        forwarding.ended().await;
        if relay.ping().await.is_ok() {
            // Another client of the same relay serves the name now.
            return;
        }
        (relay, forwarding) = again(&reach, &forward, &target).await;
        tracing::debug!(port = forward.port, "a forwarded port is served again");
    }
}

/// Connects until the forward stands again. A box that is gone for good ends us by dropping us.
async fn again(
    reach: &Reach,
    forward: &Forward,
    target: &ForwardTarget,
) -> (RelayClient, Forwarding) {
    let mut pause = PAUSE.0;
    loop {
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE.1);
        let Ok(relay) = reach.connect().await else {
            continue;
        };
        if let Ok(forwarding) = relay.forward(forward, target.clone()).await {
            return (relay, forwarding);
        }
    }
}
