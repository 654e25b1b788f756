"""Compares the messages of a study with other implementations: who has the same octets is what studies/NAME/confirmed.csv says. With --write, it is written there.

Takes the messages on standard input, each with schema, type, rules, name, octets and JER (X.697), as `cargo run -p roadwire-lab --example NAME` prints them, NAME being `today` or `encodings`.
An implementation reads the JER by itself and encodes the value; where an encoder has a choice (BER, OER) and its octets are others, it has to read ours as the same value, told by its DER.
With --reader, the program `encodings`, text is compared as well, and where an implementation has other octets (it keeps the zero bits at the end of named bits in DER and CER, or writes text in
another form), it has to read ours as the same value, and we its octets. With --random-values, CBOR is compared.
"""

import argparse
import csv
import functools
import hashlib
import importlib.metadata
import io
import json
import subprocess
import sys
import tempfile

import oracles
import schemas
from run import BY_VALUE, TEXT, Compiled

# asn1tools has one XER, which is not the canonical one.
COMPARED_TEXT = {"jer", "xer"}


class Pycrate:
    def __init__(self, folder, without):
        self.inner = oracles.Pycrate(folder)
        self.name, self.rules = self.inner.name, self.inner.rules - without

    def compile(self, files):
        return compiled(self.inner, files, None)

    def encode(self, compiled, name, text, rules):
        self.inner.reset()
        this = self.inner.find(compiled, name)
        this.from_jer(text)
        octets = getattr(this, f"to_{rules}")()
        return octets.encode() if isinstance(octets, str) else octets

    def read(self, compiled, name, octets, rules):
        self.inner.reset()
        this = self.inner.find(compiled, name)
        getattr(this, f"from_{rules}")(octets)
        return this.to_der()

    def value(self, compiled, name, octets, rules):
        """What it reads, without bounds: bits at the end that have no meaning are not in the octets."""
        from pycrate_asn1rt.asnobj import ASN1Obj

        self.inner.reset()
        this = self.inner.find(compiled, name)
        ASN1Obj._SAFE_BND = False
        try:
            getattr(this, f"from_{rules}")(octets.decode() if rules in TEXT else octets)
            return plain(this.get_val())
        finally:
            ASN1Obj._SAFE_BND = True


class Asn1tools:
    def __init__(self, folder, without):
        self.inner = oracles.Asn1tools()
        self.name, self.rules = self.inner.name, set(self.inner.rules) - without

    def compile(self, files):
        return {rules: compiled(self.inner, files, rules) for rules in ["jer", *sorted(self.rules)]}

    def encode(self, compiled, name, text, rules):
        name = name.split(".")[1]
        return compiled[rules].encode(name, sent(compiled["jer"].decode(name, text.encode()), json.loads(text)))

    def read(self, compiled, name, octets, rules):
        name = name.split(".")[1]
        return compiled["der"].encode(name, compiled[rules].decode(name, octets))

    def value(self, compiled, name, octets, rules):
        return plain(compiled[rules].decode(name.split(".")[1], octets))


class Cbor2:
    """By the mapping that cbor_oracle.py writes down once more."""

    name, rules = "cbor2", {"cbor"}

    def __init__(self, program):
        self.program = program

    def compile(self, files):
        lines = subprocess.run([self.program, "0", "0", *map(str, files)], capture_output=True, text=True, check=True).stdout
        return json.loads(lines.splitlines()[0])

    def encode(self, shapes, name, text, _):
        import cbor2
        from cbor_oracle import Mapping

        return cbor2.dumps(Mapping(shapes["types"]).item(shapes["definitions"][name], json.loads(text)), canonical=True)


def sent(value, text):
    """The value without what is not in the text: asn1tools adds what has a DEFAULT, and writes that in XER and JER by its name."""
    match value, text:
        case dict(), dict():
            return {name: sent(value[name], inner) for name, inner in text.items() if name in value}
        case list(), list():
            return [sent(one, inner) for one, inner in zip(value, text, strict=True)]
        case (str() as name, inner), {**named} if name in named:
            return (name, sent(inner, named[name]))
    return value


