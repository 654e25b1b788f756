"""Differences that are not roadwire's fault: the rows of known_differences/. README.md explains their keys."""

import re
import tomllib


class Known:
    def __init__(self, folder):
        self.rows = [row for file in sorted(folder.glob("*.toml")) for row in tomllib.loads(file.read_text())["difference"]]

    def covering(self, rules, oracle, name, direction, got):
        """The rows that cover a difference: by type, by what the library says, or both."""
        return [
            at
            for at, row in enumerate(self.rows)
            if row["oracle"] == oracle
            and direction in row["directions"]
            and rules in row.get("rules", [rules])
            and name in row.get("types", [name])
            and re.search(row.get("says", ""), str(got), re.DOTALL)
        ]

    def passes(self, met, seen, known, whole):
        """Rows that were checked without a difference, and rules, directions and types of rows without one. `met` is what the rows covered, as
        (row, rules, type, direction); `seen` what was checked, as (rules, oracle, type, direction); `known` are the rules that each oracle knows.
        `whole`: every module was checked."""
        for at, row in enumerate(self.rows):
            of_row = {one[1:] for one in met if one[0] == at}
            looked_at = {
                (rules, name, direction)
                for rules, oracle, name, direction in seen
                if oracle == row["oracle"]
                and direction in row["directions"]
                and rules in row.get("rules", [rules])
                and name in row.get("types", [name])
            }
            every = set(row.get("rules", known[row["oracle"]])) <= {rules for rules, *_ in looked_at}
            for place, part in enumerate(["rules", "types", "directions"]):
                wanted = {one[place] for one in looked_at}
                # Without `types`, a row is about any type. If only some modules or rules were checked, a row may have no difference.
                if part == "types" and "types" not in row or part != "types" and not whole or part != "rules" and not every:
                    continue
                for one in sorted(wanted - {one[place] for one in of_row}):
                    yield f"{row['oracle']} {one}: {row['what']}"
            if whole and every:
                for name in sorted(set(row.get("types", [])) - {name for _, _, name, _ in seen}):
                    yield f"{row['oracle']} {name}: there is no such type"
