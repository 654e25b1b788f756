"""Modules that others wrote, in C. For each set of modules that `foreign_modules.py` reads and `roadwire check` takes, `roadwire generate --lang c --with-tests` writes the codecs of its messages, a compiler takes them with all
warnings as errors, and their self-test runs: random values as the interpreter writes them are decoded and written again. A message without C is named with the reason; all others have to pass."""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import foreign_modules

RULES = "uper,oer,der"
FLAGS = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wcast-qual", "-Werror", "-O0"]
# What one message may take, to be generated, compiled and run.
SECONDS = 300


def main():
    options = foreign_modules.arguments(__doc__, "--only")
    failures = 0
    for suite, read in foreign_modules.SUITES.items():
        if options.only not in ("all", suite):
            continue
        sets = read(options)
        if sets is None:
            print(f"NOT COMPARED: {suite}: its modules are not here")
            continue
        defining = foreign_modules.defining_files(sets)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = list(pool.map(lambda one: (one[0], of_set(options.roadwire, defining, *one[1])), sets.items()))
        failures += told(suite, done)
    return 1 if failures else 0


def of_set(roadwire, defining, files, valid):
    """What becomes of each message of a set: its name, and `in C`, a reason, or a failure."""
    code, files, *_ = foreign_modules.check(roadwire, files, defining)
    if not valid or code != "accepted":
        return []
    modules = [part for file in files for part in ("-m", str(file))]
    listed = ran([roadwire, "list", "types", *modules, "--json"])
    own = set(foreign_modules.modules(files[0]))
    rows = [row["type"] for row in map(json.loads, listed.stdout.splitlines()) if row["pdu"]]
    return [(name, of_message(roadwire, modules, name)) for name in rows if name.split(".")[0] in own]


def of_message(roadwire, modules, name):
    with tempfile.TemporaryDirectory() as folder:
        generate = [roadwire, "generate", *modules, "-t", name, "--rules", RULES, "--lang", "c", "--with-tests", "-o", folder]
        told = ran(generate)
        if told.returncode == 1 and "there is no C for" in told.stderr:
            return "no C: " + re.search(r"there is no C for [^:\n]*: (.*)", told.stderr)[1]
        if told.returncode != 0:
            # No encoding under some rules, or no values.
            return "refused: " + (told.stderr.strip().splitlines() or ["no reason"])[0][:120]
        sources = sorted(str(path) for path in pathlib.Path(folder).glob("*.c"))
        program = str(pathlib.Path(folder, "self-test"))
        built = ran([os.environ.get("CC", "cc"), *FLAGS, "-o", program, *sources])
        if built.returncode != 0:
            return "FAILED: it does not compile: " + (re.findall("error: .*", built.stderr) or [built.stderr[:200]])[0]
        tested = ran([program])
        return "in C" if tested.returncode == 0 else "FAILED: " + (tested.stdout + tested.stderr).strip()[-200:]


def ran(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"more than {SECONDS} s")


def told(suite, done):
    """Prints a suite's results; how many messages failed."""
    all_messages = [(name, message, what) for name, messages in done for message, what in messages]
    whole = [name for name, messages in done if messages and all(what == "in C" for _, what in messages)]
    in_c = sum(what == "in C" for *_, what in all_messages)
    print(f"{suite}: {len(all_messages)} messages of {sum(bool(messages) for _, messages in done)} sets: {in_c} in C, compiled, and the same octets as the interpreter's")
    print(f"    sets that are in C as a whole: {', '.join(whole)}")
    reasons = collections.Counter(re.sub(r"[A-Z][\w-]*\.[\w.-]+", "…", what) for *_, what in all_messages if what.startswith(("no C", "refused")))
    for why, count in reasons.most_common():
        print(f"    {count} {why}")
    failed = [one for one in all_messages if one[2].startswith("FAILED")]
    for name, message, what in failed:
        print(f"UNEXPLAINED {suite}: {name}: {message}: {what}")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
