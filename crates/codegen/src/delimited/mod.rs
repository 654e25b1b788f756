//! Shared by straight-line code that moves octet by octet, with a position `at` in `output`, or in `input` up to `end`.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{Layout, NodeId};
use roadwire_model::{Component, TypeId};

use crate::Pdu;
pub(crate) use crate::delimited::decode::Decode;
use crate::delimited::encode::Run;
pub(crate) use crate::delimited::encode::{Encode, WORD};
use crate::names::snake;
use crate::open::Keys;
use crate::packed::run::Place;
use crate::source::Source;
use crate::types::{Repr, Types};

/// Writes a function's body: from `value` to `output` at octet `at`, or from `input` at octet `at`, up to octet `end`, to `value`.
pub(crate) type Body = fn(&mut OctetCode<'_, '_>, TypeId, NodeId);

/// A family: how its functions' bodies are written.
pub(crate) struct Family {
    pub(crate) encode: Body,
    pub(crate) decode: Body,
    /// The condition under which a message does not end correctly.
    pub(crate) wrong_end: &'static str,
}

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, family: &Family, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, layout, root) = (pdu.types, &pdu.layout, pdu.root);
    let mut called = Vec::new();
    out.line("");
    pdu.begin_encode(out);
    out.line("let mut at = 0usize;");
    (family.encode)(&mut OctetCode::new(types, layout, &mut called, out), root, layout.root);
    out.line("Ok(at)");
    out.line("}");
    out.line("");
    pdu.begin_decode(out);
    out.line("let (mut at, end) = (0usize, input.len());");
    (family.decode)(&mut OctetCode::new(types, layout, &mut called, out), root, layout.root);
    out.refuse_if(family.wrong_end);
    out.line("Ok(at * 8)");
    out.line("}");
    while let Some((id, node)) = called.pop() {
        if !written.insert(id) {
            continue;
        }
        out.is_message = false;
        let (Repr::Struct(name) | Repr::Choice(name)) = types.repr(id) else { continue };
        let function = function(types, id);
        let parts = [
            (family.encode, format!("encode_{function}(value: &{name}, output: &mut [u8], at: usize)")),
            (family.decode, format!("decode_{function}(value: &mut {name}, input: &[u8], at: usize, end: usize)")),
        ];
        for (body, signature) in parts {
            out.line("");
            out.line(format!("fn {signature} -> Result<usize, wire::Rejected> {{"));
            out.line("let mut at = at;");
            body(&mut OctetCode::new(types, layout, &mut called, out), id, node);
            out.line("Ok(at)");
            out.line("}");
        }
    }
}

/// The suffix of the names of a type's functions.
fn function(types: &Types<'_>, id: TypeId) -> String {
    snake(&types.rust_structure(id))
}

/// A writer of functions' bodies.
pub(crate) trait Writer<'a, 'm: 'a> {
    fn code(&mut self) -> &mut OctetCode<'a, 'm>;
}

/// A function's body being written.
pub(crate) struct OctetCode<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    pub(crate) layout: &'a Layout,
    pub(crate) out: &'a mut Source,
    /// Pending octets of an encoder.
    pub(crate) run: Run,
    /// The components so far that select types of open types.
    pub(crate) keys: Keys,
    /// Types whose functions are called, and so must be written.
    called: &'a mut Vec<(TypeId, NodeId)>,
}

impl<'a, 'm> OctetCode<'a, 'm> {
    fn new(
        types: &'a Types<'m>,
        layout: &'a Layout,
        called: &'a mut Vec<(TypeId, NodeId)>,
        out: &'a mut Source,
    ) -> Self {
        out.begin_body();
        OctetCode { types, layout, out, run: Run::default(), keys: Keys::default(), called }
    }

    /// Whether a part is coded by a separate function.
    pub(crate) fn is_function(&self, id: TypeId) -> bool {
        self.types.is_function(id) || self.types.is_shared(id, false)
    }

