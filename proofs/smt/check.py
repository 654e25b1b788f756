"""Asks the solver about each script of a folder, and prints a line for each.

    check.py FOLDER

`list.tsv` says which answer proves a sentence. A proof that takes over a minute is listed as open.
Exit 1 where an answer is another one, or no script finds a planted fault.
"""

import sys
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import z3

SECONDS = 60


def answer(file):
    began = time.monotonic()
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", SECONDS * 1000)
    solver.from_file(str(file))
    return str(solver.check()), time.monotonic() - began


def main():
    folder = Path(sys.argv[1])
    rows = [line.split("\t") for line in (folder / "list.tsv").read_text().splitlines()]
    failed, proved, open_, sizes = [], 0, [], defaultdict(int)
    planted = defaultdict(list)
    with ProcessPoolExecutor() as pool:
        answers = pool.map(answer, [folder / row[0] for row in rows])
        for (file, subject, rules, functions, sentence, wanted), (found, seconds) in zip(rows, answers):
            about = f"{subject}, {rules}: {sentence} ({functions})"
            if wanted == "planted":
                planted[(subject, rules)].append((found, sentence, seconds))
                continue
            state = {wanted: "proved", "unknown": "open"}.get(found, "differs")
            if wanted == "either":
                state = {"unsat": "proved", "sat": "by comparison", "unknown": "open"}[found]
            print(f"{state:13} {seconds:6.2f} s  {about}", flush=True)
            proved += state == "proved"
            sizes[state] += 1
            if state == "open":
                open_.append(about)
            if state == "differs":
                failed.append(f"{about}: {found} ({file})")
    for (fault, rules), found in planted.items():
        by = [sentence for one, sentence, _ in found if one == "sat"]
        seconds = sum(one for *_, one in found)
        print(f"{'found' if by else 'NOT FOUND':13} {seconds:6.2f} s  planted, {rules}: {fault}; it fails: {by[0] if by else ''}", flush=True)
        if not by:
            failed.append(f"planted, {rules}: {fault}: no proof fails")
    print(f"{proved} proved, {sizes['by comparison']} by comparison, {len(open_)} open, {len(planted)} planted faults, {len(failed)} wrong")
    for one in failed:
        print(f"WRONG: {one}", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
