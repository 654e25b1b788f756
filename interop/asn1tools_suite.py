"""asn1tools' own tests against `roadwire.compat.asn1tools`: asn1tools_suite.py FOLDER [--codec CODEC]... [--why].

FOLDER/asn1tools-VERSION is asn1tools' source distribution, as sdist.py unpacks it; `roadwire` can be imported. The module is put
in the place of `asn1tools` before the tests are imported. A test that compares the text of an exception passes, fails only for
that text (it is run once more with texts that equal every text), or fails. Those that do not pass are listed in
asn1tools_suite.toml with a reason. Exits with 1 if the list does not fit: a listed test passes, or another one does not.

Parsed modules, which `compile_dict` takes, are replaced by the files that they were parsed from.
"""

import argparse
import collections
import contextlib
import datetime
import io
import os
import pathlib
import sys
import tomllib
import types
import unittest

from roadwire.compat import _asn1tools_times as times
from roadwire.compat import asn1tools

import sdist

CODECS = ["uper", "per", "oer", "ber", "der", "jer", "xer"]
LIST = pathlib.Path(__file__).with_suffix(".toml")


class AnyText(str):
    """A text that equals every text."""

    __hash__ = str.__hash__

    def __eq__(self, other):
        return isinstance(other, str)

    def __ne__(self, other):
        return not isinstance(other, str)


def module_files(specification):
    """The module files that a parsed specification comes from; those of the tests lie beside it."""
    for module in list(sys.modules.values()):
        if getattr(module, "EXPECTED", None) == specification:
            return [str(pathlib.Path(module.__file__).with_suffix(".asn"))]
    return None


def compile_dict(specification, codec="ber", any_defined_by_choices=None, numeric_enums=False):
    files = module_files(specification)
    if files is None:
        raise NotImplementedError("a parsed module of no file")
    return asn1tools.compile_files(files, codec, any_defined_by_choices, numeric_enums=numeric_enums)


def replace_asn1tools():
    """Puts our module in the place of theirs. Of theirs, the tests also use conversions of times, which are ours, too."""
    module = types.ModuleType("asn1tools")
    module.__dict__.update({name: getattr(asn1tools, name) for name in asn1tools.__all__} | {"compile_dict": compile_dict})
    codecs = types.ModuleType("asn1tools.codecs")
    for prefix, forms in [("", times.ALL), ("restricted_", times.CANONICAL)]:
        for name, kind in [("utc", "UTCTime"), ("generalized", "GeneralizedTime")]:
            setattr(codecs, f"{prefix}{name}_time_to_datetime", forms[kind].read)
            setattr(codecs, f"{prefix}{name}_time_from_datetime", forms[kind].text)
    codecs.OutOfDataError = asn1tools.OutOfDataError
    codecs.per = codecs
    compat = types.ModuleType("asn1tools.compat")
    compat.timezone, compat.timedelta = datetime.timezone, datetime.timedelta
    module.codecs, module.compat = codecs, compat
    sys.modules.update({one.__name__: one for one in (module, codecs, compat)})


def outcome(test):
    """Nothing if a test passes, or the end of what it says."""
    result = unittest.TestResult()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        test(result)
    wrong = [text for _, text in result.failures + result.errors]
    wrong += ["it passes though it was expected to fail"] * len(result.unexpectedSuccesses)
    return wrong[0] if wrong else None


@contextlib.contextmanager
def any_text():
    """Exceptions whose texts equal every text."""
    # All have a text of their own, or that of one of these two.
    classes = [asn1tools.Error, asn1tools.EncodeError.__mro__[1]]
    shown = [one.__str__ for one in classes]
    for one in classes:
        one.__str__ = lambda self: AnyText()
    try:
        yield
    finally:
        for one, text in zip(classes, shown):
            one.__str__ = text


def results(codec):
    """Each test of a codec: its name, `passes`, `text` or `fails`, and what it says."""
    suite = unittest.defaultTestLoader.loadTestsFromName(f"tests.test_{codec}")
    for test in (test for case in suite for test in case):
        name = test._testMethodName
        make = type(test)
        wrong = outcome(test)
        if wrong is None:
            yield name, "passes", ""
            continue
        with any_text():
            again = outcome(make(name))
        yield name, "text" if again is None else "fails", again or wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--codec", choices=CODECS, action="append")
    parser.add_argument("--why", action="store_true", help="what each test that fails says")
    arguments = parser.parse_args()
    listed = tomllib.loads(LIST.read_text())
    os.chdir(sdist.unpacked("asn1tools", arguments.folder.resolve()))
    sys.path.insert(0, os.getcwd())
    replace_asn1tools()
    misfits = []
    for codec in arguments.codec or CODECS:
        known = listed.get(codec, {})
        expected = dict.fromkeys(known.get("text", []), "text") | dict.fromkeys(known.get("fails", {}), "fails")
        counts = collections.Counter()
        for name, found, text in results(codec):
            counts[found] += 1
            was = expected.pop(name, "passes")
            if was != found:
                misfits.append(f"{codec} {name}: {found}, and the list says {was}")
            if arguments.why and found == "fails":
                print(f"{codec} {name}: {text[-1500:]}")
        misfits += [f"{codec} {name}: listed, and there is no such test" for name in expected]
        passes, texts, fails = (counts[one] for one in ("passes", "text", "fails"))
        print(f"{codec:5} {counts.total():3} tests: {passes} pass, {texts} fail only for the text of an exception, {fails} fail")
    if misfits:
        print(*misfits, sep="\n")
    return 1 if misfits else 0


if __name__ == "__main__":
    sys.exit(main())
