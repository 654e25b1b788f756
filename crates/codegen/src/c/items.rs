//! Prints data items after heads.

use roadwire_plan::{Arg, Cbor, Num, Prim, Repr, Stmt, Str, Var};

use super::numbers::constant;
use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    pub(super) fn let_item_word(&mut self, (word, octets): (Var, Var), by: Cbor, number: &Num) {
        let (number, word, octets) = (self.number(number), name(word), name(octets));
        let function = if let Cbor::IntegerWord(_) = by { "rw_integer_word" } else { "rw_head_word" };
        self.line(format!("uint64_t {word};"));
        self.line(format!("uint64_t {octets};"));
        self.line(format!("{function}({number}, &{word}, &{octets});"));
    }

    pub(super) fn let_head(&mut self, (number, octets): (Var, Var), by: Prim, front: u8, after: u32) {
        let (function, most) = match by {
            Prim::Cbor(Cbor::TakeHead(most)) => ("rw_head_of", most),
            Prim::Cbor(Cbor::TakeInteger(most)) => ("rw_integer_of", most),
            other => return drop(self.lacks(&other)),
        };
        let (number, octets) = (name(number), name(octets));
        let word = if after == 0 { self.word.clone() } else { format!("{} << {}", self.word, after * 8) };
        let word = if front == 0 { word } else { format!("({word}) ^ {:#x}", u64::from(front) << 56) };
        self.line(format!("uint64_t {number};"));
        self.line(format!("uint64_t {octets};"));
        self.try_call(format!("{function}({word}, {most}, &{number}, &{octets})"));
        self.line(format!("r.at += {after} + (size_t){octets};"));
    }

    pub(super) fn put_item(&mut self, by: Cbor, args: &[Arg]) {
        let call = match (by, args) {
            (Cbor::PutMap, [entries, Arg::Unknown(place)]) => {
                let entries = self.argument(entries);
                format!("rw_put_map(&w, {entries}, &{})", self.place(place).member("unknown"))
            }
            (Cbor::PutUnknown, [Arg::Unknown(place), least, known]) => {
                let (least, known) = (self.argument(least), self.argument(known));
                format!("rw_put_later_items(&w, &{}, {least}, {known})", self.place(place).member("unknown"))
            }
            (Cbor::PutOther, [Arg::Octets(Str::Var(other)), least, known]) => {
                let (least, known) = (self.argument(least), self.argument(known));
                format!("rw_put_later_item(&w, {}, {least}, {known})", name(*other))
            }
            (Cbor::PutLong, [front, number]) => {
                format!("rw_put_head(&w, {}, {})", self.argument(front), self.argument(number))
            }
            (Cbor::PutLongInteger, [number]) => format!("rw_put_head_signed(&w, {})", self.argument(number)),
            (Cbor::PutBits, [bits, count]) => {
                format!("rw_put_item_bits(&w, {}, {})", self.argument(bits), self.argument(count))
            }
            (Cbor::PutArray, [array]) => format!("rw_put_octets_whole(&w, {})", self.argument(array)),
            (Cbor::PutFloat, [Arg::Value(place)]) => format!("rw_put_float(&w, {})", self.place(place).value()),
            (Cbor::PutBitString, [Arg::Scalar(place), size]) => {
                let kind = if self.is_bit_string(place) { "bits" } else { "word" };
                format!("rw_put_sized_{kind}(&w, {}, {})", self.place(place).address(), self.argument(size))
            }
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }

    pub(super) fn take_item(&mut self, by: Cbor, variables: &[Var], args: &[Arg]) {
        let names: Vec<String> = variables.iter().map(|var| name(*var)).collect();
        let args: Vec<String> = args.iter().map(|arg| self.argument(arg)).collect();
        let (held, call) = match (by, args.as_slice(), names.as_slice()) {
            (Cbor::TakeLong, [front], [number]) => ("uint64_t", format!("rw_take_head(&r, {front}, &{number})")),
            (Cbor::TakeLongInteger, [], [number]) => ("uint64_t", format!("rw_take_head_signed(&r, &{number})")),
            (Cbor::TakeBits, [], [bits, count]) => ("uint64_t", format!("rw_take_item_bits(&r, &{bits}, &{count})")),
            (Cbor::TakeSlice, [count], [octets]) => ("rw_octets", format!("rw_take_slice(&r, {count}, &{octets})")),
            (Cbor::TakeFloat, [], [number]) => ("double", format!("rw_take_float(&r, &{number})")),
            (Cbor::TakeAnyFloat, [], [number]) => ("double", format!("rw_take_any_float(&r, &{number})")),
            (Cbor::TakeKind, [front], [number]) => ("uint64_t", format!("rw_take_kind(&r, {front}, &{number})")),
            (Cbor::TakeSimple, [], [value]) => ("uint64_t", format!("rw_take_simple(&r, &{value})")),
            (Cbor::TakeAnyInteger, [is_signed, has_least, has_greatest], [number]) => {
                let kind = format!("{is_signed}, {has_least}, {has_greatest}");
                ("uint64_t", format!("rw_take_any_integer(&r, {kind}, &{number})"))
            }
            (Cbor::TakeItemNumber, [], [number]) => {
                let code = "RW_ENUMERATED_NUMBER";
                ("uint64_t", format!("rw_take_integer(&r, true, {code}, {code}, &{number})"))
            }
            (Cbor::TakeKey, [next, keys], [key, passed]) => {
                ("uint64_t", format!("rw_take_key(&r, &{next}, {keys}, &{key}, &{passed})"))
            }
            (Cbor::TakeArray(count), [], [octets]) => {
                self.line(format!("rw_octets {octets}_slice;"));
                self.try_call(format!("rw_take_slice(&r, {}, &{octets}_slice)", constant(count)));
                return self.line(format!("const uint8_t *{octets} = {octets}_slice.octets;"));
            }
            _ => return drop(self.lacks(&by)),
        };
        names.iter().for_each(|name| self.declare(held, name));
        self.try_call(call);
    }

    /// Checks what was read, or keeps what is of a later version.
    pub(super) fn pass_item(&mut self, by: Cbor, args: &[Arg]) {
        let call = match (by, args) {
            (Cbor::CheckText, [text, most, Arg::Ranges(alphabet)]) => {
                let (text, most) = (self.argument(text), self.argument(most));
                format!("rw_check_text({text}, {most}, {})", self.alphabet(alphabet))
            }
            (Cbor::Ascends, [before, start]) => {
                format!("rw_item_ascends(&r, &{}, {})", self.argument(before), self.argument(start))
            }
            (Cbor::TakeUnknown, [Arg::Exclusive(place), key, least]) => {
                let (key, least) = (self.argument(key), self.argument(least));
                format!("rw_keep_item(&r, &{}, {key}, {least})", self.place(place).member("unknown"))
            }
            (Cbor::TakeOther, [Arg::Exclusive(place), key, least]) => {
                let (key, least) = (self.argument(key), self.argument(least));
                let Some(id) = self.type_of(place) else { return drop(self.lacks(&"an alternative")) };
                let other = self.choose_other(id, place);
                format!("rw_take_later_item(&r, {key}, {least}, {}, &{other})", self.reason)
            }
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }

    pub(super) fn take_sized_bits(&mut self, statement: &Stmt) {
        let Stmt::Do(Prim::Cbor(Cbor::TakeBitString), args) = statement else { return drop(self.lacks(statement)) };
        let [Arg::Exclusive(place), octets, size] = args.as_slice() else { return drop(self.lacks(statement)) };
        let (octets, size, address) = (self.argument(octets), self.argument(size), self.place(place).address());
        if self.repr_of(place) == Some(Repr::BitString) {
            return self.try_call(format!("rw_take_sized_bits({octets}, {size}, {address})"));
        }
        let bits = self.fresh("bits");
        self.line(format!("rw_bit_string {bits};"));
        self.try_call(format!("rw_take_sized_bits({octets}, {size}, &{bits})"));
        self.try_call(format!("rw_word_of(&{bits}, {address})"));
    }
}
