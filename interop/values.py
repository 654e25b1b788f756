"""Random values of the shipped schemas and of the modules here, for programs that hold one encoding against one implementation."""

import argparse
import collections
import json
import pathlib

import schemas
from run import output

HERE = pathlib.Path(__file__).resolve().parent
HALVES = [{"optional": 50, "extensions": 10}, {"optional": 85, "extensions": 90}]


def arguments(description):
    """The arguments that such a program has."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--roadwire", required=True)
    parser.add_argument("--random-values", required=True)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--messages", type=int, default=300, help="how many values of each shipped message")
    parser.add_argument("--values", type=int, default=60, help="how many values of each type of the modules")
    parser.add_argument("--only", default="", help="only schemas and files whose name contains this")
    return parser.parse_args()


def jobs(options):
    """What is compared: a name, module files, how many values of each type, and the one type, or all."""
    for schema, files in schemas.named():
        # The presentation language is not ASN.1.
        if all(file.suffix == ".asn" for file in files) and options.only in schema["name"]:
            yield schema["name"], files, options.messages, schema["pdus"][0]
    for file in sorted((HERE / "modules").glob("*.asn")):
        if options.only in file.stem:
            # Values of many thousand octets: one of each kind is enough.
            yield file.stem, [file], 2 if file.stem == "fragments" else options.values, None


def random_values(options, files, count, pdu, **settings):
    """The types' shapes, and for each type its values in JER: one half has few optional parts, the other many."""
    values, shapes = collections.defaultdict(list), None
    for half in HALVES:
        chosen = [f"{key}={number}" for key, number in {"max_elements": 20, "max_length": 300, "budget": 200, **settings, **half}.items()]
        only = [f"type={pdu}"] if pdu else []
        lines = output([options.random_values, str(options.seed), str((count + 1) // 2), *chosen, *only, *map(str, files)])
        shapes = json.loads(lines[0])
        for line in lines[1:]:
            name, text = line.split("\t", 1)
            values[name].append(text)
    return shapes, values


def bits(shape, value):
    """A BIT STRING as our mappings have it: without the zero bits at the end that have no meaning (X.680 §22.7), and, without a fixed size, behind the number of unused bits."""
    if shape["fixed"] is not None:
        return bytes.fromhex(value)
    octets, length = bytes.fromhex(value["value"]), value["length"]
    if shape["named"]:
        number = int.from_bytes(octets, "big") >> -length % 8
        while length > shape["least"] and not number & 1:
            number, length = number >> 1, length - 1
        octets = (number << -length % 8).to_bytes((length + 7) // 8, "big")
    return bytes([-length % 8]) + octets
