//! Prints types in C: each after those that it contains.

use std::collections::HashSet;

use roadwire_model::{Kind, Model, TypeId};
use roadwire_plan::{Repr, Types};

use super::names::{BITS, CTypes, UNKNOWN, int_name, room};
use super::numbers::signed_constant;
use crate::GenerateError;
use crate::names::snake;
use crate::source::Source;

impl CTypes<'_, '_> {
    /// The types of `roots` and of all that they contain.
    pub(super) fn write(&self, roots: &[TypeId], out: &mut Source) -> Result<(), GenerateError> {
        let (mut done, mut later) = (HashSet::new(), roots.to_vec());
        later.reverse();
        while let Some(id) = later.pop() {
            self.visit(id, (&mut done, &mut later), out)?;
        }
        Ok(())
    }

    /// Types behind pointers come later.
    fn visit(
        &self,
        id: TypeId,
        (done, later): (&mut HashSet<String>, &mut Vec<TypeId>),
        out: &mut Source,
    ) -> Result<(), GenerateError> {
        let is_structure = |id: TypeId| matches!(self.repr(id), Repr::Struct | Repr::Choice);
        let name = self.held(id).ok_or_else(|| self.refused(id, "has no bound"))?;
        if is_structure(id) && done.contains(&name) {
            return Ok(());
        }
        let parts: Vec<(TypeId, bool)> = match (self.repr(id), self.kind(id)) {
            (Repr::Struct, Kind::Sequence { components, .. }) => {
                components.iter().map(|one| (one.type_id, self.is_component_apart(id, one))).collect()
            }
            (Repr::Choice, Kind::Choice { alternatives, .. }) => {
                alternatives.iter().map(|one| (one.type_id, self.is_alternative_apart(id, one))).collect()
            }
            (Repr::List { element, .. }, _) => {
                vec![(*element, self.most_elements(id).is_none() && is_structure(*element))]
            }
            _ => Vec::new(),
        };
        for (part, is_apart) in parts {
            match is_apart {
                true => later.push(part),
                false => self.visit(part, (done, later), out)?,
            }
        }
        let is_new = matches!(
            self.repr(id),
            Repr::Struct | Repr::Choice | Repr::Enum | Repr::List { .. } | Repr::Octets(_) | Repr::Text(_)
        ) && done.insert(name.clone());
        if is_new {
            out.line("");
            self.definition(id, &name, out)?;
        }
        if let Repr::BitFlags { .. } = self.repr(id) {
            if done.insert(self.type_name(id)) {
                self.flags(id, out);
            }
        }
        Ok(())
    }

    fn refused(&self, id: TypeId, why: &str) -> GenerateError {
        let this = self.model.get(self.canonical(id));
        let name = this.name.as_ref().map_or(this.kind.name().to_owned(), ToString::to_string);
        GenerateError(format!("there is no C for {name}: it {why}"))
    }

