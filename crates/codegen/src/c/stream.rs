//! Prints what functions do that write or read a stream of bits: a writer `w`, or a reader `r`, is
//! a variable.

use roadwire_layout::Family;
use roadwire_model::TypeId;
use roadwire_plan::{Arg, Mover, Num, Place, Repr, Stream, Var, Way};

use super::names::UNKNOWN;
use super::numbers::{constant, signed_constant};
use super::places::name;
use super::statements::{Cursor, Printer};
use crate::names::snake;

impl Printer<'_, '_> {
    pub(super) fn stream(&mut self, statement: &Stream) {
        match statement {
            Stream::Increment(var) => self.line(format!("{}++;", name(*var))),
            Stream::Assign(var, number) => {
                let number = self.number(number);
                self.line(format!("{} = {number};", name(*var)));
            }
            Stream::Subtract(var, number) => self.line(format!("{} -= {number}u;", name(*var))),
            Stream::Bind { id, alternative, place, inner } => {
                let (choices, text) = (self.types.choices(*id), self.place(place));
                self.reject_if(&format!("{} != {}", text.member("choice"), choices[*alternative]));
                self.bind_content(*inner, (*id, *alternative), &text);
            }
            Stream::IfSentElse { component, place, inner, then, otherwise } => {
                self.if_sent(*component, place, *inner, then);
                self.line("} else {");
                self.block(otherwise);
                self.line("}");
            }
            Stream::Enumerated { at, item, place, body } => self.each(*item, place, Some(*at), body),
            Stream::Match { number, arms, others, .. } if arms.iter().all(|(first, last, _)| first == last) => {
                let number = self.number(number);
                self.select(&number, arms.iter().map(|(key, _, block)| (*key, block)), others.as_ref());
            }
            Stream::EachPlace { element, at, count, place, body } => self.each_place(element, *at, count, place, body),
            Stream::NeedAnyWord(word, place) => {
                let (address, word) = (self.place(place).address(), name(*word));
                self.line(format!("rw_bits {word}_word;"));
                self.line(format!("const rw_bits *{word} = &{word}_word;"));
                self.try_call(format!("rw_word_of({address}, &{word}_word)"));
            }
            Stream::PutChunk { parts, bits, last } => self.put_chunk(parts, *bits, last.as_ref()),
            Stream::PutWide { number, width } => {
                let (number, width) = (self.number(number), self.number(width));
                self.try_call(format!("rw_put_wide(&w, {number}, (uint32_t){width})"));
            }
            Stream::FlushWriter => self.try_call("rw_flush(&w)"),
            Stream::Align => self.align(),
            Stream::TakeOther { id, place, index, count } => {
                let (index, count) = (self.number(index), self.number(count));
                let other = self.choose_other(*id, place);
                self.line(format!("{other}.index = (uint32_t){index};"));
                self.try_call(format!("rw_lend(&r, {count}, &{other}.octets)"));
            }
            Stream::PutOther { other, known, is_aligned } => {
                let any = if self.is_thorough { "any_" } else { "" };
                self.try_call(format!("rw_put_{any}later(&w, {}, {known}, {is_aligned})", name(*other)));
            }
            Stream::TakeTagged { id, place, read } => {
                let other = self.choose_other(*id, place);
                self.try_call(format!("rw_take_tagged(&r, {read}, &{other})"));
            }
            Stream::PutTagged { other, known } => {
                let tags = self.alphabet(known);
                self.try_call(format!("rw_put_tagged(&w, {}, {tags})", name(*other)));
            }
            Stream::AlignIf(count) => {
                let count = self.number(count);
                self.line(format!("if ({count} > 0) {{"));
                self.align();
                self.line("}");
            }
            other if self.in_fragments(other) => {}
            other => self.take_words(other),
        }
    }

    /// Makes a CHOICE hold an alternative that the schema does not know, and returns where it is.
    pub(super) fn choose_other(&mut self, id: TypeId, place: &Place) -> String {
        let text = self.place(place);
        self.line(format!("{} = {};", text.member("choice"), self.types.constant(id, UNKNOWN)));
        text.member(&format!("as.{}", snake(UNKNOWN)))
    }

