//! What the verbs do.

mod control;
mod follow;
mod list;
mod run;
mod serve;
mod talk;
mod tools;
mod work;

use anyhow::Result;

use crate::args::{Args, Verb};
use crate::exit::Exit;

/// Does what was typed.
pub(crate) async fn run(args: Args) -> Result<Exit> {
    let global = &args.global;
    match args.verb {
        Verb::Serve(serve) => serve::serve(global, serve).await,
        Verb::Run(run) => run::run(global, *run).await,
        Verb::Ls(ls) => list::ls(global, ls).await,
        Verb::Show(task) => list::show(global, &task.task).await,
        Verb::Logs(logs) => list::logs(global, &logs).await,
        Verb::Send(send) => talk::send(global, send).await,
        Verb::Answer(answer) => talk::answer(global, answer).await,
        Verb::Interrupt(task) => control::interrupt(global, &task.task).await,
        Verb::Stop(task) => control::stop(global, &task.task).await,
        Verb::Revive(task) => control::revive(global, &task.task).await,
        Verb::Purge(purge) => control::purge(global, &purge).await,
        Verb::Restore(task) => control::restore(global, &task.task).await,
        Verb::Diff(diff) => work::diff(global, diff).await,
        Verb::Commit(commit) => work::commit(global, commit).await,
        Verb::Sync(sync) => work::sync(global, sync).await,
        Verb::Harness { verb } => tools::harness(global, verb).await,
        Verb::Inspect { path } => tools::inspect(global, &path).await,
        Verb::Doctor => tools::doctor(global).await,
        Verb::Pair => tools::pair(global).await,
        Verb::Decode(decode) => tools::decode(&decode),
        Verb::Openapi => {
            crate::render::print(&paddock_server::openapi_document());
            Ok(Exit::Well)
        }
        Verb::Config { docs } => tools::config(global, docs),
    }
}