def plain(value):
    """A value whose strings of bits end with their last one: named bits have no end."""
    match value:
        case dict():
            return {name: plain(inner) for name, inner in value.items()}
        case list():
            return [plain(inner) for inner in value]
        case (bytes() as octets, int() as length):
            return bin(int.from_bytes(b"\1" + octets, "big"))[3:][:length].rstrip("0")
        case (int() as number, int() as length):
            return f"{number:0{length}b}"[-length:].rstrip("0") if length else ""
        case (str() as name, inner):
            return (name, plain(inner))
    return value


@functools.cache
def read_by_us(program, message, rules, octets):
    """The octets that our codec writes after it has read these."""
    done = subprocess.run([program, "read"], input=f"{message} {rules} {octets.hex()}\n", capture_output=True, text=True, check=True)
    return done.stdout.strip()


def compiled(oracle, files, rules):
    """What an oracle makes of the modules, changed where it does not take them as they are."""
    made = Compiled(oracle, files, rules)
    if made.codec is None:
        raise ValueError(made.failed)
    return made.codec


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--study", default="today", help="the study whose file is compared")
    parser.add_argument("--reader", help="the example program encodings, for text")
    parser.add_argument("--random-values", help="the example program random_values, for CBOR")
    parser.add_argument("--write", action="store_true", help="write the study's confirmed.csv")
    parser.add_argument("--show", type=int, default=3, help="how many differences to show of each type and oracle")
    options = parser.parse_args()
    file = schemas.ROOT / "studies" / options.study / "confirmed.csv"
    without = TEXT - COMPARED_TEXT if options.reader else TEXT
    messages = [line.rstrip("\n").split(" ", 5) for line in sys.stdin]
    ders = {(schema, message): bytes.fromhex(octets) for schema, _, rules, message, octets, _ in messages if rules == "der"}
    confirmed, differ = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        implementations = [Asn1tools(folder, without), Pycrate(folder, without)]
        if options.random_values:
            implementations.append(Cbor2(options.random_values))
        for oracle in implementations:
            by, known = f"{oracle.name} {importlib.metadata.version(oracle.name)}", {}
            counts = {}
            for schema, name, rules, message, octets, text in messages:
                if rules not in oracle.rules:
                    continue
                if schema not in known:
                    try:
                        known[schema] = oracle.compile(schemas.files_of(schema))
                    except ValueError as error:  # it has no say
                        known[schema] = None
                        print(f"{oracle.name} does not compile {schema}: {str(error)[:200]}")
                if known[schema] is None:
                    continue
                octets = bytes.fromhex(octets)
                same, total, shown = counts.setdefault((name, rules), [0, 0, 0])
                try:
                    found = oracle.encode(known[schema], name, text, rules)
                    is_same = found == octets
                    if not is_same and options.reader:
                        is_read = oracle.value(known[schema], name, octets, rules) == oracle.value(known[schema], name, text.encode(), "jer")
                        is_same = is_read and read_by_us(options.reader, message, rules, found) == octets.hex()
                    elif not is_same and rules in BY_VALUE:
                        is_same = oracle.read(known[schema], name, octets, rules) == ders[schema, message]
                    fault = None if is_same else f"has {found.hex()[:200]} for {octets.hex()[:200]}"
                except Exception as error:  # whatever a library throws is a finding
                    fault = f"{type(error).__name__}: {str(error)[:200]}"
                if fault is None:
                    confirmed.setdefault((message, rules), []).append(by)
                elif shown < options.show:
                    print(f"{oracle.name} {rules} {message}: {fault}")
                    shown += 1
                differ += fault is not None
                counts[name, rules] = [same + (fault is None), total + 1, shown]
            for (name, rules), (same, total, _) in counts.items():
                print(f"{name:48} {rules:5} {oracle.name:10} {same} of {total} messages the same")
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["message", "rules", "sha256", "by"])
    for _, _, rules, message, octets, _ in messages:
        if (message, rules) in confirmed:
            digest = hashlib.sha256(bytes.fromhex(octets)).hexdigest()[:32]
            writer.writerow([message, rules, digest, " and ".join(confirmed[message, rules])])
    print(f"{len(confirmed)} of {len(messages)} messages are confirmed; {differ} times an implementation has it otherwise")
    if options.write:
        file.write_text(table.getvalue())
    elif table.getvalue() != file.read_text():
        lines = set(table.getvalue().splitlines()) ^ set(file.read_text().splitlines())
        print(*(f"UNEXPLAINED {options.study}/{file.name}: {line}" for line in sorted(lines)), sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
