//! The steps: versions of the CAM that are shipped, and the small changes of
//! `studies/evolution/changes.toml`.

use roadwire_evolution::{Comparison, Version};
use roadwire_frontend::Source;
use roadwire_model::{Model, TypeId};
use roadwire_notation::Notation;
use roadwire_peers::content::{Message, Schema};
use serde::Deserialize;

/// A step from one version to the next.
pub(super) struct Planned {
    /// The name in tables: `optional-component`, `cam-2.3.1`.
    pub(super) name: String,
    /// Its title.
    pub(super) title: String,
    /// The old version, and the new one.
    pub(super) versions: [Known; 2],
    /// The same content in both, as JER.
    pub(super) content: [String; 2],
    /// A content of the new version that uses what is new, if there is one.
    pub(super) used: Option<String>,
    /// Parts of the old version's content that have no place in the new one.
    pub(super) lost: Vec<String>,
    /// Whether another step with the same versions already reports the verdicts.
    pub(super) is_judged_elsewhere: bool,
    /// The schemas, if they are shipped: most have generated code.
    pub(super) schemas: Option<[Schema; 2]>,
}

/// A version: a model, and the message type in it.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) model: Model,
    pub(super) root: TypeId,
}

impl Known {
    pub(super) fn version(&self) -> Version<'_> {
        Version { model: &self.model, type_id: self.root }
    }

    fn shipped(schema: Schema) -> Result<Known, String> {
        let (model, root) = schema.model()?;
        Ok(Known { model, root })
    }

    fn notation(&self) -> Result<Notation, String> {
        Notation::new(&self.model, self.root).map_err(|error| error.to_string())
    }
}

/// All steps: the CAM's, then the small ones.
///
/// # Errors
/// An error in the study's own files; does not happen: tests cover it.
pub(super) fn all() -> Result<Vec<Planned>, String> {
    let mut steps = cams()?;
    steps.extend(small()?);
    Ok(steps)
}

/// CAM 1.3.0 to 1.4.1, that to 2.1.1 and to 2.3.1, and 2.1.1 to 2.3.1, each with the mandatory
/// components alone, and with all containers.
fn cams() -> Result<Vec<Planned>, String> {
    let mandatory = Message::find("cam-mandatory").ok_or("no content")?.jer();
    let mandatory_141 = Message::find("cam-mandatory-1.4.1").ok_or("no content")?.jer();
    let full_141 = full()?;
    let forth = [Schema::Cam130, Schema::Cam141];
    let [cam_130, cam_141] = [Known::shipped(forth[0])?, Known::shipped(forth[1])?];
    let full_130 = carried([&cam_141, &cam_130], &full_141)?.0;
    let to_141 = |content: String| {
        let (after, lost) = carried([&cam_130, &cam_141], &content)?;
        Ok::<_, String>(([content, after], lost))
    };
    let to_release_2 = |content: &str| {
        let after = in_release_2(content)?;
        Ok::<_, String>(([content.to_owned(), after], Vec::new()))
    };
    let first = [Schema::Cam141, Schema::Cam211];
    let last = [Schema::Cam141, Schema::Cam231];
    let between = [Schema::Cam211, Schema::Cam231];
    let both = |content: &str| in_release_2(content).map(|content| ([content.clone(), content], Vec::new()));
    Ok(vec![
        cam("cam-1.4.1", "CAM 1.3.0 to 1.4.1, mandatory components", forth, to_141(mandatory)?)?,
        cam("cam-1.4.1-full", "the same, all containers", forth, to_141(full_130)?)?,
        cam("cam-2.1.1", "CAM 1.4.1 to 2.1.1, mandatory components", first, to_release_2(&mandatory_141)?)?,
        cam("cam-2.1.1-full", "the same, all containers", first, to_release_2(&full_141)?)?,
        cam("cam-2.3.1", "CAM 1.4.1 to 2.3.1, mandatory components", last, to_release_2(&mandatory_141)?)?,
        cam("cam-2.3.1-full", "the same, all containers", last, to_release_2(&full_141)?)?,
        cam("cam-2.1.1-2.3.1", "CAM 2.1.1 to 2.3.1, mandatory components", between, both(&mandatory_141)?)?,
        cam("cam-2.1.1-2.3.1-full", "the same, all containers", between, both(&full_141)?)?,
    ])
}

/// The names of a CAM's components in release 2.
const NAMES: [(&str, &str); 12] = [
    ("messageID", "messageId"),
    ("stationID", "stationId"),
    ("semiMajorConfidence", "semiMajorAxisLength"),
    ("semiMinorConfidence", "semiMinorAxisLength"),
    ("semiMajorOrientation", "semiMajorAxisOrientation"),
    ("longitudinalAccelerationValue", "value"),
    ("longitudinalAccelerationConfidence", "confidence"),
    ("lateralAccelerationValue", "value"),
    ("lateralAccelerationConfidence", "confidence"),
    ("verticalAccelerationValue", "value"),
    ("verticalAccelerationConfidence", "confidence"),
    ("cenDsrcTollingZoneID", "cenDsrcTollingZoneId"),
];

