"""Compares the messages of the study of IEEE 1609.2 with other implementations: octets in unaligned PER and OER, encoded and decoded.

Takes the messages on standard input, each with schema, type, rules, name, octets and JER (X.697), as `cargo run -p roadwire-lab --example ieee1609` prints them.
"""

import argparse
import json
import subprocess
import sys
import tempfile

import oracles
import schemas


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random-values", required=True, help="the example program random_values, which tells the shapes of types")
    options = parser.parse_args()
    groups = {}
    for line in sys.stdin:
        schema, name, rules, message, octets, text = line.rstrip("\n").split(" ", 5)
        groups.setdefault((schema, name, rules), []).append((message, bytes.fromhex(octets), json.loads(text)))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for (schema, name, rules), messages in groups.items():
            path = schemas.file_of(schema)
            shapes = json.loads(subprocess.run([options.random_values, "0", "0", str(path)], capture_output=True, text=True, check=True).stdout.splitlines()[0])
            at = shapes["definitions"][name]
            for oracle in oracles.libraries(folder):
                compiled = oracle.compile([path.read_text()], rules)
                walker = oracle.walker(shapes, rules, compiled)
                same = 0
                for message, octets, value in messages:
                    try:
                        encoded = oracle.encode(compiled, rules, name, walker.give(at, value))
                        decoded = walker.normal(at, walker.take(at, oracle.decode(compiled, rules, name, octets)))
                        fault = None if encoded == octets else f"has {encoded.hex()} for {octets.hex()}"
                        fault = fault or (None if decoded == walker.normal(at, value) else f"reads {decoded}")
                    except Exception as error:  # whatever a library throws is a finding
                        fault = f"{type(error).__name__}: {error}"
                    same += fault is None
                    if fault and wrong < 10:
                        print(f"{oracle.name} {rules} {message}: {fault[:600]}")
                    wrong += fault is not None
                print(f"{name:28} {rules:5} {oracle.name:10} {same} of {len(messages)} messages the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
