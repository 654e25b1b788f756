"""Messages through rasn's crates of standards (the program in standards/): decoded, and encoded into the octets that roadwire encodes. They are those that others recorded, certificates of the public web and of the
recordings beside the project, what Python's `cryptography` makes, and random messages and certificates of IEEE 1609.2. standards.toml lists what is otherwise, with the reason and the clause."""

import base64
import pathlib
import re
import subprocess
import sys
import tomllib

import certifi

import captures
import foreign_modules
import made
import recorded
import run
import schemas
import sdist
import values

HERE = pathlib.Path(__file__).parent
# Types of recorded messages that the program has.
TYPES = {"LDAPMessage", "Message", "Certificate", "AS-REQ", "AS-REP", "TGS-REQ", "TGS-REP", "KRB-ERROR"}
# Schemas of which it gets random values, and the versions, as new as rasn-its's own, in which both read them; how many of each type. It refuses a PSID of 2^127 and more.
NEWEST = {"ts103097-1.3.1": "ts103097-2.1.1", "ts103097-2.1.1": "ts103097-2.1.1", "ieee1609dot2-2017": "ieee1609dot2-2022", "ieee1609dot2-2022": "ieee1609dot2-2022"}
SEED, COUNT, INTEGER_BITS = 5, 200, 64


def main():
    options = foreign_modules.arguments(__doc__, "--random-values")
    options.seed = SEED
    program = pathlib.Path(options.folder, "standards", "release", "roadwire-interop-standards")
    exceptions = tomllib.loads((HERE / "standards.toml").read_text())["exception"]
    wrong, met, seen, all_same = [], set(), set(), 0
    for group, name in groups(options):
        seen.add(group.name)
        ours = again(options, group)
        # In BER a sender has a choice (recorded.toml).
        wrong += [f"{group.name}: roadwire has {octets[:200]} of {message[:200]}" for octets, message in zip(ours, group.messages) if octets != message and group.rules != "ber"]
        ours = [octets for octets in ours if not octets.startswith("error")]
        lines = "".join(f"{name} {group.rules} {octets}\n" for octets in ours)
        theirs = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
        same = 0
        for octets, answer in zip(ours, theirs, strict=True):
            same += octets == answer
            if octets != answer:
                row = next((at for at, row in enumerate(exceptions) if re.fullmatch(row["group"], group.name) and re.search(row["says"], answer)), None)
                met.add(row)
                if row is None:
                    wrong.append(f"{group.name}: {answer[:200]} for {octets[:200]}")
        all_same += same
        print(f"{group.name}: rasn has the same octets of {same} of {len(ours)} messages in {group.rules}")
    for at, row in enumerate(exceptions):
        if any(re.fullmatch(row["group"], name) for name in seen):
            print(f"    {row['group']}: {row['why']} ({row['clause']})")
            if at not in met:
                wrong.append(f"{row['group']}: {row['says']}: there is no such difference any more")
    print(*(f"UNEXPLAINED {one}" for one in wrong), sep="\n", end="\n" if wrong else "")
    if not all_same:
        print("NOT COMPARED: neither messages nor their modules are here")
    return 1 if wrong else 0


def groups(options):
    """Groups of messages, with the type's name in the program."""
    for group in recorded.groups(options):
        if group.rules in ("ber", "der") and group.type_name in TYPES:
            yield group, group.type_name
    module = sdist.unpacked("asn1tools", options.folder) / "tests" / "files" / "ietf" / "rfc5280.asn"
    if module.is_file():
        blocks = re.findall("-----BEGIN CERTIFICATE-----(.*?)-----END", pathlib.Path(certifi.where()).read_text(), re.DOTALL)
        yield recorded.Group("certifi", [module], "Certificate", "der", [base64.b64decode(block).hex() for block in blocks]), "Certificate"
    yield from ((group, group.type_name) for group in made.groups(options))
    yield from secured(options)


def again(options, group):
    """What roadwire decodes and encodes."""
    return [octets.lower() for octets in group.convert(options.roadwire, "jer", group.rules, group.convert(options.roadwire, group.rules, "jer", group.messages))]


def secured(options):
    """Messages and certificates of IEEE 1609.2 and TS 103 097, random ones and those beside the project."""
    for schema, files in schemas.named():
        for pdu in schema["pdus"] if schema["name"] in NEWEST else []:
            _, texts = values.random_values(options, files, COUNT, pdu, integer_bits=INTEGER_BITS)
            name = pdu.rpartition(".")[2]
            group = recorded.Group(f"{schema['name']} {name}", schemas.files_of(NEWEST[schema["name"]]), name, "coer", run.convert(options.roadwire, files, pdu, "jer", "coer", texts[pdu]))
            if NEWEST[schema["name"]] != schema["name"]:
                # A few do not fit the profile of the newer version.
                group.messages = [octets for octets in again(options, group) if not octets.startswith("error")]
            yield group, "IEEE1609dot2.Certificate" if name == "Certificate" else name
    certificates, lists = captures.certificates()
    beside = {capture.name: ("EtsiTs103097Data", [message for _, message in captures.secured(capture)]) for capture in captures.files()}
    beside |= {"certificates beside the project": ("EtsiTs103097Certificate", certificates), "trust lists beside the project": ("EtsiTs103097Data", lists)}
    for name, (type_name, messages) in beside.items():
        if messages:
            group = recorded.Group(name, schemas.files_of("ts103097-2.1.1"), type_name, "coer", [message.hex() for message in messages])
            # A frame may have an octet more than its message.
            answers = group.convert(options.roadwire, "coer", "jer", group.messages)
            group.messages = [message[:-2] if answer.startswith("error: 1 octet follows") else message for message, answer in zip(group.messages, answers)]
            yield group, type_name


if __name__ == "__main__":
    sys.exit(main())
