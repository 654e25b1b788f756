"""asn1tools' interface on roadwire: ``from roadwire.compat import asn1tools`` in place of ``import asn1tools``.

>>> from roadwire.compat import asn1tools
>>> demo = asn1tools.compile_string("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN"
...     " Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) DEFAULT 1 } END", "uper")
>>> demo.encode("Motion", {"speed": 1200, "lane": 3}).hex()
'896040'
>>> demo.decode("Motion", bytes.fromhex("0960"))
{'speed': 1200, 'lane': 1}

What differs:

- Types of Python and constraints are always checked, whatever ``check_types`` and ``check_constraints`` say: roadwire does not
  encode or decode a value that its type does not allow. The error is an ``EncodeError`` or ``DecodeError``, and a
  ``ConstraintsError`` where that was asked for.
- Errors have other texts.
- What is in an open type, or in a string with CONTAINING, is decoded and checked, and then encoded anew to be bytes.
- ``any_defined_by_choices``, ``compile_dict`` and the codec ``gser`` are not implemented. ``cache_dir`` is not needed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn
from xml.etree import ElementTree

import roadwire
from roadwire._native import Schema
from roadwire.compat._asn1tools_errors import (
    CompileError,
    ConstraintsError,
    DecodeError,
    EncodeConstraintsError,
    EncodeError,
    Error,
    OutOfDataError,
    ParseError,
)
from roadwire.compat._asn1tools_values import Form, Forms

__all__ = [
    "CompileError",
    "ConstraintsError",
    "DecodeError",
    "EncodeError",
    "Error",
    "OutOfDataError",
    "ParseError",
    "Specification",
    "compile_dict",
    "compile_files",
    "compile_string",
]

_RULES = {"ber": "ber", "der": "der", "jer": "jer", "oer": "oer", "per": "aper", "uper": "uper", "xer": "xer"}


class CompiledType:
    """A type: an entry of :attr:`Specification.types`."""

    def __init__(self, forms: Forms, name: str, place: int) -> None:
        self._forms = forms
        self._name = name
        self._place = place

    @property
    def type(self) -> Form:
        """The form of its values."""
        return self._forms.at(self._place)

    def encode(self, data: Any, *, indent: int | None = None) -> bytes:
        """The encoding of a value; `indent` is for text."""
        try:
            value = self.type.into(data, None)
        except RecursionError:
            raise EncodeError("the value nests too deep") from None
        try:
            octets = self._forms.schema.encode(self._forms.rules, value, self._name)
        except roadwire.Error as error:
            kind = EncodeConstraintsError if _is_constraint(error) else EncodeError
            raise kind(_text(error), *error.path.split(".")) from error
        return _formatted(self._forms.rules, octets, indent)

    def decode(self, data: bytes) -> Any:
        """The value of octets."""
        return self.decode_with_length(data)[0]

    def decode_with_length(self, data: bytes) -> tuple[Any, int]:
        """The value of octets, and how many of them are its encoding: what follows does not count."""
        octets, schema = bytes(data), self._forms.schema
        try:
            try:
                value = schema.decode(self._forms.rules, octets, self._name)
            except roadwire.Error as error:
                if error.code != "input.trailing" or error.bit is None:
                    raise
                octets = octets[: (error.bit + 7) // 8]
                value = schema.decode(self._forms.rules, octets, self._name)
            return self.type.out(value, None), len(octets)
        except roadwire.Error as error:
            kind = OutOfDataError if error.code == "input.truncated" else DecodeError
            refused = kind(_text(error), *error.path.split("."))
            refused.offset = error.offset
            raise refused from error

    def check_types(self, data: Any) -> None:
        """Raises an :class:`EncodeError` for a value of other types of Python."""
        self.type.into(data, None)

    def check_constraints(self, data: Any) -> None:
        """Raises a :class:`ConstraintsError` for a value that the type does not allow."""
        try:
            self._forms.schema.encode(self._forms.rules, self.type.into(data, None), self._name)
        except roadwire.Error as error:
            raise ConstraintsError(_text(error), *error.path.split(".")) from error

    def __repr__(self) -> str:
        form = repr(self.type)
        return form.replace("()", f"({self._name.partition('.')[2]})")


class Specification:
    """The types of some modules under one codec."""

    def __init__(self, schema: Schema, rules: str, numeric_enums: bool) -> None:
        forms = Forms(schema, rules, numeric_enums)
        self._rules = rules
        self._types: dict[str, CompiledType] = {}
        self._modules: dict[str, dict[str, CompiledType]] = {}
        names: dict[str, int] = {}
        for full_name, place in schema._definitions():
            module, _, name = full_name.partition(".")
            compiled = CompiledType(forms, full_name, place)
            self._modules.setdefault(module, {})[name] = compiled
            names[name] = names.get(name, 0) + 1
            self._types[name] = compiled
        self._types = {name: compiled for name, compiled in self._types.items() if names[name] == 1}

    @property
    def types(self) -> dict[str, CompiledType]:
        """The types whose names are in one module only."""
        return self._types

    @property
    def modules(self) -> dict[str, dict[str, CompiledType]]:
        """All types, by module."""
        return self._modules

    def encode(
        self, name: str, data: Any, check_types: bool = True, check_constraints: bool = False, **kwargs: Any
    ) -> bytes:
        """The encoding of a value of a type."""
        if name not in self._types:
            raise EncodeError(f"Type '{name}' not found in types dictionary.")
        return self._types[name].encode(data, **kwargs)

    def decode(self, name: str, data: bytes, check_constraints: bool = False) -> Any:
        """The value of octets."""
        return self.decode_with_length(name, data, check_constraints)[0]

    def decode_with_length(self, name: str, data: bytes, check_constraints: bool = False) -> tuple[Any, int]:
        """The value of octets, and how many of them are its encoding."""
        if name not in self._types:
            raise DecodeError(f"Type '{name}' not found in types dictionary.")
        try:
            return self._types[name].decode_with_length(data)
        except DecodeError as error:
            if check_constraints and isinstance(error.__cause__, roadwire.Error) and _is_constraint(error.__cause__):
                raise ConstraintsError(error.message, *error.path) from error
            raise

    def decode_length(self, data: bytes) -> int | None:
        """How many octets the first encoding in BER or DER takes, if its first octets say so; otherwise `None`."""
        if self._rules not in ("ber", "der"):
            raise DecodeError("Decode length is not supported for this codec.")
        return _length(data)


def compile_files(
    filenames: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    codec: str = "ber",
    any_defined_by_choices: Mapping[Any, Any] | None = None,
    encoding: str = "utf-8",
    cache_dir: str | None = None,
    numeric_enums: bool = False,
) -> Specification:
    """The modules of files under a codec."""
    if isinstance(filenames, (str, os.PathLike)):
        filenames = [filenames]
    texts = {}
    for filename in filenames:
        with open(filename, encoding=encoding) as file:
            texts[os.fspath(filename)] = file.read()
    return _compiled(texts, codec, any_defined_by_choices, numeric_enums)


def compile_string(
    string: str,
    codec: str = "ber",
    any_defined_by_choices: Mapping[Any, Any] | None = None,
    numeric_enums: bool = False,
) -> Specification:
    """Modules as text under a codec."""
    return _compiled({"text": string}, codec, any_defined_by_choices, numeric_enums)


def compile_dict(*_: object, **__: object) -> NoReturn:
    """asn1tools' parsed modules are not read: give the modules themselves to `compile_files` or `compile_string`."""
    raise NotImplementedError("parsed modules are not read: use compile_files or compile_string")


