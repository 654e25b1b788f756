"""One job under one set of encoding rules: random values, encoded and decoded by roadwire and by the oracles."""

import json
import re
import subprocess
import sys

import oracles

# Rules that give an encoder a choice, or whose text has several forms: roadwire decodes what an oracle encodes, and the values are compared.
# Under all other rules the octets are compared.
BY_VALUE = {"oer", "ber", "jer", "xer", "cxer"}
# Many small values find more than few large ones, and the oracles are slow.
SMALL = ["max_elements=12", "max_length=40", "budget=200"]
MARKUP = {"xer", "cxer"}
TEXT = MARKUP | {"jer"}


class Job:
    """Module files that belong together, and how many values of which types."""

    def __init__(self, name, files, count, only=None):
        self.name, self.files, self.count, self.only = name, files, count, only


class Count:
    """Values that were compared: how many in total, how many agree, and how many differ in a known way."""

    def __init__(self, total):
        self.total, self.same, self.known = total, 0, 0


class Found:
    """The result of a job under one set of rules."""

    def __init__(self, rules):
        self.rules = rules
        # What is printed: rows of the table, as (type, {column: Count}), and what is unexplained.
        self.rows, self.faults = [], []
        # Changes to the text of the modules, as (oracle, module, change, number of places).
        self.rewritten = []
        # What `Known.passes` takes.
        self.met, self.seen = set(), set()


class Compiled:
    """What an oracle makes of module files (`codec`): of their text as it is, or, where that has `failed`, of their text after as few `changes` as it takes, if any do."""

    def __init__(self, oracle, files, rules):
        texts, self.changes = [file.read_text() for file in files], []
        self.codec, self.failed = attempted(oracle, texts, rules)
        for rewrite in oracle.rewrites(rules) if self.failed else []:
            texts, places = rewrite.of(texts)
            if places:
                self.changes.append((rewrite.what, places))
                self.codec, failed = attempted(oracle, texts, rules)
                if not failed:
                    break


def attempted(oracle, texts, rules):
    try:
        return oracle.compile(texts, rules), None
    except (Exception, SystemExit) as error:  # whatever a library throws is a finding
        return None, f"{type(error).__name__}: {error}"


