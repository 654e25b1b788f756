"""The implementations that roadwire is compared with, each with the same interface.

A value travels as JER (X.697), as Python's json reads it; an adapter turns it into what its library takes, and back,
by the *shape* of the type (see crates/messages/examples/random_values.rs).
"""

import contextlib
import copy
import datetime
import functools
import importlib.util
import io
import json
import math
import os
import pathlib

import rewrites


# Encodings by tag (X.690), in which an open type holds a value with its identifier and length.
TAGGED = {"ber", "der", "cer"}


def adapters(folder):
    """Those that are installed."""
    return [one for one in every(folder) if one.is_installed()]


def every(folder):
    from erlang_oracle import Erlang

    return [*libraries(folder), Erlang(folder)]


def libraries(folder):
    """Those that are always there, and that compile a small module in no time."""
    return [Asn1tools(), Pycrate(folder)]


class Walker:
    """Turns values into an oracle's form (`give`) and back (`take`). What the oracles have in common is here. Values are compared in their `normal` form."""

    def __init__(self, shapes, rules, compiled=None):
        self.types, self.rules, self.compiled = shapes["types"], rules, compiled
        self.names = {at: name for name, at in shapes["definitions"].items()}

    def give(self, at, value):
        shape = self.types[at]
        match shape["kind"]:
            case "boolean" | "integer" | "enumerated" | "text":
                return value
            case "octets":
                return bytes.fromhex(value)
            case "list":
                return [self.give(shape["element"], one) for one in value]
            case "choice":
                [(name, inner)] = value.items()
                return (name, self.give(shape["alternatives"][name], inner))
            case "sequence":
                known = {one["name"]: one for one in shape["components"]}
                return {self.give_name(name): self.give_component(known[name], inner, value) for name, inner in value.items()}
            case "external":
                return self.give(shape["inner"], value)
            case "bits":
                if shape["fixed"] is not None:
                    return self.give_bits(bytes.fromhex(value), shape["fixed"])
                return self.give_bits(bytes.fromhex(value["value"]), value["length"])
            case "open":
                return self.give_open(bytes.fromhex(value["..."] if isinstance(value, dict) else value))
            case kind:
                return getattr(self, "give_" + kind.replace("-", "_"))(value)

    def take(self, at, value):
        shape = self.types[at]
        match shape["kind"]:
            case "boolean" | "integer" | "enumerated" | "text":
                return value
            case "octets":
                return value.hex().upper()
            case "list":
                return [self.take(shape["element"], one) for one in value]
            case "choice":
                return {value[0]: self.take(shape["alternatives"][value[0]], value[1])}
            case "sequence":
                return self.take_sequence(shape, value)
            case "external":
                return self.take(shape["inner"], value)
            case "bits":
                octets, length = self.take_bits(value)
                digits = octets.hex().upper()
                return digits if shape["fixed"] is not None else {"value": digits, "length": length}
            case "open":
                return self.take_open(value).hex().upper()
            case kind:
                return getattr(self, "take_" + kind.replace("-", "_"))(value)

    def normal(self, at, value):
        """A SET OF has no order. An open type's octets are written in two ways, depending on whether their type is known. Named bits have no end."""
        shape = self.types[at]
        match shape["kind"], value:
            case "list", list():
                found = [self.normal(shape["element"], one) for one in value]
                return sorted(found, key=json.dumps) if shape["unordered"] else found
            case "choice", dict():
                known = shape["alternatives"]
                return {name: self.normal(known[name], inner) if name in known else inner for name, inner in value.items()}
            case "sequence", dict():
                known = {one["name"]: one for one in shape["components"]}
                return {name: self.normal_component(known.get(name), inner, value) for name, inner in value.items()}
            case "external", _:
                return self.normal(shape["inner"], value)
            case "open", {"...": octets}:
                return octets
            case "bits", {"value": digits, "length": length} if shape["named"]:
                return bin(int("1" + digits, 16))[3:][:length].rstrip("0")
        return value

    def take_sequence(self, shape, value):
        """JER leaves out what equals its DEFAULT. Identifiers are read before what they select."""
        taken = {}
        for one in sorted(shape["components"], key=lambda one: one["selection"] is not None):
            if one["name"] in value:
                inner = self.take_component(one, value[one["name"]], taken)
                if not one["hasDefault"] or inner != one["default"]:
                    taken[one["name"]] = inner
        unknown = set(value) - {one["name"] for one in shape["components"]}
        if unknown:
            raise ValueError(f"unknown components {unknown}")
        return taken

    def give_name(self, name):
        return name

    def give_component(self, one, value, beside):
        return self.component(one, value, beside, self.give, self.give_content)

    def take_component(self, one, value, beside):
        return self.component(one, value, beside, self.take, self.take_content)

    def normal_component(self, one, value, beside):
        return value if one is None else self.component(one, value, beside, self.normal, self.normal)

    def component(self, one, value, beside, plain, content):
        """A component by `plain`; open types whose type a component beside them selects (X.682 §10) by `content`, with that type."""
        row = self.row(one, beside)
        if row is None:
            return plain(one["type"], value)
        if self.types[one["type"]]["kind"] == "list":
            return [content(row, inner) for inner in value]
        return content(row, value)

    def row(self, one, beside):
        by = one["selection"]
        return by and next((row for key, row in by["rows"] if by["by"] in beside and key == beside[by["by"]]), None)

    def name_of(self, at):
        """The name of a type, which libraries want for what an open type contains."""
        if at not in self.names:
            raise LookupError("an open type contains a type without a name")
        return self.names[at]


