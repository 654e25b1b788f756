"""Compares roadwire's encodings with other implementations', octet for octet. README.md says how to run it and how to read what it prints."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

import oracles

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# Those that known_differences.toml is written for: every difference in it shows.
USUAL = {"seed": 5, "messages": 300, "values": 120}


def main():
    options = arguments()
    sys.set_int_max_str_digits(0)
    known = Known(HERE / "known_differences.toml")
    with tempfile.TemporaryDirectory() as folder:
        adapters = oracles.adapters(folder)
        runs = [Run(options, rules, known, adapters) for rules in options.rules.split(",")]
        for run in runs:
            for job in jobs(options):
                run.job(job)
    faults = sum(run.report() for run in runs)
    return summary(options, known, faults, sum(run.explained for run in runs))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--roadwire", required=True, help="the roadwire program")
    parser.add_argument("--random-values", required=True, help="the example program random_values")
    parser.add_argument("--seed", type=int, default=USUAL["seed"])
    parser.add_argument("--messages", type=int, default=USUAL["messages"], help="how many values of each shipped message")
    parser.add_argument("--values", type=int, default=USUAL["values"], help="how many values of each type of the modules")
    parser.add_argument("--rules", default="uper", help="the encoding rules, with commas between them")
    parser.add_argument("--only", default="", help="only jobs whose name contains this")
    parser.add_argument("--show", type=int, default=2, help="how many differences of each kind are shown in full")
    return parser.parse_args()


class Job:
    """Module files that belong together, and how many values of which types."""

    def __init__(self, name, files, count, only=None):
        self.name, self.files, self.count, self.only = name, files, count, only


def jobs(options):
    found = []
    schemas = tomllib.loads((ROOT / "schemas" / "schemas.toml").read_text())["schema"]
    for schema in schemas:
        files = [ROOT / "schemas" / file for file in schema["files"]]
        found.append(Job(schema["name"], files, options.messages, schema["pdus"][0]))
    for file in sorted((HERE / "modules").glob("*.asn")):
        # Values of many thousand octets: one of each kind is enough.
        found.append(Job(file.stem, [file], 2 if file.stem == "fragments" else options.values))
    return [job for job in found if options.only in job.name]


class Known:
    """Differences that are not roadwire's fault, each with the reason. One that does not show up any more is an error too."""

    def __init__(self, file):
        self.rows = tomllib.loads(file.read_text())["difference"]
        self.met, self.seen = set(), set()

    def covers(self, rules, oracle, name, direction, got):
        """Whether a difference is written down: by type, by what the library says, or both."""
        found = False
        for at, row in enumerate(self.rows):
            if row["oracle"] == oracle and direction in row["directions"] and rules in row.get("rules", [rules]):
                if name in row.get("types", [name]) and re.search(row.get("says", ""), str(got), re.DOTALL):
                    self.met.add((at, rules, name, direction))
                    found = True
        return found

    def passes(self, whole):
        """Rows, and types in them, that were looked at without a difference. `whole`: every module was looked at."""
        looked_at = {rules for rules, *_ in self.seen}
        for at, row in enumerate(self.rows):
            met = {one[1:] for one in self.met if one[0] == at}
            for rules in sorted(looked_at.intersection(row.get("rules", looked_at))):
                if whole and not any(rules == one for one, *_ in met):
                    yield f"{rules}: {row['oracle']}: {row['what']}"
                for name in row.get("types", []):
                    for direction in row["directions"]:
                        if (rules, row["oracle"], name, direction) in self.seen and (rules, name, direction) not in met:
                            yield f"{rules}: {row['oracle']} {name} ({direction}): {row['what']}"
            for name in row.get("types", []):
                if whole and not any(name == seen for *_, seen, _ in self.seen):
                    yield f"{row['oracle']} {name}: there is no such type"


