"""Writes the security envelopes' octets as other implementations have them, for the laboratory's gate: the lines of envelopes in `crates/peers/src/content/vectors.txt`.

Takes the messages on standard input, a name and JER (X.697) on each line, as `cargo run -p roadwire-peers --example envelopes` prints them.
UPER is asn1tools', Protocol Buffers Google's, EXI EXIficient's: the last two by the schemas that `roadwire schema` prints.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import asn1tools

import exi
import oracles
import protobuf_oracle
import schemas

FILE = schemas.file_of("etsi-envelope-2015")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--roadwire", required=True, help="the roadwire program")
    parser.add_argument("--random-values", required=True, help="the example program random_values, which tells the shapes of types")
    parser.add_argument("--classes", required=True, help="the class path of EXIficient and its driver")
    options = parser.parse_args()
    shapes = json.loads(exi.output([options.random_values, "0", "0", str(FILE)]).splitlines()[0])
    module = asn1tools.compile_files(str(FILE), "uper")
    for line in sys.stdin:
        name, text = line.split(" ", 1)
        kind = "SecuredMessage2014" if "2014" in name else "SecuredMessage"
        at, value = shapes["definitions"]["EtsiEnvelope." + kind], json.loads(text)
        print(name, "uper", module.encode(kind, oracles.Walker(shapes, "uper").give(at, value)).hex())
        print(name, "protobuf", protobuf(options, shapes, kind, at, value))
        for rules in ["exi", "exi-default", "exi-merged", "exi-flat"]:
            print(name, rules, exificient(options, kind, rules, value))


def protobuf(options, shapes, kind, at, value):
    schema = exi.output([options.roadwire, "schema", "-m", str(FILE), "-t", kind, "--to", "proto"])
    with tempfile.TemporaryDirectory() as folder:
        message = protobuf_oracle.compiled(pathlib.Path(folder), kind, schema)
    return protobuf_oracle.Google(shapes["types"]).built(message, at, value).SerializeToString(deterministic=True).hex()


def exificient(options, kind, rules, value):
    schema = exi.output([options.roadwire, "schema", "-m", str(FILE), "-t", kind, "--to", "xsd", "--rules", rules])
    document = exi.text_of(exi.Documents(schema).of(value))
    with tempfile.NamedTemporaryFile("w", suffix=".xsd") as file:
        file.write(schema)
        file.flush()
        command = ["java", "-Xss64m", "-cp", options.classes, "Exificient", file.name, exi.RULES[rules]]
        return exi.output(command, f"E {document}\n").strip()


if __name__ == "__main__":
    main()
