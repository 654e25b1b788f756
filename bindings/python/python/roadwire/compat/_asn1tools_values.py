"""Values between asn1tools' form and roadwire's: a form for each type, which brings values in (to be encoded) and out."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from roadwire._native import Schema
from roadwire.compat import _asn1tools_times as times
from roadwire.compat._asn1tools_errors import ConstraintsError, DecodeError, EncodeError

Around = tuple[Mapping[str, Any], "Around"] | None
"""The SEQUENCEs around a value, innermost first, in roadwire's form."""


class Form:
    """A type whose values are the same in both."""

    def __init__(self, kind: str, name: str = "") -> None:
        self.kind = kind
        self.name = name

    def into(self, value: Any, around: Around) -> Any:
        """The value in roadwire's form."""
        return value

    def out(self, value: Any, around: Around) -> Any:
        """The value in asn1tools' form."""
        return value

    def __repr__(self) -> str:
        class_name = self.kind.title().replace(" ", "").replace("-", "")
        return f"{class_name}({self.name})"


class Forms:
    """The forms of a schema's types under some encoding rules. Each is made when it is first needed."""

    def __init__(self, schema: Schema, rules: str, numeric_enums: bool) -> None:
        self.schema = schema
        self.rules = rules
        self.numeric_enums = numeric_enums
        self.times = times.CANONICAL if rules in ("uper", "aper", "der") else times.ALL
        self.skips_additions = rules in ("uper", "aper", "oer")
        self._made: dict[int, Form] = {}

    def at(self, place: int) -> Form:
        """The form of the type at a place of the schema."""
        form = self._made.get(place)
        if form is None:
            form = self._made[place] = self._form(place)
        return form

    def _form(self, place: int) -> Form:
        kind, _, parts = self.schema._node(place)
        if kind in ("SEQUENCE", "SET"):
            return _Record(self, kind, parts)
        if kind in ("SEQUENCE OF", "SET OF"):
            return _List(self, kind, parts[0])
        if kind == "CHOICE":
            return _Choice(self, parts)
        if kind == "ENUMERATED":
            return _Item(dict(parts), self.numeric_enums)
        if kind in ("BIT STRING", "OCTET STRING"):
            plain = _Bits(kind) if kind == "BIT STRING" else _Octets(kind)
            return _Containing(self, plain, parts[0]) if parts else plain
        if kind == "open type":
            return _Open(self, *parts) if parts else _Octets(kind)
        if kind == "INTEGER" and parts:
            return _Named({name: int(number) for name, number in parts})
        if kind in self.times:
            return _Time(kind, self.times[kind])
        return Form(kind)


class _Record(Form):
    def __init__(self, forms: Forms, kind: str, parts: list[tuple[str, int, int, Any, bool]]) -> None:
        super().__init__(kind)
        self._forms = forms
        self._parts = parts
        self._names = {part[0] for part in parts}

    def into(self, value: Any, around: Around) -> Any:
        if not isinstance(value, dict):
            raise _unlike("a dict", value)
        made: dict[str, Any] = {}
        around = (made, around)
        # asn1tools leaves out what the type does not have. None stands for what is absent, but for a NULL.
        for name, place, presence, _, _ in self._parts:
            if name in value:
                form = self._forms.at(place)
                if value[name] is None and presence > 0 and form.kind != "NULL":
                    continue
                made[name] = _named(name, form.into, value[name], around)
        return made

    def out(self, value: Any, around: Around) -> Any:
        made = {}
        around = (value, around)
        # asn1tools fills in the DEFAULT of an addition up to the first one that is missing, and in PER and OER of none.
        is_short = self._forms.skips_additions
        for name, place, presence, default, is_addition in self._parts:
            if name in value:
                made[name] = _named(name, self._forms.at(place).out, value[name], around)
            elif presence == 2 and not (is_addition and is_short):
                made[name] = self._forms.at(place).out(copy.deepcopy(default), None)
            is_short = is_short or (is_addition and presence == 0 and name not in value)
        return made


class _List(Form):
    def __init__(self, forms: Forms, kind: str, element: int) -> None:
        super().__init__(kind)
        self._forms = forms
        self._element = element

    def into(self, value: Any, around: Around) -> Any:
        if not isinstance(value, list):
            raise _unlike("a list", value)
        form = self._forms.at(self._element)
        return [form.into(element, around) for element in value]

    def out(self, value: Any, around: Around) -> Any:
        form = self._forms.at(self._element)
        return [form.out(element, around) for element in value]


class _Choice(Form):
    def __init__(self, forms: Forms, parts: list[tuple[str, int]]) -> None:
        super().__init__("CHOICE")
        self._forms = forms
        self._places = dict(parts)

    def into(self, value: Any, around: Around) -> Any:
        if not isinstance(value, tuple) or len(value) != 2 or not isinstance(value[0], str):
            raise _unlike("a tuple (name, value)", value)
        name, inner = value
        if name not in self._places:
            raise EncodeError(f"there is no alternative {name!r}; there are {', '.join(sorted(self._places))}")
        return {name: _named(name, self._forms.at(self._places[name]).into, inner, around)}

    def out(self, value: Any, around: Around) -> Any:
        [(name, inner)] = value.items()
        # An alternative of a later version.
        if name not in self._places:
            return None, None
        return name, _named(name, self._forms.at(self._places[name]).out, inner, around)


