"""Compares the messages of the study of release 2 with other implementations: who has the same octets is what studies/today/confirmed.csv says. With --write, it is written there.

Takes the messages on standard input, each with schema, type, rules, name, octets and JER (X.697), as `cargo run -p roadwire-lab --example today` prints them.
An implementation reads the JER by itself and encodes the value; where an encoder has a choice (BER, OER) and its octets are others, it has to read ours as the same value, told by its DER.
"""

import argparse
import csv
import hashlib
import importlib.metadata
import io
import sys
import tempfile

import oracles
import schemas
from run import BY_VALUE, TEXT, Compiled

FILE = schemas.ROOT / "studies" / "today" / "confirmed.csv"


class Pycrate:
    def __init__(self, folder):
        self.inner = oracles.Pycrate(folder)
        self.name, self.rules = self.inner.name, self.inner.rules - TEXT

    def compile(self, files):
        return compiled(self.inner, files, None)

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
        self.name, self.rules = self.inner.name, set(self.inner.rules) - TEXT

    def compile(self, files):
        return {rules: compiled(self.inner, files, rules) for rules in ["jer", *sorted(self.rules)]}

    def encode(self, compiled, name, text, rules):
        name = name.split(".")[1]
        return compiled[rules].encode(name, compiled["jer"].decode(name, text.encode()))

    def read(self, compiled, name, octets, rules):
        name = name.split(".")[1]
        return compiled["der"].encode(name, compiled[rules].decode(name, octets))


def compiled(oracle, files, rules):
    """What an oracle makes of the modules, changed where it does not take them as they are."""
    made = Compiled(oracle, files, rules)
    if made.codec is None:
        raise ValueError(made.failed)
    return made.codec


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {FILE.relative_to(schemas.ROOT)}")
    parser.add_argument("--show", type=int, default=3, help="how many differences to show of each type and oracle")
    options = parser.parse_args()
    messages = [line.rstrip("\n").split(" ", 5) for line in sys.stdin]
    ders = {(schema, message): bytes.fromhex(octets) for schema, _, rules, message, octets, _ in messages if rules == "der"}
    confirmed, differ = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for oracle in [Asn1tools(folder), Pycrate(folder)]:
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
                    if not is_same and rules in BY_VALUE:
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
        FILE.write_text(table.getvalue())
    elif table.getvalue() != FILE.read_text():
        lines = set(table.getvalue().splitlines()) ^ set(FILE.read_text().splitlines())
        print(*(f"UNEXPLAINED {FILE.name}: {line}" for line in sorted(lines)), sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