class Run:
    def __init__(self, options, rules, known, adapters, job):
        self.options, self.rules, self.known, self.job = options, rules, known, job
        self.adapters = [one for one in adapters if rules in one.rules]
        self.found = Found(rules)

    def run(self):
        self.shapes, values = self.values()
        self.plain = oracles.Walker(self.shapes, self.rules)
        compiled = {}
        for oracle in self.adapters:
            self.found.seen.add((self.rules, oracle.name, self.job.name, "compile"))
            made = Compiled(oracle, self.job.files, self.rules)
            if made.failed and not self.explained(oracle.name, self.job.name, "compile", made.failed):
                self.found.faults.append(f"{self.rules}: {oracle.name} does not compile {self.job.name}\n    {made.failed[:300]}")
            if made.codec is not None:
                compiled[oracle.name] = made.codec
                self.found.rewritten += [(oracle.name, self.job.name, *change) for change in made.changes]
        for name, texts in values.items():
            self.type(name, texts, compiled)
        return self.found

    def values(self):
        """Half of the values with few extension additions, half with nearly all of them."""
        shapes, values = None, {}
        for batch, chance in enumerate([20, 97]):
            count = self.job.count // 2
            command = [self.options.random_values, str(self.options.seed + batch), str(count), f"extensions={chance}", *SMALL]
            # Unknown parts of values are then such that encodings by tag can represent them.
            command.append(f"tagged={int(self.rules in oracles.TAGGED)}")
            # The second half has contents in its open types, the first one octets.
            command.append(f"open_types={batch}")
            if self.job.only:
                command.append(f"type={self.job.only}")
            lines = output(command + [str(file) for file in self.job.files])
            shapes = json.loads(lines[0])
            for line in lines[1:]:
                name, text = line.split("\t", 1)
                kept = values.setdefault(name, [])
                kept.append(in_markup(text) if self.rules in MARKUP else text)
        return shapes, values

    def roadwire(self, name, source, target, lines):
        return convert(self.options.roadwire, self.job.files, name, source, target, lines)

    def type(self, name, texts, compiled):
        at = self.shapes["definitions"][name]
        values = [self.plain.normal(at, json.loads(text)) for text in texts]
        ours = self.roadwire(name, "jer", self.rules, texts)
        if len(ours) != len(values):
            self.found.faults.append(f"{self.rules}: roadwire {name}: {len(values)} values gave {len(ours)} lines")
            return
        row = {"roadwire": Count(len(values))}
        for text, value, octets, again in zip(texts, values, ours, self.read(name, ours)):
            # An empty encoding is an empty line, which roadwire does not take as one.
            again = value if octets == "" else again
            self.judge("roadwire", name, "round trip", row["roadwire"], again == value, (text, octets, again))
        for oracle in self.adapters:
            if oracle.name in compiled:
                self.oracle(oracle, compiled[oracle.name], name, texts, values, ours, row)
        self.found.rows.append((self.title(name), row))

    def title(self, name):
        """A type's name here and in known_differences. Several versions of a message have the same name: it is that of the schema, and the type's."""
        return f"{self.job.name} {name.split('.')[1]}" if self.job.only else name

    def read(self, name, lines):
        """What roadwire decodes: values, or its errors."""
        at = self.shapes["definitions"][name]
        found = self.roadwire(name, self.rules, "jer", lines)
        return [one if one.startswith("error") else self.plain.normal(at, json.loads(one)) for one in found]

    def oracle(self, oracle, compiled, name, texts, values, ours, row):
        if not self.job.only:
            texts, values, ours = texts[:: oracle.step], values[:: oracle.step], ours[:: oracle.step]
        at, walker = self.shapes["definitions"][name], oracle.walker(self.shapes, self.rules, compiled)
        wanted = [walker.normal(at, json.loads(text)) for text in texts]
        encoded, decoded = [], []
        for text, octets in zip(texts, ours):
            given = json.loads(text)
            written = attempt(lambda: line(self.rules, oracle.encode(compiled, self.rules, name, walker.give(at, given))))
            encoded.append(written)
            wire = octets.encode() if self.rules in TEXT else bytes.fromhex(octets)
            decoded.append(attempt(lambda: walker.normal(at, walker.take(at, oracle.decode(compiled, self.rules, name, wire)))))
        same = [got == want for got, want in zip(encoded, ours)]
        if self.rules in BY_VALUE:
            others = [index for index, this in enumerate(same) if not this]
            for index, value in zip(others, self.read(name, [encoded[index] for index in others])):
                same[index] = value == values[index]
        row[oracle.name, "encode"] = Count(len(values))
        row[oracle.name, "decode"] = Count(len(values))
        for direction, theirs, agree in [("encode", encoded, same), ("decode", decoded, [a == b for a, b in zip(decoded, wanted)])]:
            self.found.seen.add((self.rules, oracle.name, self.title(name), direction))
            for text, octets, got, this in zip(texts, ours, theirs, agree):
                self.judge(oracle.name, name, direction, row[oracle.name, direction], this, (text, octets, got))

    def judge(self, who, name, direction, count, same, case):
        text, octets, got = case
        count.same += same
        if same:
            return
        if self.explained(who, self.title(name), direction, got):
            count.known += 1
        else:
            self.found.faults.append(
                f"{self.rules}: {who} {name} ({direction})\n    value    {cut(text)}\n    roadwire {cut(octets)}\n    {who:8} {cut(got)}"
            )

    def explained(self, who, name, direction, got):
        rows = self.known.covering(self.rules, who, name, direction, got)
        self.found.met.update((at, self.rules, name, direction) for at in rows)
        return bool(rows)


def convert(roadwire, files, name, source, target, lines):
    """The output of `roadwire convert` for lines, each a value or its encoding."""
    command = [roadwire, "convert", "-t", name, "--from", source, "--to", target, "--lines"]
    for file in files:
        command += ["-m", str(file)]
    return output(command, "".join(line + "\n" for line in lines), check=False)


def in_markup(text):
    """Replaces characters that XML does not have or may change: X.693 §8.3.4 has names for control characters that asn1tools does not
    know, and a line end would end the line."""

    def plain(value):
        match value:
            case str():
                return re.sub("[\x00-\x1f]", " ", re.sub("[\ufffe\uffff]", "~", value))
            case list():
                return [plain(one) for one in value]
            case dict():
                return {name: plain(inner) for name, inner in value.items()}
        return value

    return json.dumps(plain(json.loads(text)), ensure_ascii=False, separators=(",", ":"))


def attempt(function):
    try:
        return function()
    except Exception as error:  # whatever a library throws is a finding
        return f"{type(error).__name__}: {error}"


def line(rules, encoding):
    """An encoding on one line, as `roadwire convert --lines` has it."""
    if rules not in TEXT:
        return encoding.hex()
    text = encoding if isinstance(encoding, str) else encoding.decode()
    return text.replace("\n", "&#10;" if rules in MARKUP else " ")


def cut(text, most=300):
    text = str(text)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def output(command, text=None, check=True):
    """The lines that a program prints; only a line feed ends a line."""
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if check and done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout.split("\n")[:-1]
