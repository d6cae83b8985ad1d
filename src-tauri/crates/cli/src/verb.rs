//! What the verbs do.

mod account;
mod boxes;
mod control;
mod export;
mod follow;
mod hand;
mod journal;
mod list;
mod marks;
mod offers;
mod orphans;
mod places;
mod queue;
mod relink;
mod rules;
mod run;
mod search;
mod secret;
mod serve;
mod sessions;
mod settings;
mod talk;
mod template;
mod terminal;
mod tools;
mod trash;
mod tune;
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
        Verb::Sessions(args) => sessions::sessions(global, args).await,
        Verb::Fork(args) => hand::fork(global, *args).await,
        Verb::HandOff(args) => hand::hand_off(global, *args).await,
        Verb::Compare(args) => hand::compare(global, args).await,
        Verb::Ls(ls) => list::ls(global, ls).await,
        Verb::Show(task) => list::show(global, &task.task).await,
        Verb::Logs(logs) => list::logs(global, &logs).await,
        Verb::Send(send) => talk::send(global, send).await,
        Verb::Queue(queue) => queue::queue(global, queue).await,
        Verb::Places(places) => places::places(global, places).await,
        Verb::Answer(answer) => talk::answer(global, answer).await,
        Verb::Account(args) => account::account(global, args).await,
        Verb::Rules(args) => rules::rules(global, args).await,
        Verb::Tune(args) => tune::tune(global, args).await,
        Verb::Offers(args) => offers::offers(global, &args).await,
        Verb::Compact(args) => tune::compact(global, args).await,
        Verb::Clear(task) => tune::clear(global, &task.task).await,
        Verb::Restart(task) => tune::restart(global, &task.task).await,
        Verb::Resume(args) => tune::resume(global, args).await,
        Verb::Interrupt(task) => control::interrupt(global, &task.task).await,
        Verb::Stop(task) => control::stop(global, &task.task).await,
        Verb::Relink(args) => relink::relink(global, &args).await,
        Verb::Revive(args) => control::revive(global, &args).await,
        Verb::Purge(purge) => control::purge(global, &purge).await,
        Verb::Aside(args) => marks::aside(global, &args).await,
        Verb::Archive(args) => marks::archive(global, &args).await,
        Verb::Restore(task) => control::restore(global, &task.task).await,
        Verb::Diff(diff) => work::diff(global, diff).await,
        Verb::Commit(commit) => work::commit(global, commit).await,
        Verb::Sync(sync) => work::sync(global, sync).await,
        Verb::Trash(args) => trash::trash(global, args).await,
        Verb::Commits(args) => trash::commits(global, args).await,
        Verb::Stats(args) => boxes::stats(global, &args).await,
        Verb::Ps(task) => boxes::ps(global, &task.task).await,
        Verb::Kill(args) => boxes::kill(global, &args).await,
        Verb::Terminal(args) => terminal::terminal(global, args).await,
        Verb::Orphans(args) => orphans::orphans(global, args).await,
        Verb::Journal(args) => journal::journal(global, args).await,
        Verb::Export(args) => export::export(global, args).await,
        Verb::Retention(args) => journal::retention(global, &args).await,
        Verb::Harness { verb } => tools::harness(global, verb).await,
        Verb::Inspect { path } => tools::inspect(global, &path).await,
        Verb::Doctor => tools::doctor(global).await,
        Verb::Pair => tools::pair(global).await,
        Verb::Decode(decode) => tools::decode(global, &decode),
        Verb::Openapi => {
            crate::render::print(&paddock_server::openapi_document());
            Ok(Exit::Well)
        }
        Verb::Template(args) => template::template(global, args).await,
        Verb::Settings(args) => settings::settings(global, args).await,
        Verb::Search(args) => search::search(global, args).await,
        Verb::Secret(args) => secret::secret(global, args).await,
        Verb::Config { docs } => tools::config(global, docs),
    }
}
