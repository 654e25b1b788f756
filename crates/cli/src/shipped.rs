//! The schemas that roadwire ships, inside the binary. `schemas/schemas.toml` is the table; a test holds this one to it.

use crate::failure::Failure;

/// A schema that roadwire ships.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shipped {
    /// As in `-s NAME`.
    pub(crate) name: &'static str,
    /// The standard and its version.
    pub(crate) standard: &'static str,
    /// What it is.
    pub(crate) title: &'static str,
    /// Its one PDU, as `Module.Type`.
    pub(crate) pdu: &'static str,
    /// File name and text of its modules.
    pub(crate) modules: &'static [(&'static str, &'static str)],
}

macro_rules! modules {
    ($($file:literal),+) => {
        &[$(($file, include_str!(concat!("../../../schemas/", $file)))),+]
    };
}

/// All of them, by name.
pub(crate) const SHIPPED: [Shipped; 4] = [
    Shipped {
        name: "cam-1.3.0",
        standard: "ETSI EN 302 637-2 V1.3.0",
        title: "Cooperative Awareness Message (the version of the 2014 and 2015 studies)",
        pdu: "CAM-PDU-Descriptions.CAM",
        modules: modules!["etsi/cam-1.3.0.asn"],
    },
    Shipped {
        name: "cam-1.4.1",
        standard: "ETSI EN 302 637-2 V1.4.1",
        title: "Cooperative Awareness Message (deployed)",
        pdu: "CAM-PDU-Descriptions.CAM",
        modules: modules!["etsi/cam-1.4.1.asn"],
    },
    Shipped {
        name: "denm-1.2.0",
        standard: "ETSI EN 302 637-3 V1.2.0",
        title: "Decentralized Environmental Notification Message (the version of the 2014 and 2015 studies)",
        pdu: "DENM-PDU-Descriptions.DENM",
        modules: modules!["etsi/denm-1.2.0.asn"],
    },
    Shipped {
        name: "denm-1.3.1",
        standard: "ETSI EN 302 637-3 V1.3.1",
        title: "Decentralized Environmental Notification Message (deployed)",
        pdu: "DENM-PDU-Descriptions.DENM",
        modules: modules!["etsi/denm-1.3.1.asn"],
    },
];

/// The schema of that name.
pub(crate) fn find(name: &str) -> Result<&'static Shipped, Failure> {
    SHIPPED.iter().find(|shipped| shipped.name == name).ok_or_else(|| {
        let names: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.name).collect();
        Failure::usage("schema.unknown", format!("there is no schema `{name}`"))
            .advise(format!("roadwire ships {}; your own modules are read with -m FILE", names.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `key = "value"` lines of the table, and the files' names.
    #[test]
    fn the_table_is_that_of_schemas_toml() {
        let table = include_str!("../../../schemas/schemas.toml");
        let mut ours = String::new();
        for shipped in &SHIPPED {
            let files: Vec<String> = shipped.modules.iter().map(|(file, _)| format!("\"{file}\"")).collect();
            ours.push_str(&format!(
                "[[schema]]\nname = \"{}\"\nstandard = \"{}\"\ntitle = \"{}\"\nfiles = [{}]\npdu = \"{}\"\n",
                shipped.name,
                shipped.standard,
                shipped.title,
                files.join(", "),
                shipped.pdu
            ));
        }
        let theirs: Vec<&str> = table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
        assert_eq!(ours.lines().collect::<Vec<_>>(), theirs);
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let failure = find("cam").unwrap_err();
        assert!(failure.to_json().to_string().contains("cam-1.4.1"));
    }
}
