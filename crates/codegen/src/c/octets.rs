//! Prints what functions do in streams of whole octets: no bits wait in the writer.

use roadwire_layout::Family;
use roadwire_model::TypeId;
use roadwire_plan::{Amount, Arg, Mover, Prim, Repr, Stmt, Str, Stream, Value, Var};

use super::numbers::constant;
use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    pub(super) fn whole(&mut self, statement: &Stmt) {
        match statement {
            Stmt::LetArray { var, at, octets: _ } => {
                let octets = self.octets.clone();
                self.line(format!("const uint8_t *{} = {octets} + {at};", name(*var)));
            }
            Stmt::LetWord { variables: (word, bits), by: Prim::Mover(Mover::LengthOctets), number } => {
                let (number, word, bits) = (self.number(number), name(*word), name(*bits));
                self.declare("uint64_t", &word);
                self.declare("uint64_t", &bits);
                self.line(format!("rw_length_octets({number}, &{word}, &{bits});"));
            }
            Stmt::LetWord { by: Prim::Mover(_), .. } => self.spread(statement),
            other => self.at_place(other),
        }
    }

    pub(super) fn whole_stream(&mut self, statement: &Stream) {
        match statement {
            Stream::TakeHead(count) => {
                let head = self.fresh("head");
                self.line(format!("const uint8_t *{head} = rw_head(&r, {count});"));
                self.reject_as(&format!("{head} == NULL"), "RW_INPUT_TRUNCATED");
                self.octets = head;
            }
            Stream::ReaderAt(octet) => self.line(format!("r.at = {};", octet * 8)),
            Stream::LetEmpty(var) => {
                let octets = self.octets.clone();
                self.line(format!("const uint8_t *{} = {octets};", name(*var)));
            }
            Stream::WordAt { first, octets } => {
                let word = self.number_at(*first as usize, *octets as usize);
                self.let_word(&word);
            }
            Stream::LetMasked { var, shift, mask } => {
                let word = self.word.clone();
                self.named(*var, &format!("{word} >> {shift} & {}", constant(*mask)));
            }
            Stream::OpenOctets { outer, count } => {
                let (outer, count) = (name(*outer), self.number(count));
                self.line(format!("rw_reader {outer} = r;"));
                self.try_call(format!("rw_inside(&{outer}, {count}, &r)"));
            }
            Stream::CloseOctets { outer } => {
                self.reject_as("r.at != r.end", "RW_OPEN_TYPE_TRAILING");
                self.line(format!("r = {};", name(*outer)));
            }
            Stream::Local { var, id } => {
                let local = format!("{}_local", name(*var));
                let Some(declared) = self.types.declared(*id, &local) else { return drop(self.lacks(statement)) };
                self.line(format!("{declared};"));
                self.bind(*var, *id, &self.address(*id, &local));
                self.line(format!("memset(&{local}, 0, sizeof {local});"));
            }
            Stream::SetTo { id, alternative, place, content } => {
                self.choose(*id, *alternative, place, None);
                self.set_content(*id, *alternative, place, &Value::Referred(*content));
            }
            other => self.whole_strings(other),
        }
    }

    fn whole_strings(&mut self, statement: &Stream) {
        match statement {
            Stream::LetBitOctets(var, place) => {
                let address = self.place(place).address();
                self.line(format!("const rw_bit_string *{} = {address};", name(*var)));
                self.bit_strings.insert(*var);
            }
            Stream::SplitBits { octets, count } => {
                let (octets, count) = (name(*octets), name(*count));
                self.bits = format!("{count}_bits");
                self.declare("rw_bit_string", &format!("{count}_bits"));
                let split = format!("rw_split_bits({octets}, &{count}_bits)");
                match self.family == Family::Tlv {
                    true => self.reject_as(&format!("{split} != 0"), "RW_BIT_STRING"),
                    false => self.try_call(split),
                }
                self.line(format!("const uint64_t {count} = {count}_bits.bits;"));
            }
            Stream::SetBits { id, place, .. } => {
                let (bits, text) = (self.bits.clone(), self.place(place));
                match self.types.repr(*id) {
                    Repr::BitString => self.line(format!("{} = {bits};", text.value())),
                    _ => self.try_call(format!("rw_word_of(&{bits}, {})", text.address())),
                }
            }
            Stream::SetOctets { place, octets, .. } => self.fill(place, &name(*octets), (0, u64::MAX)),
            Stream::SetText { place, octets, .. } => {
                self.reject_as(&format!("rw_characters({}) == UINT64_MAX", name(*octets)), "RW_TEXT_FORM");
                self.fill(place, &name(*octets), (0, u64::MAX));
            }
            Stream::OctetArrays { list, place, all: _, count, octets } => {
                let (text, id, count) = (self.place(place), self.type_of(place), self.number(count));
                let Some(id) = id else { return drop(self.lacks(statement)) };
                self.bind(*list, id, &text.address());
                let list = name(*list);
                match self.types.most_elements(id) {
                    Some(most) => self.reject_as(&format!("{count} > {most}"), "RW_SIZE_CAPACITY"),
                    None => {
                        let beyond = format!("{count} > (r.end - r.at) / {}", octets * 8);
                        self.reject_as(&beyond, "RW_INPUT_TRUNCATED");
                        self.line(format!(
                            "{list}->items = (uint8_t (*)[{octets}])rw_new(arena, (size_t){count} * {octets});"
                        ));
                        self.reject_as(&format!("{list}->items == NULL"), "RW_MEMORY");
                    }
                }
                self.line(format!("{list}->count = (uint32_t){count};"));
                self.try_call(format!("rw_take_octets(&r, {list}->items[0], {count} * {octets})"));
            }
            other => self.in_events(other),
        }
    }

    /// A number in octets that were read.
    pub(super) fn number_at(&self, at: usize, octets: usize) -> String {
        match octets {
            1 => format!("(uint64_t){}[{at}]", self.octets),
            _ => format!("rw_number_at({} + {at}, {octets})", self.octets),
        }
    }

    pub(super) fn whole_amount(&mut self, amount: &Amount) -> String {
        match amount {
            Amount::Machine(place, 64) => self.widened(place),
            Amount::Machine(place, bits) => format!("(uint64_t)(uint{bits}_t){}", self.place(place).value()),
            Amount::SignedMachine(var, 64) => name(*var),
            // The sign's bit becomes that of 64 bits.
            Amount::SignedMachine(var, bits) => {
                let sign = constant(1 << (bits - 1));
                format!("(({} ^ {sign}) - {sign})", name(*var))
            }
            Amount::SignedOctets(var) => format!("rw_signed_octets({})", name(*var)),
            Amount::OctetsOf(number) => format!("(rw_octets_below({}) + 1)", self.number(number)),
            Amount::LowOctets { number, octets } => format!("rw_low_octets({}, {})", name(*number), name(*octets)),
            Amount::OctetsFor(bits) => format!("(({} + 7) / 8)", name(*bits)),
            Amount::UnusedOf { octets, bits } => format!("({} * 8 - {})", name(*octets), name(*bits)),
            Amount::Masked { place, octets, bits } => {
                format!("(rw_masked({}) << ({} * 8 - {}))", self.place(place).address(), name(*octets), name(*bits))
            }
            Amount::SliceMore(octets) => format!("(((uint64_t){}->bits + 7) / 8 + 1)", name(*octets)),
            Amount::UnusedIn { octets, .. } => format!("((8 - (uint64_t){}->bits % 8) % 8)", name(*octets)),
            Amount::Units(octets, width) => format!("({} / {width})", name(*octets)),
            other => self.event_amount(other),
        }
    }

    /// A primitive that writes whole octets.
    pub(super) fn whole_act(&mut self, by: Mover, args: &[Arg]) -> bool {
        match (by, args) {
            (Mover::CloseOpenType, [start]) => {
                let start = self.argument(start);
                self.try_call(format!("rw_close_octets(&w, {start})"));
            }
            (Mover::PutOctets, [Arg::Octets(Str::Var(bits))]) if self.bit_strings.contains(bits) => {
                self.try_call(format!("rw_put_bits_whole(&w, {})", name(*bits)));
            }
            _ => return false,
        }
        true
    }

    /// Names what a primitive reads that is whole octets.
    pub(super) fn whole_get(&mut self, of: Var, by: Mover, args: &[Arg]) {
        let var = name(of);
        let (held, function) = match (by, args) {
            (Mover::TakeLength, []) => ("uint64_t", "rw_take_length"),
            (Mover::TakeCounted, []) => ("rw_octets", "rw_take_counted"),
            (Mover::TakeQuantity, []) => ("uint64_t", "rw_take_quantity"),
            (Mover::TakeCountedUnsigned, []) => ("uint64_t", "rw_take_counted_unsigned"),
            (Mover::TakeBitLength, []) => ("uint64_t", "rw_take_bit_length"),
            (Mover::TakeCountedSigned, []) => ("uint64_t", "rw_take_counted_signed"),
            _ => return self.take_long(of, by, args),
        };
        self.line(format!("{held} {var};"));
        self.try_call(format!("{function}(&r, &{var})"));
    }

    /// Copies what a variable points to: an array, or a value.
    pub(super) fn copy_from(&mut self, to: &str, id: Option<TypeId>, var: Var) {
        match id.map(|id| *self.types.repr(id)) {
            Some(Repr::FixedOctets(0)) => {}
            Some(Repr::FixedOctets(count) | Repr::WideInteger(count)) => {
                self.line(format!("memcpy({to}, {}, {count});", name(var)))
            }
            _ => self.line(format!("{to} = *{};", name(var))),
        }
    }
}
