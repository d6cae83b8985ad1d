//! Which submodules of a repository a box can have, from objects that the host already has.

use paddock_exec::Place;

use crate::git::{Git, LOOK, ask, must};
use crate::inspect::stays_inside;
use crate::{GitError, Oid, Repository, Seed};

/// Submodules that can be seeded, and sentences about those that cannot.
#[derive(Debug, Default)]
pub struct SubmoduleSeeds {
    /// To be put into [`Seed::submodules`].
    pub seeds: Vec<Seed>,
    /// Directories of objects on the host that the box must see for them.
    pub object_dirs: Vec<String>,
    /// What a user should know.
    pub notices: Vec<String>,
}

/// Looks for the submodules of `seed.base` among those that the host has cloned.
///
/// `seen` gives the path at which the box sees a directory of objects of the host.
///
/// # Errors
/// [`GitError`] when the tree of `seed.base` cannot be read.
pub async fn submodule_seeds(
    place: &dyn Place,
    repository: &Repository,
    seed: &Seed,
    seen: impl Fn(&str) -> String,
) -> Result<SubmoduleSeeds, GitError> {
    let mut found = SubmoduleSeeds::default();
    if repository.submodules.is_empty() {
        return Ok(found);
    }
    let links = links(place, repository, &seed.base).await?;
    for submodule in &repository.submodules {
        let Some(commit) = links.iter().find(|(path, _)| *path == submodule.path) else {
            continue;
        };
        let git_dir = format!("{}/modules/{}", repository.git_dir, submodule.name);
        if !has_commit(place, &git_dir, &commit.1).await? {
            found.notices.push(format!(
                "the submodule {} is left empty in the box: run `git submodule update --init` in {} first to have it",
                submodule.path, repository.root
            ));
            continue;
        }
        let objects = format!("{git_dir}/objects");
        found.seeds.push(Seed {
            dir: format!("{}/{}", seed.dir.trim_end_matches('/'), submodule.path),
            alternates: vec![seen(&objects)],
            base: commit.1.clone(),
            files: None,
            branch: None,
            remotes: Vec::new(),
            refs: Vec::new(),
            shallow: Vec::new(),
            submodules: Vec::new(),
            ..seed.clone()
        });
        found.object_dirs.push(objects);
    }
    Ok(found)
}

/// The commits that `tree` names inside itself, by path.
async fn links(
    place: &dyn Place,
    repository: &Repository,
    tree: &Oid,
) -> Result<Vec<(String, Oid)>, GitError> {
    let list = Git::bare(&repository.git_dir).command(["ls-tree", "-r", "-z", tree.as_str()]);
    let text = must(place, &list, LOOK).await?.text();
    let entries = text.split('\0').filter_map(|e| e.split_once('\t'));
    let links = entries.filter_map(|(what, path)| {
        let oid = what.strip_prefix("160000 commit ")?;
        stays_inside(path).then_some(())?;
        Some((path.to_owned(), Oid::parse(oid)?))
    });
    Ok(links.collect())
}

/// Whether `git_dir` is a repository that holds `commit` and is not shallow.
async fn has_commit(place: &dyn Place, git_dir: &str, commit: &Oid) -> Result<bool, GitError> {
    let git = Git::discover("/");
    let question = format!("{commit}^{{commit}}");
    let look = git.command([&format!("--git-dir={git_dir}"), "cat-file", "-e", &question]);
    let shallow = git.command([
        &format!("--git-dir={git_dir}"),
        "rev-parse",
        "--is-shallow-repository",
    ]);
    let (look, shallow) = tokio::try_join!(ask(place, &look, LOOK), ask(place, &shallow, LOOK))?;
    Ok(look.exit.is_success() && shallow.text().trim() == "false")
}
