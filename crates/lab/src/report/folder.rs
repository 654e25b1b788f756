//! A report's folder: one run's files, all of them or none.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use roadwire_files::{PrivateFolder, uninterrupted};

/// The names of a report's files, one on each line: the next report moves them to `earlier/`.
const LIST: &str = "files.txt";
/// The folder of the reports before.
const EARLIER: &str = "earlier";

/// Puts a report into its folder. Its files are first written next to those of an earlier report,
/// which are then all moved into a separate folder in `earlier/`, including those that this report
/// does not have. Other files in the folder are not touched. Only one report at a time does this.
///
/// # Errors
/// The earlier report is kept.
pub(crate) fn publish(folder: &Path, files: &[(String, String)], started: &str) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    let new = PrivateFolder::new_in(folder, ".roadwire-")?;
    let mut names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    names.push(LIST);
    let list: String = names.iter().map(|name| format!("{name}\n")).collect();
    for (name, text) in files.iter().map(|(name, text)| (name.as_str(), text)).chain([(LIST, &list)]) {
        let mut file = File::create_new(new.path().join(name))?;
        // Some file systems report only on synchronising that there is no space.
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all())?;
    }
    let _lock = Lock::of(folder)?;
    uninterrupted(|| exchange(folder, new.path(), &names, started))?;
    names.pop();
    Ok(names.iter().map(|name| folder.join(name)).collect())
}

/// Moves the earlier report's files away, and the new files into place; on an error, back again.
fn exchange(folder: &Path, new: &Path, names: &[&str], started: &str) -> io::Result<()> {
    let mut earlier = earlier_files(folder);
    earlier.extend(names.iter().map(ToString::to_string).filter(|name| !earlier.contains(name)).collect::<Vec<_>>());
    earlier.retain(|name| fs::symlink_metadata(folder.join(name)).is_ok());
    let mut moves = Vec::new();
    if !earlier.is_empty() {
        let kept = new_folder(&folder.join(EARLIER), &format!("before-{}", started.replace(':', "")))?;
        moves.extend(earlier.iter().map(|name| (folder.join(name), kept.join(name))));
    }
    moves.extend(names.iter().map(|name| (new.join(name), folder.join(name))));
    for (done, (from, to)) in moves.iter().enumerate() {
        if let Err(error) = fs::rename(from, to) {
            moves[..done].iter().rev().for_each(|(from, to)| {
                let _ = fs::rename(to, from);
            });
            return Err(error);
        }
    }
    Ok(())
}

/// The files that the earlier report has listed. Only names in this folder count.
fn earlier_files(folder: &Path) -> Vec<String> {
    let list = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    let is_name = |name: &&str| *name != EARLIER && Path::new(name).file_name().is_some_and(|last| last == *name);
    list.lines().filter(is_name).map(String::from).collect()
}

/// A new folder: two runs may have begun in the same second.
fn new_folder(parent: &Path, name: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(parent)?;
    for number in 1.. {
        let path = parent.join(if number == 1 { name.to_string() } else { format!("{name}-{number}") });
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A lock on a folder: until it is dropped, others that lock it wait. Without effect if the file
/// system has no locks.
pub(crate) struct Lock {
    #[cfg(unix)]
    _folder: File,
}

impl Lock {
    #[cfg(unix)]
    pub(crate) fn of(folder: &Path) -> io::Result<Self> {
        use rustix::fs::{FlockOperation, flock};
        let folder = File::open(folder)?;
        while let Err(rustix::io::Errno::INTR) = flock(&folder, FlockOperation::LockExclusive) {}
        Ok(Lock { _folder: folder })
    }

    #[cfg(not(unix))]
    pub(crate) fn of(_: &Path) -> io::Result<Self> {
        Ok(Lock {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STARTED: &str = "2014-05-15T12:00:00Z";

    fn files(names: &[&str], text: &str) -> Vec<(String, String)> {
        names.iter().map(|name| (name.to_string(), text.to_string())).collect()
    }

    fn content(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_of_an_earlier_report_do_not_stay_beside_the_new_one() {
        let folder = PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-test-").unwrap();
        let folder = folder.path();
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        publish(folder, &files(&["report.md", "certificates.json"], "first"), STARTED).unwrap();
        let written = publish(folder, &files(&["report.md"], "second"), STARTED).unwrap();
        assert_eq!(written, [folder.join("report.md")]);
        assert_eq!(content(folder), ["earlier", "files.txt", "notes.txt", "report.md"]);
        assert_eq!(fs::read_to_string(folder.join("report.md")).unwrap(), "second");
        let kept = folder.join("earlier/before-2014-05-15T120000Z");
        assert_eq!(content(&kept), ["certificates.json", "files.txt", "report.md"]);
        assert_eq!(fs::read_to_string(kept.join("report.md")).unwrap(), "first");
    }

    #[test]
    fn reports_of_one_second_do_not_share_a_folder() {
        let folder = PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-test-").unwrap();
        for text in ["first", "second", "third", "fourth"] {
            publish(folder.path(), &files(&["report.md"], text), STARTED).unwrap();
        }
        let earlier = folder.path().join("earlier");
        let kept: Vec<String> = content(&earlier)
            .iter()
            .map(|name| fs::read_to_string(earlier.join(name).join("report.md")).unwrap())
            .collect();
        assert_eq!(kept, ["first", "second", "third"]);
    }

    #[test]
    fn reports_at_the_same_time_do_not_mix() {
        let folder = PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-test-").unwrap();
        let folder = folder.path();
        let names: Vec<String> = (0..20).map(|number| format!("{number}.csv")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        std::thread::scope(|scope| {
            for run in 0..8 {
                let names = &names;
                scope.spawn(move || publish(folder, &files(names, &run.to_string()), STARTED).unwrap());
            }
        });
        let mut runs = Vec::new();
        let kept = content(&folder.join("earlier")).into_iter().map(|name| folder.join("earlier").join(name));
        for place in kept.chain([folder.to_owned()]) {
            let texts: Vec<String> = names.iter().map(|name| fs::read_to_string(place.join(name)).unwrap()).collect();
            assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
            runs.push(texts[0].clone());
        }
        runs.sort();
        assert_eq!(runs, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    }

    #[test]
    fn a_list_of_files_names_nothing_elsewhere() {
        let folder = PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-test-").unwrap();
        let (outside, inside) = (folder.path().join("mine.txt"), folder.path().join("report"));
        fs::create_dir(&inside).unwrap();
        fs::write(&outside, "mine").unwrap();
        fs::write(inside.join(LIST), format!("../mine.txt\n{}\n..\n.\n\nearlier\nearlier/..\n", outside.display()))
            .unwrap();
        publish(&inside, &files(&["report.md"], "new"), STARTED).unwrap();
        assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    }
}