def _compiled(
    texts: Mapping[str, str], codec: str, any_defined_by_choices: object, numeric_enums: bool
) -> Specification:
    if codec not in _RULES:
        raise CompileError(f"Unsupported codec '{codec}'.")
    if any_defined_by_choices:
        raise NotImplementedError("any_defined_by_choices is not implemented: decode what is in ANY by itself")
    try:
        return Specification(roadwire.compile(text=texts), _RULES[codec], numeric_enums)
    except roadwire.Error as error:
        raise (ParseError if error.code == "asn1.syntax" else CompileError)(str(error)) from error


def _is_constraint(error: roadwire.Error) -> bool:
    return error.code.startswith(("constraint.", "integer.range", "real.range", "size.range", "text.alphabet"))


def _text(error: roadwire.Error) -> str:
    """The message without the part, which comes before it."""
    return str(error).removesuffix(f", in {error.path}")


def _formatted(rules: str, octets: bytes, indent: int | None) -> bytes:
    """The octets with the white space of asn1tools."""
    if rules == "jer" and indent is not None:
        return json.dumps(json.loads(octets), indent=indent, ensure_ascii=False).encode()
    if rules == "xer" and indent is not None:
        element = ElementTree.fromstring(octets)
        ElementTree.indent(element, indent * " ")
        return ElementTree.tostring(element) + b"\n"
    # No character data has the character `<`.
    return re.sub(rb"<([^<>]*)/>", rb"<\1 />", octets) if rules == "xer" else octets


def _length(data: bytes) -> int | None:
    """The octets of a tag, a length and its contents (X.690 §8.1.2, §8.1.3)."""
    at = 1
    if data[:1] and data[0] & 0x1F == 0x1F:
        while at < len(data) and data[at] & 0x80:
            at += 1
        at += 1
    if at >= len(data):
        return None
    first, at = data[at], at + 1
    if first < 0x80:
        return at + first
    count = first & 0x7F
    if count == 0:
        raise DecodeError("an indefinite length")
    if at + count > len(data):
        return None
    return at + count + int.from_bytes(data[at : at + count], "big")
