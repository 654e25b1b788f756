//! Prints what functions do that write or read a stream: a writer `w`, or a reader `r`, is a
//! variable.

use roadwire_model::TypeId;

use super::places::name;
use super::{Cursor, Printer};
use roadwire_plan::Repr;
use roadwire_plan::{Block, Component, Element, Mover, Num, Place, Stream, Var};

impl Printer<'_, '_> {
    pub(super) fn stream_statement(&mut self, statement: &Stream) {
        match statement {
            Stream::Increment(var) => self.line(format!("{} += 1;", name(*var))),
            Stream::Assign(var, number) => self.line(format!("{} = {};", name(*var), self.number(number))),
            Stream::Subtract(var, number) => self.line(format!("{} -= {number};", name(*var))),
            Stream::LetBitOctets(var, place) => {
                self.line(format!("let {} = {}.octets();", name(*var), self.place(place).object()));
            }
            Stream::NeedAnyWord(word, place) => {
                let bits = format!("{}.to_word()", self.place(place).object());
                self.line(format!("let Some({}) = {bits} else {{ return Err(wire::Rejected) }};", name(*word)));
            }
            Stream::LetCode { variables: (code, width), left_out, bits } => {
                let left_out = match left_out {
                    Num::Const(left_out) => format!("{left_out}u64"),
                    left_out => self.number(left_out),
                };
                let bits = match bits {
                    Num::Const(bits) => format!("{bits}u32"),
                    bits => self.number(bits),
                };
                self.line(format!("let (mut {}, mut {}) = ({left_out}, {bits});", name(*code), name(*width)));
            }
            Stream::PutChunk { parts, bits, last } => self.put_chunk(parts, *bits, last.as_ref()),
            Stream::PutWide { number, width } => {
                self.line(format!("w.put_wide({}, {})?;", self.operand(number), self.operand(width)));
            }
            Stream::Align => self.line(format!("{}.align()?;", self.stream())),
            Stream::AlignIf(count) => {
                self.line(format!("if {} > 0 {{", self.operand(count)));
                self.line(format!("{}.align()?;", self.stream()));
                self.line("}");
            }
            Stream::FlushWriter => self.line("w.flush()?;"),
            Stream::Bind { id, alternative, place, inner } => self.bind(*id, *alternative, place, *inner),
            Stream::IfSentElse { component, place, inner, then, otherwise } => {
                self.if_sent_else(*component, place, *inner, (then, otherwise));
            }
            Stream::Enumerated { at, item, place, body } => {
                let (at, item) = (name(*at), name(*item));
                self.line(format!("for ({at}, {item}) in {}.iter().enumerate() {{", self.place(place).object()));
                self.line(format!("let _ = {at};"));
                self.block(body);
                self.line("}");
            }
            Stream::Local { var, id } => {
                let rust = self.types.rust(*id).replace("<'a>", "<'_>");
                self.line(format!("let mut {}: {rust} = {};", name(*var), self.types.default_expression(*id)));
            }
            Stream::SetTo { id, alternative, place, content } => {
                let Some(variants) = self.types.variants(*id) else { return };
                let place = self.place(place);
                self.types.set_alternative(&variants[*alternative], &place, &name(*content), self.out);
            }
            Stream::Match { number, is_hex, arms } => self.match_number(number, *is_hex, arms),
            Stream::EachPlace { element, at, count, place, body } => {
                self.each_place(element, *at, &self.operand(count), place, body);
            }
            Stream::Event(event) => self.event(event),
            // A pass turns these into others.
            Stream::Put { .. }
            | Stream::PutOctets { .. }
            | Stream::Take { .. }
            | Stream::TakeArray { .. }
            | Stream::Constant { .. }
            | Stream::Groups { .. }
            | Stream::InWord { .. }
            | Stream::Flush
            | Stream::RejectNow(_) => {}
            other => self.stream_bits(other),
        }
    }

