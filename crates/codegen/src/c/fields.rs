//! Prints values after field numbers.

use roadwire_plan::{Arg, Block, Fields, Stmt, Str, Var};

use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    pub(super) fn put_field(&mut self, by: Fields, args: &[Arg]) {
        match (by, args) {
            (Fields::PutUnknown, [Arg::Unknown(place), known, Arg::Ranges(numbers)]) => {
                let (known, numbers) = (self.argument(known), self.alphabet(numbers));
                let kept = self.place(place).member("unknown");
                return self.try_call(format!("rw_put_fields(&w, &{kept}, {known}, {numbers})"));
            }
            (Fields::PutOther, [Arg::Octets(Str::Var(other)), known, Arg::Ranges(numbers)]) => {
                let (known, numbers) = (self.argument(known), self.alphabet(numbers));
                return self.try_call(format!("rw_put_other_field(&w, {}, {known}, {numbers})", name(*other)));
            }
            _ => {}
        }
        let [key, count, rest @ ..] = args else { return drop(self.lacks(&by)) };
        let key = format!("{}, {}", self.argument(key), self.argument(count));
        let call = match (by, rest) {
            (Fields::PutNumber(_) | Fields::PutLongNumber, [number]) => {
                format!("rw_put_field(&w, {key}, {})", self.argument(number))
            }
            (Fields::PutContents, [number]) => format!("rw_put_field_contents(&w, {key}, {})", self.argument(number)),
            (Fields::PutString, [octets]) => format!("rw_put_field_string(&w, {key}, {})", self.argument(octets)),
            (Fields::PutBits, [Arg::WholeBits(place), _]) => {
                format!("rw_put_field_bits(&w, {key}, {})", self.place(place).address())
            }
            (Fields::PutBits, [Arg::WholeBits(place), size @ ..]) => {
                let size: Vec<String> = size.iter().map(|arg| self.argument(arg)).collect();
                format!("rw_put_field_named_bits(&w, {key}, {}, {})", self.place(place).address(), size.join(", "))
            }
            (Fields::PutFixedBits, [Arg::WholeBits(place), size, is_trimmed]) => {
                let (size, is_trimmed) = (self.argument(size), self.argument(is_trimmed));
                let address = self.place(place).address();
                format!("rw_put_field_fixed_bits(&w, {key}, {address}, {size}, {is_trimmed})")
            }
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }

    /// Puts octets that were read into a place.
    pub(super) fn take_field_content(&mut self, by: Fields, args: &[Arg]) {
        let (Fields::TakeFixedBits, [Arg::Exclusive(place), octets, size]) = (by, args) else {
            return drop(self.lacks(&(by, args)));
        };
        let (octets, size, address) = (self.argument(octets), self.argument(size), self.place(place).address());
        self.try_call(format!("rw_take_field_fixed_bits({octets}, {size}, {address})"));
    }

    pub(super) fn take_field(&mut self, by: Fields, variables: &[Var], args: &[Arg]) {
        if let (Fields::Peek | Fields::PeekBits | Fields::TakeLength, []) = (by, args) {
            let names: Vec<String> = variables.iter().map(|var| name(*var)).collect();
            names.iter().for_each(|name| self.declare("uint64_t", name));
            let function = match by {
                Fields::Peek => "rw_peek_field",
                Fields::PeekBits => "rw_peek_field_bits",
                _ => "rw_take_field_length",
            };
            return self.try_call(format!("{function}(&r, &{})", names.join(", &")));
        }
        let ([key, count], [number]) = (args, variables) else { return drop(self.lacks(&by)) };
        let (key, count, number) = (self.argument(key), self.argument(count), name(*number));
        let function = match by {
            Fields::TakeOctet | Fields::TakeNumber(_) | Fields::TakeLongNumber => "rw_take_field",
            Fields::TakeEight => "rw_take_field_eight",
            Fields::TakeContents => "rw_take_field_contents",
            other => return drop(self.lacks(&other)),
        };
        self.declare("uint64_t", &number);
        self.try_call(format!("{function}(&r, {key}, {count}, &{number})"));
    }

    /// Fields with one number are read as one.
    pub(super) fn merge(&mut self, all: Var, body: &Block) {
        let all = name(all);
        self.line(format!("rw_merged {all};"));
        self.try_call(format!("rw_begin_merged(&r, arena, &{all}, error)"));
        let reason = self.reason;
        self.block(body);
        self.reason = reason;
        if body.last() != Some(&Stmt::GiveUp) {
            self.line(format!("rw_end_merged(&r, &{all}, error);"));
        }
    }

    /// Moves on in fields, which may be of a later version.
    pub(super) fn skip_field(&mut self, by: Fields, args: &[Arg]) {
        let call = match (by, args) {
            (Fields::CheckText, [count, most, Arg::Ranges(alphabet)]) => {
                let (count, most) = (self.argument(count), self.argument(most));
                format!("rw_check_field_text(&r, {count}, {most}, {})", self.alphabet(alphabet))
            }
            (Fields::PassWhole, []) => {
                let whole = self.fresh("whole");
                self.declare("rw_octets", &whole);
                format!("rw_take_whole_field(&r, &{whole})")
            }
            (Fields::PassKey, []) => "rw_pass_key(&r)".into(),
            (Fields::Only, [number, is_known]) => {
                format!("rw_only_field(&r, {}, {})", self.argument(number), self.argument(is_known))
            }
            (Fields::TakeUnknown, [Arg::Exclusive(place), known]) => {
                let kept = self.place(place).member("unknown");
                format!("rw_keep_field(&r, &{kept}, {})", self.argument(known))
            }
            (Fields::TakeOther, [Arg::Exclusive(place), known]) => {
                let (known, id) = (self.argument(known), self.type_of(place));
                let Some(id) = id else { return drop(self.lacks(&"an alternative")) };
                let other = self.choose_other(id, place);
                self.line(format!("{other}.index = (uint32_t){known};"));
                format!("rw_take_whole_field(&r, &{other}.octets)")
            }
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }
}
