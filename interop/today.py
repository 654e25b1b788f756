"""Compares the messages of the study of release 2 with other implementations, and writes down who has the same octets.

Takes the messages on standard input, each with schema, type, rules, name, octets and JER (X.697), as `cargo run -p roadwire-lab --example today` prints them.
An implementation reads the JER by itself and encodes the value; where an encoder has a choice (BER, OER) and its octets are others, it has to read ours as the same value, told by its DER.
"""

import argparse
import contextlib
import csv
import hashlib
import importlib.metadata
import io
import pathlib
import re
import sys
import tempfile
import tomllib

import oracles
import schemas

FILE = schemas.ROOT / "studies" / "today" / "confirmed.csv"
# Encoders have no choice (X.691, X.696 for COER, X.690 for DER and CER).
CANONICAL = {"uper", "aper", "coer", "der", "cer"}


class Pycrate:
    def __init__(self, folder):
        self.inner = oracles.Pycrate(folder)
        self.name, self.rules = self.inner.name, self.inner.rules - {"jer"}

    def compile(self, files):
        return self.inner.compile(files, None)

    def encode(self, compiled, name, text, rules):
        self.inner.reset()
        this = self.inner.find(compiled, name)
        this.from_jer(text)
        return getattr(this, f"to_{rules}")()

    def read(self, compiled, name, octets, rules):
        self.inner.reset()
        this = self.inner.find(compiled, name)
        getattr(this, f"from_{rules}")(octets)
        return this.to_der()


class Asn1tools:
    def __init__(self, folder):
        self.inner = oracles.Asn1tools()
        self.name, self.rules = self.inner.name, set(self.inner.rules) - {"jer", "xer", "cxer"}

    def compile(self, files):
        return {rules: self.inner.compile(files, rules) for rules in [*self.rules, "jer"]}

    def encode(self, compiled, name, text, rules):
        name = name.split(".")[1]
        return compiled[rules].encode(name, compiled["jer"].decode(name, text.encode()))

    def read(self, compiled, name, octets, rules):
        name = name.split(".")[1]
        return compiled["der"].encode(name, compiled[rules].decode(name, octets))


def files_of(name):
    """The module files of a schema, also of one that `schemas.named` leaves out."""
    for folder in schemas.FOLDERS:
        for schema in tomllib.loads((folder / "schemas.toml").read_text())["schema"]:
            if schema["name"] == name:
                return [folder / file for file in schema["files"]]
    raise ValueError(f"there is no schema {name}")


def without_inner_subtyping(text):
    """Inner subtyping (X.680 §51.8) is in no encoding, and neither implementation reads all of it."""
    kept, at = [], 0
    for found in re.finditer(r"\((\(?WITH COMPONENT|ImplicitCertificate)", text):
        if found.start() < at:
            continue
        kept.append(text[at : found.start()])
        depth, at = 0, found.start()
        while True:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if depth == 0:
                break
    text = "".join(kept) + text[at:]
    # pycrate does not read this union of values and a range, whose bounds are these, nor a size of a reference to a type with one.
    text = text.replace("(unknown | passengerCar..tram | agricultural)", "(0..14)")
    return text.replace("SequenceOfCartesianPosition3d (SIZE (3..16, ...))", "SEQUENCE (SIZE (3..16, ...)) OF CartesianPosition3d")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {FILE.relative_to(schemas.ROOT)}")
    parser.add_argument("--show", type=int, default=3, help="how many differences to show of each type and oracle")
    options = parser.parse_args()
    messages = [line.rstrip("\n").split(" ", 5) for line in sys.stdin]
    ders = {(schema, message): bytes.fromhex(octets) for schema, _, rules, message, octets, _ in messages if rules == "der"}
    confirmed, differ = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        modules = {}
        for schema in {message[0] for message in messages}:
            modules[schema] = [pathlib.Path(folder) / f"{schema}-{file.name}" for file in files_of(schema)]
            for file, path in zip(files_of(schema), modules[schema]):
                path.write_text(without_inner_subtyping(file.read_text()))
        for oracle in [Asn1tools(folder), Pycrate(folder)]:
            by, known = f"{oracle.name} {importlib.metadata.version(oracle.name)}", {}
            counts = {}
            for schema, name, rules, message, octets, text in messages:
                if rules not in oracle.rules:
                    continue
                if schema not in known:
                    try:
                        with contextlib.redirect_stdout(io.StringIO()):
                            known[schema] = oracle.compile(modules[schema])
                    except Exception as error:  # whatever a library throws: it has no say
                        known[schema] = None
                        print(f"{oracle.name} does not compile {schema}: {type(error).__name__}: {str(error)[:200]}")
                if known[schema] is None:
                    continue
                octets = bytes.fromhex(octets)
                same, total, shown = counts.setdefault((name, rules), [0, 0, 0])
                try:
                    found = oracle.encode(known[schema], name, text, rules)
                    is_same = found == octets
                    if not is_same and rules not in CANONICAL:
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
    if options.write:
        with FILE.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["message", "rules", "sha256", "by"])
            for _, _, rules, message, octets, _ in messages:
                if (message, rules) in confirmed:
                    digest = hashlib.sha256(bytes.fromhex(octets)).hexdigest()[:32]
                    writer.writerow([message, rules, digest, " and ".join(confirmed[message, rules])])
    print(f"{len(confirmed)} of {len(messages)} messages are confirmed; {differ} times an implementation has it otherwise")


if __name__ == "__main__":
    main()