    fn align(&mut self) {
        self.try_call(match self.way {
            Way::Encode => "rw_align(&w)",
            Way::Decode => "rw_skip_padding(&r)",
        });
    }

    /// Names a word that is read.
    pub(super) fn let_word(&mut self, value: &str) {
        self.word = self.fresh("word");
        let word = self.word.clone();
        self.line(format!("const uint64_t {word} = {value};"));
    }

    pub(super) fn named(&mut self, var: Var, value: &str) {
        self.line(format!("const uint64_t {} = {value};", name(var)));
    }

    /// Statements that name bits of what is read.
    fn take_words(&mut self, statement: &Stream) {
        let word = self.word.clone();
        match statement {
            Stream::FirstChunk(octets) => {
                self.reject_as(&format!("r.size < {octets}"), "RW_INPUT_TRUNCATED");
                self.head = *octets;
                self.octets = "r.octets".into();
            }
            Stream::Window(base) => match self.head >= base + 8 {
                true => self.let_word(&format!("rw_load(r.octets + {base})")),
                false => {
                    let octets = self.head.saturating_sub(*base);
                    self.let_word(&format!("rw_load_few(r.octets + {base}, {octets})"));
                }
            },
            Stream::LetPart { var, left, right } => self.named(*var, &format!("{word} << {left} >> {right}")),
            Stream::RejectPart { left, right, wanted } => {
                self.reject_if(&format!("{word} << {left} >> {right} != {}", constant(*wanted)));
            }
            Stream::ReadAt { var, bit, bits } => {
                let head = self.head;
                self.named(*var, &format!("rw_bits_at(r.octets, {head}, {bit}, {bits})"));
            }
            Stream::TakeWide { var, bits } => {
                self.declare("uint64_t", &name(*var));
                self.try_call(format!("rw_take_wide(&r, {bits}, &{})", name(*var)));
            }
            Stream::TakeWord(bits) => {
                self.word = self.fresh("word");
                let word = self.word.clone();
                self.declare("uint64_t", &word);
                self.try_call(format!("rw_take(&r, {bits}, &{word})"));
            }
            Stream::LetBits { var, width, below, of } => {
                let value = match (*width, *below) {
                    (0, _) => "0".to_owned(),
                    (width, 0) if width == *of => word,
                    (width, 0) => format!("{word} & {}", constant(mask(width))),
                    (width, below) if width + below == *of => format!("{word} >> {below}"),
                    (width, below) => format!("{word} >> {below} & {}", constant(mask(width))),
                };
                self.named(*var, &value);
            }
            Stream::NextWord => self.let_word("rw_window(&r)"),
            Stream::Advance(bits) => self.line(format!("r.at += {bits};")),
            Stream::Within => self.reject_as("r.at > r.end", "RW_INPUT_TRUNCATED"),
            Stream::AdvanceTo(bit) => self.line(format!("r.at = {bit};")),
            other => self.take_content(other),
        }
    }

