//! The names of components and alternatives, for the paths of errors.

use roadwire_layout::row_elements;
use roadwire_model::{Kind, TypeId};
use roadwire_plan::Repr;

use super::names::CTypes;
use crate::source::Source;

impl CTypes<'_, '_> {
    /// Gives each type its rows of names. Row 0 is none.
    pub(super) fn find_rows(&mut self) {
        let mut next = 1;
        for id in self.order.clone() {
            let count = self.parts_of(id).len() as u32;
            if count > 0 && !self.rows.contains_key(&id) {
                self.rows.insert(id, next);
                next += count;
            }
        }
        self.times.get_mut().first_row = next;
    }

    /// The row of a type's first component or alternative; 0 if it has none.
    pub(super) fn row_of(&self, id: TypeId) -> u32 {
        match self.kind(id) {
            Kind::Time { .. } => self.times.borrow().row(),
            _ => self.rows.get(&self.canonical(id)).copied().unwrap_or(0),
        }
    }

    /// Prints the rows, as `RW_FIELDS`.
    pub(super) fn write_rows(&self, source: &mut Source) {
        source.line("");
        source.lines("#if defined(RW_NO_NAMES) || defined(RW_NO_REASONS)\n#define RW_FIELDS NULL\n#else\n");
        source.line("static const rw_field all_fields[] = {");
        source.line("{NULL, 0},");
        let mut rows: Vec<(TypeId, u32)> = self.rows.iter().map(|(id, row)| (*id, *row)).collect();
        rows.sort_by_key(|(_, row)| *row);
        for (id, _) in rows {
            for (name, part) in self.parts_of(id) {
                let name = name.map_or("NULL".into(), |name| format!("\"{name}\""));
                source.line(format!("{{{name}, {}}},", self.row_of(part)));
            }
        }
        self.times.borrow().write_rows(source);
        source.line("};");
        source.lines("#define RW_FIELDS all_fields\n#endif\n");
    }

    /// The names of a type's parts, and their types. Elements of a list have no name; of the types
    /// in an open type, an error does not tell, except in EXI, where they are further parts.
    pub(super) fn parts_of(&self, id: TypeId) -> Vec<(Option<String>, TypeId)> {
        match (self.repr(id), self.kind(id)) {
            (Repr::Struct, Kind::Sequence { components, .. }) => {
                components.iter().map(|one| (Some(one.name.clone()), one.type_id)).collect()
            }
            (Repr::Choice, Kind::Choice { alternatives, .. }) => {
                let is_open = self.is_open(id);
                let name = |name: &String| if is_open { String::new() } else { name.clone() };
                let parts = alternatives.iter().map(|one| (Some(name(&one.name)), one.type_id));
                let table = self.table(id).filter(|_| is_open && self.has_row_names);
                let rows: Vec<TypeId> = table.iter().flat_map(|table| &table.rows).map(|(_, row)| *row).collect();
                let elements = row_elements(self.source, &rows).into_iter().map(Some);
                parts.chain(elements.zip(alternatives).map(|(name, one)| (name, one.type_id))).collect()
            }
            (Repr::List { element, .. }, _) => vec![(None, *element)],
            _ => Vec::new(),
        }
    }
}
