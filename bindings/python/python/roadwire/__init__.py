"""V2X road messages, and messages of your own ASN.1 modules, in every encoding.

>>> import roadwire
>>> cam = roadwire.schema("cam-1.4.1")
>>> octets = bytes.fromhex("020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280")
>>> value = cam.decode("uper", octets)
>>> value["cam"]["camParameters"]["basicContainer"]["referencePosition"]["latitude"]  # 0.1 microdegree
491711500
>>> value["header"]["stationID"] = 1001
>>> cam.encode("uper", value).hex()
'0202000003e942a600fa5e7aa18ea5ceac81901900003b791280'
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from roadwire import _native
from roadwire._error import Error
from roadwire._native import Schema, rules, schema, schemas

__all__ = ["Error", "Schema", "compile", "rules", "schema", "schemas"]


def compile(
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    *,
    text: str | Mapping[str, str] | None = None,
    type: str | None = None,
) -> Schema:
    """A schema of your own modules, in ASN.1 or in the presentation language.

    :param files: the files with the modules, in any order; imports are resolved among them
    :param text: modules as text, or several by names, which errors then have
    :param type: the type that is meant where none is named, as ``Type`` or ``Module.Type``; without it, the only type
        that no other type contains
    :raises Error: everything that is wrong with the modules, with file, line and column

    >>> demo = roadwire.compile(text="Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN"
    ...     " Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL } END")
    >>> demo.encode("uper", {"speed": 1200, "lane": 3}).hex()
    '896040'
    """
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    modules = [(os.fspath(file), Path(file).read_bytes()) for file in files]
    if isinstance(text, str):
        text = {"text": text}
    modules += [(name, module.encode()) for name, module in (text or {}).items()]
    return _native.compile(modules, type)