def double(value):
    return {"INF": math.inf, "-INF": -math.inf, "-0": -0.0, "NaN": math.nan}.get(value, value)


def jer_of_double(value):
    if math.isinf(value):
        return "INF" if value > 0 else "-INF"
    return "-0" if value == 0 and math.copysign(1, value) < 0 else float(value)


class Asn1toolsWalker(Walker):
    """What an open type contains are octets."""

    def give_content(self, at, value):
        return self.compiled.encode(self.name_of(at).split(".")[1], self.give(at, value))

    def take_content(self, at, octets):
        return self.take(at, self.compiled.decode(self.name_of(at).split(".")[1], octets))

    def give_null(self, _):
        return None

    def take_null(self, value):
        return None if value is None else ["not a null", value]

    def give_bits(self, octets, length):
        return (octets, length)

    def take_bits(self, value):
        return value

    def give_real(self, value):
        value = double(value)
        if math.isinf(value) and "xer" in self.rules:
            raise OverflowError("asn1tools divides infinity by ten until it is small")
        return value

    def take_real(self, value):
        return jer_of_double(value)

    def give_oid(self, value):
        return value

    take_oid = give_relative_oid = take_relative_oid = give_open = take_open = give_oid

    def give_utc_time(self, text):
        return datetime.datetime.strptime(text, "%y%m%d%H%M%SZ")

    def take_utc_time(self, value):
        return value.strftime("%y%m%d%H%M%SZ")

    def give_generalized_time(self, text):
        form = "%Y%m%d%H%M%S.%fZ" if "." in text else "%Y%m%d%H%M%SZ"
        # Under rules with X.690 §11.7, asn1tools takes a time without an offset as UTC, and under others as local time.
        utc = None if self.rules in ("uper", "aper", "der") else datetime.timezone.utc
        return datetime.datetime.strptime(text, form).replace(tzinfo=utc)

    def take_generalized_time(self, value):
        fraction = f".{value.microsecond:06}".rstrip("0") if value.microsecond else ""
        return f"{value.year:04}" + value.strftime("%m%d%H%M%S") + fraction + "Z"


class Asn1tools:
    name = "asn1tools"
    # It gets every value of the modules' types.
    step = 1

    # Its names of the rules.
    rules = {
        "uper": "uper", "aper": "per", "oer": "oer", "coer": "oer", "ber": "ber", "der": "der", "xer": "xer", "cxer": "xer", "jer": "jer",
    }

    def is_installed(self):
        return True

    def rewrites(self, rules):
        return [rewrites.OPEN_TYPES] if rules in ("uper", "aper", "oer", "coer") else []

    def compile(self, texts, rules):
        import asn1tools

        # Compiling changes its argument.
        return asn1tools.compile_dict(copy.deepcopy(self.parse(tuple(texts))), self.rules[rules])

    @functools.lru_cache(maxsize=2)
    def parse(self, texts):
        import asn1tools

        return asn1tools.parse_string("\n".join(texts))

    def walker(self, shapes, rules, compiled):
        return Asn1toolsWalker(shapes, rules, compiled)

    def encode(self, compiled, _, name, value):
        return compiled.encode(name.split(".")[1], value)

    def decode(self, compiled, _, name, octets):
        return compiled.decode(name.split(".")[1], octets)