    /// Statements that name bits of what is read.
    fn stream_bits(&mut self, statement: &Stream) {
        match statement {
            Stream::FirstChunk(octets) => {
                self.line(format!(
                    "let Some(head) = input.first_chunk::<{octets}>() else {{ return Err(wire::Rejected) }};"
                ));
            }
            Stream::Window(base) => self.line(format!("let word = wire::rt::window(head, {base});")),
            Stream::LetPart { var, left, right } => {
                self.line(format!("let {} = word << {left} >> {right};", name(*var)));
            }
            Stream::RejectPart { left, right, wanted } => {
                self.out.refuse_if(&format!("word << {left} >> {right} != {wanted:#x}"));
            }
            Stream::ReadAt { var, bit, bits } => {
                self.line(format!("let {} = wire::rt::read_at(head, {bit}, {bits});", name(*var)));
            }
            Stream::TakeHead(octets) => self.line(format!("let head = r.take_head::<{octets}>()?;")),
            Stream::LetEmpty(var) => self.line(format!("let {} = [];", name(*var))),
            Stream::WordAt { first, octets } => {
                self.line(format!("let word = wire::rt::number_at(head, {first}, {octets});"));
            }
            Stream::LetMasked { var, shift, mask } => {
                self.line(format!("let {} = word >> {shift} & {mask:#x};", name(*var)));
            }
            Stream::TakeWide { var, bits } => self.line(format!("let {} = r.take_wide({bits})?;", name(*var))),
            Stream::TakeWord(bits) => self.line(format!("let word = r.take({bits})?;")),
            Stream::LetBits { var, width, below, of } => {
                let value = match (*width, *below) {
                    (0, _) => "0u64".to_owned(),
                    (width, 0) if width == *of => "word".to_owned(),
                    (width, 0) => format!("word & {:#x}", (1u128 << width) - 1),
                    (width, below) if width + below == *of => format!("word >> {below}"),
                    (width, below) => format!("word >> {below} & {:#x}", (1u128 << width) - 1),
                };
                self.line(format!("let {} = {value};", name(*var)));
            }
            Stream::NextWord => self.line("let word = r.window();"),
            Stream::Advance(bits) => self.line(format!("r.advance({bits});")),
            Stream::Within => self.line("r.within()?;"),
            Stream::Peel { var, most, taken } => {
                let var = name(*var);
                self.line(format!("let ({var}, word, more) = wire::rt::varint::peel::<{most}>(word, {taken})?;"));
                self.line("r.advance(more);");
            }
            Stream::AdvanceTo(bit) => self.line(format!("r.advance_to({bit});")),
            Stream::ReaderAt(octet) => self.line(format!("r = wire::rt::OctetReader::at(input, {octet});")),
            Stream::OpenOctets { outer, count } => {
                let (outer, count) = (name(*outer), self.operand(count));
                self.line(format!("let mut {outer} = r;"));
                self.line(format!("r = wire::rt::OctetReader::new({outer}.take_slice({count})?);"));
            }
            Stream::CloseOctets { outer } => {
                self.out.refuse_if("r.remaining() != 0");
                self.line(format!("r = {};", name(*outer)));
            }
            Stream::CloseBits { start, count } => {
                let (start, count) = (name(*start), self.operand(count));
                self.line(format!("wire::rt::packed::end_open_type(&mut r, {start}, {count} as usize)?;"));
            }
            other => self.stream_numbers(other),
        }
    }

