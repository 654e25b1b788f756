"""Compares roadwire's CBOR with cbor2, through the mapping of docs/decisions/29-cbor.md, written down here once more: `Mapping` makes Python's integers, maps and lists of a value in JER.

For each type: cbor2 encodes random values in its canonical form into the same octets as roadwire, and decodes roadwire's octets into the same integers, maps and lists; and roadwire refuses the
same values where entries of maps are in another order. `interop/run` calls it.
"""

import collections
import json
import math
import sys

import cbor2

import oracles
import values
from run import convert

EMBEDDED, RELATIVE_OID, OID = 24, 110, 111


def main():
    options = values.arguments(__doc__)
    sys.set_int_max_str_digits(0)
    totals = collections.Counter()
    for job in values.jobs(options):
        totals += compare(options, *job)
    print(", ".join(f"{count} {what}" for what, count in totals.items()))
    return 1 if totals["differences"] or not totals["values"] else 0


def compare(options, name, files, count, pdu):
    shapes, types = values.random_values(options, files, count, pdu)
    mapping = Mapping(shapes["types"])
    found = collections.Counter()
    for type_name, texts in types.items():
        at = shapes["definitions"][type_name]
        texts = [json.dumps(mapping.with_items(at, json.loads(text)), ensure_ascii=False) for text in texts]
        octets = convert(options.roadwire, files, type_name, "jer", "cbor", texts)
        back = convert(options.roadwire, files, type_name, "cbor", "jer", octets)
        plain = oracles.Walker(shapes, "cbor")
        turned = []
        for text, ours, returned in zip(texts, octets, back, strict=True):
            try:
                item = mapping.item(at, json.loads(text))
            except Beyond as reason:
                found[f"values left out: {reason}"] += 1
                continue
            theirs = cbor2.dumps(item, canonical=True).hex()
            read = None if ours.startswith("error") else cbor2.loads(bytes.fromhex(ours))
            is_back = not returned.startswith("error") and plain.normal(at, json.loads(returned)) == plain.normal(at, json.loads(text))
            found["values"] += 1
            if theirs != ours or not same(read, item) or not is_back:
                found["differences"] += 1
                if found["differences"] <= 3:
                    print(f"DIFFERENCE {name}: {type_name}: {text[:500]}\n  roadwire {ours[:500]}\n  cbor2    {theirs[:500]}\n  back     {returned[:500]}")
            other = cbor2.dumps(reverse(item)).hex()
            if sorted(bytes.fromhex(other)) == sorted(bytes.fromhex(ours)) and other != ours:
                turned.append(other)
        for other, answer in zip(turned, convert(options.roadwire, files, type_name, "cbor", "jer", turned), strict=True):
            found["refused in another order"] += 1
            if not answer.startswith("error"):
                found["differences"] += 1
                print(f"DIFFERENCE {name}: {type_name}: taken in another order: {other[:500]}")
        found["types"] += 1
    print(f"{name}: {dict(found)}", flush=True)
    return found


class Beyond(Exception):
    """A value that is left out, and why."""


class Mapping:
    """What CBOR has for values of ASN.1."""

    def __init__(self, types):
        self.types = types

    def item(self, at, value):
        shape = self.types[at]
        match shape["kind"]:
            case "boolean" | "integer" | "text" | "null" | "utc-time" | "generalized-time":
                return value
            case "enumerated":
                return shape["numbers"][value]
            case "real":
                return float(oracles.double(value))
            case "octets":
                return bytes.fromhex(value)
            case "bits":
                return values.bits(shape, value)
            case "oid":
                first, second, *arcs = (int(arc) for arc in value.split("."))
                return cbor2.CBORTag(OID, b"".join(base128(arc) for arc in [first * 40 + second, *arcs]))
            case "relative-oid":
                return cbor2.CBORTag(RELATIVE_OID, b"".join(base128(int(arc)) for arc in value.split(".")))
            case "external":
                return self.item(shape["inner"], value)
            case "list":
                items = [self.item(shape["element"], one) for one in value]
                return sorted(items, key=lambda item: cbor2.dumps(item, canonical=True)) if shape["unordered"] else items
            case "choice":
                [(name, inner)] = value.items()
                return {shape["order"].index(name): self.item(shape["alternatives"][name], inner)}
            case "sequence":
                return self.map(shape["components"], value)
            case "open":
                octets = value["..."] if isinstance(value, dict) and "..." in value else value
                if not isinstance(octets, str):
                    raise Beyond("an open type whose type is known")
                return cbor2.CBORTag(EMBEDDED, bytes.fromhex(octets))
            case kind:
                raise ValueError(kind)

    def with_items(self, at, value):
        """Octets in an open type are random: seldom a data item, but contents of one."""
        shape = self.types[at]
        match shape["kind"], value:
            case "open", str():
                return cbor2.dumps(bytes.fromhex(value), canonical=True).hex().upper()
            case "open", {"...": octets}:
                return {"...": cbor2.dumps(bytes.fromhex(octets), canonical=True).hex().upper()}
            case "external", _:
                return self.with_items(shape["inner"], value)
            case "list", _:
                return [self.with_items(shape["element"], one) for one in value]
            case "choice" | "sequence", _:
                known = shape.get("alternatives") or {one["name"]: one["type"] for one in shape["components"]}
                return {name: self.with_items(known[name], inner) for name, inner in value.items()}
        return value

    def map(self, components, value):
        """Keys are places: first those of the root, then those of the additions, of which a group is one."""
        entries = [[one] for one in components if one["place"] == "root"]
        group = None
        for one in components:
            if one["place"] == "root":
                continue
            if one["place"] != "addition" and one["place"] == group:
                entries[-1].append(one)
            else:
                entries.append([one])
            group = one["place"]
        found = {}
        for key, parts in enumerate(entries):
            inner = {at: self.item(one["type"], value[one["name"]]) for at, one in enumerate(parts) if self.is_sent(one, value)}
            if parts[0]["place"] not in ("root", "addition"):
                if inner:
                    found[key] = inner
            elif inner:
                found[key] = inner[0]
        return found

    def is_sent(self, component, value):
        """What equals its DEFAULT is not."""
        if component["name"] not in value:
            return False
        return not component["hasDefault"] or not same(self.item(component["type"], value[component["name"]]), self.item(component["type"], component["default"]))


def base128(arc):
    digits = [arc & 0x7F]
    while arc := arc >> 7:
        digits.append(arc & 0x7F | 0x80)
    return bytes(reversed(digits))


def same(one, other):
    """Equal, and of one type: 1, 1.0 and True are three values, and NaN is itself."""
    if type(one) is not type(other):
        return False
    match one:
        case dict():
            return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
        case list():
            return len(one) == len(other) and all(map(same, one, other))
        case float():
            return one == other and math.copysign(1, one) == math.copysign(1, other) or math.isnan(one) and math.isnan(other)
    return one == other


def reverse(item):
    """The same item with the entries of its maps turned around."""
    match item:
        case dict():
            return {key: reverse(item[key]) for key in reversed(item)}
        case list():
            return [reverse(one) for one in item]
    return item


if __name__ == "__main__":
    sys.exit(main())
