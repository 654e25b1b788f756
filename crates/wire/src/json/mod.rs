//! JSON text (RFC 8259): where its tokens end, and what they say.

mod characters;
mod reader;
mod scan;
mod writer;

pub use characters::{Characters, Piece, Quoted, pieces};
pub use scan::{Fault, MAX_NESTING, number, skip, space, string, string_if, word};

/// What only JER (X.697) as roadwire has it gives a meaning: the place N in the name `...N` of something that no version of the module at hand has a name for.
#[must_use]
pub fn reserved_index(mut name: impl Iterator<Item = char>) -> Option<u32> {
    for _ in 0..3 {
        name.next().filter(|character| *character == '.')?;
    }
    let first = name.next()?.to_digit(10)?;
    let mut index = first;
    for character in name {
        let digit = character.to_digit(10).filter(|_| first != 0)?;
        index = index.checked_mul(10)?.checked_add(digit)?;
    }
    Some(index)
}

#[cfg(test)]
mod tests {
    use super::reserved_index;

    #[test]
    fn reserved_names_are_canonical() {
        let index = |name: &str| reserved_index(name.chars());
        assert_eq!((index("...0"), index("...17"), index("...4294967295")), (Some(0), Some(17), Some(u32::MAX)));
        for other in ["", "...", "..1", "...01", "...+1", "...-1", "...4294967296", "...1x", "a"] {
            assert_eq!(index(other), None, "{other}");
        }
    }
}
