//! Prints what functions do at a place of the output `w`, or of the input `r`: values after tags
//! and lengths.

use roadwire_layout::Family;
use roadwire_plan::{Arg, Block, Cbor, Cond, Count, Fields, Num, Place, Prim, Repr, Stmt, Str, Tlv, Var, Way};

use super::conditions::not_within;
use super::numbers::{constant, signed_constant};
use super::places::name;
use super::statements::Printer;

/// The most zero bits that are added to named bits, as for the interpreter.
const MOST_ADDED: u64 = 1 << 16;

impl Printer<'_, '_> {
    /// Statements at a place.
    pub(super) fn at_place(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Mark(start) => {
                let at = if self.way == Way::Encode { "w.stored" } else { "r.at" };
                self.line(format!("const uint64_t {} = {at};", name(*start)));
            }
            Stmt::Close(by, start) => {
                let close = match by {
                    Prim::Tlv(Tlv::Sort) => "rw_sort",
                    Prim::Tlv(_) => "rw_close",
                    Prim::Cbor(Cbor::Sort) => "rw_sort_items",
                    Prim::Cbor(_) => "rw_close_item",
                    Prim::Fields(_) => "rw_close_field",
                    _ => return drop(self.lacks(statement)),
                };
                self.try_call(format!("{close}(&w, {})", name(*start)));
            }
            Stmt::PutWord { by, parts, constant: bits, octets } => self.put_word(*by, parts, *bits, octets),
            Stmt::LetWord { variables, by: Prim::Cbor(by), number } => self.let_item_word(*variables, *by, number),
            Stmt::LetHead { variables, by, front, after } => self.let_head(*variables, *by, *front, *after),
            Stmt::Write(by, args) if !matches!(by, Prim::Vectors(_)) => match by {
                Prim::Tlv(by) => self.put_element(*by, args),
                Prim::Fields(by) => self.put_field(*by, args),
                Prim::Cbor(by) => self.put_item(*by, args),
                _ => self.put_octets(statement),
            },
            Stmt::Read(variables, by, args) if !matches!(by, Prim::Vectors(_)) => match by {
                Prim::Tlv(by) => self.take_element(*by, variables, args),
                Prim::Fields(by) => self.take_field(*by, variables, args),
                Prim::Cbor(by) => self.take_item(*by, variables, args),
                Prim::Events(by) => self.read_event(*by, variables, args),
                _ => drop(self.lacks(statement)),
            },
            Stmt::Do(Prim::Events(by), args) => self.do_event(*by, args),
            Stmt::Skip(Prim::Tlv(by), args) => self.take_unknown(*by, args),
            Stmt::Skip(Prim::Fields(by), args) => self.skip_field(*by, args),
            Stmt::Skip(Prim::Cbor(by), args) => self.pass_item(*by, args),
            Stmt::Do(Prim::Tlv(by), args) => self.take_contents(*by, args),
            Stmt::Do(Prim::Fields(by), args) => self.take_field_content(*by, args),
            Stmt::Do(Prim::Cbor(_), _) => self.take_sized_bits(statement),
            Stmt::ReadSlice { octets, by, args, .. } => self.read_slice(*octets, *by, args),
            Stmt::Within { inside, by: Prim::Tlv(Tlv::Open), args, body } if self.is_thorough => {
                self.within_tag(*inside, args, body);
            }
            Stmt::Within { inside, by: Prim::Fields(Fields::Merge), body, .. } => self.merge(*inside, body),
            Stmt::Within { inside, by, args, body } => {
                let open = match by {
                    Prim::Tlv(Tlv::Open) => "rw_open",
                    Prim::Fields(Fields::Open) => "rw_open_field",
                    Prim::Cbor(Cbor::Open) if self.is_thorough => "rw_open_any_item",
                    Prim::Cbor(Cbor::Open) => "rw_open_item",
                    _ => return drop(self.lacks(statement)),
                };
                let args: Vec<String> = args.iter().map(|arg| self.argument(arg)).collect();
                let inside = name(*inside);
                // Nothing is read beyond the value then, so that errors are where it ends.
                let is_strict = self.is_thorough;
                self.line(format!("const size_t {inside}_end = r.end;"));
                if is_strict {
                    self.line(format!("const size_t {inside}_size = r.size;"));
                }
                let call =
                    format!("{open}(&r, {}&r.end)", args.iter().map(|arg| format!("{arg}, ")).collect::<String>());
                self.try_call(call);
                if is_strict {
                    self.line("r.size = r.end;");
                }
                let reason = self.reason;
                self.lines(body);
                self.reason = reason;
                if body.last() != Some(&Stmt::GiveUp) {
                    let code = self.tag_code();
                    self.reject_as("r.at != r.end", &code);
                    self.line(format!("r.end = {inside}_end;"));
                    if is_strict {
                        self.line(format!("r.size = {inside}_size;"));
                    }
                }
            }
            Stmt::ExpectOctets([first, second]) => self.try_call(format!("rw_expect(&r, {first}, {second})")),
            Stmt::Window => self.let_word("rw_ahead(&r)"),
            Stmt::LetPart { var, left, right } => {
                let word = self.word.clone();
                self.named(*var, &format!("{word} << {left} >> {right}"));
            }
            Stmt::Advance(octets) => self.line(format!("r.at += {octets};")),
            Stmt::Utf8(var) => self.reject_as(&format!("rw_characters({}) == UINT64_MAX", name(*var)), "RW_TEXT_FORM"),
            Stmt::Fill { place, from: Str::Var(octets), bounds, .. } => self.fill(place, &name(*octets), *bounds),
            Stmt::While { condition, element, body } => {
                let condition = self.condition(condition);
                self.line(format!("while ({condition}) {{"));
                self.element(element, body);
                self.line("}");
            }
            Stmt::SelectTag(arms, others) => self.select_tag(arms, others.as_ref()),
            Stmt::Chain(arms) => self.chain(arms),
            other => self.in_vectors(other),
        }
    }

    /// Octets that are read.
    fn read_slice(&mut self, octets: Var, by: Prim, args: &[Arg]) {
        let octets = name(octets);
        self.declare("rw_octets", &octets);
        match (by, args) {
            (Prim::Tlv(Tlv::Open), [tag]) => {
                let open = if self.is_thorough { "rw_take_any_contents" } else { "rw_open_octets" };
                let tag = self.argument(tag);
                self.try_call(format!("{open}(&r, {tag}, &{octets})"));
            }
            (Prim::Tlv(Tlv::Open), [tag, segment, Arg::Exclusive(place)]) => {
                let (tag, segment, room) = (self.argument(tag), self.argument(segment), self.room_for_segments(place));
                self.try_call(format!("rw_take_any_string(&r, {tag}, {segment}, {room}, &{octets})"));
            }
            (Prim::Fields(Fields::Open), [key, count]) => {
                let (key, count) = (self.argument(key), self.argument(count));
                self.try_call(format!("rw_take_field_octets(&r, {key}, {count}, &{octets})"));
            }
            (Prim::Fields(Fields::Slice), [count]) => {
                let count = self.argument(count);
                self.try_call(format!("rw_take_field_slice(&r, {count}, &{octets})"));
            }
            (Prim::Tlv(Tlv::Whole), []) => self.try_whole(&format!("rw_whole(&r, &{octets})"), "RW_RARE"),
            _ => drop(self.lacks(&by)),
        }
    }

    /// Where segments are joined: in the string's place, how many octets that has, and in an arena.
    fn room_for_segments(&mut self, place: &Place) -> String {
        let text = self.place(place);
        let (room, most) = match self.repr_of(place) {
            Some(Repr::FixedOctets(count)) => (self.array(place), count),
            Some(Repr::Octets(most)) => (text.member("octets"), most),
            Some(Repr::Text(most)) => (format!("(uint8_t *){}", text.member("text")), most),
            _ => ("NULL".into(), 0),
        };
        let is_apart = self.type_of(place).is_some_and(|id| self.types.has_segments_apart(id));
        format!("{room}, {most}, {}", if is_apart { "arena" } else { "NULL" })
    }

    /// A value after a tag, whose length may be indefinite.
    fn within_tag(&mut self, inside: Var, args: &[Arg], body: &Block) {
        let [tag] = args else { return drop(self.lacks(&"a tag")) };
        let (inside, tag) = (name(inside), self.argument(tag));
        self.line(format!("const size_t {inside}_end = r.end;"));
        self.line(format!("const size_t {inside}_size = r.size;"));
        self.try_call(format!("rw_open_any(&r, {tag})"));
        let reason = self.reason;
        self.lines(body);
        self.reason = reason;
        if body.last() != Some(&Stmt::GiveUp) {
            self.try_call(format!("rw_close_any(&r, {inside}_end, {inside}_size, {reason})"));
        }
    }

    /// Octets as they are.
    fn put_octets(&mut self, statement: &Stmt) {
        let Stmt::Write(Prim::PutOctets, args) = statement else { return drop(self.lacks(statement)) };
        let [octets] = args.as_slice() else { return drop(self.lacks(statement)) };
        let octets = self.argument(octets);
        self.try_call(format!("rw_put_octets_whole(&w, {octets})"));
    }

    fn put_word(&mut self, by: Prim, parts: &[(Num, u32)], bits: u64, octets: &Count) {
        let mut texts = self.parts(parts);
        if bits != 0 || texts.is_empty() {
            texts.push(format!("UINT64_C({bits:#x})"));
        }
        let octets = match octets {
            Count::Known(octets) => octets.to_string(),
            Count::And(0, var) => name(*var),
            Count::And(octets, var) => format!("{octets} + {}", name(*var)),
        };
        let function = if matches!(by, Prim::Fields(_)) { "rw_put_little" } else { "rw_put_word" };
        self.try_call(format!("{function}(&w, {}, {octets})", texts.join(" | ")));
    }

    fn put_element(&mut self, by: Tlv, args: &[Arg]) {
        let call = match (by, args) {
            (Tlv::PutNumber { .. } | Tlv::PutLongNumber, [tag, number]) => {
                format!("rw_put_number(&w, {}, {})", self.argument(tag), self.argument(number))
            }
            (Tlv::PutUnsigned, [tag, number]) => {
                format!("rw_put_unsigned_number(&w, {}, {})", self.argument(tag), self.argument(number))
            }
            (Tlv::PutString, [tag, octets]) => {
                format!("rw_put_string(&w, {}, {})", self.argument(tag), self.argument(octets))
            }
            (Tlv::PutString, [tag, octets, segment]) => {
                let (tag, octets, segment) = (self.argument(tag), self.argument(octets), self.argument(segment));
                format!("rw_put_any_string(&w, {tag}, {segment}, {octets})")
            }
            (Tlv::PutDigits, [tag, text, Arg::Text(pattern)]) => {
                format!("rw_put_time_digits(&w, {}, {}, {pattern:?})", self.argument(tag), self.argument(text))
            }
            (Tlv::PutDuration, [tag, text]) => {
                format!("rw_put_duration(&w, {}, {})", self.argument(tag), self.argument(text))
            }
            (Tlv::PutTime, [tag, text, Arg::Flag(has_century), segment @ ..]) => {
                let segment = segment.first().map_or("0".into(), |segment| self.argument(segment));
                let (tag, text) = (self.argument(tag), self.argument(text));
                format!("rw_put_time(&w, {tag}, {segment}, {text}, {has_century})")
            }
            (Tlv::PutTimeText, [tag, text, Arg::Ranges(settings), is_canonical]) => {
                let (tag, text) = (self.argument(tag), self.argument(text));
                let (settings, is_canonical) = (self.settings(settings), self.argument(is_canonical));
                format!("rw_put_time_value(&w, {tag}, {text}, {settings}, {is_canonical})")
            }
            (Tlv::PutReal, [tag, Arg::Value(place)]) => {
                format!("rw_put_real_value(&w, {}, {})", self.argument(tag), self.place(place).value())
            }
            (Tlv::PutOctets, [octets]) => format!("rw_put_octets_whole(&w, {})", self.argument(octets)),
            (Tlv::PutElement, [octets]) => format!("rw_put_element(&w, {})", self.argument(octets)),
            (Tlv::PutBits | Tlv::PutLongBits, [tag, bits, count, least]) => {
                let (tag, bits) = (self.argument(tag), self.argument(bits));
                let (count, least) = (self.argument(count), self.argument(least));
                format!("rw_put_word_bits(&w, {tag}, {bits}, {count}, {least})")
            }
            (Tlv::PutAnyBits, [tag, Arg::WholeBits(place), _, segment @ ..]) => {
                let put = if segment.is_empty() { "rw_put_any_bits" } else { "rw_put_any_bit_string" };
                format!("{put}(&w, {}, {})", self.argument(tag), self.place(place).address())
            }
            (Tlv::PutNamedBits, [tag, Arg::WholeBits(place), lower, upper, least, segment @ ..]) => {
                let put = if segment.is_empty() { "rw_put_named_bits" } else { "rw_put_any_named_bits" };
                let (tag, place) = (self.argument(tag), self.place(place).address());
                let bounds = [lower, upper, least].map(|bound| self.argument(bound)).join(", ");
                format!("{put}(&w, {tag}, {place}, {bounds})")
            }
            (Tlv::PutCharacters, [tag, text, width, Arg::Ranges(alphabet), segment @ ..]) => {
                let (tag, text, width) = (self.argument(tag), self.argument(text), self.argument(width));
                let alphabet = self.alphabet(alphabet);
                match segment {
                    [segment] => {
                        let segment = self.argument(segment);
                        format!("rw_put_any_wide_text(&w, {tag}, {segment}, {text}, {width}, {alphabet})")
                    }
                    _ => format!("rw_put_wide_text(&w, {tag}, {text}, {width}, {alphabet})"),
                }
            }
            (Tlv::PutUnknown, [Arg::Unknown(place), known]) => {
                let kept = self.place(place).member("unknown");
                format!("rw_put_kept(&w, &{kept}, {})", self.argument(known))
            }
            (Tlv::PutOther, [Arg::Octets(Str::Var(other)), known]) => {
                format!("rw_put_other(&w, {}, {})", name(*other), self.argument(known))
            }
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }

    fn take_element(&mut self, by: Tlv, variables: &[Var], args: &[Arg]) {
        let (names, args): (Vec<String>, Vec<String>) =
            (variables.iter().map(|var| name(*var)).collect(), args.iter().map(|arg| self.argument(arg)).collect());
        let held = if by == Tlv::TakeReal { "double" } else { "uint64_t" };
        names.iter().for_each(|name| self.declare(held, name));
        let reason = self.reason;
        let call = match (by, args.as_slice(), names.as_slice(), self.is_thorough) {
            (Tlv::OneOctet, [tag], [octet], false) => format!("rw_one_octet(&r, {tag}, &{octet})"),
            (Tlv::OneOctet, [tag], [octet], true) => format!("rw_take_any_octet(&r, {tag}, &{octet}, {reason})"),
            (Tlv::TakeNumber(_) | Tlv::TakeLongNumber, [tag], [number], is_thorough) => {
                let most = if let Tlv::TakeNumber(most) = by { most } else { 8 };
                match is_thorough {
                    false => format!("rw_take_number(&r, {tag}, {most}, &{number})"),
                    true => format!("rw_take_any_number(&r, {tag}, {most}, &{number}, {reason})"),
                }
            }
            (Tlv::TakeReal, [tag], [real], false) => format!("rw_take_real_value(&r, {tag}, &{real})"),
            (Tlv::TakeReal, [tag], [real], true) => format!("rw_take_any_real(&r, {tag}, &{real})"),
            (Tlv::TakeUnsigned, [tag], [number], false) => format!("rw_take_unsigned_number(&r, {tag}, &{number})"),
            (Tlv::TakeUnsigned, [tag], [number], true) => {
                format!("rw_take_any_unsigned_number(&r, {tag}, &{number}, {reason})")
            }
            (Tlv::TakeBits | Tlv::TakeLongBits, [tag, least, most], [bits, count], is_thorough) => match is_thorough {
                false => format!("rw_take_word_bits(&r, {tag}, {least}, {most}, &{bits}, &{count})"),
                true => format!("rw_take_any_word_bits(&r, {tag}, {least}, {most}, &{bits}, &{count}, {reason})"),
            },
            _ => return drop(self.lacks(&by)),
        };
        self.try_call(call);
    }

    fn take_unknown(&mut self, by: Tlv, args: &[Arg]) {
        match (by, args) {
            (Tlv::TakeUnknown, [Arg::Exclusive(place), Arg::End, known, Arg::Ranges(tags)]) => {
                let (known, tags) = (self.argument(known), self.alphabet(tags));
                let kept = self.place(place).member("unknown");
                let take = if self.is_thorough { "rw_take_any_kept" } else { "rw_take_kept" };
                self.try_call(format!("{take}(&r, &{kept}, {known}, {tags})"));
            }
            (Tlv::TakeOther, [Arg::Exclusive(place), known, Arg::Ranges(tags)]) => {
                let (known, tags) = (self.argument(known), self.alphabet(tags));
                let Some(id) = self.type_of(place) else { return drop(self.lacks(&"an alternative")) };
                let other = self.choose_other(id, place);
                self.try_whole(&format!("rw_take_other(&r, &{other}, {known}, {tags})"), "RW_RARE");
            }
            other => drop(self.lacks(&other)),
        }
    }

    fn take_contents(&mut self, by: Tlv, args: &[Arg]) {
        match (by, args) {
            (Tlv::TakeCharacters, [Arg::Exclusive(place), octets, width, lower, upper, Arg::Ranges(alphabet)]) => {
                let [octets, width, lower, upper] = [octets, width, lower, upper].map(|arg| self.argument(arg));
                let (text, alphabet) = (self.place(place), self.alphabet(alphabet));
                let (verb, to) = match self.repr_of(place) {
                    Some(Repr::Text(most)) => {
                        ("take", format!("(uint8_t *){}, {most}, &{}", text.member("text"), text.member("size")))
                    }
                    Some(Repr::String) => ("new", format!("arena, {}", text.address())),
                    _ => return drop(self.lacks(&by)),
                };
                let octets = format!("{octets}, (uint32_t){width}, {lower}, {upper}");
                self.try_call(format!("rw_{verb}_wide_text({octets}, {alphabet}, {to})"));
            }
            (Tlv::TakeDigits, [Arg::Exclusive(place), octets, Arg::Text(pattern)]) => {
                let (octets, text) = (self.argument(octets), self.place(place).address());
                self.try_call(format!("rw_take_time_digits({octets}, {pattern:?}, arena, {text})"));
            }
            (Tlv::TakeDuration, [Arg::Exclusive(place), octets]) => {
                let (octets, text) = (self.argument(octets), self.place(place).address());
                self.try_call(format!("rw_take_duration({octets}, arena, {text})"));
            }
            (Tlv::TakeTimeText, [Arg::Exclusive(place), octets, Arg::Ranges(settings), Arg::Flag(_)]) => {
                let (octets, settings) = (self.argument(octets), self.settings(settings));
                self.try_call(format!("rw_check_moment({octets}, {settings})"));
                let text = self.place(place).value();
                self.line(format!("{text} = {octets};"));
            }
            (Tlv::TakeNamedBits, [Arg::Exclusive(place), octets, Arg::Num(Num::Const(lower)), upper])
                if *lower <= MOST_ADDED =>
            {
                let (octets, upper) = (self.argument(octets), self.argument(upper));
                let address = self.place(place).address();
                self.try_call(format!("rw_take_named_bits({octets}, {upper}, {address})"));
            }
            other => drop(self.lacks(&other)),
        }
    }

    /// Copies octets that were read into a place, or lets it refer to them.
    pub(super) fn fill(&mut self, place: &Place, octets: &str, (lower, upper): (u64, u64)) {
        let text = self.place(place);
        if (lower, upper) != (0, u64::MAX) {
            self.reject_if(&not_within(&format!("(uint64_t){octets}.size"), (lower, upper)));
        }
        let Some(repr) = self.repr_of(place) else { return drop(self.lacks(place)) };
        let (member, most) = match repr {
            Repr::LentOctets | Repr::LentText | Repr::String | Repr::Oid => {
                return self.line(format!("{} = {octets};", text.value()));
            }
            Repr::FixedOctets(count) => {
                self.reject_if(&format!("{octets}.size != {count}"));
                return self.line(format!("rw_copy({octets}, {});", self.array(place)));
            }
            Repr::Octets(most) => (text.member("octets"), most),
            Repr::Text(most) => (format!("(uint8_t *){}", text.member("text")), most),
            _ => return drop(self.lacks(place)),
        };
        self.reject_if(&format!("{octets}.size > {most}"));
        self.line(format!("{} = (uint32_t){octets}.size;", text.member("size")));
        self.line(format!("rw_copy({octets}, {member});"));
    }

    fn select_tag(&mut self, arms: &[(Vec<u8>, Block)], others: Option<&Block>) {
        self.line("switch (rw_next(&r)) {");
        for (tags, block) in arms.iter().filter(|(tags, _)| !tags.is_empty()) {
            let (last, before) = tags.split_last().unwrap_or((&0, &[]));
            before.iter().for_each(|tag| self.line(format!("case {tag}:")));
            self.line(format!("case {last}: {{"));
            self.end_case(block);
        }
        let code = self.tag_code();
        self.default_as(others, &code);
    }

    /// The statements for the first condition that holds.
    fn chain(&mut self, arms: &[(Cond, Block)]) {
        for (at, (condition, block)) in arms.iter().enumerate() {
            let condition = self.condition(condition);
            self.line(format!("{}if ({condition}) {{", if at == 0 { "" } else { "} else " }));
            self.block(block);
        }
        self.line("} else {");
        let code = self.tag_code();
        self.refuse(&code);
        self.line("}");
    }

    /// Whether contents may end with octets that say so.
    fn knows_no_end(&self) -> bool {
        self.is_thorough && self.family == Family::Tlv
    }

    /// The code for a tag that is none of those that were expected.
    fn tag_code(&self) -> String {
        if self.is_thorough && self.family == Family::Tlv {
            format!("rw_why_tag(&r, {})", self.reason)
        } else {
            self.reason.into()
        }
    }

    /// Whether something comes next, or contents of a string are not what they have to be.
    pub(super) fn at_condition(&mut self, condition: &Cond) -> String {
        match condition {
            Cond::AtEnd if self.knows_no_end() => "rw_at_end(&r)".into(),
            Cond::BeforeEnd if self.knows_no_end() => "!rw_at_end(&r)".into(),
            Cond::AtEnd => "r.at >= r.end".into(),
            Cond::BeforeEnd => "r.at < r.end".into(),
            Cond::NoIdentifier => "rw_why_tag(&r, 0) != 0".into(),
            Cond::BeforeZero => "(rw_next(&r) - 1u < 255u)".into(),
            Cond::TagIs(tags) => {
                let one = |tag: &u8| format!("rw_next(&r) == {tag}");
                match tags.as_slice() {
                    [] => "false".into(),
                    tags => format!("({})", tags.iter().map(one).collect::<Vec<_>>().join(" || ")),
                }
            }
            Cond::IsNext { word, octets } => format!("rw_is_next(&r, UINT64_C({word:#x}), {octets})"),
            Cond::WindowDiffers { shift, bits } => format!("{} >> {shift} != UINT64_C({bits:#x})", self.word),
            Cond::WindowUnder { mask, bits } => {
                format!("({} & UINT64_C({mask:#x})) != UINT64_C({bits:#x})", self.word)
            }
            Cond::Beyond(var, (lower, upper)) => {
                let var = name(*var);
                let (lower, upper) = (signed_constant(*lower), signed_constant(*upper));
                format!("rw_signed({var}) < {lower} || rw_signed({var}) > {upper}")
            }
            Cond::IsGreatest(var) => format!("{} == {}", name(*var), constant(i64::MAX as u64)),
            Cond::NotOid(var) => format!("!rw_is_oid({})", name(*var)),
            Cond::NotVisible(var) => format!("!rw_all_between({}, 0x20, 0x7e)", name(*var)),
            Cond::NotUtc(place, digits) => format!("!rw_is_utc({}, {digits})", self.view(place)),
            Cond::NotAllIn(text, alphabet) => {
                let (text, alphabet) = (self.view_of(text), self.alphabet(alphabet));
                format!("!rw_all_in({text}, {alphabet})")
            }
            Cond::NotSorted(start) => format!("!rw_items_sorted(&r, {})", name(*start)),
            Cond::MoreThanLeft(number) => format!("rw_is_beyond(&r, {})", self.number(number)),
            Cond::IsKey { word, octets } => format!("rw_is_key(&r, {word:#x}, {octets})"),
            Cond::FieldsDiffer => "rw_fields_differ(&r)".into(),
            Cond::FieldsAscend { once } => format!("rw_fields_ascend(&r, {})", self.alphabet(once)),
            Cond::NotFit(text, (lower, upper), alphabet) => {
                let (text, alphabet) = (self.view_of(text), self.alphabet(alphabet));
                format!("!rw_fits({text}, {}, {}, {alphabet})", constant(*lower), constant(*upper))
            }
            other => self.vector_condition(other),
        }
    }
}
