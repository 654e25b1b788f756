"""Changes to the text of modules for oracles that do not take it as it is: none of them changes an encoding. A run applies them only where the text as it is does not
compile, and lists what it has changed (README.md)."""

import re


class Rewrite:
    def __init__(self, what, function):
        self.what, self.function = what, function

    def of(self, texts):
        """The texts after the change, and at how many places they were changed."""
        done = [self.function(text) for text in texts]
        return [text for text, _ in done], sum(count for _, count in done)


def without_inner_subtyping(text):
    """Inner subtype constraints are visible to no encoding rules (X.691 §10.3.21, X.696 §8.2, X.697 §7.2.1)."""
    plain = without_comments(text)
    cuts = [(start, end) for start, end in groups(plain) if re.search(r"\bWITH\s+COMPONENTS?\b", plain[start:end])]
    return cut(plain, cuts), len(cuts)


def with_open_types_as_octets(text):
    """In OER an open type is what an OCTET STRING is: octets after their length (X.696 §30)."""
    return re.subn(r"\b[A-Z][A-Z0-9-]*\.&[A-Z]\w*(\s*\(\{[^()]*\}\))?", "OCTET STRING", without_comments(text))


def without_links_of_lists(text):
    """Which type an open type contains does not change how it is carried (X.691 §11.2, X.696 §30)."""
    return re.subn(r"(\bOF\s+[A-Z][A-Z0-9-]*\.&\w+\s*\(\{[^{}]*\})\s*\{@[^{}]*\}", r"\1", without_comments(text))


def with_lists_written_out(text):
    """Of two sizes of a list, the second one's extension marker is that of both (X.680 §50.8); in these modules it has the smaller root, too."""
    plain = without_comments(text)
    lists = dict(re.findall(r"^([A-Z][\w-]*) *::= *SEQUENCE *(?:SIZE *\([^()]*\)|\( *SIZE *\([^()]*\) *\))? *OF +([A-Z][\w-]*) *$", plain, re.MULTILINE))
    names = "|".join(map(re.escape, lists))
    return re.subn(rf"\b({names})\b(\s*\(\s*SIZE\s*\([^()]*\)\s*\))", lambda found: f"SEQUENCE {found[2]} OF {lists[found[1]]}", plain) if lists else (plain, 0)


def groups(text):
    """The outermost groups of parentheses."""
    depth, start = 0, None
    for found in re.finditer(r'[()]|"[^"]*"', text):
        if found[0] == "(":
            start, depth = (found.start() if depth == 0 else start), depth + 1
        elif found[0] == ")":
            depth -= 1
            if depth == 0:
                yield start, found.end()


def without_comments(text):
    return re.sub(r'("[^"]*")|--.*?(?:--|$)|/\*.*?\*/', lambda found: found[1] or "", text, flags=re.MULTILINE | re.DOTALL)


def cut(text, places):
    for start, end in reversed(places):
        text = text[:start] + text[end:]
    return text


INNER_SUBTYPING = Rewrite("inner subtype constraints left out", without_inner_subtyping)
OPEN_TYPES = Rewrite("OCTET STRING for open types", with_open_types_as_octets)
LINKS_OF_LISTS = Rewrite("links of open types in lists left out", without_links_of_lists)
SIZES_OF_LISTS = Rewrite("lists written out that get a second size", with_lists_written_out)
