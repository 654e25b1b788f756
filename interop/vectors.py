"""Writes crates/messages/tests/vectors: random values of every type, and the octets on which roadwire and other implementations agree.

One file for each shipped schema and each module of modules/. Its first line says which, and by which letter an implementation goes; each other line has a type, the text of a value in JER, and
for each set of rules a list. The list begins with what roadwire writes, and those that write the same octets (that read them, where an encoder has a choice) and read them as the value.
What else follows under such rules is what another implementation writes for the value and reads as it. In place of a list there is the name of other rules that have the same one. Octets on which nobody agrees are not there: known_differences says why.
"""

import argparse
import concurrent.futures
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import compare
import exi
import oracles
import protobuf_oracle as protobuf
import run
import schemas
import values
from erlang_oracle import Erlang

FOLDER = schemas.ROOT / "crates" / "messages" / "tests" / "vectors"
LETTERS = {"asn1tools": "a", "pycrate": "p", "erlang": "o", "protobuf": "g", "exificient": "e"}
# Small values, so that the files are small.
SMALL = ["max_elements=5", "max_length=20", "budget=60", "tagged=1"]
# Longer ones are left out; so are their texts.
MOST_TEXT, MOST_MARKUP = 6000, 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--roadwire", required=True, help="the roadwire program")
    parser.add_argument("--random-values", required=True, help="the example program random_values")
    parser.add_argument("--classes", required=True, help="the class path of EXIficient and its driver")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--messages", type=int, default=6, help="how many values of each shipped message")
    parser.add_argument("--values", type=int, default=2, help="how many values of each type of the modules")
    parser.add_argument("--only", default="", help="only schemas and modules whose name contains this")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many work at once")
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    # Values of 16K and more are not for a file.
    jobs = [job for job in (run.Job(*job) for job in values.jobs(options)) if job.name != "fragments"]
    if not options.only:
        for file in FOLDER.glob("*.jsonl"):
            file.unlink()
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        for name, count, octets in pool.map(work, [options] * len(jobs), jobs):
            print(f"{name:24} {count:5} vectors {octets:8} octets", flush=True)


def work(options, job):
    """Writes the file of a job: how many vectors, and how long it is."""
    sys.set_int_max_str_digits(0)
    with tempfile.TemporaryDirectory() as folder:
        found = Job(options, job, pathlib.Path(folder)).lines()
    versions = {name: importlib.metadata.version(name) for name in ["asn1tools", "pycrate", "protobuf"]}
    erlang = Erlang(".")
    versions |= {"erlang": f"asn1 {erlang.version()}"} if erlang.is_installed() else {}
    versions |= {"exificient": "1.0.7"}
    relative = [str(file.relative_to(schemas.ROOT)) for file in job.files]
    for line in found:
        # Rules with the same octets as earlier rules have the name of those in place of the list.
        known = {}
        for rules in list(line)[2:]:
            first = known.setdefault(json.dumps(line[rules]), rules)
            if first != rules:
                line[rules] = first
    head = {"modules": relative, "oracles": {LETTERS[name]: f"{name} {version}" for name, version in versions.items()}}
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in [head, *found])
    (FOLDER / f"{job.name}.jsonl").write_text(text)
    return job.name, sum(len(line) - 2 for line in found), len(text.encode())