    fn definition(&self, id: TypeId, name: &str, out: &mut Source) -> Result<(), GenerateError> {
        let field = |id: TypeId, name: &str, is_apart: bool| {
            let declared = match is_apart {
                true => self.held(id).map(|held| format!("struct {held} *{name}")),
                false => self.declared(id, name),
            };
            declared.ok_or_else(|| self.refused(id, "has no bound"))
        };
        match (self.repr(id), self.kind(id)) {
            (Repr::Struct, Kind::Sequence { components, extensible, .. }) => {
                self.comment(id, out);
                out.line(format!("typedef struct {name} {{"));
                for (component, member) in components.iter().zip(Self::fields(components)) {
                    if Types::is_option(component) {
                        out.line(format!("bool has_{member};"));
                    }
                    let range = range(self.model, component.type_id);
                    let declared = field(component.type_id, &member, self.is_component_apart(id, component))?;
                    out.line(format!("{declared}; /* {}{range} */", component.name));
                }
                if *extensible {
                    out.line("rw_kept unknown; /* additions of a later version */");
                }
                if components.is_empty() && !extensible {
                    out.line("uint8_t nothing;");
                }
                out.line(format!("}} {name};"));
            }
            (Repr::Choice, Kind::Choice { alternatives, .. }) => {
                let constants = self.choices(id);
                out.line("enum {");
                constants.iter().enumerate().for_each(|(at, one)| out.line(format!("{one} = {at},")));
                out.line(format!("{} = {}", self.constant(id, UNKNOWN), constants.len()));
                out.line("};");
                self.comment(id, out);
                out.line(format!("typedef struct {name} {{"));
                out.line(format!("uint32_t choice; /* {}... */", constants.first().map_or("", String::as_str)));
                out.line("union {");
                for (one, member) in alternatives.iter().zip(Self::members(alternatives)) {
                    let declared = field(one.type_id, &member, self.is_alternative_apart(id, one))?;
                    out.line(format!("{declared}; /* {} */", one.name));
                }
                out.line(format!("rw_addition {};", snake(UNKNOWN)));
                out.line("} as;");
                out.line(format!("}} {name};"));
            }
            (Repr::Enum, _) => {
                let (constants, enumerators) = self.items(id);
                let numbers = enumerators.into_iter().flat_map(|of| of.all());
                self.comment(id, out);
                out.line(format!("typedef {} {name};", int_name(self.item_int(id)).unwrap_or("int64_t")));
                // An enumeration has numbers of `int`.
                let (near, far): (Vec<_>, Vec<_>) =
                    constants.iter().zip(numbers).partition(|(_, (_, number))| i32::try_from(*number).is_ok());
                if !near.is_empty() {
                    out.line("enum {");
                    near.iter().for_each(|(constant, (_, number))| out.line(format!("{constant} = {number},")));
                    out.line("};");
                }
                for (constant, (_, number)) in far {
                    out.line(format!("#define {constant} {}", signed_constant(*number)));
                }
            }
            (Repr::List { element, .. }, _) => {
                let apart = |name: &str| self.elements(*element, name).ok_or_else(|| self.refused(id, "has no bound"));
                out.line(format!("typedef struct {name} {{"));
                out.line("uint32_t count;");
                match self.most_elements(id) {
                    Some(most) => {
                        out.line(format!("{};", field(*element, &format!("items[{}]", room(most)), false)?));
                    }
                    None => out.line(format!("{};", apart("items")?)),
                }
                if self.most_in_root(id).is_some() {
                    out.line(format!(
                        "{}; /* elements beyond the root, if count says that there are some */",
                        apart("more")?
                    ));
                }
                out.line(format!("}} {name};"));
            }
            (Repr::Octets(most), _) => {
                out.line(format!(
                    "typedef struct {name} {{ uint32_t size; uint8_t octets[{}]; }} {name};",
                    room(*most)
                ));
            }
            (Repr::Text(most), _) => {
                out.line(format!("typedef struct {name} {{ uint32_t size; char text[{}]; }} {name};", room(*most)));
            }
            _ => {}
        }
        Ok(())
    }

    fn flags(&self, id: TypeId, out: &mut Source) {
        let (Repr::BitFlags { bits }, Kind::BitString { named, .. }) = (self.repr(id), self.kind(id)) else { return };
        if named.is_empty() {
            return;
        }
        out.line("");
        self.comment(id, out);
        out.line("enum {");
        for (name, bit) in named {
            let Some(below) = u64::from(*bits).checked_sub(1 + *bit).filter(|below| *below < 31) else {
                continue;
            };
            out.line(format!("{} = 1 << {below},", self.constant(id, name)));
        }
        out.line(format!("{} = {bits}", self.constant(id, BITS)));
        out.line("};");
    }

    fn comment(&self, id: TypeId, out: &mut Source) {
        if let Some(name) = &self.model.get(self.canonical(id)).name {
            out.line(format!("/* {name} */"));
        }
    }
}

/// The bounds of an INTEGER, for its comment.
fn range(model: &Model, id: TypeId) -> String {
    let Kind::Integer { range, .. } = &model.get(model.untagged(id)).kind else { return String::new() };
    let end = |bound: &Option<roadwire_model::BigInt>, open: &str| {
        bound.as_ref().map_or(open.to_owned(), ToString::to_string)
    };
    let more = if range.extensible { ", ..." } else { "" };
    format!(", {}..{}{more}", end(&range.lower, "MIN"), end(&range.upper, "MAX"))
}
