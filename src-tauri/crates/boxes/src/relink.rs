//! A box whose repository was moved on the host is told where it borrows objects from now.
//!
//! In a container that is a mount, so its container is made again; what it holds of its own is on our disk.
//! In a worktree box it stands in files of its repositories, which are written in the box, as everything
//! there is. A box that cannot read everything afterwards is put back as it was.
//!
//! Start at [`Boxes::relink`].

use std::path::Path;

use paddock_domain::{BoxKind, TaskId};
use paddock_exec::{Command, Limits, Place};
use paddock_git::{GitError, Oid};

use crate::seeding::Looked;
use crate::{BoxError, BoxRecord, BoxRepository, Boxes, HomeFile, LiveBox, home};

/// Where a repository says which objects it borrows.
const ALTERNATES: &str = "/.git/objects/info/alternates";

impl Boxes {
    /// Tells the box of `task` that its repository at `from` on the host is `to` now. The container of a
    /// container box ends for it and is started again. Gives the box; nothing when it cannot read
    /// everything from there: then it is as it was before, though a container does not run.
    ///
    /// # Errors
    /// [`BoxError::BoxGone`] without a box, and whatever keeps it from starting.
    pub async fn relink(
        &self,
        task: &TaskId,
        from: &str,
        to: &BoxRepository,
    ) -> Result<Option<LiveBox>, BoxError> {
        let Some(old) = self.record(task)? else {
            return Err(BoxError::BoxGone { task: task.clone() });
        };
        let looked = Looked::all(std::slice::from_ref(to)).await?;
        let there: Vec<String> = looked.iter().flat_map(Looked::objects).collect();
        let new = relinked(&old, from, &to.host_path, &there);
        let live = self.take_over(&old, &new).await?;
        let mut names = live.repositories.iter();
        let dir = names.find(|(path, _)| *path == to.host_path);
        let whole = match dir {
            Some((_, dir)) => is_whole(live.place(), dir, &to.base).await?,
            None => false,
        };
        if whole {
            return Ok(Some(live));
        }
        drop(live);
        match new.kind {
            BoxKind::Container => {
                self.end_container(&new).await?;
                old.write(&self.dirs(task))?;
            }
            BoxKind::Worktree => drop(self.take_over(&new, &old).await?),
        }
        Ok(None)
    }

    /// Makes the box of `old` that of `new`, and starts it.
    async fn take_over(&self, old: &BoxRecord, new: &BoxRecord) -> Result<LiveBox, BoxError> {
        let dirs = self.dirs(&new.task_id);
        match new.kind {
            BoxKind::Container => {
                self.end_container(old).await?;
                new.write(&dirs)?;
                self.restart(new).await
            }
            BoxKind::Worktree => {
                let live = self.restart(old).await?;
                for (_, dir) in &live.repositories {
                    borrow_anew(live.place(), dir, &old.objects, &new.objects).await?;
                }
                new.write(&dirs)?;
                self.restart(new).await
            }
        }
    }

    async fn end_container(&self, record: &BoxRecord) -> Result<(), BoxError> {
        self.stop(record).await?;
        self.remove_containers(&record.task_id).await
    }
}

/// The record of a box whose repository at `from` is at `to` now and has its objects `there`.
fn relinked(old: &BoxRecord, from: &str, to: &str, there: &[String]) -> BoxRecord {
    let mut new = old.clone();
    for repository in &mut new.repositories {
        if repository.host_path == from {
            to.clone_into(&mut repository.host_path);
        }
    }
    for objects in &mut new.objects {
        let stays =
            Path::new(objects.as_str()).is_dir() && !Path::new(objects.as_str()).starts_with(from);
        if !stays && let Some(now) = most_like(objects, there) {
            now.clone_into(objects);
        }
    }
    new
}

/// The one of `there` that ends most like `gone`: the objects of the repository itself or of one inside it.
fn most_like<'a>(gone: &str, there: &'a [String]) -> Option<&'a String> {
    let alike = |other: &str| {
        let parts = gone.rsplit('/').zip(other.rsplit('/'));
        parts.take_while(|(one, other)| one == other).count()
    };
    // Of those that are equally like it, the first: the repository's own.
    let likest = there.iter().rev().max_by_key(|other| alike(other));
    likest.filter(|other| alike(other) > 0)
}

/// Lets every repository below `dir` borrow from `new` what it borrowed from `old`.
async fn borrow_anew(
    place: &dyn Place,
    dir: &str,
    old: &[String],
    new: &[String],
) -> Result<(), BoxError> {
    let broken = |error: paddock_exec::ExecError| BoxError::from(GitError::from(error));
    let pattern = format!("*{ALTERNATES}");
    let find = Command::new("find").args([dir, "-path", &pattern, "-type", "f", "-print0"]);
    let found = place.run(&find, Limits::default()).await.map_err(broken)?;
    for file in found.text().split('\0').filter(|file| !file.is_empty()) {
        let cat = Command::new("cat").args(["--", file]);
        let text = place
            .check(&cat, Limits::default())
            .await
            .map_err(broken)?
            .text();
        let moved = |line: &str| {
            let nth = old.iter().position(|gone| gone == line);
            let now = nth
                .and_then(|nth| new.get(nth))
                .map_or(line, String::as_str);
            format!("{now}\n")
        };
        let content: String = text.lines().map(moved).collect();
        if content == text {
            continue;
        }
        let written = HomeFile {
            path: "alternates".to_owned(),
            content: content.into_bytes(),
            mode: 0o644,
        };
        let into = file.trim_end_matches("/alternates");
        let written = place.upload(into, home::pack(&[written])?.into()).await;
        written.map_err(broken)?;
    }
    Ok(())
}

/// Whether the repository in `dir` can read all that it has since `base`, and `base` itself.
async fn is_whole(place: &dyn Place, dir: &str, base: &Oid) -> Result<bool, BoxError> {
    match paddock_git::is_whole(place, dir, base).await {
        Ok(whole) => Ok(whole),
        Err(error) if error.may_be_damage() => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_again_by_the_end_of_their_path() {
        let there = ["/b/other/.git/objects", "/b/other/.git/modules/m/objects"].map(str::to_owned);
        let find = |gone: &str| most_like(gone, &there).map(String::as_str);
        assert_eq!(find("/a/repo/.git/objects"), Some(there[0].as_str()));
        assert_eq!(
            find("/a/repo/.git/modules/m/objects"),
            Some(there[1].as_str())
        );
        assert_eq!(find("/a/bare.git/objects"), Some(there[0].as_str()));
        assert_eq!(find("/a/elsewhere"), None);
    }
}
