//! Octets of unknown meaning: under which rules they say the same.
#![allow(dead_code, reason = "without the compiler and without any rules nobody asks")]

use roadwire_layout::{Family, Rules};

/// Whether the octets of an unknown addition, or of an open type with unknown content, mean under
/// one set of rules what they mean under another. In JER they are text, and the program that takes
/// it knows whose octets they are. In PER the octets of an open type depend on the variant (aligned
/// or unaligned).
pub(crate) fn mean_the_same(from: Rules, to: Rules) -> bool {
    let same_family = from.family() == to.family() && from.family() != Family::Packed;
    [from, to].contains(&Rules::Jer) || from == to || same_family
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No shipped message with open types has codecs for two sets of rules whose octets differ; a
    /// later one may.
    #[test]
    fn octets_mean_the_same_within_a_family_other_than_per_and_in_text() {
        for rules in Rules::ALL {
            assert!(
                mean_the_same(rules, rules) && mean_the_same(rules, Rules::Jer) && mean_the_same(Rules::Jer, rules)
            );
        }
        assert!(mean_the_same(Rules::Oer, Rules::Coer) && mean_the_same(Rules::Ber, Rules::Der));
        assert!(!mean_the_same(Rules::Uper, Rules::Aper) && !mean_the_same(Rules::Uper, Rules::Coer));
        assert!(!mean_the_same(Rules::Coer, Rules::Der) && !mean_the_same(Rules::Xer, Rules::Cbor));
    }
}
