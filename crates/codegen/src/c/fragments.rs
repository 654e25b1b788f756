//! Prints rare forms of packed and octet rules: fragments of 16K units, long indexes and numbers.

use roadwire_plan::{Arg, Block, Element, Mover, Place, Reason, Repr, Size, Stream, Units, Var};

use super::numbers::constant;
use super::places::name;
use super::reasons::code_of;
use super::statements::Printer;

impl Printer<'_, '_> {
    pub(super) fn in_fragments(&mut self, statement: &Stream) -> bool {
        match statement {
            Stream::TakeUnits { place, size, units, .. } => self.take_units(place, size, units),
            Stream::PutUnits { place, size, units } => self.put_units(place, size, units),
            Stream::TakeElements { element, place, size, body } => self.take_elements(element, place, size, body),
            Stream::PutElements { item, list, size, body } => self.put_elements(*item, list, size, body),
            Stream::BeginContent { outer, is_aligned } => {
                let outer = name(*outer);
                let has_arena = self.types.takes_memory_in(self.value, (self.family, self.way, self.is_thorough));
                let arena = if has_arena { "arena" } else { "NULL" };
                self.line(format!("rw_open_type {outer};"));
                self.try_call(format!("rw_begin_content(&r, {is_aligned}, {arena}, &{outer}, error)"));
            }
            Stream::EndContent { outer } => self.try_call(format!("rw_end_content(&r, &{}, error)", name(*outer))),
            Stream::TakeLater { id, place, index, is_aligned } => {
                let other = self.choose_other(*id, place);
                self.try_call(format!("rw_take_any_later(&r, {}, {is_aligned}, &{other})", name(*index)));
            }
            _ => return false,
        }
        true
    }

    /// Declares how a number of units is coded, and returns its address.
    fn size(&mut self, size: &Size) -> String {
        let Size { bounds: (lower, upper), is_extensible, field, has_aligned_units, is_aligned } = size;
        let (bits, is_field_aligned) = field.unwrap_or((64, false));
        let name = self.fresh("size");
        let (lower, upper) = (constant(*lower), constant(*upper));
        self.line(format!(
            "static const rw_size {name} = {{{lower}, {upper}, {bits}, {is_extensible}, {is_field_aligned}, {has_aligned_units}, {is_aligned}}};"
        ));
        format!("&{name}")
    }

    fn take_units(&mut self, place: &Place, size: &Size, units: &Units) {
        if self.is_whole() {
            return self.take_whole_bits(place, size);
        }
        let (size, text, repr) = (self.size(size), self.place(place), self.repr_of(place));
        match (units, repr) {
            (Units::Bits(_), Some(Repr::BitString)) => {
                self.try_call(format!("rw_lend_bit_units(&r, {size}, {})", text.address()));
            }
            (Units::Bits(_), _) => self.try_call(format!("rw_take_bit_units(&r, {size}, {})", text.address())),
            (Units::Octets, repr) => {
                let kind = self.kind_of_octets();
                self.try_call(format!("rw_lend_{kind}_units(&r, {size}, {})", text.address()));
                if repr == Some(Repr::Oid) {
                    self.reject_as(&format!("!rw_is_oid({})", text.value()), "RW_OID_CONTENTS");
                }
            }
            (Units::Text(most), Some(Repr::Text(room))) => {
                let to = format!("(uint8_t *){}, {room}, &{}", text.member("text"), text.member("size"));
                self.try_call(format!("rw_take_text_units(&r, {size}, {}, {to})", constant(*most)));
            }
            (Units::Text(most), _) => {
                let address = text.address();
                self.try_call(format!("rw_lend_text_units(&r, {size}, {}, {address})", constant(*most)));
            }
            (Units::Characters { bits, indexed, alphabet }, _) => {
                let (alphabet, address) = (self.alphabet(alphabet), text.address());
                let kind = format!("{bits}, {indexed}, {alphabet}");
                self.try_call(format!("rw_new_character_units(&r, {size}, {kind}, arena, {address})"));
            }
        }
    }

