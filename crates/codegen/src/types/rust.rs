//! Types and values as Rust's text.

use roadwire_model::TypeId;

use crate::types::{Repr, Storage, Types};

impl<'m> Types<'m> {
    /// The Rust type's name in a field or variant of `holder`.
    pub(crate) fn field(&self, holder: TypeId, id: TypeId) -> String {
        if self.is_boxed(holder, id) { format!("Box<{}>", self.rust(id)) } else { self.rust(id) }
    }

    /// The Rust type's name.
    pub(crate) fn rust(&self, id: TypeId) -> String {
        let id = self.canonical(id);
        match self.aliases.get(&id) {
            Some(alias) => self.with_lifetime(alias, id, "'a"),
            None => self.rust_structure(id),
        }
    }

    /// The same, without aliases.
    pub(crate) fn rust_structure(&self, id: TypeId) -> String {
        match self.repr(id) {
            Repr::Bool => "bool".into(),
            Repr::Null => "()".into(),
            Repr::Integer(name) => (*name).into(),
            Repr::AnyInteger => "wire::Integer".into(),
            Repr::Real => "f64".into(),
            Repr::Enum(name) | Repr::Struct(name) | Repr::Choice(name) | Repr::BitFlags { name, .. } => {
                self.with_lifetime(name, id, "'a")
            }
            Repr::BitWord => "wire::BitWord".into(),
            Repr::BitString => "wire::BitString".into(),
            Repr::FixedOctets(count) => format!("[u8; {count}]"),
            Repr::Octets(most) => format!("wire::Octets<{most}>"),
            Repr::OctetString => "wire::OctetString".into(),
            Repr::LentOctets => "wire::LentOctets<'a>".into(),
            Repr::Text(most) => format!("wire::Text<{most}>"),
            Repr::String => "String".into(),
            Repr::LentText => "wire::LentText<'a>".into(),
            Repr::Oid => "wire::Oid".into(),
            Repr::List { element, storage: Storage::Inline(most) } => {
                format!("wire::List<{}, {most}>", self.rust(*element))
            }
            Repr::List { element, storage: Storage::Extensible(most) } => {
                format!("wire::ExtensibleList<{}, {most}>", self.rust(*element))
            }
            Repr::List { element, storage: Storage::Heap } => format!("Vec<{}>", self.rust(*element)),
        }
    }

    /// An expression for the empty value.
    pub(crate) fn default_expression(&self, id: TypeId) -> String {
        match self.repr(id) {
            Repr::FixedOctets(count) => format!("[0; {count}]"),
            _ => "Default::default()".into(),
        }
    }

    /// A call on an `Option` that puts the empty value there if there is none.
    pub(crate) fn insert_expression(&self, id: TypeId) -> String {
        match self.repr(id) {
            Repr::FixedOctets(count) => format!("get_or_insert([0; {count}])"),
            _ => "get_or_insert_default()".into(),
        }
    }

    /// The same, but a small existing value is not kept: overwriting it costs less than an
    /// unpredictable branch.
    pub(crate) fn renew_expression(&self, id: TypeId) -> String {
        if self.is_small(id) { format!("insert({})", self.default_expression(id)) } else { self.insert_expression(id) }
    }
}