    fn take_content(&mut self, statement: &Stream) {
        match statement {
            Stream::TakeCounted { var, octets } => {
                self.declare("uint64_t", &name(*var));
                self.try_call(format!("rw_take_wide(&r, (uint32_t){} * 8 + 8, &{})", name(*octets), name(*var)));
            }
            Stream::TakeDetermined { var, signed, offset } => {
                self.declare("uint64_t", &name(*var));
                let Ok(offset) = i64::try_from(offset.unwrap_or(0)) else { return drop(self.lacks(statement)) };
                let long = if self.is_thorough { "long_" } else { "" };
                self.try_call(match signed {
                    true => format!("rw_take_{long}signed(&r, &{})", name(*var)),
                    false => format!("rw_take_{long}unsigned(&r, {}, &{})", signed_constant(offset), name(*var)),
                });
            }
            Stream::TakeRest { var, bits, .. } => {
                self.declare("uint64_t", &name(*var));
                self.try_call(format!("rw_take_rest(&r, {bits}, &{})", name(*var)));
            }
            Stream::Narrow { var, signed: _, from } => self.named(*var, &name(*from)),
            Stream::TakeCount { var, .. } => {
                self.declare("uint64_t", &name(*var));
                self.try_call(format!("rw_take_count(&r, &{})", name(*var)));
            }
            Stream::TakeBitString { place, count } | Stream::TakeBitWord { place, count, .. }
                if self.is_bit_string(place) =>
            {
                let (count, address) = (self.number(count), self.place(place).address());
                self.try_call(format!("rw_lend_bits(&r, {count}, {address})"));
            }
            Stream::TakeBitWord { place, count, .. } => {
                let (count, text) = (self.number(count), self.place(place));
                self.line(format!("{} = (uint8_t){count};", text.member("bits")));
                self.try_call(format!("rw_take_wide(&r, {}, &{})", text.member("bits"), text.member("value")));
            }
            Stream::TakeInline { place, count } => {
                let (count, text) = (self.number(count), self.place(place));
                let Some(Repr::Octets(most)) = self.repr_of(place) else {
                    return drop(self.lacks(statement));
                };
                self.reject_as(&format!("{count} > {most}"), "RW_SIZE_CAPACITY");
                self.line(format!("{} = (uint32_t){count};", text.member("size")));
                self.try_call(format!("rw_take_octets(&r, {}, {count})", text.member("octets")));
            }
            Stream::TakeOctets { id, place, count } => {
                let (count, text) = (self.number(count), self.place(place));
                self.try_call(format!("rw_lend(&r, {count}, {})", text.address()));
                if *self.types.repr(*id) == Repr::Oid {
                    self.reject_as(&format!("!rw_is_oid({})", text.value()), "RW_OID_CONTENTS");
                }
            }
            Stream::TakeText { id, place, count, most: characters } => {
                let (count, text, characters) = (name(*count), self.place(place), constant(*characters));
                match self.types.repr(*id) {
                    Repr::LentText | Repr::String => {
                        self.try_call(format!("rw_lend_text(&r, {count}, {characters}, {})", text.address()));
                    }
                    Repr::Text(most) => {
                        self.reject_as(
                            &format!("{count} > {most}"),
                            &format!("rw_why_text(&r, {count}, {characters})"),
                        );
                        self.line(format!("{} = (uint32_t){count};", text.member("size")));
                        let octets = format!("(uint8_t *){}", text.member("text"));
                        self.try_call(format!("rw_take_text(&r, {octets}, {count}, {characters})"));
                    }
                    _ => drop(self.lacks(statement)),
                }
            }
            Stream::TakeCharacters { id, place, count, bits, indexed, alphabet } => {
                let (count, text, alphabet) = (self.number(count), self.place(place), self.alphabet(alphabet));
                match self.types.repr(*id) {
                    Repr::Text(most) => {
                        let to = format!("(uint8_t *){}, {most}, &{}", text.member("text"), text.member("size"));
                        self.try_call(format!("rw_take_characters(&r, {count}, {bits}, {indexed}, {alphabet}, {to})"));
                    }
                    Repr::String => {
                        let to = format!("arena, {}", text.address());
                        self.try_call(format!("rw_new_characters(&r, {count}, {bits}, {indexed}, {alphabet}, {to})"));
                    }
                    _ => drop(self.lacks(statement)),
                }
            }
            Stream::CloseBits { start, count } => {
                let count = self.number(count);
                self.try_call(format!("rw_end_open_type(&r, {}, {count})", name(*start)));
            }
            other => self.whole_stream(other),
        }
    }

