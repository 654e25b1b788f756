"""Modules that others wrote, as suites. `roadwire check` takes each set of modules, with the modules that it imports from, or refuses it for a reason that is listed with its clause in
foreign_modules/SUITE.toml; what an implementation's own tests say is invalid is refused. None takes more than a second of processor time or 200 MB. README.md says where the suites come from."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

import debian
import sdist

# What one set of modules may take at most.
SECONDS, MEGABYTES = 1, 200
LISTS = pathlib.Path(__file__).with_name("foreign_modules")


def main():
    options = arguments(__doc__)
    wrong = 0
    for suite, read in SUITES.items():
        sets = read(options)
        if sets is None:
            print(f"NOT COMPARED: {suite}: {'ROADWIRE_PYCRATE names no checkout' if suite == 'pycrate' else 'its modules are not here'}")
        else:
            wrong += checked(options.roadwire, suite, sets)
    return 1 if wrong else 0


def arguments(description, *more):
    """The arguments of a program that reads the suites, and more that it needs."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--roadwire", required=True)
    parser.add_argument("--folder", required=True, help="where sdist.py and debian.py have unpacked what they fetched")
    parser.add_argument("--pycrate", help="a checkout of pycrate's repository")
    for name in more:
        parser.add_argument(name, required=True)
    return parser.parse_args()


def asn1tools(options):
    """Each file of asn1tools' tests."""
    folder = sdist.unpacked("asn1tools", options.folder) / "tests" / "files"
    if folder.is_dir():
        return {str(file.relative_to(folder)): ([file], True) for file in sorted(folder.rglob("*.asn"))}


def asn1c(options):
    """Each file of asn1c's tests: OK and SW (warned of) are to be accepted; SE (semantics) and NP (cannot be parsed) are not."""
    folder = debian.unpacked("asn1c", options.folder)
    if folder.is_dir():
        return {file.name: ([file], re.search("-(OK|SW|SE|NP)[.]", file.name)[1] in ("OK", "SW")) for file in sorted(folder.rglob("*-??.asn1"))}


def wireshark(options):
    """Each folder of Wireshark's dissectors that are generated from modules."""
    folder = debian.unpacked("wireshark", options.folder)
    if folder.is_dir():
        folders = {file.parent for file in folder.rglob("asn1/*/*.asn")}
        return {one.name: (sorted(one.glob("*.asn")), True) for one in sorted(folders)}


def pycrate(options):
    """Each folder of schemas that pycrate has: its list of files, or all."""
    if not options.pycrate:
        return None
    sets = {}
    for folder in sorted(pathlib.Path(options.pycrate, "pycrate_asn1dir").iterdir()):
        listed = folder / "load_mod.txt"
        if listed.is_file():
            names = [line.strip() for line in listed.read_text().splitlines()]
            files = [folder / name for name in names if name and not name.startswith("#")]
        else:
            files = sorted(folder.glob("*.asn"))
        if files:
            sets[folder.name] = ([file if file.exists() else file.with_suffix(".asn") for file in files], True)
    return sets


SUITES = {"asn1tools": asn1tools, "asn1c": asn1c, "wireshark": wireshark, "pycrate": pycrate}


def checked(roadwire, suite, sets):
    """How many of a suite's sets are not as they should be."""
    rows = tomllib.loads((LISTS / f"{suite}.toml").read_text())["exception"]
    exceptions = {name: row["code"] for row in rows for name in row["sets"]}
    defining = defining_files(sets)
    wrong, accepted, slowest, largest = [f"{name}: there is no such set" for name in exceptions.keys() - sets.keys()], 0, (0, ""), (0, "")
    for name, (files, valid) in sets.items():
        code, _, seconds, megabytes = check(roadwire, files, defining)
        accepted += code == "accepted"
        slowest, largest = max(slowest, (seconds, name)), max(largest, (megabytes, name))
        if seconds > SECONDS or megabytes > MEGABYTES:
            wrong.append(f"{name}: {seconds:.1f} s, {megabytes:.0f} MB")
        wanted = exceptions[name] if name in exceptions else "accepted" if valid else "refused"
        if wanted != code and not (wanted == "refused" and code != "accepted"):
            wrong.append(f"{name}: {code}, expected to be {wanted}")
    print(f"{suite}: {len(sets)} sets of modules: {accepted} accepted, {len(sets) - accepted} refused; at most {slowest[0]:.2f} s ({slowest[1]}) and {largest[0]:.0f} MB ({largest[1]})")
    for row in rows:
        print(f"    {', '.join(row['sets'])}: {row['code']}: {row['why']} ({row['clause']})")
    print(*(f"UNEXPLAINED {suite}: {one}" for one in wrong), sep="\n", end="\n" if wrong else "")
    return len(wrong)


def defining_files(sets):
    """The file that defines each module of a suite."""
    defining = {}
    for files, _ in sets.values():
        for file in files:
            for name in modules(file):
                defining.setdefault(name, file)
    return defining


def modules(file):
    return re.findall(r"^\s*([A-Z][A-Za-z0-9-]*)\s*(?:\{[^}]*\})?\s*DEFINITIONS\b", file.read_text(errors="replace"), re.MULTILINE)


def check(roadwire, files, defining):
    """The code of the first error, or `accepted`; the files, to which those of the suite that define missing modules are added; seconds of processor time and megabytes."""
    given = list(files)
    while True:
        with tempfile.TemporaryFile("w+") as output:
            # Started here and not by `subprocess.run`, for what it took.
            process = subprocess.Popen([roadwire, "check", "--json", *map(str, given)], stdout=output, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            errors = [json.loads(line)["error"] for line in output if line.startswith('{"error"')]
        took = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        if process.returncode == 0:
            return "accepted", given, *took
        missing = [defining.get(one["message"].split("`")[1]) for one in errors if one["code"] == "asn1.import.module"]
        added = [one for one in dict.fromkeys(missing) if one is not None and one not in given]
        if not added:
            return errors[0]["code"] if errors else f"exit code {process.returncode}", given, *took
        given += added


if __name__ == "__main__":
    sys.exit(main())
