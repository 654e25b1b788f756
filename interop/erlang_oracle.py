"""Holds the shipped messages of both releases against Erlang's ASN.1 application, a compiler that has nothing in common with the others, in UPER and APER: both encode random values, and each decodes
the other's octets. README.md says how to run it."""

import itertools
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import tomllib

import schemas
from oracles import Walker, double, jer_of_double
from run import attempt, convert, cut
from values import arguments, random_values

HERE = pathlib.Path(__file__).resolve().parent
# Where there are differences, and why, or what is known of it.
DIFFER = {
    "vam-2.3.1": "a size constraint on a reference to a SEQUENCE OF is not seen: X.680 §51.5 has it in the effective size (pycrate agrees with us, asn1tools does not see it either)",
    "ivim-2.1.1": "the same, and additions in version brackets are not written",
    "denm-2.3.1": "additions in version brackets are not written (X.691 §19.9), and are read where we write them",
    "cpm-tr-103562": "a length of 0 outside the root is written in two octets (X.691 §11.9.3.6: one below 128), and ours is read",
    "cam-2.3.1": "numbers outside the root of the extensible INTEGER that selects a container are written as numbers in the root (X.691 §13.1)",
}
# Not compared: their encoding is COER, which Erlang does not have.
OTHERS = {"ieee1609dot2-2017", "ieee1609dot2-2022", "ts102941-2.2.1", "ts103097-1.3.1", "ts103097-2.1.1"}


def is_installed():
    return shutil.which("erl") is not None and shutil.which("erlc") is not None


def atom(name):
    import erlang

    return erlang.OtpErlangAtom(name.encode())


def binary(octets, bits=8):
    import erlang

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
                return binary(value.encode()) if shape["utf8"] else [ord(character) for character in value]
            case "choice":
                [(name, inner)] = value.items()
                return (atom(name), self.give(shape["alternatives"][name], inner))
            case "sequence":
                known = {one["name"]: one for one in shape["components"]}
                return {atom(name): self.give_component(known[name], inner, value) for name, inner in value.items()}
        return super().give(at, value)

    def take(self, at, value):
        import erlang

        shape = self.types[at]
        match shape["kind"]:
            case "boolean":
                return value
            case "integer":
                return value if isinstance(value, int) else shape["names"][name_of(value)]
            case "enumerated":
                return name_of(value)
            case "octets":
                return value.value.hex().upper()
            case "text":
                return value.value.decode() if isinstance(value, erlang.OtpErlangBinary) else "".join(map(chr, value))
            case "list":
                return [self.take(shape["element"], one) for one in value]
            case "choice":
                name = name_of(value[0])
                return {name: self.take(shape["alternatives"][name], value[1])}
            case "sequence":
                return super().take(at, {name_of(name): inner for name, inner in value.items()})
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

    def give_null(self, _):
        return atom("NULL")

    def take_null(self, value):
        return None if name_of(value) == "NULL" else ["not a null", str(value)]

    def give_bits(self, octets, length):
        return binary(octets, length % 8 or 8)

    def take_bits(self, value):
        octets = value.value
        return octets, len(octets) * 8 - (8 - value.bits if octets else 0)

    def give_real(self, value):
        return double(value)

    def take_real(self, value):
        return jer_of_double(value)

    def give_oid(self, value):
        return tuple(int(arc) for arc in value.split("."))

    def take_oid(self, value):
        return ".".join(map(str, value))

    give_relative_oid, take_relative_oid = give_oid, take_oid

    def selected(self, one, beside):
        """The type that a component beside an open type selects for it."""
        if one["selection"] is None or one["selection"]["by"] not in beside:
            return None
        return next((row for key, row in one["selection"]["rows"] if key == beside[one["selection"]["by"]]), None)

    def give_component(self, one, value, beside):
        row = self.selected(one, beside)
        if one["selection"] is None or row is not None and not is_octets(value):
            return self.give(one["type"] if row is None else row, value)
        # Octets in an open type with a table are said to be octets.
        return (atom("asn1_OPENTYPE"), self.give(one["type"], value))

    def take_component(self, one, value, beside):
        row = self.selected(one, beside)
        is_unknown = isinstance(value, tuple) and isinstance(value[0], type(atom("a"))) and name_of(value[0]) == "asn1_OPENTYPE"
        return self.take(one["type"] if row is None or is_unknown else row, value)

    def take_sequence(self, shape, value):
        """JER leaves out what equals its DEFAULT. Identifiers are read before what they select."""
        taken = {}
        for one in sorted(shape["components"], key=lambda one: one["selection"] is not None):
            if one["name"] in value:
                inner = self.take_component(one, value[one["name"]], taken)
                if not one["hasDefault"] or inner != one["default"]:
                    taken[one["name"]] = inner
        return taken

    def normal(self, at, value):
        shape = self.types[at]
        match shape["kind"], value:
            case "sequence", dict():
                known = {one["name"]: one for one in shape["components"]}

                def type_of(name):
                    row = self.selected(known[name], value)
                    return known[name]["type"] if row is None or is_octets(value[name]) else row

                return {name: self.normal(type_of(name), inner) for name, inner in value.items()}
            case "bits", {"value": digits, "length": length} if shape["named"]:
                # Zero bits at the end have no meaning (X.680 §22.7).
                return bin(int("1" + digits, 16))[3:][:length].rstrip("0")
        return super().normal(at, value)

    def give_open(self, octets):
        return binary(octets)

    def take_open(self, value):
        # Of a type that no row of the table has: {asn1_OPENTYPE, octets}.
        return (value[1] if isinstance(value, tuple) else value).value

    def give_utc_time(self, text):
        return [ord(character) for character in text]

    def take_utc_time(self, value):
        return "".join(map(chr, value))

    give_generalized_time, take_generalized_time = give_utc_time, take_utc_time


