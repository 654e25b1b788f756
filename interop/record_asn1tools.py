"""Runs those tests of asn1tools' source distribution (the working directory) that have messages of published protocols, and prints what its library encoded and decoded in them: for each type a line with modules,
encoding rules, type and octets."""

import json
import sys
import unittest

import asn1tools
from asn1tools.compiler import Specification

TESTS = ["rrc_8_6_0", "rfc1157", "rfc4511", "test_rfc5280", "s1ap_14", "ulp", "lpp_14", "etsi_cam", "zforce"]
RULES = {"ber": "ber", "der": "der", "per": "aper", "uper": "uper"}
recorded = {}


def noting(name, source):
    """Replaces a function that compiles by one that notes what was compiled."""
    original = getattr(asn1tools, name)

    def compiled(what, codec="ber", *others, **named):
        made = original(what, codec, *others, **named)
        made.noted = (tuple(source(what)), RULES.get(codec))
        return made

    setattr(asn1tools, name, compiled)


def note(specification, name, octets):
    modules, rules = getattr(specification, "noted", ((), None))
    if modules and rules:
        recorded.setdefault((modules, rules, name), {})[bytes(octets).hex()] = None


def encode(self, name, *others, encode=Specification.encode, **named):
    octets = encode(self, name, *others, **named)
    note(self, name, octets)
    return octets


def decode(self, name, octets, *others, decode=Specification.decode, **named):
    value = decode(self, name, octets, *others, **named)
    note(self, name, octets)
    return value


# What a test compiles: files, or modules that have been parsed.
noting("compile_files", lambda files: [files] if isinstance(files, str) else files)
noting("compile_dict", sorted)
Specification.encode, Specification.decode = encode, decode
sys.path.insert(0, ".")
loader = unittest.TestLoader()
loader.testNamePatterns = [f"*{name}*" for name in TESTS]
suite = unittest.TestSuite(loader.loadTestsFromName(f"tests.test_{rules}") for rules in ("ber", "der", "per", "uper"))
unittest.TextTestRunner(stream=sys.stderr, verbosity=0).run(suite)
for (modules, rules, name), octets in recorded.items():
    print(json.dumps([modules, rules, name, list(octets)]))
