"""Files by their names: on this machine, or in another store through fsspec.

A name with a scheme, such as ``s3://bucket/drive.pcap``, is of another store; ``file:`` is this machine's. fsspec is asked for
only there, and opens a file in the process that reads it.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, cast

from roadwire._error import Error, FileNotFound


def is_remote(path: str) -> bool:
    """Whether a name is of another store."""
    return "://" in path and not path.startswith("file:")


def local(path: str) -> str:
    """A name of this machine, without its scheme."""
    if path.startswith("file:"):
        path = path.removeprefix("file:")
        return path.removeprefix("//") if path.startswith("///") else path
    if is_remote(path):
        raise ValueError(f"{path!r}: this file is read from a path that all workers have, not from another store")
    return path


def open_binary(path: str) -> BinaryIO:
    """The file with this name, opened to read octets.

    Raises FileNotFound for one that does not exist, Error for one that cannot be read, and ImportError where the package
    for its store is not installed.
    """
    if not is_remote(path):
        return open(path, "rb")
    with _Reading(path):
        store, name = _store(path)
        return cast(BinaryIO, store.open(name, "rb"))


def size_of(path: str) -> int:
    """Its length in octets."""
    if not is_remote(path):
        return os.path.getsize(path)
    with _Reading(path):
        store, name = _store(path)
        return int(store.size(name))


def find_files(paths: Iterable[str], is_wanted: Callable[[str], object]) -> list[str]:
    """Names of files, absolute or with their scheme: what is named, what a pattern names, and what is wanted in folders and below,
    without names that begin with a dot or an underscore. Sorted for each path, and each once.

    Raises FileNotFound for a path or pattern of nothing.
    """
    found: dict[str, None] = {}
    for path in paths:
        named = list(_in_store(path, is_wanted) if is_remote(path) else _here(local(path), is_wanted))
        if named == [None]:
            raise FileNotFound(f"there is no file {path!r}", path)
        found.update((name, None) for name in named if name is not None)
    return list(found)


def is_capture(name: str) -> bool:
    """Whether a file of this name in a folder is taken for a recording."""
    return name.lower().removesuffix(".gz").endswith((".pcap", ".pcapng", ".cap"))


def _here(path: str, is_wanted: Callable[[str], object]) -> Iterator[str | None]:
    """Nothing in particular for a path of nothing."""
    names = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    for name in names:
        for file in _below(name, is_wanted) if os.path.isdir(name) else [name]:
            yield os.path.abspath(file)
    if not names:
        yield None


def _below(folder: str, is_wanted: Callable[[str], object]) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        yield from (os.path.join(parent, name) for name in sorted(files) if name[0] not in "._" and is_wanted(name))


def _in_store(url: str, is_wanted: Callable[[str], object]) -> Iterator[str | None]:
    with _Reading(url):
        store, path = _store(url)
        try:
            found = {path: store.info(path)}
        except FileNotFoundError:
            found = store.glob(path, detail=True)
        for name, info in sorted(found.items()):
            if info["type"] != "directory":
                yield _url(url, name)
                continue
            for file in sorted(store.find(name)):
                below = file.removeprefix(name).strip("/").split("/")
                if all(part[:1] not in (".", "_") for part in below) and is_wanted(below[-1]):
                    yield _url(url, file)
        if not found:
            yield None


def _url(like: str, name: str) -> str:
    """The name of a file that a store found, with the schemes of the name that it was found by."""
    links = like.split("::")
    # In a chain such as `simplecache::s3://bucket/*.pcap` the first link with a path has the store's names.
    at = next(at for at, link in enumerate(links) if "://" in link)
    scheme, _, _ = links[at].partition("://")
    links[at] = name if "://" in name else f"{scheme}://{name}"
    return "::".join(links)


def _store(url: str) -> tuple[Any, str]:
    """The file system of a name, and the name there."""
    try:
        import fsspec.core
    except ImportError:
        raise ImportError(f"{url!r} is in another store, for which fsspec is needed: pip install fsspec") from None
    try:
        return cast("tuple[Any, str]", fsspec.core.url_to_fs(url))
    except ImportError as missing:
        # fsspec names the package for this store.
        raise ImportError(f"{url!r}: {missing} (pip install it, on every worker)") from None
    except ValueError as unknown:
        raise ValueError(f"{url!r}: {unknown}") from None


class _Reading:
    """Turns a store's errors into those of the package."""

    def __init__(self, url: str) -> None:
        self.url = url

    def __enter__(self) -> None:
        pass

    def __exit__(self, of: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Error) or not isinstance(error, OSError):
            return
        if isinstance(error, FileNotFoundError):
            raise FileNotFound(f"cannot read {self.url}: the file does not exist", self.url) from error
        raise Error(f"cannot read {self.url}: {error}", "file.io") from error
