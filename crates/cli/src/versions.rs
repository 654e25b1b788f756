//! Two schemas from the command line: the old one and the new one.

use std::path::PathBuf;

use roadwire_evolution::{Comparison, Version};
use roadwire_model::TypeId;

use crate::args::{Reading, TwoSchemas};
use crate::failure::Failure;
use crate::schema::{Schema, named};

/// Two schemas, a type of each, and the arguments that are left.
pub(crate) struct Versions {
    pub(crate) names: [String; 2],
    pub(crate) schemas: [Schema; 2],
    pub(crate) types: [TypeId; 2],
}

impl Versions {
    /// The two schemas that the command line selects: by the options, or by the first two of
    /// `words`. Returns the words that are left.
    ///
    /// # Errors
    /// More or fewer than two schemas, unknown names, files that cannot be read, modules with
    /// errors, unknown types.
    pub(crate) fn load<'w>(
        args: &TwoSchemas,
        words: &'w [String],
        json: bool,
    ) -> Result<(Self, &'w [String]), Failure> {
        let (names, schemas, left) = match (args.schemas.as_slice(), args.modules.as_slice(), words) {
            ([], [], [old, new, left @ ..]) => (
                [old.clone(), new.clone()],
                [of_word(old, &args.reading, json)?, of_word(new, &args.reading, json)?],
                left,
            ),
            ([old, new], [], left) => {
                ([old.clone(), new.clone()], [Schema::of_name(old)?, Schema::of_name(new)?], left)
            }
            ([], [old, new], left) => {
                let names = [old.display().to_string(), new.display().to_string()];
                let load = |file: &PathBuf| Schema::from_files(std::slice::from_ref(file), &args.reading, json);
                (names, [load(old)?, load(new)?], left)
            }
            _ => {
                let what = "two schemas are compared, an old one and a new one";
                return Err(Failure::usage("usage.schemas", what)
                    .advise("give them as OLD NEW (names of shipped schemas, or module files, several of one schema joined by commas), as -s OLD -s NEW, or as -m OLD -m NEW"));
            }
        };
        let old = schemas[0].type_id(args.type_name.as_deref())?;
        let new = schemas[1].type_id(args.to_type.as_deref().or(args.type_name.as_deref()))?;
        Ok((Versions { names, schemas, types: [old, new] }, left))
    }

    /// The comparison of the two types.
    pub(crate) fn comparison(&self) -> Comparison<'_> {
        let version = |at: usize| Version { model: self.schemas[at].model(), type_id: self.types[at] };
        Comparison::new(version(0), version(1))
    }
}

/// A shipped schema's name, or files joined by commas.
fn of_word(word: &str, reading: &Reading, json: bool) -> Result<Schema, Failure> {
    if named().any(|schema| schema.name == word) {
        return Schema::of_name(word);
    }
    let files: Vec<PathBuf> = word.split(',').filter(|file| !file.is_empty()).map(PathBuf::from).collect();
    let is_name = !word.contains(['/', '.', ',', '\\']) || word.chars().next().is_some_and(|c| c.is_ascii_lowercase());
    match files.as_slice() {
        // Neither a file nor a name: the list of names helps more.
        [file] if is_name && !file.exists() && word != "-" && !word.ends_with(".asn") && !word.ends_with(".asn1") => {
            Schema::of_name(word)
        }
        files => Schema::from_files(files, reading, json),
    }
}