    /// Statements that read numbers and bit strings.
    fn stream_numbers(&mut self, statement: &Stream) {
        match statement {
            Stream::TakeCounted { var, octets } => {
                self.line(format!("let {} = r.take_wide({} as u32 * 8 + 8)?;", name(*var), name(*octets)));
            }
            Stream::Narrow { var, signed, from } => {
                let held = if *signed { "i64" } else { "u64" };
                self.line("#[allow(irrefutable_let_patterns)]");
                self.line(format!(
                    "let Ok({}) = {held}::try_from({}) else {{ return Err(wire::Rejected) }};",
                    name(*var),
                    name(*from)
                ));
            }
            Stream::TakeDetermined { var, signed, offset } => {
                let (sign, offset) = match (signed, offset) {
                    (true, _) => ("signed", String::new()),
                    (false, None) => ("unsigned", String::new()),
                    (false, Some(offset)) => ("unsigned", format!(" as i128 + {offset}i128")),
                };
                self.line(format!("let {} = wire::rt::packed::take_{sign}(&mut r)?{offset};", name(*var)));
            }
            Stream::TakeCount { var, is_word } => {
                let word = if *is_word { " as u64" } else { "" };
                self.line(format!("let {} = wire::rt::packed::take_count(&mut r)?{word};", name(*var)));
            }
            Stream::TakeBitWord { id, place, count } => {
                let place = self.place(place);
                self.line(format!("let bits = {} as u32;", self.operand(count)));
                let word = "wire::BitWord { value: r.take_wide(bits)?, bits: bits as u8 }";
                self.line(match self.types.repr(*id) {
                    Repr::BitString => format!("{}.set_word({word});", place.object()),
                    _ => format!("{} = {word};", place.value()),
                });
            }
            Stream::TakeBitString { place, count } => {
                let (count, bits) = (self.operand(count), self.place(place).exclusive());
                self.apart(&format!("wire::rt::packed::take_bit_string(&mut r, {count} as usize, {bits})?;"));
            }
            Stream::SplitBits { octets, count } => {
                self.line(format!(
                    "let Some((unused @ 0..8, bits)) = {}.split_first() else {{ return Err(wire::Rejected) }};",
                    name(*octets)
                ));
                let bits = "(bits.len() * 8).checked_sub(usize::from(*unused))";
                self.line(format!("let Some({}) = {bits} else {{ return Err(wire::Rejected) }};", name(*count)));
            }
            Stream::SetBits { id, place, count } => {
                let (place, count) = (self.place(place), name(*count));
                if *self.types.repr(*id) == Repr::BitString {
                    return self.out.refuse_if(&format!("!{}.set_bits(bits, {count})", place.object()));
                }
                self.line(format!(
                    "let Some(bits) = wire::BitWord::from_octets(bits, {count}) else {{ return Err(wire::Rejected) }};"
                ));
                self.line(format!("{} = bits;", place.value()));
            }
            other => self.stream_strings(other),
        }
    }

    /// Binds the content of a CHOICE that holds the alternative.
    fn bind(&mut self, id: TypeId, alternative: usize, place: &Place, inner: Var) {
        let Some(variants) = self.types.variants(id) else { return };
        let (path, choice) = (&variants[alternative].path, self.place(place).shared());
        // Refutable unless it is the only alternative.
        self.line("#[allow(irrefutable_let_patterns)]");
        self.line(format!("let {path}({}) = {choice} else {{", name(inner)));
        self.line("return Err(wire::Rejected);");
        self.line("};");
    }

    fn if_sent_else(
        &mut self,
        component: Component,
        place: &Place,
        inner: Option<Var>,
        (then, otherwise): (&Block, &Block),
    ) {
        let place = self.place(place);
        self.line(match inner {
            None => format!("if {} {{", self.types.sent(self.types.component(component), &place)),
            Some(inner) => format!("if let Some({}) = &{} {{", name(inner), place.object()),
        });
        self.block(then);
        self.line("} else {");
        self.block(otherwise);
        self.line("}");
    }

    fn match_number(&mut self, number: &Num, is_hex: bool, arms: &[(u64, u64, Block)]) {
        let number = self.number(number);
        self.line(format!("match {number} {{"));
        for (first, last, block) in arms {
            self.line(match (first == last, is_hex) {
                (true, true) => format!("{first:#x} => {{"),
                (true, false) => format!("{first} => {{"),
                _ => format!("{first}..={last} => {{"),
            });
            self.block(block);
            self.line("}");
        }
        self.line("_ => return Err(wire::Rejected),");
        self.line("}");
    }