    /// Those of an open type have an error of their own if there are none.
    fn kind_of_octets(&self) -> &'static str {
        if self.reason == code_of(Reason::OpenType) { "open" } else { "octet" }
    }

    /// Bits in whole octets.
    fn take_whole_bits(&mut self, place: &Place, size: &Size) {
        let (size, text) = (self.size(size), self.place(place));
        let kind = if self.is_bit_string(place) { "lend" } else { "take" };
        self.try_call(format!("rw_{kind}_whole_bit_units(&r, {size}, {})", text.address()));
    }

    fn put_units(&mut self, place: &Place, size: &Size, units: &Units) {
        let size = self.size(size);
        match units {
            Units::Bits(least) => {
                let (text, is_string) = (self.place(place), self.is_bit_string(place));
                let (kind, meaning) = if is_string { ("bit", "bits") } else { ("word", "word") };
                let count = match least {
                    None => text.member("bits"),
                    Some(least) => format!("rw_max(rw_{meaning}_meaning({}), {})", text.address(), constant(*least)),
                };
                let whole = if self.is_whole() { "whole_" } else { "" };
                self.try_call(format!("rw_put_{whole}{kind}_units(&w, {size}, {}, {count})", text.address()));
            }
            Units::Octets => {
                let (octets, kind) = (self.view(place), self.kind_of_octets());
                self.try_call(format!("rw_put_{kind}_units(&w, {size}, {octets})"));
            }
            Units::Text(_) => {
                let text = self.view(place);
                self.try_call(format!("rw_put_text_units(&w, {size}, {text})"));
            }
            Units::Characters { bits, indexed, alphabet } => {
                let (text, alphabet) = (self.view(place), self.alphabet(alphabet));
                self.try_call(format!("rw_put_character_units(&w, {size}, {text}, {bits}, {indexed}, {alphabet})"));
            }
        }
    }

    fn take_elements(&mut self, element: &Element, place: &Place, size: &Size, body: &Block) {
        let (size, text, list) = (self.size(size), self.place(place), name(element.list));
        let (run, all, at) = (self.fresh("run"), self.fresh("all"), self.fresh("i"));
        let is_apart = self.types.most_elements(element.list_id).is_none();
        self.bind(element.list, element.list_id, &text.address());
        self.line(format!("rw_run {run} = {{0, false}};"));
        self.line(format!("uint64_t {all};"));
        self.line(format!("{list}->count = 0;"));
        let room = is_apart.then(|| {
            let room = self.fresh("room");
            self.line(format!("uint64_t {room} = 0;"));
            self.line(format!("{list}->items = NULL;"));
            room
        });
        self.try_call(format!("rw_take_first_run(&r, {size}, &{run})"));
        if let Some(room) = &room {
            self.more_room(element, room, &run);
        }
        self.line(format!("{all} = {run}.units;"));
        self.line(format!("for (uint64_t {at} = 0; {at} != {all} || {run}.more;) {{"));
        self.line(format!("if ({at} == {all}) {{"));
        self.try_call(format!("rw_take_run(&r, ({size})->aligned, &{run})"));
        if let Some(room) = &room {
            self.more_room(element, room, &run);
        }
        self.line(format!("{all} += {run}.units;"));
        self.line("} else {");
        self.element_in(element, room, body);
        self.line(format!("{at}++;"));
        self.line("}");
        self.line("}");
        self.try_call(format!("rw_whole_size({size}, {all})"));
    }

    /// Makes room for the elements of a fragment, or for one more than the input can hold.
    fn more_room(&mut self, element: &Element, room: &str, run: &str) {
        let (list, fewest) = (name(element.list), element.fewest.max(1));
        let Some(cast) = self.types.elements(element.id, "") else { return drop(self.lacks(&"a list")) };
        let more = format!("rw_elements(&r, {run}.units, {fewest})");
        self.line(format!(
            "{list}->items = ({cast})rw_more(arena, {list}->items, {list}->count, &{room}, {more}, sizeof *{list}->items);"
        ));
        self.reject_as(&format!("{list}->items == NULL && {run}.units != 0"), "RW_MEMORY");
    }

    fn put_elements(&mut self, item: Var, list: &Place, size: &Size, body: &Block) {
        let Some((id, element)) = self.list_of(list) else { return };
        let (size, text) = (self.size(size), self.place(list));
        let (run, end, at, count) = (self.fresh("run"), self.fresh("end"), self.fresh("i"), text.member("count"));
        self.fits_in_place(id, &count);
        self.line(format!("rw_run {run} = {{0, false}};"));
        self.line(format!("uint64_t {end};"));
        self.try_call(format!("rw_put_first_run(&w, {size}, {count}, &{run})"));
        self.line(format!("{end} = {run}.units;"));
        self.line(format!("for (uint64_t {at} = 0; {at} < {count}; {at}++) {{"));
        let address = self.address(element, &self.element_of(id, &text.member(""), &at));
        self.bind(item, element, &address);
        self.part(&format!("(uint32_t){at}"), |printer| printer.block(body));
        self.try_call(format!("rw_put_next_run(&w, {size}, {count}, {at} + 1, &{end}, &{run})"));
        self.line("}");
    }

    /// An index or a number of any length is written.
    pub(super) fn put_long(&mut self, by: Mover, args: &[Arg]) {
        let call = match (by, args) {
            (Mover::PutSmall, [index, aligned]) => {
                format!("rw_put_small(&w, {}, {})", self.argument(index), self.argument(aligned))
            }
            (Mover::PutItemNumber, [number]) => format!("rw_put_item_number(&w, {})", self.argument(number)),
            (Mover::CheckTag, []) => "rw_check_tag(&r)".into(),
            (by, args) => return self.put_event(by, args),
        };
        self.try_call(call);
    }

    /// The same is read.
    pub(super) fn take_long(&mut self, var: Var, by: Mover, args: &[Arg]) {
        let args: Vec<String> = args.iter().map(|arg| self.argument(arg)).collect();
        let code = if by == Mover::TakeSmallChoice { "RW_PACKED_CHOICE" } else { "RW_PACKED_ITEM" };
        let to = name(var);
        let call = match (by, args.as_slice()) {
            (Mover::TakeSmallChoice | Mover::TakeSmallItem, [aligned, most]) => {
                format!("rw_take_small(&r, {aligned}, {most}, {code}, &{to})")
            }
            (Mover::TakeItemNumber, []) => format!("rw_take_item_number(&r, &{to})"),
            _ => return self.get_event(var, by),
        };
        self.declare("uint64_t", &to);
        self.try_call(call);
    }
}