class _Named(Form):
    """An INTEGER with named numbers: a name is taken for its number."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__("INTEGER")
        self._numbers = numbers

    def into(self, value: Any, around: Around) -> Any:
        return self._numbers.get(value, value) if isinstance(value, str) else value


class _Item(Form):
    def __init__(self, numbers: dict[str, int], is_numeric: bool) -> None:
        super().__init__("ENUMERATED")
        self._numbers = numbers
        self._names = {number: name for name, number in numbers.items()}
        self._is_numeric = is_numeric

    def into(self, value: Any, around: Around) -> Any:
        if not self._is_numeric:
            return value
        if not isinstance(value, int) or isinstance(value, bool):
            raise _unlike("an int", value)
        if value not in self._names:
            raise EncodeError(f"no item has the number {value}")
        return self._names[value]

    def out(self, value: Any, around: Around) -> Any:
        # An item of a later version is None.
        if value not in self._numbers:
            return None
        return self._numbers[value] if self._is_numeric else value


class _Octets(Form):
    def into(self, value: Any, around: Around) -> Any:
        if not isinstance(value, (bytes, bytearray)):
            raise _unlike("bytes", value)
        return bytes(value)


class _Bits(Form):
    """asn1tools takes octets beyond the number of bits, and whatever is in unused ones."""

    def into(self, value: Any, around: Around) -> Any:
        match value:
            case (bytes() | bytearray() as octets, int(count)) if isinstance(value, tuple) and count >= 0:
                pass
            case _:
                raise _unlike("a tuple (bytes, number of bits)", value)
        if 8 * len(octets) < count:
            raise EncodeError(f"{count} bits were said, and there are {8 * len(octets)}")
        octets = bytearray(octets[: (count + 7) // 8])
        if count % 8:
            octets[-1] &= 0xFF << (8 - count % 8) & 0xFF
        return bytes(octets), count


class _Containing(Form):
    """A string with CONTAINING, whose octets are the value."""

    def __init__(self, forms: Forms, plain: Form, inner: int) -> None:
        super().__init__(plain.kind)
        self._forms = forms
        self._plain = plain
        self._inner = inner

    def into(self, value: Any, around: Around) -> Any:
        return self._plain.into(value, around)

    def out(self, value: Any, around: Around) -> Any:
        if not isinstance(value, dict):
            return value
        octets = self._forms.schema._encode_at(self._forms.rules, value["containing"], self._inner)
        return (octets, 8 * len(octets)) if self.kind == "BIT STRING" else octets


class _Open(Form):
    """An open type with a table, whose octets are the value."""

    def __init__(self, forms: Forms, link: list[str], level: int, rows: list[tuple[Any, int]]) -> None:
        super().__init__("open type")
        self._forms = forms
        self._link = link
        self._level = level
        self._rows = rows

    def _row(self, around: Around) -> int | None:
        """The place of the type that the values around it select."""
        if not self._link:
            return self._rows[0][1] if len(self._rows) == 1 else None
        for _ in range(self._level):
            around = around[1] if around else None
        key: Any = around[0] if around else None
        for name in self._link:
            key = key.get(name) if isinstance(key, dict) else None
        return next((place for row, place in self._rows if row == key), None)

    def into(self, value: Any, around: Around) -> Any:
        octets = _Octets(self.kind).into(value, around)
        return octets if self._row(around) is None else {"...": octets}

    def out(self, value: Any, around: Around) -> Any:
        place = self._row(around)
        if place is None:
            return value
        if isinstance(value, dict) and "..." in value:
            return value["..."]
        return self._forms.schema._encode_at(self._forms.rules, value, place)


class _Time(Form):
    def __init__(self, kind: str, form: times.TimeForm) -> None:
        super().__init__(kind)
        self._form = form

    def into(self, value: Any, around: Around) -> Any:
        if not isinstance(value, self._form.type):
            raise _unlike(f"a {self._form.type.__name__}", value)
        return self._form.text(value)

    def out(self, value: Any, around: Around) -> Any:
        try:
            return self._form.read(value)
        except ValueError:
            raise DecodeError(f"{value!r} is no {self._form.type.__name__} of Python") from None


def _named(name: str, step: Callable[[Any, Around], Any], value: Any, around: Around) -> Any:
    """A step into a component or alternative."""
    try:
        return step(value, around)
    except (EncodeError, DecodeError, ConstraintsError) as error:
        error.within(name)
        raise


def _unlike(wanted: str, found: object) -> EncodeError:
    return EncodeError(f"expected {wanted}, found {found!r:.60}")
