"""Holds the lines "Agree: ..." of the Markdown conformance cases against the oracles; with --write, writes them.

An implementation agrees with a section if it encodes each of its values into the same octets, and decodes those into the same value. Under rules that leave an encoder a
choice, what it writes may be another encoding that roadwire reads as the same value.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import oracles
import run as runs

CASES = pathlib.Path(__file__).resolve().parent.parent / "crates" / "cases"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random-values", required=True, help="the example program random_values")
    parser.add_argument("--roadwire", required=True, help="the roadwire program")
    parser.add_argument("--rules", default="", help="the encoding rules, with commas between them; without it, all that a folder of cases is for and an oracle knows")
    parser.add_argument("--write", action="store_true", help="write the lines instead of checking them")
    options = parser.parse_args()
    wrong, count = [], {}
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options, oracles.libraries(folder), pathlib.Path(folder))
        known = {rules for adapter in run.adapters for rules in adapter.rules}
        for rules in options.rules.split(",") if options.rules else sorted(one.name for one in CASES.iterdir() if one.name in known):
            for file in sorted((CASES / rules).glob("*.md")):
                if file.name != "README.md":
                    wrong += run.file(rules, file, count)
    for line, sections in sorted(count.items(), key=lambda one: str(one[0])):
        print(f"{sections:4} sections  {line or 'no values with octets'}")
    if not options.write:
        print(*wrong, sep="\n")
    return 1 if wrong and not options.write else 0


class Run:
    def __init__(self, options, adapters, folder):
        self.options, self.adapters, self.folder, self.count = options, adapters, folder, 0

    def file(self, rules, file, count):
        """The sections of a file with a wrong line; counts all sections by line."""
        wrong = []
        head, *sections = re.split(r"(?m)^(?=## )", file.read_text())
        written = [head]
        for section in sections:
            agree, section_now = self.checked(rules, section)
            key = agree and f"{rules}: {agree}"
            count[key] = count.get(key, 0) + 1
            if section_now != section:
                wrong.append(f"{rules}/{file.name}: {section.splitlines()[0]}: it is `{agree}`")
            written.append(section_now)
        if self.options.write:
            file.write_text("".join(written))
        return wrong

    def checked(self, rules, section):
        """The section's line, and the section with that line below its heading."""
        cases = read(rules, section)
        title, rest = section.split("\n", 1)
        rest = re.sub(r"^\nAgree: .*\n", "", rest)
        if not any(values for _, values in cases):
            return None, f"{title}\n{rest}"
        names = [oracle.name for oracle in self.adapters if rules in oracle.rules and all(self.agrees(rules, oracle, *case) for case in cases)]
        line = f"Agree: {', '.join(names)}." if names else "Agree: none, derived by hand."
        return line, f"{title}\n\n{line}\n{rest}"

    def agrees(self, rules, oracle, text, values):
        if "DEFINITIONS" not in text:
            text = f"Case DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{text}\nEND\n"
        self.count += 1
        file = self.folder / f"case_{self.count}.asn"
        file.write_text(text)
        module, body = text.split()[0], text.split("BEGIN", 1)[1]
        name = f"{module}.{body.split()[0]}"
        command = [self.options.random_values, "1", "0", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        shapes = json.loads(done.stdout.splitlines()[0])
        at = shapes["definitions"][name]
        try:
            compiled = oracle.compile([text], rules)
            walker = oracle.walker(shapes, rules, compiled)
            for value, octets in values:
                wanted = walker.normal(at, value)
                written = runs.line(rules, oracle.encode(compiled, rules, name, walker.give(at, value)))
                if written != octets:
                    if rules not in runs.BY_VALUE:
                        return False
                    [read] = runs.convert(self.options.roadwire, [file], name, rules, "jer", [written])
                    if read.startswith("error") or walker.normal(at, json.loads(read)) != wanted:
                        return False
                wire = octets.encode() if rules in runs.TEXT else bytes.fromhex(octets)
                if walker.normal(at, walker.take(at, oracle.decode(compiled, rules, name, wire))) != wanted:
                    return False
        except (Exception, SystemExit):  # whatever a library throws: it does not agree
            return False
        return True


def read(rules, section):
    """For each module its values with their octets."""
    cases = []
    blocks = re.findall(r"(?ms)^```(\w+)\n(.*?)^```", section)
    for (kind, text), (following, octets) in zip(blocks, blocks[1:] + [("", "")]):
        if kind == "asn1":
            cases.append((text, []))
        if kind == "value" and following == rules and rules in runs.TEXT:
            cases[-1][1].append((json.loads(repeated(text)), repeated(octets).removesuffix("\n")))
        elif kind == "value" and following in (rules, "bits"):
            digits = re.sub(r"\s", "", "".join(line.split("--")[0] for line in repeated(octets).splitlines()))
            if following == "bits":
                digits = digits.ljust(max(8, -(-len(digits) // 8) * 8), "0")
                digits = int(digits, 2).to_bytes(len(digits) // 8, "big").hex()
            cases[-1][1].append((json.loads(repeated(text)), digits))
    return cases


def repeated(text):
    """`‹text›×N` is the text N times."""
    return re.sub(r"(?s)‹(.*?)›×(\d+)", lambda found: found[1] * int(found[2]), text)


if __name__ == "__main__":
    sys.exit(main())