    /// Calls a part's encoder.
    pub(crate) fn call_encoder(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let function = function(self.types, id);
        self.out.line(format!("at = encode_{function}({}, output, at)?;", place.shared()));
        self.call(id, node);
    }

    /// Calls a part's decoder.
    pub(crate) fn call_decoder(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let function = function(self.types, id);
        self.out.line(format!("at = decode_{function}({}, input, at, end)?;", place.exclusive()));
        self.call(id, node);
    }

    fn call(&mut self, id: TypeId, node: NodeId) {
        if !self.out.has_given_up() {
            self.called.push((id, node));
        }
    }

    /// A component has been written or read; see [`Keys::pass`].
    pub(crate) fn pass(&mut self, component: &Component, node: NodeId, field: &Place) {
        self.keys.pass(self.types, self.layout, component, node, field);
    }

    /// Refuses a size outside its bounds.
    pub(crate) fn size(&mut self, size: &str, lower: u64, upper: u64) {
        if lower > 0 || upper < u64::MAX {
            self.out.refuse_if(&format!("!({lower}..={upper}).contains(&({size} as u64))"));
        }
    }

    pub(crate) fn leave_to_interpreter(&mut self) {
        self.run = Run::default();
        self.out.give_up();
    }

    /// Leaves a part to the interpreter before it is begun: a recursive type, whose levels the interpreter counts.
    pub(crate) fn leave_part(&mut self, id: TypeId) {
        self.out.enter(id);
        self.leave_to_interpreter();
        self.out.leave();
    }

    /// The place as a variable that is a reference.
    pub(crate) fn bind(&mut self, place: &Place) -> String {
        let variable = self.out.variable();
        self.out.line(format!("let {variable} = {};", place.exclusive()));
        variable
    }

    /// Reads the octets whose start and end `open` returns, into a variable, and continues after them.
    pub(crate) fn take_slice(&mut self, open: &str) -> String {
        let (octets, inside) = (self.out.variable(), self.out.variable());
        self.out.line(format!("let ({inside}, {octets}) = {open}?;"));
        self.out.line(format!("at = {octets};"));
        self.out.line(format!("let Some({octets}) = input.get({inside}..at) else {{ return Err(wire::Rejected) }};"));
        octets
    }

    /// Assigns octets in a variable to an octet string.
    pub(crate) fn fill_octets(&mut self, id: TypeId, octets: &str, lower: u64, upper: u64, place: &Place) {
        let object = self.bind(place);
        match self.types.repr(id) {
            Repr::FixedOctets(count) => {
                self.out.refuse_if(&format!("{octets}.len() != {count}"));
                self.out.line(format!("{object}.copy_from_slice({octets});"));
            }
            Repr::Octets(_) => {
                self.size(&format!("{octets}.len()"), lower, upper);
                self.out.line(format!("{object}.0.clear();"));
                self.out.refuse_if(&format!("{object}.0.try_extend_from_slice({octets}).is_err()"));
            }
            Repr::OctetString => {
                self.size(&format!("{octets}.len()"), lower, upper);
                self.out.line(format!("{object}.0.clear();"));
                self.out.line(format!("{object}.0.extend_from_slice({octets});"));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// Converts octets in a variable to text, in the same variable.
    pub(crate) fn read_utf8(&mut self, octets: &str) {
        self.out
            .line(format!("let Ok({octets}) = core::str::from_utf8({octets}) else {{ return Err(wire::Rejected) }};"));
    }

    /// Assigns text in a variable to a string.
    pub(crate) fn fill_text(&mut self, id: TypeId, text: &str, place: &Place) {
        let place = self.bind(place);
        self.out.line(format!("{place}.clear();"));
        match self.types.repr(id) {
            Repr::String => self.out.line(format!("{place}.push_str({text});")),
            Repr::Text(_) => self.out.refuse_if(&format!("{place}.try_push_str({text}).is_err()")),
            _ => self.leave_to_interpreter(),
        }
    }
}
