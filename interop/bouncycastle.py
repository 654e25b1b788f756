"""Certificates, revocation lists, signed and enveloped data that Bouncy Castle makes: decoded by the modules of RFC 5280 and RFC 3852 (in asn1tools' source distribution), encoded into the same
octets, and verified or decrypted by it again."""

import argparse
import json
import subprocess
import sys

import recorded
import sdist

# Where a type is, and what the content types of RFC 3852 contain.
FILES = {"Certificate": ["rfc5280"], "CertificateList": ["rfc5280"]}
CMS = ["rfc3852", "rfc3281", "rfc5280"]
CONTENTS = {"1.2.840.113549.1.7.2": "SignedData", "1.2.840.113549.1.7.3": "EnvelopedData"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--roadwire", required=True)
    parser.add_argument("--folder", required=True, help="where sdist.py has unpacked asn1tools")
    parser.add_argument("--classes", required=True, help="Java's class path")
    options = parser.parse_args()
    modules = sdist.unpacked("asn1tools", options.folder) / "tests" / "files" / "ietf"
    java = subprocess.Popen(["java", "-cp", options.classes, "BouncyCastle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    made = [line.split() for line in iter(lambda: java.stdout.readline().strip(), "")]
    wrong = 0
    for type_name, octets in made:
        files = [modules / f"{name}.asn" for name in FILES.get(type_name, CMS)]
        again, content = through(options.roadwire, files, type_name, octets)
        same, said = again == octets, type_name
        if content:
            inner = CONTENTS[content["contentType"]]
            inner_again, _ = through(options.roadwire, files, inner, content["content"])
            same, said = same and inner_again == content["content"].lower(), f"{type_name} with {inner}"
        java.stdin.write(f"{again if same else '00'}\n")
        java.stdin.flush()
        answer = java.stdout.readline().strip()
        wrong += not same or answer != "ok"
        print(f"{said}: {len(octets) // 2} octets: {'the same' if same else f'DIFFERENT: {octets} {again}'}; Bouncy Castle says {answer}")
    java.stdin.close()
    return 1 if java.wait() or wrong or len(made) != 7 else 0


def through(roadwire, files, type_name, octets):
    """The octets of what was decoded, and its value if it has a content whose type stands beside it."""
    group = recorded.Group(type_name, files, type_name, "der", [octets])
    [value] = group.convert(roadwire, "der", "jer", [octets])
    if value.startswith("error"):
        return value, None
    [again] = group.convert(roadwire, "jer", "der", [value])
    value = json.loads(value)
    return again.lower(), value if "contentType" in value else None


if __name__ == "__main__":
    sys.exit(main())