    /// Numbers in one word, and a last one with its own width.
    fn put_chunk(&mut self, parts: &[(Num, u32)], bits: u32, last: Option<&(Num, Num)>) {
        let word = match self.parts(parts).join(" | ") {
            word if word.is_empty() => "0".to_owned(),
            word => word,
        };
        let put = if self.is_whole() { "rw_put_whole" } else { "rw_put" };
        let Some((number, width)) = last else { return self.try_call(format!("{put}(&w, {word}, {bits})")) };
        let (number, width) = (self.number(number), self.number(width));
        self.try_call(match bits {
            0 => format!("{put}(&w, {number}, (uint32_t)({width}))"),
            bits if word == "0" => format!("{put}(&w, {number}, {bits} + (uint32_t)({width}))"),
            bits => format!("{put}(&w, ({word}) << ({width}) | {number}, {bits} + (uint32_t)({width}))"),
        });
    }

    /// Numbers with the places of their lowest bits.
    pub(super) fn parts(&mut self, parts: &[(Num, u32)]) -> Vec<String> {
        let mut texts = Vec::new();
        for (number, shift) in parts {
            let number = self.number(number);
            texts.push(if *shift == 0 { number } else { format!("{number} << {shift}") });
        }
        texts
    }

    /// Additions that are not known are written or read.
    fn act_unknown(&mut self, by: Mover, args: &[Arg]) {
        let call = match (by, args) {
            (Mover::PutAdditions, [Arg::Unknown(place), known, aligned, bits @ ..]) => {
                let bits: Vec<String> = bits.iter().map(|bit| format!("({})", self.argument(bit))).collect();
                let bits = if bits.is_empty() { "0".to_owned() } else { bits.join(" | ") };
                let (kept, known) = (self.place(place).member("unknown"), self.argument(known));
                match self.is_whole() {
                    true => format!("rw_put_addition_bits(&w, &{kept}, {known}, {bits})"),
                    false => {
                        let aligned = self.argument(aligned);
                        format!("rw_put_additions(&w, &{kept}, {known}, {aligned}, {bits})")
                    }
                }
            }
            (Mover::PutUnknown | Mover::TakeUnknown, [Arg::Unknown(place) | Arg::Exclusive(place), aligned]) => {
                let (verb, stream) = if by == Mover::PutUnknown { ("put", "w") } else { ("take", "r") };
                let kept = self.place(place).member("unknown");
                match self.is_whole() {
                    true => format!("rw_{verb}_unknown_octets(&{stream}, &{kept})"),
                    false => {
                        let any = if self.is_thorough { "any_" } else { "" };
                        format!("rw_{verb}_{any}unknown(&{stream}, &{kept}, {})", self.argument(aligned))
                    }
                }
            }
            (Mover::PutReal, args) if self.family != Family::Events => return self.put_real(args),
            (by, args) => return self.put_long(by, args),
        };
        self.try_call(call);
    }

