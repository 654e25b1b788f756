"""Names of exceptions, files that do not exist, and hints at the name that was meant."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import roadwire
from support import CAM

CAM_SCHEMA = roadwire.schema("cam-1.4.1")


def raised(call: Callable[[], Any]) -> roadwire.Error:
    with pytest.raises(roadwire.Error) as refused:
        call()
    return refused.value


def test_tracebacks_have_the_public_names(tmp_path: Path) -> None:
    error = raised(lambda: CAM_SCHEMA.decode("uper", CAM[:9]))
    assert traceback.format_exception_only(error)[0].startswith("roadwire.Error: the input ends")
    missing = raised(lambda: roadwire.read_capture(tmp_path / "nowhere.pcap"))
    assert traceback.format_exception_only(missing)[0].startswith("roadwire.FileNotFound: ")
    for one in (error, missing):
        again = pickle.loads(pickle.dumps(one))
        assert type(again) is type(one) and str(again) == str(one) and again.code == one.code


def test_a_file_that_does_not_exist_is_an_error_of_both_kinds(tmp_path: Path) -> None:
    file = tmp_path / "nowhere"
    calls: list[Callable[[], Any]] = [
        lambda: roadwire.read_capture(file),
        lambda: roadwire.capture_parts(file),
        lambda: roadwire.compile(file),
        lambda: roadwire.compile([str(file)]),
    ]
    for call in calls:
        error = raised(call)
        assert isinstance(error, FileNotFoundError) and isinstance(error, roadwire.FileNotFound)
        assert (error.code, error.filename, error.errno) == ("file.io", str(file), 2) and str(file) in str(error)


def test_public_names_are_all_that_dir_has() -> None:
    assert dir(roadwire) == sorted(roadwire.__all__)


def test_a_name_that_is_nearly_right_is_named() -> None:
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: roadwire.schema("cam-1.4.2"), "cam-1.4.1"),
        (lambda: CAM_SCHEMA.decode("UPER", CAM), "uper"),
        (lambda: CAM_SCHEMA.decode_batch("uper", [CAM], columns=["header.stationId"]), "header.stationID"),
        (lambda: CAM_SCHEMA.arrow_schema(columns=["header", "cam.camParametres.basicContainer"]), "cam.camParameters"),
    ]
    for call, name in calls:
        assert f"did you mean {name}" in str(raised(call)).replace("`", "")
    # A name that is not near any other.
    assert "did you mean" not in str(raised(lambda: CAM_SCHEMA.decode("morse", CAM)))


def test_an_unknown_key_is_named_before_a_component_that_is_missing() -> None:
    value = CAM_SCHEMA.decode("uper", CAM)
    header = value["header"]
    header["messageId"] = header.pop("messageID")
    error = raised(lambda: CAM_SCHEMA.encode("uper", value))
    assert "`messageId`; did you mean `messageID`?" in str(error) and error.path == "header"
    del header["messageId"]
    error = raised(lambda: CAM_SCHEMA.encode("uper", value))
    assert (error.code, error.path) == ("component.missing", "header.messageID")


def test_text_in_place_of_octets_is_a_type_error_that_says_so() -> None:
    for rules in ("uper", "der"):
        with pytest.raises(TypeError, match="expected bytes, found a str"):
            CAM_SCHEMA.decode(rules, "0202")
    with pytest.raises(TypeError, match="expected bytes, found int"):
        CAM_SCHEMA.decode("uper", 5)  # type: ignore[call-overload]
