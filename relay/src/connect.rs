//! `connect`: bridges stdin and stdout to the relay's socket.

use std::path::Path;

use tokio::io::{AsyncWriteExt, copy};
use tokio::net::UnixStream;

/// Copies both ways until either side is done: then there is no connection any more.
pub(crate) fn connect(dir: &Path) -> anyhow::Result<()> {
    let socket = crate::place::dial(dir)?;
    socket.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let bridged = runtime.block_on(bridge(socket));
    // A read of stdin cannot be cancelled: leave its thread behind.
    runtime.shutdown_background();
    Ok(bridged?)
}

async fn bridge(socket: std::os::unix::net::UnixStream) -> std::io::Result<()> {
    let (mut from_relay, mut to_relay) = UnixStream::from_std(socket)?.into_split();
    let (mut stdin, mut stdout) = (tokio::io::stdin(), tokio::io::stdout());
    let inward = async {
        copy(&mut stdin, &mut to_relay).await?;
        to_relay.shutdown().await
    };
    let outward = async {
        copy(&mut from_relay, &mut stdout).await?;
        stdout.flush().await
    };
    tokio::select! {
        ended = inward => ended,
        ended = outward => ended,
    }
}