    /// A primitive that writes, or that reads into a place.
    pub(super) fn act(&mut self, by: Mover, args: &[Arg]) {
        if self.is_whole() && self.whole_act(by, args) {
            return;
        }
        match (by, args) {
            (Mover::CloseOpenType, [start]) => {
                let (start, any) = (self.argument(start), if self.is_thorough { "any_" } else { "" });
                self.try_call(format!("rw_close_{any}open_type(&w, {start})"));
            }
            (Mover::PutWide, [Arg::Num(Num::Bits(place)), Arg::BitCount(_)]) => {
                let text = self.place(place);
                self.reject_as(&format!("{} > 64", text.member("bits")), "RW_SIZE_CAPACITY");
                self.try_call(format!("rw_put_wide(&w, rw_masked({}), {})", text.address(), text.member("bits")));
            }
            (Mover::PutSigned | Mover::PutUnsigned, [number]) => {
                let function = if by == Mover::PutSigned { "rw_put_signed" } else { "rw_put_unsigned" };
                let number = self.argument(number);
                self.try_call(format!("{function}(&w, {number})"));
            }
            (Mover::PutBits, [Arg::WholeBits(place), _]) => {
                let address = self.place(place).address();
                self.try_call(format!("rw_put_bits(&w, {address})"));
            }
            (Mover::PutSize, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.argument(arg)).collect();
                self.try_call(format!("rw_put_size(&w, {})", args.join(", ")));
            }
            (Mover::PutCount, [count]) => {
                let count = self.argument(count);
                self.try_call(format!("rw_put_count(&w, {count})"));
            }
            (Mover::PutOctets | Mover::PutInline | Mover::PutText, [octets]) => {
                let function = if by == Mover::PutText { "rw_put_text" } else { "rw_put_octets" };
                let octets = self.argument(octets);
                self.try_call(format!("{function}(&w, {octets})"));
            }
            (Mover::PutCharacters, [text, bits, indexed, Arg::Ranges(alphabet)]) => {
                let (text, bits, indexed) = (self.argument(text), self.argument(bits), self.argument(indexed));
                let alphabet = self.alphabet(alphabet);
                self.try_call(format!("rw_put_characters(&w, {text}, {bits}, {indexed}, {alphabet})"));
                if self.is_whole() {
                    self.try_call("rw_flush(&w)");
                }
            }
            (Mover::PutArray | Mover::TakeArray, [Arg::Shared(place) | Arg::Exclusive(place)]) => {
                let Some(Repr::FixedOctets(count)) = self.repr_of(place) else {
                    return drop(self.lacks(&(by, args)));
                };
                let array = self.array(place);
                self.try_call(match by {
                    Mover::PutArray => format!("rw_put_octets(&w, rw_octets_of({array}, {count}))"),
                    _ => format!("rw_take_octets(&r, {array}, {count})"),
                });
            }
            (Mover::PutTime | Mover::TakeTime | Mover::PutTimeText | Mover::CheckTime, args) => self.time(by, args),
            (by, args) => self.act_unknown(by, args),
        }
    }

    /// An array of octets: a pointer is one to its first octet.
    pub(super) fn array(&self, place: &Place) -> String {
        let text = self.place(place);
        if place.steps.is_empty() { text.address() } else { text.value() }
    }

    /// The ranges of an alphabet, and how many numbers these are.
    pub(super) fn alphabet(&mut self, ranges: &[u32]) -> String {
        if ranges.is_empty() {
            return "NULL, 0".into();
        }
        let name = self.fresh("alphabet");
        let codes: Vec<String> = ranges.iter().map(|code| format!("{code}u")).collect();
        self.line(format!("static const uint32_t {name}[] = {{{}}};", codes.join(", ")));
        format!("{name}, {}", ranges.len())
    }

    /// Names what a primitive reads.
    pub(super) fn get(&mut self, var: Var, by: Mover, args: &[Arg]) {
        match (by, args) {
            (Mover::TakeMoreAdditions, [known, aligned, Arg::Exclusive(place)]) => {
                let (known, aligned) = (self.argument(known), self.argument(aligned));
                let (var, kept) = (name(var), self.place(place).member("unknown"));
                self.declare("uint64_t", &var);
                self.try_call(match self.is_whole() {
                    true => format!("rw_take_addition_bits(&r, {known}, &{var}, &{kept})"),
                    false => format!("rw_take_additions(&r, {known}, {aligned}, &{var}, &{kept})"),
                });
            }
            (Mover::TakeSize, args) => {
                let (args, var): (Vec<String>, _) = (args.iter().map(|arg| self.argument(arg)).collect(), name(var));
                self.declare("uint64_t", &var);
                self.try_call(format!("rw_take_size(&r, {}, &{var})", args.join(", ")));
            }
            (Mover::TakeReal, form) if self.family != Family::Events => self.take_real(var, form),
            (by, args) => self.whole_get(var, by, args),
        }
    }

    /// Names the position.
    pub(super) fn position(&mut self, var: Var) {
        self.line(match self.way {
            Way::Encode if self.cursor == Cursor::Values => format!("const uint64_t {} = w.stored;", name(var)),
            Way::Encode => format!("const uint64_t {} = rw_position(&w);", name(var)),
            Way::Decode => format!("const uint64_t {} = r.at;", name(var)),
        });
    }
}

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}