class PycrateWalker(Walker):
    # Its names of types in open types that have none of their own.
    BUILT_IN = {"boolean": "BOOLEAN", "integer": "INTEGER", "null": "NULL", "octets": "OCTET STRING"}

    def give_content(self, at, value):
        return (self.content_name(at), self.give(at, value))

    def take_content(self, at, value):
        name, content = value
        return self.take(at, content) if name == self.content_name(at) else ["not of this type", name]

    def content_name(self, at):
        return self.BUILT_IN.get(self.types[at]["kind"]) if at not in self.names else self.names[at].split(".")[1]

    def give_null(self, _):
        return 0

    def take_null(self, value):
        return None if value == 0 else ["not a null", value]

    def give_bits(self, octets, length):
        return (int.from_bytes(octets, "big") >> (-length % 8), length)

    def take_bits(self, value):
        number, length = value
        return (number << (-length % 8)).to_bytes((length + 7) // 8, "big"), length

    def give_real(self, value):
        value = double(value)
        if math.isinf(value):
            return (1 if value > 0 else -1, None, None)
        numerator, denominator = value.as_integer_ratio()
        exponent = 1 - denominator.bit_length()
        while numerator and numerator % 2 == 0:
            numerator, exponent = numerator // 2, exponent + 1
        return (numerator, 2, exponent if numerator else 0)

    def take_real(self, value):
        mantissa, base, exponent = value
        if exponent is None:
            return {1: "INF", -1: "-INF", 0: "NaN"}[mantissa]
        if base == 2:
            return jer_of_double(mantissa * 2**exponent if exponent >= 0 else mantissa / 2**-exponent)
        return jer_of_double(float(f"{mantissa}e{exponent}"))

    def give_oid(self, value):
        return tuple(int(arc) for arc in value.split("."))

    def take_oid(self, value):
        return ".".join(str(arc) for arc in value)

    give_relative_oid, take_relative_oid = give_oid, take_oid

    def give_open(self, octets):
        """In encodings by tag the name contains the tag, and the octets are the contents."""
        if self.rules not in TAGGED:
            return ("_unk_004", octets)
        return (f"_unk_{octets[0] >> 6}{octets[0] >> 5 & 1}{octets[0] & 31}", octets[2:])

    def take_open(self, value):
        name, octets = value
        if self.rules not in TAGGED:
            return octets
        return bytes([int(name[5]) << 6 | int(name[6]) << 5 | int(name[7:]), len(octets)]) + octets

    def give_utc_time(self, text):
        return tuple(text[at : at + 2] for at in range(0, 12, 2)) + (text[12:],)

    def take_utc_time(self, value):
        # In OER pycrate gives the text.
        return value if isinstance(value, str) else "".join(part or "" for part in value)

    def give_generalized_time(self, text):
        fraction = text[15:-1] or None
        return (text[:4],) + tuple(text[at : at + 2] for at in range(4, 14, 2)) + (fraction, "Z")

    def take_generalized_time(self, value):
        if isinstance(value, str):
            return value
        fraction = "." + value[6] if value[6] else ""
        return "".join(value[:6]) + fraction + value[7]


class Pycrate:
    name = "pycrate"
    step = 1

    rules = {"uper", "aper", "oer", "coer", "ber", "der", "cer", "jer"}

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.count = 0
        self.settings = {}

    def reset(self):
        """After a failure in CER or DER, pycrate would use their settings for BER."""
        from pycrate_asn1rt.codecs import ASN1CodecBER

        if not self.settings:
            self.settings = {name: value for name, value in vars(ASN1CodecBER).items() if name.startswith("ENC_")}
        for name, value in self.settings.items():
            setattr(ASN1CodecBER, name, value)

    @functools.lru_cache(maxsize=2)
    def prepare(self):
        """pycrate's decoder of REAL in JER never ends on a fraction: here it fails. Its name of an object, which messages have, never ends (and takes all memory) in a recursive type, whose parents are a ring: here it does."""
        from pycrate_asn1rt.asnobj import ASN1Obj
        from pycrate_asn1rt.asnobj_basic import REAL

        def fullname(this):
            line = []
            while this is not None and this not in line:
                line.append(this)
                this = this._parent
            return ".".join(one._name for one in reversed(line))

        ASN1Obj.fullname = fullname

        decode = REAL._from_jval

        def guarded(this, value):
            if isinstance(value, float) and not value.is_integer():
                raise OverflowError("pycrate shifts the denominator of a fraction in JER without keeping it")
            decode(this, value)

        REAL._from_jval = guarded

    def is_installed(self):
        return True

    def rewrites(self, _):
        return [rewrites.INNER_SUBTYPING, rewrites.LINKS_OF_LISTS, rewrites.SIZES_OF_LISTS]

    def compile(self, texts, _):
        self.prepare()
        self.reset()
        return self.load(tuple(texts))

    @functools.lru_cache(maxsize=2)
    def load(self, texts):
        """pycrate writes Python source, which is then loaded."""
        from pycrate_asn1c.asnproc import GLOBAL, PycrateGenerator, compile_text, generate_modules

        self.count += 1
        source = self.folder / f"pycrate_{os.getpid()}_{self.count}.py"
        with contextlib.redirect_stdout(io.StringIO()):
            GLOBAL.clear()
            compile_text(list(texts))
            generate_modules(PycrateGenerator, str(source))
            GLOBAL.clear()
        spec = importlib.util.spec_from_file_location(source.stem, source)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def walker(self, shapes, rules, compiled):
        return PycrateWalker(shapes, rules, compiled)

    def find(self, compiled, name):
        module, name = (part.replace("-", "_") for part in name.split("."))
        return getattr(getattr(compiled, module), name)

    def encode(self, compiled, rules, name, value):
        self.reset()
        this = self.find(compiled, name)
        this.set_val(value)
        return getattr(this, f"to_{rules}")()

    def decode(self, compiled, rules, name, octets):
        self.reset()
        this = self.find(compiled, name)
        getattr(this, f"from_{rules}")(octets.decode() if rules == "jer" else octets)
        return this.get_val()