class Job:
    def __init__(self, options, job, folder):
        self.options, self.job, self.folder = options, job, folder
        self.modules = [argument for file in job.files for argument in ("-m", str(file))]

    def lines(self):
        shapes, values = self.values()
        lines = {(name, text): {"type": name, "value": text} for name, texts in values.items() for text in texts}
        for rules in compare.RULES.split(","):
            if rules in compare.ONLY.get(self.job.name, [rules]):
                self.asn1(rules, shapes, values, lines)
        if self.job.name not in compare.ONLY:
            for name, texts in values.items():
                self.protobuf(shapes, name, texts, lines)
                for rules in exi.RULES:
                    self.exi(rules, name, texts, lines)
        return [line for line in lines.values() if len(line) > 2]

    def values(self):
        """Half of the values with few optional parts and additions, half with nearly all."""
        shapes, values = None, {}
        count = self.options.messages if self.job.only else self.options.values
        for batch, chance in enumerate([20, 90]):
            command = [self.options.random_values, str(self.options.seed + batch), str((count + 1) // 2), f"extensions={chance}", f"optional={chance}", f"open_types={batch}", *SMALL]
            if self.job.only:
                command.append(f"type={self.job.only}")
            lines = run.output(command + [str(file) for file in self.job.files])
            shapes = json.loads(lines[0])
            for line in lines[1:]:
                name, text = line.split("\t", 1)
                text = run.in_markup(text)
                known = values.setdefault(name, [])
                if len(text) <= MOST_TEXT and text not in known:
                    known.append(text)
        return shapes, values

    def convert(self, name, source, target, lines):
        return run.convert(self.options.roadwire, self.job.files, name, source, target, lines)

    def asn1(self, rules, shapes, values, lines):
        plain = oracles.Walker(shapes, rules)
        compiled = []
        for oracle in oracles.adapters(self.folder):
            if rules in oracle.rules:
                # One that cannot compile it has no say.
                codec = run.Compiled(oracle, self.job.files, rules).codec
                if codec is not None:
                    compiled.append((oracle, codec))
        for name, texts in values.items():
            shape = shapes["definitions"][name]
            ours = self.convert(name, "jer", rules, texts)
            if len(ours) != len(texts):
                continue
            for at, (text, octets) in enumerate(zip(texts, ours)):
                if octets == "" or octets.startswith("error") or (rules in run.TEXT and len(octets) > MOST_MARKUP):
                    continue
                value = plain.normal(shape, json.loads(text))
                agreed = {octets: ""}
                for oracle, codec in compiled:
                    self.oracle(oracle, codec, rules, shapes, name, json.loads(text), value, octets, agreed)
                if agreed[octets]:
                    # Text differs mostly in white space: one other form is enough.
                    others = rules not in run.TEXT or (at == 0 and rules != "cxer")
                    lines[name, text][rules] = [[octets, who] for octets, who in agreed.items()][: None if others else 1]

    def oracle(self, oracle, codec, rules, shapes, name, given, value, ours, agreed):
        """Notes which octets an oracle agrees on."""
        at, walker = shapes["definitions"][name], oracle.walker(shapes, rules, codec)

        def reads(octets):
            wire = octets.encode() if rules in run.TEXT else bytes.fromhex(octets)
            return walker.normal(at, walker.take(at, oracle.decode(codec, rules, name, wire))) == value

        try:
            written = run.line(rules, oracle.encode(codec, rules, name, walker.give(at, given)))
            by_value = rules in run.BY_VALUE
            if (written == ours or by_value) and reads(ours):
                agreed[ours] += LETTERS[oracle.name]
            if written != ours and by_value and reads(written):
                [read] = self.convert(name, rules, "jer", [written])
                if not read.startswith("error") and walker.normal(at, json.loads(read)) == value:
                    agreed[written] = agreed.get(written, "") + LETTERS[oracle.name]
        except Exception:  # whatever a library throws: it does not agree
            pass

    def protobuf(self, shapes, name, texts, lines):
        made = subprocess.run([self.options.roadwire, "schema", *self.modules, "-t", name, "--to", "proto"], capture_output=True, text=True)
        if made.returncode:
            return
        message, google = protobuf.compiled(self.folder, name, made.stdout), protobuf.Google(shapes["types"])
        for text, ours in zip(texts, self.convert(name, "jer", "protobuf", texts)):
            try:
                written = google.built(message, shapes["definitions"][name], json.loads(text)).SerializeToString(deterministic=True).hex()
                read = message.FromString(bytes.fromhex(ours)).SerializeToString(deterministic=True).hex()
            except (protobuf.Beyond, ValueError):
                continue
            if ours and written == read == ours:
                lines[name, text]["protobuf"] = [[ours, LETTERS["protobuf"]]]

    def exi(self, rules, name, texts, lines):
        made = subprocess.run([self.options.roadwire, "schema", *self.modules, "-t", name, "--to", "xsd", "--rules", rules], capture_output=True, text=True)
        if made.returncode:
            return
        documents, cases = exi.Documents(made.stdout), []
        for text, ours in zip(texts, self.convert(name, "jer", rules, texts)):
            try:
                document = None if ours.startswith("error") else documents.of(json.loads(text))
            except Exception:  # a value that exi.py has no document for
                continue
            if document is not None and ours:
                cases.append((text, ours, document))
        file = self.folder / "schema.xsd"
        file.write_text(made.stdout)
        given = "".join(f"E {exi.text_of(document)}\nD {ours}\n" for _, ours, document in cases)
        command = ["java", "-Xss64m", "-cp", self.options.classes, "Exificient", str(file), exi.RULES[rules]]
        answers = subprocess.run(command, input=given, capture_output=True, text=True).stdout.splitlines() if cases else []
        if len(answers) != 2 * len(cases):
            return
        for (text, ours, document), written, read in zip(cases, answers[0::2], answers[1::2]):
            if written == ours and exi.is_same(document, read):
                lines[name, text][rules] = [[ours, LETTERS["exificient"]]]


if __name__ == "__main__":
    main()
