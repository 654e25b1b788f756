"""Modules that others wrote: asn1tools' test files (its source distribution, from the registry). `roadwire check` takes each of them, with the modules that it imports from, or refuses it for a reason that is
listed here with its clause, and is quick."""

import argparse
import json
import re
import subprocess
import sys
import time

import sdist

# What is not valid: the code of the first error, and why.
INVALID = {
    "all_types.asn": ("asn1.constraint.kind", "SIZE on an INTEGER (X.680 §51.5.1)"),
    "cen/dsrc.asn": ("asn1.import.module", "REGION and others are not in the distribution"),
    "etsi/mapem_2_1_1.asn": ("asn1.import.module", "modules that DSRC imports from are not in the distribution"),
    "extensibility_implied.asn": ("asn1.tag.duplicate", "two optional BOOLEANs in a row (X.680 §25.7)"),
    "ietf/rfc2986.asn": ("asn1.import.module", "UsefulDefinitions is not in the distribution"),
    "ietf/rfc3161.asn": ("asn1.import.module", "PKCS-10 is not in the distribution"),
    "ietf/rfc4210.asn": ("asn1.import.module", "PKCS-10 is not in the distribution"),
    "ietf/rfc3447.asn": ("asn1.import.module", "NIST-SHA2 is not in the distribution"),
    "x680.asn": ("asn1.name.unknown", "`C0` is defined nowhere"),
}
# Seconds for one file, in any build.
MOST = 20


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--roadwire", required=True)
    parser.add_argument("--folder", required=True, help="where sdist.py has unpacked asn1tools")
    options = parser.parse_args()
    files = sdist.unpacked("asn1tools", options.folder) / "tests" / "files"
    every = sorted(files.rglob("*.asn"))
    of_module = {}
    for file in every:
        for name in re.findall(r"^\s*([A-Z][A-Za-z0-9-]*)\s*(?:\{[^}]*\})?\s*DEFINITIONS\b", file.read_text(errors="replace"), re.MULTILINE):
            of_module.setdefault(name, file)
    accepted, wrong, slowest = 0, [], 0
    for file in every:
        name, begun = str(file.relative_to(files)), time.monotonic()
        code = check(options.roadwire, file, of_module)
        slowest = max(slowest, time.monotonic() - begun)
        accepted += code is None
        if code != INVALID.get(name, (None,))[0]:
            wrong.append(f"{name}: {code or 'accepted'}, expected {INVALID.get(name, 'to be accepted')}")
    print(f"{len(every)} files of {files.parent.parent.name}: {accepted} accepted, {len(every) - accepted} refused, the slowest in {slowest:.1f} s")
    for name, (code, why) in INVALID.items():
        print(f"    {name}: {code}: {why}")
    print(*(f"UNEXPLAINED {one}" for one in wrong), sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


def check(roadwire, file, of_module):
    """The code of the first error; `None` if it is accepted. Files that define missing modules are added."""
    given = [file]
    while True:
        done = subprocess.run([roadwire, "check", "--json", *map(str, given)], capture_output=True, text=True, timeout=MOST)
        errors = [json.loads(line)["error"] for line in (done.stdout + done.stderr).splitlines() if line.startswith('{"error"')]
        if done.returncode == 0:
            return None
        missing = [of_module.get(one["message"].split("`")[1]) for one in errors if one["code"] == "asn1.import.module"]
        added = [one for one in dict.fromkeys(missing) if one is not None and one not in given]
        if not added:
            return errors[0]["code"] if errors else f"exit code {done.returncode}"
        given += added


if __name__ == "__main__":
    sys.exit(main())
