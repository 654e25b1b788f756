"""Values that a constraint after an extensible one takes away (X.680 §50.8), though peers send them: 17 to 40 points of `pathPredicted`. With `--check encoding` roadwire writes them and reads them; the
octets are those of asn1tools and pycrate."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import cases
import oracles
import rewrites

# As CDD V2.3.1 has it: the list is extended, and its user adds a constraint.
MODULE = """
Beyond DEFINITIONS AUTOMATIC TAGS ::= BEGIN
A ::= SEQUENCE { path Path ((WITH COMPONENT (WITH COMPONENTS {..., time ABSENT})) | (WITH COMPONENT (WITH COMPONENTS {..., time PRESENT}))), last BOOLEAN }
Path ::= SEQUENCE (SIZE (1..16, ..., 17..40)) OF Point
Point ::= SEQUENCE { latitude INTEGER (-131071..131072), time INTEGER (0..255) OPTIONAL }
END
"""
RULES = ["uper", "aper", "oer", "coer", "ber", "der"]
AGREE = {"asn1tools", "pycrate"}
# Within the constraint, beyond it, and at the extension's end.
POINTS = [16, 17, 18, 40]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--roadwire", required=True, help="the roadwire program")
    parser.add_argument("--random-values", required=True, help="the example program random_values")
    options = parser.parse_args()
    values = [{"path": [{"latitude": at - 3, **({"time": at} if points % 2 else {})} for at in range(points)], "last": True} for points in POINTS]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "beyond.asn"
        file.write_text(MODULE)
        run = cases.Run(options, oracles.libraries(folder), pathlib.Path(folder))
        for rules in RULES:
            lines = [json.dumps(value, separators=(",", ":")) for value in values]
            written = convert(options.roadwire, file, "jer", rules, lines)
            again = convert(options.roadwire, file, rules, "jer", written)
            wrong += [f"{rules}: {points} points are read as {back[:80]}" for points, value, back in zip(POINTS, values, again) if json_of(back) != value]
            # pycrate does not parse a union of inner constraints, which no encoding depends on.
            texts = [MODULE.strip(), rewrites.without_inner_subtyping(MODULE.strip())[0]]
            pairs = list(zip(values, written))
            agree = {oracle.name for oracle in run.adapters if rules in oracle.rules and any(run.agrees(rules, oracle, text, pairs) for text in texts)}
            print(f"{rules}: {', '.join(map(str, POINTS))} points as {', '.join(sorted(agree)) or 'nobody'} write them")
            wrong += [f"{rules}: {name} has it otherwise" for name in sorted(AGREE - agree)]
    print(*wrong, sep="\n")
    return 1 if wrong else 0


def convert(roadwire, file, source, target, lines):
    command = [roadwire, "convert", "--lines", "--check", "encoding", "-m", str(file), "-t", "A", "--from", source, "--to", target]
    done = subprocess.run(command, input="".join(line + "\n" for line in lines), capture_output=True, text=True)
    answers = done.stdout.splitlines()
    if done.returncode or len(answers) != len(lines):
        raise ValueError(f"{source} to {target}: {done.stderr[-500:]}")
    return answers


def json_of(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


if __name__ == "__main__":
    sys.exit(main())
