"""Messages that others recorded, and certificates of the public web, through rasn's crates of standards (the program in standards/): decoded and encoded into the octets that roadwire encodes.
standards.toml lists what is otherwise, with the reason and the clause."""

import base64
import pathlib
import re
import subprocess
import sys
import tomllib

import certifi

import foreign_modules
import recorded
import sdist

HERE = pathlib.Path(__file__).parent
# Types that the program has.
TYPES = {"LDAPMessage", "Message", "Certificate", "AS-REQ", "AS-REP", "TGS-REQ", "TGS-REP", "KRB-ERROR"}


def main():
    options = foreign_modules.arguments(__doc__)
    program = pathlib.Path(options.folder, "standards", "release", "roadwire-interop-standards")
    exceptions = tomllib.loads((HERE / "standards.toml").read_text())["exception"]
    wrong, met, seen, all_same = [], set(), set(), 0
    for group, name in groups(options):
        seen.add(group.name)
        ours = group.convert(options.roadwire, "jer", group.rules, group.convert(options.roadwire, group.rules, "jer", group.messages))
        # What roadwire refuses is in recorded.toml.
        ours = [octets.lower() for octets in ours if octets and not octets.startswith("error")]
        lines = "".join(f"{name} {group.rules} {octets}\n" for octets in ours)
        theirs = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
        same = 0
        for octets, again in zip(ours, theirs, strict=True):
            same += octets == again
            if octets != again:
                row = next((at for at, row in enumerate(exceptions) if re.fullmatch(row["group"], group.name) and re.search(row["says"], again)), None)
                met.add(row)
                if row is None:
                    wrong.append(f"{group.name}: {again[:200]} for {octets[:200]}")
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
        name = group.what[0].removeprefix("--type=").split(".")[-1]
        if name in TYPES and group.rules in ("ber", "der"):
            yield group, name
    module = sdist.unpacked("asn1tools", options.folder) / "tests" / "files" / "ietf" / "rfc5280.asn"
    if module.is_file():
        blocks = re.findall("-----BEGIN CERTIFICATE-----(.*?)-----END", pathlib.Path(certifi.where()).read_text(), re.DOTALL)
        yield recorded.Group("certifi", [module], "Certificate", "der", [base64.b64decode(block).hex() for block in blocks]), "Certificate"


if __name__ == "__main__":
    sys.exit(main())
