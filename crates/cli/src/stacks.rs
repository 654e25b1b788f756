//! The stack that generated C of shipped messages takes. `generated-c/stacks` writes the table, and
//! says whether it is that of today's generator.

use roadwire_layout::Rules;
use serde_json::{Value as Json, json};

/// Lines of schema, type, rules, and octets of stack: encoding and decoding; `-` where it is
/// unknown. The compiler is in the first line.
const TABLE: &str = include_str!("stacks.tsv");

/// Octets of stack that one call takes with all that it calls, without functions of the C library;
/// `None` where that is unknown: no C, no compiler with a call graph, or a type that contains
/// itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stack {
    pub(crate) encode: Option<u64>,
    pub(crate) decode: Option<u64>,
}

impl Stack {
    /// That of a message of a shipped schema, if the table has it.
    pub(crate) fn of_shipped(schema: &str, name: &str, rules: Rules) -> Option<Stack> {
        let row = |line: &'static str| {
            let words: Vec<&str> = line.split('\t').collect();
            let [of, ty, in_rules, encode, decode] = words[..] else { return None };
            let is_it = (of, ty, in_rules) == (schema, name, rules.name());
            is_it.then(|| Stack { encode: encode.parse().ok(), decode: decode.parse().ok() })
        };
        TABLE.lines().find_map(row)
    }

    /// As numbers; null stands for unknown.
    pub(crate) fn json(self) -> Json {
        json!({ "encode": self.encode, "decode": self.decode })
    }
}

#[cfg(test)]
mod tests {
    use super::{Stack, TABLE};
    use crate::schema;
    use roadwire_layout::Rules;

    /// Encodings of the table: those of the radio and of certificates.
    const TABLED: [Rules; 4] = [Rules::Uper, Rules::Oer, Rules::Coer, Rules::Der];

    #[test]
    fn each_shipped_message_has_a_row_for_each_tabled_encoding() {
        let mut rows = 0;
        for shipped in roadwire::SCHEMAS {
            let model = schema::Schema::of_name(shipped.name).unwrap();
            for pdu in shipped.pdus {
                let id = model.type_id(Some(pdu)).unwrap();
                for rules in TABLED {
                    if roadwire_layout::lower(model.model(), id, rules).is_ok() {
                        assert!(
                            Stack::of_shipped(shipped.name, pdu, rules).is_some(),
                            "{} {pdu} {rules}",
                            shipped.name
                        );
                        rows += 1;
                    }
                }
            }
        }
        assert_eq!(TABLE.lines().count(), rows + 1);
        let cam = Stack::of_shipped("cam-1.4.1", "CAM-PDU-Descriptions.CAM", Rules::Uper).unwrap();
        assert!(cam.encode > Some(50) && cam.decode < Some(2000), "{cam:?}");
    }
}
