//! The Docker Engine API over any byte stream: images, containers, labels, events, statistics.
//!
//! An [`Engine`] is found in the usual places ([`Search`]) or told where it is ([`Endpoint`]), or
//! speaks over streams that someone else opens ([`Dial`]), such as channels of an SSH session. Docker
//! and Podman answer the same calls. What an engine refuses comes back as an [`EngineError`] that says
//! what to do.
//!
//! Invariant: no command line of an engine is run or parsed, and no wait is without a bound but those
//! of the streams that are meant to stay open (events, statistics, exec).
//!
//! Start at [`Engine`].

mod container;
mod dial;
mod endpoint;
mod engine;
mod error;
mod event;
mod exec;
mod image;
mod reference;
mod search;
mod spec;
mod stats;

pub use container::{Container, ContainerState};
pub use dial::{ByteStream, Dial};
pub use endpoint::{BadEndpoint, Endpoint};
pub use engine::{Engine, EngineInfo};
pub use error::EngineError;
pub use event::{ContainerEvent, Happening};
pub use exec::ExecStream;
pub use image::{Image, PullProgress};
pub use reference::{BadReference, ImageReference};
pub use search::{Found, NoEngine, Search, Trial, Tried};
pub use spec::{Access, ContainerSpec, Mount, NetworkMode};
pub use stats::{FirstProcess, Usage};