/// A CAM of V1.4.1 as one of release 2 with the same content.
fn in_release_2(content: &str) -> Result<String, String> {
    use serde_json::Value;
    fn renamed(value: Value) -> Value {
        match value {
            Value::Object(parts) => {
                let name =
                    |old: String| NAMES.iter().find(|(one, _)| *one == old).map_or(old, |(_, new)| (*new).into());
                parts.into_iter().map(|(old, part)| (name(old), renamed(part))).collect()
            }
            Value::Array(elements) => elements.into_iter().map(renamed).collect(),
            other => other,
        }
    }
    let content: Value = serde_json::from_str(content).map_err(|error| error.to_string())?;
    Ok(renamed(content).to_string())
}

/// All containers of CAM 1.4.1, with as many points of its path as release 2 has room for: 23.
fn full() -> Result<String, String> {
    let mut cam: serde_json::Value =
        serde_json::from_str(&Message::find("cam-full").ok_or("no content")?.jer()).map_err(|e| e.to_string())?;
    let low = &mut cam["cam"]["camParameters"]["lowFrequencyContainer"]["basicVehicleContainerLowFrequency"];
    if let Some(path) = low["pathHistory"].as_array_mut() {
        path.truncate(23);
    }
    Ok(cam.to_string())
}

fn cam(
    name: &str,
    title: &str,
    schemas: [Schema; 2],
    (content, lost): ([String; 2], Vec<String>),
) -> Result<Planned, String> {
    Ok(Planned {
        name: name.into(),
        title: title.into(),
        versions: [Known::shipped(schemas[0])?, Known::shipped(schemas[1])?],
        content,
        used: None,
        lost,
        is_judged_elsewhere: name.ends_with("-full"),
        schemas: Some(schemas),
    })
}

/// A content as one of another version, and what has no place there.
fn carried([from, to]: [&Known; 2], content: &str) -> Result<(String, Vec<String>), String> {
    let value = from.notation()?.read(content).map_err(|error| error.to_string())?;
    let moved = Comparison::new(from.version(), to.version()).migrate(&value).map_err(|lost| lost.to_string())?;
    let text = to.notation()?.write(&moved.value).map_err(|error| error.to_string())?;
    Ok((text, moved.lost.iter().map(ToString::to_string).collect()))
}

/// The file of small changes.
#[derive(Deserialize)]
struct Changes {
    change: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Change {
    name: String,
    title: String,
    old: String,
    new: String,
    content: String,
    content_after: Option<String>,
    used: String,
}

fn small() -> Result<Vec<Planned>, String> {
    let text = include_str!("../../../../../studies/evolution/changes.toml");
    let changes: Changes = toml::from_str(text).map_err(|error| error.to_string())?;
    let step = |change: Change| {
        let told = |why: String| format!("{}: {why}", change.name);
        Ok(Planned {
            versions: [report(&change.old).map_err(told)?, report(&change.new).map_err(told)?],
            content: [change.content.clone(), change.content_after.unwrap_or(change.content)],
            used: Some(change.used),
            lost: Vec::new(),
            is_judged_elsewhere: false,
            schemas: None,
            name: change.name,
            title: change.title,
        })
    };
    changes.change.into_iter().map(step).collect()
}

fn report(of: &str) -> Result<Known, String> {
    let text = format!("Small DEFINITIONS AUTOMATIC TAGS ::= BEGIN Report ::= {of} END");
    let compiled = roadwire_frontend::compile(&[Source::new("small.asn", text)]);
    let model = compiled.map_err(|errors| errors.render())?.model;
    let root = model.find("Small.Report").ok_or("no type")?;
    Ok(Known { model, root })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpreted::Interpreted;
    use roadwire_layout::Rules;

    #[test]
    fn there_are_ten_small_changes_and_four_versions_of_the_cam() {
        let steps = all().unwrap();
        assert_eq!(steps.iter().filter(|step| step.schemas.is_none()).count(), 10);
        let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
        assert_eq!(names[..4], ["cam-1.4.1", "cam-1.4.1-full", "cam-2.1.1", "cam-2.1.1-full"]);
        assert_eq!(names[4..8], ["cam-2.3.1", "cam-2.3.1-full", "cam-2.1.1-2.3.1", "cam-2.1.1-2.3.1-full"]);
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name}");
        }
    }

    /// Otherwise its octets before and after are not those of the same content.
    #[test]
    fn nothing_of_a_content_is_lost() {
        for step in all().unwrap() {
            assert_eq!(step.lost, Vec::<String>::new(), "{}", step.name);
        }
    }

    /// In octets, a mandatory CAM is the same in both: what changed in it are names, and
    /// constraints that are in no encoding.
    #[test]
    fn a_mandatory_cam_of_release_2_has_the_octets_of_release_1() {
        let steps = all().unwrap();
        for step in ["cam-2.1.1", "cam-2.3.1", "cam-2.1.1-2.3.1"] {
            let step = steps.iter().find(|one| one.name == step).unwrap();
            for rules in [Rules::Uper, Rules::Aper, Rules::Coer, Rules::Der, Rules::Protobuf, Rules::Cbor] {
                let [before, after] = [0, 1].map(|at| {
                    let Known { model, root } = &step.versions[at];
                    Interpreted::new(model, *root, rules).unwrap().octets(&step.content[at]).unwrap()
                });
                assert_eq!(before, after, "{} in {rules}", step.name);
            }
        }
    }

    #[test]
    fn each_small_change_changes_something() {
        for step in all().unwrap() {
            let [old, new] = &step.versions;
            let changes = Comparison::new(old.version(), new.version()).changes();
            assert!(!changes.is_empty(), "{}", step.name);
            assert!(step.schemas.is_some() || changes.len() == 1, "{}: {changes:?}", step.name);
        }
    }
}
