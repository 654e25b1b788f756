//! Prints what functions do that write or read a stream: a writer `w`, or a reader `r`, is a
//! variable.

use super::calls::{path, primitive};
use super::places::name;
use super::statements::Others;
use super::{Cursor, Printer, no_text};
use roadwire_plan::{Block, Element, Mover, Num, Place, Repr, Stream, Var};

impl Printer<'_, '_> {
    pub(super) fn stream_statement(&mut self, statement: &Stream) {
        match statement {
            Stream::Increment(var) => self.line(format!("{} += 1;", name(*var))),
            Stream::Assign(var, number) => self.line(format!("{} = {};", name(*var), self.number(number))),
            Stream::Subtract(var, number) => self.line(format!("{} -= {number};", name(*var))),
            Stream::LetCode { variables: (code, width), left_out, bits } => {
                let typed = |number: &Num, held| match number {
                    Num::Const(number) => format!("{number}{held}"),
                    number => self.number(number),
                };
                let (left_out, bits) = (typed(left_out, "u64"), typed(bits, "u32"));
                self.line(format!("let (mut {}, mut {}) = ({left_out}, {bits});", name(*code), name(*width)));
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
            Stream::Bind { id, alternative, place, inner } => {
                let Some(variants) = self.types.variants(*id) else { return };
                variants[*alternative].bind_as(&self.place(place).shared(), &name(*inner), self.out);
            }
            Stream::IfSentElse { component, place, inner, then, otherwise } => {
                self.line(self.if_sent(*component, place, *inner));
                self.block(then);
                self.inside("} else {", otherwise);
            }
            Stream::Enumerated { at, item, place, body } => {
                let (at, item) = (name(*at), name(*item));
                self.line(format!("for ({at}, {item}) in {}.iter().enumerate() {{", self.place(place).object()));
                self.inside(format!("let _ = {at};"), body);
            }
            Stream::Match { number, is_hex, arms, others } => {
                let others = others.as_ref().map_or(Others::Rejected, Others::Block);
                self.match_number(number, *is_hex, arms, others);
            }
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
            other => self.put_stream(other),
        }
    }

    /// Statements that write, and those that align.
    fn put_stream(&mut self, statement: &Stream) {
        match statement {
            Stream::LetBitOctets(var, place) => self.named(*var, format!("{}.octets()", self.place(place).object())),
            Stream::NeedAnyWord(word, place) => {
                self.need(&format!("Some({})", name(*word)), &format!("{}.to_word()", self.place(place).object()));
            }
            Stream::PutChunk { parts, bits, last } => self.put_chunk(parts, *bits, last.as_ref()),
            Stream::PutWide { number, width } => {
                self.line(format!("w.put_wide({}, {})?;", self.number(number), self.number(width)));
            }
            Stream::FlushWriter => self.line("w.flush()?;"),
            Stream::Align => self.line(format!("{}.align()?;", self.stream())),
            Stream::AlignIf(count) => {
                self.line(format!("if {} > 0 {{", self.operand(count)));
                self.line(format!("{}.align()?;", self.stream()));
                self.line("}");
            }
            other => self.take_words(other),
        }
    }

    /// Statements that name bits of what is read.
    fn take_words(&mut self, statement: &Stream) {
        match statement {
            Stream::FirstChunk(octets) => self.need("Some(head)", &format!("input.first_chunk::<{octets}>()")),
            Stream::Window(base) => self.line(format!("let word = wire::rt::window(head, {base});")),
            Stream::LetPart { var, left, right } => self.named(*var, format!("word << {left} >> {right}")),
            Stream::RejectPart { left, right, wanted } => {
                self.out.refuse_if(&format!("word << {left} >> {right} != {wanted:#x}"));
            }
            Stream::ReadAt { var, bit, bits } => self.named(*var, format!("wire::rt::read_at(head, {bit}, {bits})")),
            Stream::TakeHead(octets) => self.line(format!("let head = r.take_head::<{octets}>()?;")),
            Stream::LetEmpty(var) => self.named(*var, "[]"),
            Stream::WordAt { first, octets } => {
                self.line(format!("let word = wire::rt::number_at(head, {first}, {octets});"));
            }
            Stream::LetMasked { var, shift, mask } => self.named(*var, format!("word >> {shift} & {mask:#x}")),
            Stream::TakeWide { var, bits } => self.named(*var, format!("r.take_wide({bits})?")),
            Stream::TakeWord(bits) => self.line(format!("let word = r.take({bits})?;")),
            Stream::LetBits { var, width, below, of } => {
                let value = match (*width, *below) {
                    (0, _) => "0u64".to_owned(),
                    (width, 0) if width == *of => "word".to_owned(),
                    (width, 0) => format!("word & {:#x}", (1u128 << width) - 1),
                    (width, below) if width + below == *of => format!("word >> {below}"),
                    (width, below) => format!("word >> {below} & {:#x}", (1u128 << width) - 1),
                };
                self.named(*var, value);
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
            other => self.take_content(other),
        }
    }

    /// Statements that enter content, and that read numbers.
    fn take_content(&mut self, statement: &Stream) {
        match statement {
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
            Stream::TakeCounted { var, octets } => {
                self.named(*var, format!("r.take_wide({} as u32 * 8 + 8)?", name(*octets)));
            }
            Stream::Narrow { var, signed, from } => {
                let held = if *signed { "i64" } else { "u64" };
                self.line("#[allow(irrefutable_let_patterns)]");
                self.need(&format!("Ok({})", name(*var)), &format!("{held}::try_from({})", name(*from)));
            }
            Stream::TakeDetermined { var, signed, offset } => {
                let (sign, offset) = match (signed, offset) {
                    (true, _) => ("signed", String::new()),
                    (false, None) => ("unsigned", String::new()),
                    (false, Some(offset)) => ("unsigned", format!(" as i128 + {offset}i128")),
                };
                self.named(*var, format!("wire::rt::packed::take_{sign}(&mut r)?{offset}"));
            }
            Stream::TakeCount { var, is_word } => {
                let word = if *is_word { " as u64" } else { "" };
                self.named(*var, format!("wire::rt::packed::take_count(&mut r)?{word}"));
            }
            other => self.stream_strings(other),
        }
    }

    /// Statements that read bit strings.
    pub(super) fn take_bits(&mut self, statement: &Stream) {
        match statement {
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
                self.need("Some((unused @ 0..8, bits))", &format!("{}.split_first()", name(*octets)));
                let bits = "(bits.len() * 8).checked_sub(usize::from(*unused))";
                self.need(&format!("Some({})", name(*count)), bits);
            }
            Stream::SetBits { id, place, count } => {
                let (place, count) = (self.place(place), name(*count));
                if *self.types.repr(*id) == Repr::BitString {
                    return self.out.refuse_if(&format!("!{}.set_bits(bits, {count})", place.object()));
                }
                self.need("Some(bits)", &format!("wire::BitWord::from_octets(bits, {count})"));
                self.line(format!("{} = bits;", place.value()));
            }
            other => self.line(no_text(other)),
        }
    }

    fn match_number(&mut self, number: &Num, is_hex: bool, arms: &[(u64, u64, Block)], others: Others<'_>) {
        let pattern = |first: u64, last: u64| match (first == last, is_hex) {
            (true, true) => format!("{first:#x}"),
            (true, false) => first.to_string(),
            _ => format!("{first}..={last}"),
        };
        let arms = arms.iter().map(|(first, last, block)| (pattern(*first, *last), block));
        self.select(&self.number(number), arms, others);
    }

    /// Reads large elements in place, possibly over those of an earlier message.
    fn each_place(&mut self, element: &Element, at: Var, count: &str, place: &Place, body: &Block) {
        let (list, item, at) = (name(element.list), name(element.item), name(at));
        self.line(format!("let {list} = {};", self.place(place).exclusive()));
        self.line(format!("for {at} in 0..{count} as usize {{"));
        self.inside(format!("let {item} = wire::rt::Places::place({list}, {at}).ok_or(wire::Rejected)?;"), body);
        self.line(format!("wire::rt::Places::settle({list}, {count} as usize);"));
    }

    /// The path or the method of a primitive.
    pub(super) fn mover(&self, by: Mover) -> String {
        let whole = if self.cursor == Cursor::Whole { "whole_" } else { "" };
        match (by, self.module(by)) {
            (Mover::PutArray, _) => format!("w.put_{whole}array"),
            (Mover::PutInline, _) => format!("w.put_{whole}inline"),
            (Mover::PutOctets, _) => format!("w.put_{whole}octets"),
            (Mover::PutEventText, _) => "wire::rt::events::put".into(),
            (Mover::PutVarint, _) => "wire::rt::varint::put".into(),
            (Mover::TakeVarint, _) => "wire::rt::varint::take".into(),
            (Mover::Spread(most), _) => format!("wire::rt::varint::spread::<{most}>"),
            (by, Some(module)) => path(module, by),
            (by, None) => format!("{}.{}", self.stream(), primitive(by)),
        }
    }

    /// The module of a primitive, whose first argument is the writer or reader if it does not only
    /// calculate; `None` for a method.
    pub(super) fn module(&self, by: Mover) -> Option<&'static str> {
        match by {
            Mover::CloseOpenType if self.cursor == Cursor::Whole => Some("octet"),
            Mover::CloseOpenType | Mover::PutCharacters | Mover::PutText | Mover::PutCount => Some("packed"),
            Mover::PutSigned | Mover::PutUnsigned | Mover::LengthOctets => Some("octet"),
            Mover::PutArcs | Mover::PutInteger | Mover::PutReal | Mover::PutEventText => Some("events"),
            Mover::TakeArcs | Mover::TakeInteger | Mover::TakeReal => Some("events"),
            Mover::PutVarint | Mover::TakeVarint | Mover::Spread(_) => Some("varint"),
            _ => None,
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
