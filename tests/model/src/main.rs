//! `scripted-model`: serves the scripted model API until it is told to end.
//!
//! Prints one JSON line, `{"url": …}`, when it answers. Ends on Ctrl-C, on a termination signal, or
//! with `--until-eof` when stdin closes, so that it never outlives the test that started it.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::Context;
use clap::Parser;
use paddock_scripted_model::ScriptedModel;

/// A scripted model API on loopback.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Port to listen on; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// End when stdin closes.
    #[arg(long)]
    until_eof: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), arguments.port);
    let model =
        ScriptedModel::start(address).with_context(|| format!("cannot listen on {address}"))?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::json!({ "url": model.url() }))?;
    out.flush()?;
    if arguments.until_eof {
        std::io::copy(&mut std::io::stdin().lock().by_ref(), &mut std::io::sink())?;
        model.stop();
    } else {
        model.wait();
    }
    Ok(())
}
