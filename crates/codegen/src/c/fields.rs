//! Prints values after field numbers.

use roadwire_plan::{Arg, Fields, Var};

use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    pub(super) fn put_field(&mut self, by: Fields, args: &[Arg]) {
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
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }

    pub(super) fn take_field(&mut self, by: Fields, variables: &[Var], args: &[Arg]) {
        let ([key, count], [number]) = (args, variables) else { return drop(self.lacks(&by)) };
        let (key, count, number) = (self.argument(key), self.argument(count), name(*number));
        let function = match by {
            Fields::TakeOctet | Fields::TakeNumber(_) | Fields::TakeLongNumber => "rw_take_field",
            Fields::TakeEight => "rw_take_field_eight",
            Fields::TakeContents => "rw_take_field_contents",
            other => return drop(self.lacks(&other)),
        };
        self.line(format!("uint64_t {number};"));
        self.try_call(format!("{function}(&r, {key}, {count}, &{number})"));
    }
}
