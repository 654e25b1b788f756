"""The examples in docstrings and on the package's page run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import roadwire
import roadwire._error
import roadwire._views

FOLDER = Path(__file__).resolve().parents[1]


def examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = finder.find(roadwire, "roadwire", roadwire)
    for name in ("schema", "schemas", "rules", "guess"):
        found += finder.find(getattr(roadwire, name), f"roadwire.{name}", False)
    found += finder.find(roadwire.Schema, "roadwire.Schema", roadwire)
    for module in (roadwire._error, roadwire._views):
        found += finder.find(module, module.__name__, module)
    return [test for test in {test.name: test for test in found}.values() if test.examples]


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_examples_of_docstrings_run(test: doctest.DocTest) -> None:
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert result.failed == 0


def test_what_is_public_has_a_docstring() -> None:
    for name in roadwire.__all__:
        assert getattr(roadwire, name).__doc__, name
    for name in ("decode", "encode", "convert", "inspect", "compare", "arrow_schema", "decode_batch", "encode_batch"):
        assert ">>>" in getattr(roadwire.Schema, name).__doc__, name


def engines_section() -> str:
    """The part of the page whose examples run with the tests of Spark and Ray."""
    return (FOLDER / "README.md").read_text().split("<!-- with Spark and Ray -->")[1]


def test_readme_runs() -> None:
    before, _, after = (FOLDER / "README.md").read_text().split("<!-- with Spark and Ray -->")
    test = doctest.DocTestParser().get_doctest(before + after, {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0
