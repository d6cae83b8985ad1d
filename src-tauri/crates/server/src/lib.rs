//! The door: REST and event streams over the orchestrator, with a guard before every route.
//!
//! A request goes through the layers of [`server`]: hardening headers, compression, the [`guard`], the
//! route. Handlers are thin: they read what the request says, ask the orchestrator, and show what it
//! answers. What it refuses becomes a code and a status in one table, [`failure`].
//!
//! Start at [`Paddock`] and [`Serving::start`], then the route table in [`routes`].

mod auth;
mod door;
mod failure;
mod frame;
mod guard;
mod headers;
mod hub;
mod input;
mod listener;
mod lock;
mod paddock;
mod page;
mod routes;
mod server;
mod settings;
mod stream;
mod terminals;

pub use paddock::{OpenError, Paddock};
pub use routes::document as openapi_document;
pub use server::{ServeError, Serving};
pub use settings::ServerSettings;