def is_octets(value):
    """Whether the value of an open type is octets, of a type that is known."""
    return isinstance(value, str) or isinstance(value, dict) and set(value) == {"..."}


def name_of(value):
    """An atom's name; the library has values of its own for three of them."""
    if value is None or isinstance(value, bool):
        return {None: "undefined", True: "true", False: "false"}[value]
    return value.value.decode() if isinstance(value.value, bytes) else value.value


class Erlang:
    rules = {"uper": "uper", "aper": "per"}

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.count = itertools.count()
        self.server = None

    def compile(self, files, rules):
        """Each module is a file of its own, of its name, and one Erlang module: those of one run must not have another's."""
        folder = self.folder / f"erlang_{os.getpid()}_{next(self.count)}"
        folder.mkdir()
        self.stop()
        waiting = {}
        for file in files:
            for name, text in modules_of(file.read_text()):
                (folder / f"{name}.asn1").write_text(text)
                waiting[name] = None
        # A module comes after those that it imports from.
        while waiting:
            left = {}
            for name in waiting:
                kind, answer = self.ask((atom("compile"), list(str(folder).encode()), atom(name), [atom(self.rules[rules])]))
                if kind != "ok":
                    left[name] = answer
            if len(left) == len(waiting):
                raise RuntimeError("; ".join(left.values()))
            waiting = left

    def encode(self, name, value):
        return self.call("encode", name, value).value

    def decode(self, name, octets):
        return self.call("decode", name, binary(octets))

    def call(self, what, name, argument):
        module, of = name.split(".")
        kind, answer = self.ask((atom(what), atom(module), atom(of), argument))
        if kind != "ok":
            raise RuntimeError(answer)
        return answer

    def ask(self, request):
        import erlang

        if self.server is None:
            self.start()
        octets = erlang.term_to_binary(request)
        self.requests.write(struct.pack(">I", len(octets)) + octets)
        self.requests.flush()
        [length] = struct.unpack(">I", self.answers.read(4))
        kind, answer = erlang.binary_to_term(self.answers.read(length))
        return name_of(kind), answer.value.decode() if name_of(kind) == "error" else answer

    def start(self):
        subprocess.run(["erlc", "-o", self.folder, HERE / "oracle.erl"], check=True)
        # The server's descriptors 3 and 4; 1 has what the compiler says.
        theirs, ours = os.pipe()
        read, written = os.pipe()
        command = f'exec erl -noshell -noinput -pa "$0" -s oracle serve 3<&{theirs} 4>&{written} >/dev/null 2>&1'
        self.server = subprocess.Popen(["bash", "-c", command, str(self.folder)], pass_fds=(theirs, written))
        os.close(theirs)
        os.close(written)
        self.requests, self.answers = os.fdopen(ours, "wb"), os.fdopen(read, "rb")

    def stop(self):
        """Modules of another run have the same names."""
        if self.server is not None:
            self.requests.close()
            self.answers.close()
            self.server.wait()
            self.server = None