    /// Reads large elements in place, possibly over those of an earlier message.
    fn each_place(&mut self, element: &Element, at: Var, count: &str, place: &Place, body: &Block) {
        let (list, item, at) = (name(element.list), name(element.item), name(at));
        self.line(format!("let {list} = {};", self.place(place).exclusive()));
        self.line(format!("for {at} in 0..{count} as usize {{"));
        self.line(format!("let {item} = wire::rt::Places::place({list}, {at}).ok_or(wire::Rejected)?;"));
        self.block(body);
        self.line("}");
        self.line(format!("wire::rt::Places::settle({list}, {count} as usize);"));
    }

    /// The path or the method of a primitive.
    pub(super) fn mover(&self, by: Mover) -> String {
        let (whole, family) = match self.cursor {
            Cursor::Whole => ("whole_", "octet"),
            _ => ("", "packed"),
        };
        match by {
            Mover::PutArray => format!("w.put_{whole}array"),
            Mover::PutInline => format!("w.put_{whole}inline"),
            Mover::PutOctets => format!("w.put_{whole}octets"),
            Mover::PutBits => "w.put_bits".into(),
            Mover::PutWide => "w.put_wide".into(),
            Mover::PutCharacters => "wire::rt::packed::put_characters".into(),
            Mover::PutText => "wire::rt::packed::put_text".into(),
            Mover::PutCount => "wire::rt::packed::put_count".into(),
            Mover::PutSigned => "wire::rt::octet::put_signed".into(),
            Mover::PutUnsigned => "wire::rt::octet::put_unsigned".into(),
            Mover::PutEventText => "wire::rt::events::put".into(),
            Mover::PutArcs => "wire::rt::events::put_arcs".into(),
            Mover::TakeArcs => "wire::rt::events::take_arcs".into(),
            Mover::PutInteger => "wire::rt::events::put_integer".into(),
            Mover::TakeInteger => "wire::rt::events::take_integer".into(),
            Mover::PutReal => "wire::rt::events::put_real".into(),
            Mover::TakeReal => "wire::rt::events::take_real".into(),
            Mover::PutVarint => "wire::rt::varint::put".into(),
            Mover::CloseOpenType => format!("wire::rt::{family}::close_open_type"),
            Mover::LengthOctets => "wire::rt::octet::length_octets".into(),
            Mover::Spread(most) => format!("wire::rt::varint::spread::<{most}>"),
            Mover::TakeLength => "r.take_length".into(),
            Mover::TakeCounted => "r.take_counted".into(),
            Mover::TakeQuantity => "r.take_quantity".into(),
            Mover::TakeCountedSigned => "r.take_counted_signed".into(),
            Mover::TakeCountedUnsigned => "r.take_counted_unsigned".into(),
            Mover::TakeVarint => "wire::rt::varint::take".into(),
            Mover::TakeArray => "r.take_array".into(),
            Mover::TakeAdditions => "r.take_additions".into(),
        }
    }

    /// Begins code that takes the address of the writer or reader; see [`apart`](Self::apart).
    pub(super) fn begin_apart(&mut self) {
        let stream = self.stream();
        self.line(format!("{stream} = {{"));
        self.line(format!("let mut {stream} = {stream};"));
    }

    pub(super) fn end_apart(&mut self) {
        self.line(self.stream());
        self.line("};");
    }
}

/// Whether the first argument of a primitive is the writer or the reader.
pub(super) fn takes_stream(by: Mover) -> bool {
    matches!(
        by,
        Mover::PutCharacters
            | Mover::PutText
            | Mover::PutCount
            | Mover::PutSigned
            | Mover::PutUnsigned
            | Mover::PutEventText
            | Mover::PutInteger
            | Mover::TakeInteger
            | Mover::PutReal
            | Mover::PutArcs
            | Mover::TakeArcs
            | Mover::TakeReal
            | Mover::PutVarint
            | Mover::CloseOpenType
            | Mover::TakeVarint
    )
}
