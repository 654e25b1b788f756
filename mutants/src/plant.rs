//! The copy of the project, with a switch for every bug.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use crate::Result;
use crate::bug::Bug;

/// The code that each crate with a bug gets in its root. The first time that a bug's place is
/// reached, its number goes to the file that `ROADWIRE_PLANTED_TRACE` names.
const SWITCH: &str = r#"
#[doc(hidden)]
mod planted {
    extern crate std;
    use std::io::Write as _;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    static ON: OnceLock<u32> = OnceLock::new();
    static TRACE: OnceLock<Option<std::ffi::OsString>> = OnceLock::new();
    static REACHED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

    pub(crate) fn is_on(bug: u32) -> bool {
        if let Some(path) = TRACE.get_or_init(|| std::env::var_os("ROADWIRE_PLANTED_TRACE")) {
            if !REACHED[bug as usize % 4096].swap(true, Ordering::Relaxed) {
                if let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path) {
                    let _ = file.write_all(std::format!("{bug}\n").as_bytes());
                }
            }
        }
        *ON.get_or_init(|| std::env::var("ROADWIRE_PLANTED").ok().and_then(|text| text.parse().ok()).unwrap_or(0)) == bug
    }
}
"#;

/// Where a bug's own text has the switch: for match arms and other places that no `if` can stand
/// around.
const SWITCH_PLACE: &str = "@on";

/// Build scripts that generate code.
const GENERATING: [&str; 3] = ["crates/cases/build.rs", "crates/constructs/build.rs", "crates/messages/build.rs"];

/// Faults in the places of bugs, one line each: a list that is out of date is reported at once.
pub fn check(project: &Path, bugs: &[Bug]) -> Result<()> {
    let mut wrong = Vec::new();
    for (file, bugs) in by_file(bugs) {
        match fs::read_to_string(project.join(file)) {
            Err(error) => wrong.push(format!("{file}: {error}")),
            Ok(text) => {
                let lost: Vec<String> =
                    bugs.iter().filter_map(|bug| Some(find(&text, bug).err()?.to_string())).collect();
                let overlap = plant(&text, &bugs).err().filter(|_| lost.is_empty());
                wrong.extend(lost.into_iter().chain(overlap.map(|error| error.to_string())));
            }
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("the list does not fit the project:\n{}", wrong.join("\n")).into())
    }
}

fn by_file(bugs: &[Bug]) -> BTreeMap<&str, Vec<&Bug>> {
    let mut files: BTreeMap<&str, Vec<&Bug>> = BTreeMap::new();
    bugs.iter().for_each(|bug| files.entry(&bug.file).or_default().push(bug));
    files
}

/// Writes the copy into a folder. Files that are as they should be stay as they are, so that a
/// second build is short.
pub fn write(project: &Path, copy: &Path, bugs: &[Bug]) -> Result<()> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(project)
        .output()?;
    if !listed.status.success() {
        return Err("`git ls-files` does not list the project's files".into());
    }
    let by_file = by_file(bugs);
    let roots: BTreeSet<String> = bugs.iter().map(|bug| format!("crates/{}/src/lib.rs", bug.krate())).collect();

    let names = String::from_utf8(listed.stdout)?;
    let names: Vec<&str> = names.split_terminator('\0').filter(|name| project.join(name).is_file()).collect();
    remove_others(copy, copy, &names.iter().copied().collect())?;
    for name in names {
        let mut contents = fs::read(project.join(name))?;
        if let Some(bugs) = by_file.get(name) {
            contents = plant(&String::from_utf8(contents)?, bugs)?.into_bytes();
        }
        if roots.contains(name) {
            // A crate that is `no_std` keeps it; `forbid` would refuse nothing here.
            contents.extend_from_slice(SWITCH.as_bytes());
        }
        if GENERATING.contains(&name) {
            let text = String::from_utf8(contents)?;
            let begin = "Box<dyn Error>> {\n";
            let again = "    println!(\"cargo::rerun-if-env-changed=ROADWIRE_PLANTED\");\n";
            contents = text.replacen(begin, &format!("{begin}{again}"), 1).into_bytes();
        }
        let target = copy.join(name);
        if fs::read(&target).ok().as_ref() != Some(&contents) {
            fs::create_dir_all(target.parent().ok_or("a file without a folder")?)?;
            fs::write(&target, contents)?;
        }
        // Scripts stay programs.
        fs::set_permissions(&target, fs::metadata(project.join(name))?.permissions())?;
    }
    Ok(())
}

/// Removes files that an earlier copy had and the project has no longer; built files stay.
fn remove_others(copy: &Path, folder: &Path, names: &BTreeSet<&str>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        let name = path.strip_prefix(copy)?.to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with("target") {
                remove_others(copy, &path, names)?;
            }
        } else if !names.contains(name.as_str()) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// A file's text with its bugs.
fn plant(text: &str, bugs: &[&Bug]) -> Result<String> {
    let mut places: Vec<(Range<usize>, Vec<&Bug>)> = Vec::new();
    for bug in bugs {
        let place = find(text, bug)?;
        match places.iter_mut().find(|(other, _)| other.start < place.end && place.start < other.end) {
            None => places.push((place, vec![bug])),
            Some((other, there)) if *other == place && !bug.replace.contains(SWITCH_PLACE) => there.push(bug),
            Some((_, there)) => {
                return Err(format!("{}: `{}` overlaps `{}`", bug.file, bug.name, there[0].name).into());
            }
        }
    }
    places.sort_by_key(|(place, _)| place.start);
    let mut planted = String::from("");
    let mut done = 0;
    for (place, bugs) in places {
        planted.push_str(&text[done..place.start]);
        planted.push_str(&switched(&text[place.clone()], &bugs));
        done = place.end;
    }
    planted.push_str(&text[done..]);
    Ok(planted)
}

/// A text that is what `original` is, or one of the bugs in its place. The switch is an `if` around
/// both, unless a bug says itself where it goes.
fn switched(original: &str, bugs: &[&Bug]) -> String {
    let is_on = |bug: &Bug| format!("crate::planted::is_on({})", bug.number);
    if let Some(bug) = bugs.iter().find(|bug| bug.replace.contains(SWITCH_PLACE)) {
        return bug.replace.replace(SWITCH_PLACE, &is_on(bug));
    }
    let ways: String = bugs.iter().map(|bug| format!("if {} {{ {} }} else ", is_on(bug), bug.replace)).collect();
    match bugs.iter().any(|bug| bug.is_statement()) {
        true => format!("{ways}{{ {original} }}"),
        false => format!("({ways}{{ {original} }})"),
    }
}

/// Where a bug goes: the only place in the file, or the first behind `after`.
fn find(text: &str, bug: &Bug) -> Result<Range<usize>> {
    let wrong = |what: &str| format!("{}: `{}`: {what}", bug.file, bug.name);
    let from = match &bug.after {
        None => 0,
        Some(after) => match text.match_indices(after.as_str()).collect::<Vec<_>>()[..] {
            [(at, _)] => at + after.len(),
            [] => return Err(wrong("`after` is not in the file").into()),
            _ => return Err(wrong("`after` is in the file more than once").into()),
        },
    };
    let mut found = text[from..].match_indices(bug.find.as_str());
    let Some((at, _)) = found.next() else { return Err(wrong("`find` is not in the file").into()) };
    if bug.after.is_none() && found.next().is_some() {
        return Err(wrong("`find` is in the file more than once; name what stands before it with `after`").into());
    }
    Ok(from + at..from + at + bug.find.len())
}
