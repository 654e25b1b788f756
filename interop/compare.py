"""Compares roadwire's encodings with other implementations'. README.md says how to run it and how to read what it prints."""

import argparse
import concurrent.futures
import os
import pathlib
import sys
import tempfile

import oracles
import values
from known import Known
from run import Count, Job, Run

HERE = pathlib.Path(__file__).resolve().parent
RULES = "uper,aper,oer,coer,ber,der,cer,xer,cxer,jer"
# Modules that are only for aligned PER.
ONLY = {"aligned": ["uper", "aper"], "indexes": ["uper", "aper"]}
# The settings that known_differences is written for: they show every difference in it.
USUAL = {"seed": 5, "messages": 300, "values": 300}


def main():
    options = arguments()
    known = Known(HERE / "known_differences")
    every, whole = [Job(*job) for job in values.jobs(options)], not options.only
    tasks = [(rules, at) for rules in options.rules.split(",") for at, job in enumerate(every) if rules in ONLY.get(job.name, [rules])]
    with tempfile.TemporaryDirectory() as folder:
        pool = concurrent.futures.ProcessPoolExecutor(options.processes, initializer=begin, initargs=(options, every, known, folder))
        with pool:
            # All rules of a job one after the other, so that an oracle reads the module once; the longest first.
            futures = {(rules, at): pool.submit(work, rules, at) for rules, at in sorted(tasks, key=lambda task: (order(every, task[1]), task[0]))}
            runs = {task: future.result() for task, future in futures.items()}
    rewritten(list(runs.values()))
    faults = sum(report(options, rules, [runs[rules, at] for at in range(len(every)) if (rules, at) in runs]) for rules in options.rules.split(","))
    return summary(options, known, list(runs.values()), faults, whole)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--roadwire", required=True, help="the roadwire program")
    parser.add_argument("--random-values", required=True, help="the example program random_values")
    parser.add_argument("--seed", type=int, default=USUAL["seed"])
    parser.add_argument("--messages", type=int, default=USUAL["messages"], help="how many values of each shipped message")
    parser.add_argument("--values", type=int, default=USUAL["values"], help="how many values of each type of the modules")
    parser.add_argument("--rules", default=RULES, help="the encoding rules, with commas between them")
    parser.add_argument("--only", default="", help="only jobs whose name contains this")
    parser.add_argument("--show", type=int, default=2, help="how many differences of each kind are shown in full")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many work at once")
    return parser.parse_args()


def order(jobs, at):
    """The longest first."""
    return -sum(file.stat().st_size for file in jobs[at].files), at


class Worker:
    """What a process keeps between jobs."""


def begin(options, every, known, folder):
    sys.set_int_max_str_digits(0)
    Worker.options, Worker.jobs, Worker.known, Worker.adapters = options, every, known, oracles.adapters(folder)


def work(rules, at):
    start = sum(os.times()[:4])
    found = Run(Worker.options, rules, Worker.known, Worker.adapters, Worker.jobs[at]).run()
    found.seconds = sum(os.times()[:4]) - start
    return found


def rewritten(found):
    """Prints which modules an oracle got in another form."""
    for one in oracles.every("."):
        if not one.is_installed():
            print(f"NOT COMPARED: {one.name} is not installed")
    print("\nText that an oracle does not take as it is, and was changed for it:")
    changes = {}
    for one in found:
        for change in one.rewritten:
            changes.setdefault(change, []).append(one.rules)
    for (oracle, name, what, places), rules in sorted(changes.items()):
        print(f"{oracle:10} {name:20} {what} at {places} places; {', '.join(rules)}")


def report(options, rules, found):
    """Prints the table of one set of rules and what is unexplained, and tells how much that is."""
    print(f"\n{rules}")
    adapters = [one.name for one in oracles.adapters(".") if rules in one.rules]
    columns = ["roadwire"] + [(name, way) for name in adapters for way in ["encode", "decode"]]
    heads = ["roadwire"] + [f"{name} {way}" for name in adapters for way in ["encode", "decode"]]
    print(f"{'type':44} {'values':>6}  " + "  ".join(f"{head:>16}" for head in heads))
    totals = {column: Count(0) for column in columns}
    for name, row in (row for one in found for row in one.rows):
        for column, count in row.items():
            totals[column].total += count.total
            totals[column].same += count.same
            totals[column].known += count.known
        cells = [cell(row.get(column)) for column in columns]
        print(f"{name:44} {row['roadwire'].total:6}  " + "  ".join(f"{one:>16}" for one in cells))
    print(f"{'all':44} {totals['roadwire'].total:6}  " + "  ".join(f"{totals[c].same}/{totals[c].total}".rjust(16) for c in columns))
    faults = [fault for one in found for fault in one.faults]
    shown = {}
    for fault in faults:
        kind = fault.split("\n")[0]
        shown[kind] = shown.get(kind, 0) + 1
        if shown[kind] <= options.show:
            print(f"\nUNEXPLAINED {fault}")
    explained = sum(count.known for count in totals.values())
    print(f"\n{rules}: {len(faults)} unexplained differences, {explained} explained ones; {sum(one.seconds for one in found):.0f} s")
    return len(faults)


def cell(count):
    if count is None:
        return "not compiled"
    if count.same == count.total:
        return "same"
    return f"{count.same}/{count.total}" + (" known" if count.known == count.total - count.same else "")


def summary(options, known, found, faults, whole):
    # Other values may miss a difference by chance.
    usual = all(getattr(options, key) == value for key, value in USUAL.items())
    met, seen = set().union(*(one.met for one in found)), set().union(*(one.seen for one in found))
    rules = {one.name: one.rules for one in oracles.every(".")}
    passes = list(known.passes(met, seen, rules, whole)) if usual else []
    for one in passes:
        print(f"\nUNEXPECTED PASS {one}")
    print(f"\n{faults} unexplained differences, {len(passes)} unexpected passes")
    return 1 if faults or passes else 0


if __name__ == "__main__":
    sys.exit(main())
