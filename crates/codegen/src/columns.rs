//! Writes the methods of `Data` that walk through parts: `append`, which appends a value to
//! columns, each part to its own, whose place is known here; `fill_from` and `put_into`.

use roadwire_model::columns::ColumnCounts;
use roadwire_model::{Alternative, Component, Kind, Presence, TypeId};

use crate::data::{alternative_names, field_names};
use crate::rust_types::RustTypes;
use crate::source::Source;
use roadwire_plan::{Repr, Types};

/// The columns of one part after the other, after the type's own.
struct Places<'c, 'm> {
    counts: &'c mut ColumnCounts<'m>,
    next: usize,
}

impl Places<'_, '_> {
    /// As a range.
    fn of(&mut self, id: TypeId) -> Option<String> {
        let from = self.next;
        self.next += self.counts.of(id)?;
        Some(format!("{from}..{}", self.next))
    }
}

/// Of a SEQUENCE or SET; nothing for a type that contains itself.
pub(crate) fn of_parts(
    types: &RustTypes<'_>,
    counts: &mut ColumnCounts<'_>,
    components: &[Component],
    out: &mut Source,
) -> Option<()> {
    let mut places = Places { counts, next: 1 };
    let mut parts = Vec::new();
    for (component, field) in components.iter().zip(field_names(components)) {
        let has_default = matches!(component.presence, Presence::Default(_));
        let kind = match (Types::is_option(component), is_octets(types, component.type_id)) {
            (false, false) if has_default => '~',
            (false, false) => '=',
            (true, false) => '?',
            (false, true) => '#',
            (true, true) => '%',
        };
        parts.push(format!(", {field} {kind} {}", places.of(component.type_id)?));
    }
    out.line(match parts.is_empty() {
        // One column, as a leaf has.
        true => "wire::no_parts!();".into(),
        false => format!("wire::parts!({}{});", places.next, parts.concat()),
    });
    Some(())
}

/// Of a CHOICE, or of an open type; the unknown alternative has no column.
pub(crate) fn of_alternatives(
    types: &RustTypes<'_>,
    counts: &mut ColumnCounts<'_>,
    alternatives: &[Alternative],
    unknown: Option<&str>,
    out: &mut Source,
) -> Option<()> {
    let mut places = Places { counts, next: 1 };
    let parts = rows(types, &mut places, alternatives.iter().map(|one| one.type_id), alternatives)?;
    if !parts.is_empty() {
        let unknown = unknown.map_or(String::new(), |name| format!("; {name}"));
        out.line(format!("wire::alternatives!({}{parts}{unknown});", places.next));
    }
    Some(())
}

/// The variants with these contents, and their columns; `None` if a content is octets.
fn rows(
    types: &RustTypes<'_>,
    places: &mut Places<'_, '_>,
    contents: impl Iterator<Item = TypeId>,
    alternatives: &[Alternative],
) -> Option<String> {
    let mut parts = String::new();
    for (content, variant) in contents.zip(alternative_names(alternatives)) {
        if is_octets(types, content) {
            return None;
        }
        parts += &format!(", {variant} {}", places.of(content)?);
    }
    Some(parts)
}

/// Of an open type by its table, and of the octets of a content whose type is not in it.
pub(crate) fn of_open(
    types: &RustTypes<'_>,
    id: TypeId,
    counts: &mut ColumnCounts<'_>,
    alternatives: &[Alternative],
    out: &mut Source,
) -> Option<()> {
    let mut places = Places { counts, next: 1 };
    let parts = rows(types, &mut places, types.table(id)?.rows.iter().map(|(_, row)| *row), alternatives)?;
    let (octets, end) = (alternative_names(alternatives).pop()?, places.next + 1);
    out.line(format!("wire::alternatives!({end}{parts}, {octets} {}..{end});", places.next));
    Some(())
}

/// Whether a type's content has columns of its own, but is octets in memory: an open type without a
/// table, or a string with CONTAINING.
fn is_octets(types: &RustTypes<'_>, id: TypeId) -> bool {
    let kind = &types.source.get(types.source.untagged(id)).kind;
    let has_content = matches!(kind, Kind::Open { .. }) || kind.contained().is_some();
    has_content && !matches!(types.repr(id), Repr::Choice | Repr::Struct)
}