def modules_of(text):
    heads = list(re.finditer(r"^([A-Z][A-Za-z0-9-]*)\s*(?:\{[^}]*\})?\s*DEFINITIONS\b", text, re.MULTILINE))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [(head.group(1), text[head.start() : end]) for head, end in zip(heads, ends)]


def main():
    options = arguments(__doc__)
    if not is_installed():
        print("NOT COMPARED: Erlang and its ASN.1 application are not installed (Debian: erlang-base, erlang-asn1, erlang-crypto)")
        return 0
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        erlang = Erlang(folder)
        for schema, files in shipped():
            if options.only in schema["name"] and schema["name"] not in OTHERS:
                for rules in Erlang.rules:
                    wrong += compare(options, erlang, schema, files, rules)
        erlang.stop()
    print(f"Erlang: {wrong} unexplained differences; not compared: {', '.join(sorted(OTHERS))}")
    return 1 if wrong else 0


def shipped():
    folder = schemas.FOLDERS[0]
    for schema in tomllib.loads((folder / "schemas.toml").read_text())["schema"]:
        files = [folder / file for file in schema["files"]]
        if all(file.suffix == ".asn" for file in files):
            yield schema, files


def compare(options, erlang, schema, files, rules):
    """Prints how many values are the same, and returns how many unexplained differences there are."""
    name, pdu = schema["name"], schema["pdus"][0]
    shapes, values = random_values(options, files, options.messages, pdu, max_elements=3, max_length=40, budget=100)
    walker, at = ErlangWalker(shapes, rules), shapes["definitions"][pdu]
    erlang.compile(files, rules)
    texts = values[pdu]
    ours = convert(options.roadwire, files, pdu, "jer", rules, texts)
    encoded, decoded, shown = 0, 0, None
    for text, octets in zip(texts, ours, strict=True):
        value = json.loads(text)
        theirs = attempt(lambda: erlang.encode(pdu, walker.give(at, value)).hex())
        again = attempt(lambda: walker.normal(at, walker.take(at, erlang.decode(pdu, bytes.fromhex(octets)))))
        encoded += theirs == octets
        decoded += again == walker.normal(at, value)
        if theirs != octets or again != walker.normal(at, value):
            shown = shown or (text, octets, theirs, again)
    count = len(texts)
    if count * 2 < options.messages:
        print(f"UNEXPLAINED {name}: only {count} values")
        return 1
    print(f"{name:16} {rules:5} {count} values: encoded {encoded}, decoded {decoded}" + (f" ({DIFFER[name]})" if name in DIFFER else ""))
    if name in DIFFER:
        if encoded == decoded == count:
            print(f"UNEXPECTED PASS {name}")
            return 1
        return 0
    if shown:
        print("UNEXPLAINED", *(f"    {cut(one)}" for one in shown), sep="\n")
    return 2 * count - encoded - decoded


if __name__ == "__main__":
    sys.exit(main())
