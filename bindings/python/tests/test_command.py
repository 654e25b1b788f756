"""`python -m roadwire` is the command."""

from __future__ import annotations

import json
import subprocess
import sys

import roadwire
from support import CAM


def run(*arguments: str, octets: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "roadwire", *arguments], input=octets, capture_output=True, check=False
    )


def test_the_command_converts() -> None:
    ran = run("convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", octets=CAM.hex().encode())
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout) == json.loads(roadwire.schema("cam-1.4.1").convert(CAM, "uper", "jer"))


def test_exit_codes_are_those_of_the_command() -> None:
    refused = run("convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", octets=b"0202")
    assert (refused.returncode, refused.stdout) == (1, b"")
    assert refused.stderr.startswith(b"roadwire: ")
    wrong = run("convert", "--json")
    assert wrong.returncode == 2
    assert json.loads(wrong.stderr)["error"]["code"] == "usage"
    assert run("--help").returncode == 0


def test_the_list_of_schemas_is_the_same() -> None:
    ran = run("list", "schemas", "--json")
    assert [json.loads(line)["schema"] for line in ran.stdout.splitlines()] == list(roadwire.schemas())