class Run:
    """Everything under one set of rules."""

    def __init__(self, options, rules, known, adapters):
        self.options, self.rules, self.known, self.adapters = options, rules, known, adapters
        self.table, self.faults, self.explained = [], [], 0

    def job(self, job):
        shapes, values = self.values(job)
        compiled = {}
        for oracle in self.adapters:
            try:
                compiled[oracle.name] = oracle.compile(job.files, self.rules)
                failed = None
            except (Exception, SystemExit) as error:  # whatever a library throws is a finding
                failed = f"{type(error).__name__}: {error}"
            self.known.seen.add((self.rules, oracle.name, job.name, "compile"))
            if failed and not self.known.covers(self.rules, oracle.name, job.name, "compile", failed):
                self.faults.append(f"{oracle.name} does not compile {job.name}: {failed[:300]}")
        for name, texts in values.items():
            self.type(job, shapes, name, texts, compiled)

    def values(self, job):
        """Half of the values with few extension additions, half with nearly all of them."""
        shapes, values = None, {}
        for batch, chance in enumerate([20, 97]):
            count = job.count // 2
            command = [self.options.random_values, str(self.options.seed + batch), str(count), f"extensions={chance}"]
            # What encodings by tag carry of what is not known.
            command.append(f"tagged={int(self.rules in ('ber', 'der'))}")
            if job.only:
                command.append(f"type={job.only}")
            lines = output(command + [str(file) for file in job.files]).splitlines()
            shapes = json.loads(lines[0])
            for line in lines[1:]:
                name, text = line.split("\t", 1)
                values.setdefault(name, []).append(text)
        return shapes, values

    def roadwire(self, job, name, source, target, lines):
        command = [self.options.roadwire, "convert", "-t", name, "--from", source, "--to", target, "--lines"]
        for file in job.files:
            command += ["-m", str(file)]
        return output(command, "".join(line + "\n" for line in lines), check=False).splitlines()

    def type(self, job, shapes, name, texts, compiled):
        values = [normal(json.loads(text)) for text in texts]
        ours = self.roadwire(job, name, "jer", self.rules, texts)
        if len(ours) != len(values):
            self.faults.append(f"roadwire {name}: {len(values)} values gave {len(ours)} lines")
            return
        back = self.roadwire(job, name, self.rules, "jer", ours)
        row = {"roadwire": Count(len(values))}
        for text, value, octets, again in zip(texts, values, ours, back):
            same = not again.startswith("error") and normal(json.loads(again)) == value
            row["roadwire"].add(same)
            if not same:
                self.fault("roadwire", name, "round trip", text, octets, again)
        for oracle in self.adapters:
            if oracle.name in compiled:
                self.oracle(oracle, compiled[oracle.name], job, shapes, name, texts, values, ours, row)
        self.table.append((f"{job.name} {name.split('.')[1]}" if job.only else name, row))

    def oracle(self, oracle, compiled, job, shapes, name, texts, values, ours, row):
        at, walker = shapes["definitions"][name], oracle.walker(shapes)
        encoded, decoded = [], []
        for value, octets in zip(values, ours):
            encoded.append(attempt(lambda: oracle.encode(compiled, self.rules, name, walker.give(at, value)).hex()))
            decoded.append(attempt(lambda: walker.take(at, oracle.decode(compiled, self.rules, name, bytes.fromhex(octets)))))
        for direction, theirs, wanted in [("encode", encoded, ours), ("decode", decoded, values)]:
            count = row[oracle.name, direction] = Count(len(values))
            self.known.seen.add((self.rules, oracle.name, name, direction))
            for text, octets, got, want in zip(texts, ours, theirs, wanted):
                count.add(got == want)
                if got != want and self.known.covers(self.rules, oracle.name, name, direction, got):
                    count.known += 1
                elif got != want:
                    self.fault(oracle.name, name, direction, text, octets, got)
            self.explained += count.known

    def fault(self, who, name, direction, text, octets, got):
        self.faults.append(f"{self.rules}: {who} {name} ({direction})\n    value    {cut(text)}\n    roadwire {cut(octets)}\n    {who:8} {cut(got)}")

    def report(self):
        """Prints the table and what is unexplained, and tells how much that is."""
        print(f"\n{self.rules}")
        columns = ["roadwire"] + [(one.name, way) for one in self.adapters for way in ["encode", "decode"]]
        heads = ["roadwire"] + [f"{one.name} {way}" for one in self.adapters for way in ["encode", "decode"]]
        print(f"{'type':44} {'values':>6}  " + "  ".join(f"{head:>16}" for head in heads))
        totals = {column: Count(0) for column in columns}
        for name, row in self.table:
            cells = []
            for column in columns:
                cells.append(row.get(column))
                if column in row:
                    totals[column].total += row[column].total
                    totals[column].same += row[column].same
            print(f"{name:44} {row['roadwire'].total:6}  " + "  ".join(f"{cell(one):>16}" for one in cells))
        print(f"{'all':44} {totals['roadwire'].total:6}  " + "  ".join(f"{cell(totals[c], True):>16}" for c in columns))
        shown = {}
        for fault in self.faults:
            kind = fault.split("\n")[0]
            shown[kind] = shown.get(kind, 0) + 1
            if shown[kind] <= self.options.show:
                print(f"\nUNEXPLAINED {fault}")
        return len(self.faults)


def summary(options, known, faults, explained):
    # Other values may miss a difference by chance.
    usual = all(getattr(options, key) == usual for key, usual in USUAL.items())
    passes = list(known.passes(not options.only)) if usual else []
    for one in passes:
        print(f"\nUNEXPECTED PASS {one}")
    print(f"\n{faults} unexplained differences, {explained} explained ones, {len(passes)} unexpected passes")
    return 1 if faults or passes else 0


class Count:
    def __init__(self, total):
        self.total, self.same, self.known = total, 0, 0

    def add(self, same):
        self.same += same


def cell(count, always=False):
    if count is None:
        return "not compiled"
    if count.same == count.total and not always:
        return "same"
    return f"{count.same}/{count.total}" + (" known" if 0 < count.known == count.total - count.same else "")


def attempt(function):
    try:
        return function()
    except Exception as error:  # whatever a library throws is a finding
        return f"{type(error).__name__}: {error}"


def normal(value):
    """An open type's octets are written in two ways, by whether something tells their type."""
    match value:
        case {"...": str(octets)} if len(value) == 1:
            return octets
        case dict():
            return {name: normal(inner) for name, inner in value.items()}
        case list():
            return [normal(one) for one in value]
    return value


def cut(text, most=300):
    text = str(text)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def output(command, text=None, check=True):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if check and done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
