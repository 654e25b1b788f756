"""Octets and objects that nobody means well with: an error or a value, never a crash, and no memory that stays."""

from __future__ import annotations

import gc
import random
import resource
import sys
import threading
from typing import Any

import pytest

import roadwire
from support import CAM, Vector, recorded, shipped_vectors

SCHEMAS = list(roadwire.schemas())


def decode_all(schema: roadwire.Schema, type: str | None, octets: bytes) -> int:
    """Decodes under all rules, and encodes what comes out; how many took the octets."""
    taken = 0
    for rules in roadwire.rules():
        try:
            value = schema.decode(rules, octets, type=type)
            taken += 1
            schema.encode(rules, value, type=type)
        except roadwire.Error as error:
            assert error.code and str(error)
    return taken


@pytest.mark.parametrize("name", SCHEMAS)
def test_random_octets(name: str) -> None:
    schema = roadwire.schema(name)
    rng = random.Random(name)
    for type in schema.pdus:
        for length in [0, 1, 2, 3, 5, 8, 13, 40, 200]:
            decode_all(schema, type, rng.randbytes(length))
            decode_all(schema, type, bytes(length))
            decode_all(schema, type, b"\xff" * length)


def mutated(octets: bytes, rng: random.Random) -> bytes:
    changed = bytearray(octets)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(changed) + 1)
        match rng.randrange(5):
            case 0:
                del changed[at:]
            case 1:
                changed[at:at] = rng.randbytes(rng.randint(1, 4))
            case 2:
                del changed[at : at + rng.randint(1, 8)]
            case _ if at < len(changed):
                changed[at] ^= 1 << rng.randrange(8)
    return bytes(changed)


@pytest.mark.parametrize("name", SCHEMAS)
def test_mutated_messages(name: str) -> None:
    schema = roadwire.schema(name)
    rng = random.Random(name)
    vectors: list[Vector] = list(shipped_vectors(name))
    for vector in rng.sample(vectors, min(len(vectors), 8)):
        for rules, (octets, *_) in vector.octets.items():
            for _ in range(4):
                broken = mutated(octets, rng)
                try:
                    value = schema.decode(rules, broken, type=vector.type)
                    schema.convert(broken, rules, "jer", type=vector.type)
                    schema.encode(rules, value, type=vector.type)
                except roadwire.Error as error:
                    assert error.code


def test_mutated_recorded_messages() -> None:
    if not recorded():
        pytest.skip("there are no recorded messages here")
    rng = random.Random(7)
    for message in rng.sample(recorded(), 500):
        schema = roadwire.schema(message.schema)
        broken = [mutated(message.octets, rng) for _ in range(10)]
        batch = schema.decode_batch("uper", broken, errors="column")
        assert len(batch) == 10
        for octets in broken:
            try:
                schema.encode("uper", schema.decode("uper", octets))
            except roadwire.Error as error:
                assert error.code


def memory() -> int:
    """KiB of this process, now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_errors_leave_no_memory() -> None:
    cam = roadwire.schema("cam-1.4.1")
    value = cam.decode("uper", CAM)
    wrong = {**value, "header": {**value["header"], "stationID": "x"}}

    def fail(times: int) -> None:
        for _ in range(times):
            for call in (lambda: cam.decode("uper", CAM[:9]), lambda: cam.encode("uper", wrong)):
                try:
                    call()
                except roadwire.Error:
                    continue
                raise AssertionError

    fail(5_000)
    gc.collect()
    before = memory()
    fail(50_000)
    gc.collect()
    assert memory() - before < 4096


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_values_and_batches_leave_no_memory() -> None:
    cam = roadwire.schema("cam-1.4.1")

    def work(times: int) -> None:
        for _ in range(times):
            cam.encode("coer", cam.decode("uper", CAM))
            cam.convert(CAM, "uper", "jer")
            cam.inspect("uper", CAM)
            cam.decode_batch("uper", [CAM, None, b""], errors="column")

    work(300)
    gc.collect()
    before = memory()
    work(3_000)
    gc.collect()
    assert memory() - before < 4096


def test_deep_and_circular_objects() -> None:
    schema = roadwire.compile(
        text="M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { t T OPTIONAL, l SEQUENCE OF T OPTIONAL }"
        " L ::= SEQUENCE OF L C ::= CHOICE { c C, n NULL } END",
        type="T",
    )
    deep: dict[str, Any] = {}
    for _ in range(5_000):
        deep = {"t": deep}
    circle: dict[str, Any] = {}
    circle["t"] = circle
    lists: dict[str, Any] = {}
    lists["l"] = [lists]
    for value in (deep, circle, lists):
        for rules in ("uper", "ber", "jer"):
            with pytest.raises(roadwire.Error) as refused:
                schema.encode(rules, value)
            assert refused.value.code == "limit.depth"
    lists_alone: list[Any] = []
    choices: dict[str, Any] = {"n": None}
    for _ in range(100_000):
        lists_alone = [lists_alone]
        choices = {"c": choices}
    for type, nested in (("L", lists_alone), ("C", choices)):
        with pytest.raises(roadwire.Error) as refused:
            schema.encode("uper", nested, type=type)
        assert refused.value.code == "limit.depth"
    most: list[Any] = []
    for _ in range(99):
        most = [most]
    assert schema.decode("uper", schema.encode("uper", most, type="L"), type="L") == most


def test_objects_with_code_of_their_own() -> None:
    cam = roadwire.schema("cam-1.4.1")
    value = cam.decode("uper", CAM)

    class Name(str):
        """A key that is equal to a component's name, and encodes while it is compared."""

        def __eq__(self, other: object) -> bool:
            cam.encode("uper", value)
            return str.__eq__(self, other)

        def __hash__(self) -> int:
            return str.__hash__(self)

    class Angry:
        def __eq__(self, other: object) -> bool:
            raise ZeroDivisionError

        def __hash__(self) -> int:
            return hash("header")

    assert cam.encode("uper", {Name(name): part for name, part in value.items()}) == CAM
    with pytest.raises(ZeroDivisionError):
        cam.encode("uper", {Angry(): 1})

    class Shrinking(list[Any]):
        pass

    with pytest.raises(roadwire.Error):
        cam.encode("uper", {**value, "header": Shrinking()})


def test_threads_share_a_schema() -> None:
    name = "denm-1.3.1"
    schema = roadwire.schema(name)
    vectors = shipped_vectors(name)[:20]
    wanted = [schema.decode("jer", vector.value, type=vector.type) for vector in vectors]
    errors: list[Exception] = []
    own = roadwire.compile(text="\n".join(text for _, text in schema.modules), type=schema.pdus[0])

    def work(seed: int) -> None:
        rng = random.Random(seed)
        try:
            for _ in range(150):
                at = rng.randrange(len(vectors))
                rules, (octets, *_) = rng.choice(list(vectors[at].octets.items()))
                for one in (schema, own):
                    assert one.encode(rules, wanted[at], type=vectors[at].type) == octets
                    one.convert(octets, rules, "jer", type=vectors[at].type)
                if rng.random() < 0.1:
                    schema.decode_batch("uper", [vectors[at].octets["uper"][0]] * 50, type=vectors[at].type)
                    roadwire.guess(octets, rules=["uper"])
        except (roadwire.Error, AssertionError) as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
