"""Erlang's ASN.1 application (Debian: erlang-base, erlang-asn1, erlang-crypto) as an oracle: a compiler that has nothing in common with the others."""

import fractions
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess

import erlang

from oracles import Walker, double, jer_of_double

HERE = pathlib.Path(__file__).resolve().parent


def atom(name):
    return erlang.OtpErlangAtom(name.encode())


def binary(octets, bits=8):
    return erlang.OtpErlangBinary(octets, bits)


class ErlangWalker(Walker):
    """SEQUENCEs are maps with atoms as keys, CHOICEs pairs, strings of bits are strings of bits."""

    def give(self, at, value):
        shape = self.types[at]
        match shape["kind"]:
            case "enumerated":
                return atom(value)
            case "octets":
                return binary(bytes.fromhex(value))
            case "text":
                return binary(value.encode()) if shape["utf8"] else [character_of(ord(character)) for character in value]
            case "choice":
                [(name, inner)] = value.items()
                return (atom(name), self.give(shape["alternatives"][name], inner))
        return super().give(at, value)

    def take(self, at, value):
        shape = self.types[at]
        match shape["kind"]:
            case "integer":
                return value if isinstance(value, int) else shape["names"][name_of(value)]
            case "enumerated":
                return name_of(value)
            case "octets":
                return value.value.hex().upper()
            case "text":
                if isinstance(value, erlang.OtpErlangBinary):
                    return value.value.decode()
                # In JER the octets of a UTF8String.
                return bytes(value).decode() if shape["utf8"] else "".join(map(text_of_character, value))
            case "choice":
                name = name_of(value[0])
                return {name: self.take(shape["alternatives"][name], value[1])}
            case "sequence":
                return super().take(at, {name_of(name): inner for name, inner in value.items() if not is_absent(inner)})
            case "bits":
                return self.take_named(shape, value) if isinstance(value, (list, bytes)) else super().take(at, value)
        return super().take(at, value)

    def take_named(self, shape, names):
        """Named bits are the names of those that are set."""
        places = {name[1] if isinstance(name, tuple) else shape["names"][name_of(name)] for name in names}
        most = max(places, default=-1) + 1
        length = max(most, shape["fixed"] or shape["least"])
        number = sum(1 << (-length % 8 + length - 1 - place) for place in places)
        digits = number.to_bytes((length + 7) // 8, "big").hex().upper()
        return digits if shape["fixed"] is not None else {"value": digits, "length": length}

    def give_name(self, name):
        return atom(name)

    def give_component(self, one, value, beside):
        # Octets of a type that no row of the table has are said to be octets.
        if one["selection"] is None or self.row(one, beside) is not None:
            return super().give_component(one, value, beside)
        given = self.give(one["type"], value)
        return [unknown(inner) for inner in given] if isinstance(given, list) else unknown(given)

    give_content, take_content = give, take

    def give_null(self, _):
        return atom("NULL")

    def take_null(self, value):
        return None if name_of(value) in ("NULL", "null") else ["not a null", str(value)]

    def give_bits(self, octets, length):
        return binary(octets, length % 8 or 8)

    def take_bits(self, value):
        octets = value.value
        return octets, len(octets) * 8 - (8 - value.bits if octets else 0)

    def give_real(self, value):
        value = double(value)
        if math.isinf(value):
            return atom("PLUS-INFINITY" if value > 0 else "MINUS-INFINITY")
        numerator, denominator = value.as_integer_ratio()
        exponent = 1 - denominator.bit_length()
        while numerator and numerator % 2 == 0:
            numerator, exponent = numerator // 2, exponent + 1
        return (numerator, 2, exponent) if numerator else 0

    def take_real(self, value):
        if isinstance(value, tuple):
            mantissa, base, exponent = value
            return jer_of_double(float(fractions.Fraction(mantissa) * fractions.Fraction(base) ** exponent))
        if isinstance(value, (int, float)):
            return jer_of_double(float(value))
        if isinstance(value, (list, bytes)):
            return jer_of_double(float(bytes(value).decode()))
        return {"PLUS-INFINITY": "INF", "MINUS-INFINITY": "-INF"}[name_of(value)]

    def give_oid(self, value):
        return tuple(int(arc) for arc in value.split("."))

    def take_oid(self, value):
        return ".".join(map(str, value))

    give_relative_oid, take_relative_oid = give_oid, take_oid

    def give_open(self, octets):
        return binary(octets)

    def take_open(self, value):
        return (value[1] if isinstance(value, tuple) else value).value

    def give_utc_time(self, text):
        return [ord(character) for character in text]

    def take_utc_time(self, value):
        return "".join(map(chr, value))

    give_generalized_time, take_generalized_time = give_utc_time, take_utc_time


def character_of(number):
    """Above those of one octet, a character is four numbers: group, plane, row and cell."""
    return number if number < 256 else tuple(number.to_bytes(4, "big"))


def text_of_character(given):
    return chr(given if isinstance(given, int) else int.from_bytes(given, "big"))


def is_absent(value):
    return isinstance(value, erlang.OtpErlangAtom) and name_of(value) == "asn1_NOVALUE"


def unknown(octets):
    return (atom("asn1_OPENTYPE"), octets)


def name_of(value):
    """An atom's name; the library has values of its own for three of them."""
    if value is None or isinstance(value, bool):
        return {None: "undefined", True: "true", False: "false"}[value]
    return value.value.decode() if isinstance(value.value, bytes) else value.value


class Erlang:
    name = "erlang"
    # Each third value of the modules' types is enough: its terms take their time in Python.
    step = 3

    # Its options for the rules.
    rules = {"uper": ["uper"], "aper": ["per"], "ber": ["ber"], "der": ["ber", "der"], "jer": ["jer"]}

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / f"erlang_{os.getpid()}"
        self.count = itertools.count()
        self.server = None

    @staticmethod
    def version():
        """Of the ASN.1 application, as its folder's name tells it."""
        command = ["erl", "-noshell", "-eval", 'io:put_chars(filename:basename(code:lib_dir(asn1))), halt().']
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.removeprefix("asn1-")

    def is_installed(self):
        return shutil.which("erl") is not None and shutil.which("erlc") is not None

    def rewrites(self, _):
        return []

    def compile(self, texts, rules):
        """Each module is a file of its own, of its name."""
        folder = self.folder / str(next(self.count))
        folder.mkdir(parents=True)
        modules = [module for text in texts for module in modules_of(text)]
        for name, text in modules:
            (folder / f"{name}.asn1").write_text(text)
        # A module comes after those that it imports from, which are mostly below it.
        waiting = [name for name, _ in reversed(modules)]
        while waiting:
            left = {}
            for name in waiting:
                options = [atom(option) for option in self.rules[rules]]
                kind, answer = self.ask((atom("compile"), list(str(folder).encode()), atom(name), options))
                if kind != "ok":
                    left[name] = answer
            if len(left) == len(waiting):
                raise RuntimeError("; ".join(left.values()))
            waiting = list(left)
        # The server has loaded them; the modules of other runs with the same names are not there any more.
        return folder

    def walker(self, shapes, rules, compiled):
        return ErlangWalker(shapes, rules, compiled)

    def encode(self, _, rules, name, value):
        answer = self.call("encode", name, value)
        return json.dumps(json_of(answer)) if rules == "jer" else answer.value

    def decode(self, _, rules, name, octets):
        return self.call("decode", name, term_of(json.loads(octets)) if rules == "jer" else binary(octets))

    def call(self, what, name, argument):
        module, of = name.split(".")
        kind, answer = self.ask((atom(what), atom(module), atom(of), argument))
        if kind != "ok":
            raise RuntimeError(answer)
        return answer

    def ask(self, request):
        if self.server is None:
            self.start()
        octets = erlang.term_to_binary(request)
        self.requests.write(struct.pack(">I", len(octets)) + octets)
        self.requests.flush()
        [length] = struct.unpack(">I", self.answers.read(4))
        kind, answer = erlang.binary_to_term(self.answers.read(length))
        return name_of(kind), answer.value.decode() if name_of(kind) == "error" else answer

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["erlc", "-o", self.folder, HERE / "oracle.erl", HERE / "jsx.erl"], check=True)
        # The server's descriptors 3 and 4; 1 has what the compiler says.
        theirs, ours = os.pipe()
        read, written = os.pipe()
        command = f'exec erl +S 1 -noshell -noinput -pa "$0" -s oracle serve 3<&{theirs} 4>&{written} >/dev/null 2>&1'
        self.server = subprocess.Popen(["bash", "-c", command, str(self.folder)], pass_fds=(theirs, written))
        os.close(theirs)
        os.close(written)
        self.requests, self.answers = os.fdopen(ours, "wb"), os.fdopen(read, "rb")


def modules_of(text):
    heads = list(re.finditer(r"^([A-Z][A-Za-z0-9-]*)\s*(?:\{[^}]*\})?\s*DEFINITIONS\b", text, re.MULTILINE))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [(head.group(1), text[head.start() : end]) for head, end in zip(heads, ends)]


def json_of(term):
    """JSON as jsx takes it: objects are maps or lists of pairs."""
    match term:
        case bool() | int() | float():
            return term
        case dict():
            return {text_of(name): json_of(inner) for name, inner in term.items()}
        case list() if term and isinstance(term[0], tuple):
            return {text_of(name): json_of(inner) for name, inner in term}
        case list() | bytes():
            return [json_of(inner) for inner in term]
        case erlang.OtpErlangBinary():
            return term.value.decode()
    return None if name_of(term) == "null" else name_of(term)


def text_of(term):
    return term.value.decode() if isinstance(term, erlang.OtpErlangBinary) else name_of(term)


def term_of(value):
    match value:
        case None:
            return atom("null")
        case str():
            return binary(value.encode())
        case list():
            return [term_of(inner) for inner in value]
        case dict():
            return {binary(name.encode()): term_of(inner) for name, inner in value.items()}
    return value
