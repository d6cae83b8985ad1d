//! A scripted model API on loopback, so that real agent programs do real work without the internet.
//!
//! One port speaks Anthropic Messages, OpenAI Responses and Chat, and Gemini. It answers from the
//! request alone: the last user text with a marker `[[fake:NAME key=value …]]` picks the story, the
//! number of model turns after it picks the step. The only state is a count of errors played and a
//! bounded record of what was asked; no header's value is ever kept.
//!
//! A request goes: `server` reads it → a dialect (`anthropic`, `openai_responses`, `openai_chat`,
//! `gemini`) turns it into a `conversation` → `choice` picks a step of a `story` → `bind`
//! fits its tool calls to the tools on offer → the dialect writes a `tape` → the server plays it.
//! Start at [`ScriptedModel::start`]; the stories are listed in `README.md`.

mod answer;
mod anthropic;
mod bind;
mod choice;
mod conversation;
mod dialect;
mod fault;
mod gemini;
mod marker;
mod openai_chat;
mod openai_responses;
mod record;
mod sample;
mod server;
mod story;
mod tape;

pub use record::SeenRequest;
pub use server::ScriptedModel;
