//! Folders for temporary files.

use std::fs::DirBuilder;
use std::io;
use std::path::Path;

use crate::cleanup::Temporary;
use crate::random_name;

/// A folder only for this user (mode 0700), removed with its content when this is dropped.
pub struct PrivateFolder(Temporary);

impl PrivateFolder {
    /// A new folder in `parent`. An existing folder or link with its name is never used.
    pub fn new_in(parent: &Path, prefix: &str) -> io::Result<Self> {
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let path = parent.join(random_name(prefix));
        Temporary::make(path, |path| builder.create(path)).map(|(folder, ())| PrivateFolder(folder))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_names_of_their_own_and_are_removed_with_their_content() {
        let [one, two] = [(); 2].map(|()| PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-test-").unwrap());
        assert_ne!(one.path(), two.path());
        std::fs::write(one.path().join("file"), "content").unwrap();
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&one.path().metadata().unwrap().permissions());
            assert_eq!(mode & 0o777, 0o700);
        }
        let path = one.path().to_owned();
        drop(one);
        assert!(!path.exists() && two.path().exists());
    }
}
