"""What is looked at: bits, comparisons, guesses, verdicts."""

from __future__ import annotations

import json
import pickle
import warnings
from datetime import datetime, timezone
from typing import Any

import pytest

import roadwire
from support import (
    CAM,
    CIRCLE_TICKET,
    COUNTRY_TICKET,
    CRL,
    KEY,
    RECORDED,
    REVOCABLE_TICKET,
    ROOT_CERTIFICATE,
    TICKET,
    UNTIMED,
)
from test_captures import packet
from test_command import run

CAM_SCHEMA = roadwire.schema("cam-1.4.1")


@pytest.mark.parametrize("rules", [rules for rules in roadwire.rules() if rules != "tls"])
def test_inspection_covers_every_bit(rules: str) -> None:
    octets = CAM_SCHEMA.convert(CAM, "uper", rules)
    found = CAM_SCHEMA.inspect(rules, octets)
    assert "".join(run.bits for run in found) == "".join(f"{octet:08b}" for octet in octets)
    assert found.error is None and found.octets == octets and found.rules == rules
    assert all(run.bit == sum(len(other.bits) for other in found[:at]) for at, run in enumerate(found))
    assert "<table>" in found._repr_html_() and "stationID" in repr(found)


def test_inspection_goes_as_far_as_the_message_does() -> None:
    found = CAM_SCHEMA.inspect("uper", CAM[:10])
    assert found.error is not None and found.error.code == "input.truncated"
    assert found[-1].what == "unread"
    assert repr(found).endswith(str(found.error))


def test_what_is_shown_in_a_page_is_escaped() -> None:
    schema = roadwire.compile(text="M DEFINITIONS ::= BEGIN T ::= UTF8String END")
    page = schema.inspect("jer", '"<script>"')._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page


def test_comparison() -> None:
    value = CAM_SCHEMA.decode("uper", CAM)
    found = CAM_SCHEMA.compare(value)
    assert [row.rules for row in found] == list(roadwire.rules())
    for row in found:
        if row.octets is None:
            assert row.rules == "tls" and row.why
        else:
            assert row.octets == len(CAM_SCHEMA.encode(row.rules, value))
            assert sum(row.bits.values()) <= row.octets * 8
    assert repr(CAM_SCHEMA.compare(CAM, from_rules="uper")) == repr(found)
    assert "<td" in found._repr_html_()
    with pytest.raises(KeyError):
        found["per"]
    with pytest.raises(roadwire.Error) as refused:
        CAM_SCHEMA.compare({**value, "header": {**value["header"], "stationID": -1}})
    assert refused.value.code == "integer.range"


def test_guesses() -> None:
    best, *_ = roadwire.guess(CAM)
    assert (best.schema, best.type, best.rules) == ("cam-1.4.1", "CAM-PDU-Descriptions.CAM", "uper")
    assert best.score > 0.99 and best.why
    assert hash(best) and pickle.loads(pickle.dumps(best)) == best
    assert roadwire.guess(b"no message at all") == []
    assert roadwire.guess(CAM_SCHEMA.convert(CAM, "uper", "xer"))[0].rules in ("xer", "cxer")
    assert all(guess.rules == "coer" for guess in roadwire.guess(CAM, rules=["coer"]))


def test_a_packet_is_guessed_as_the_command_does() -> None:
    whole = packet(CAM)[14:]
    best, *others = roadwire.guess(whole)
    assert (best.schema, best.type, best.rules) == ("geonetworking-1", "shb", "geonetworking")
    assert any("cam-1.4.1 in uper" in reason for reason in best.why)
    ran = run("guess", "--json", octets=whole.hex().encode())
    assert json.loads(ran.stdout) == [
        {"schema": one.schema, "type": one.type, "rules": one.rules, "score": one.score, "why": list(one.why)}
        for one in [best, *others]
    ]
    # One octet less, and it is none.
    assert all(guess.rules != "geonetworking" for guess in roadwire.guess(whole[:-1]))


def signed(**more: object) -> bytes:
    return roadwire.sign(CAM, certificate=TICKET, key=KEY, psid=36, generated=RECORDED, **more)  # type: ignore[arg-type]


def test_what_is_signed_is_valid() -> None:
    verdict = roadwire.verify(signed())
    assert not verdict and verdict.verdict == "signed" and verdict.reason is None
    assert verdict.checked["chain"].startswith("no: ") and verdict.chain == ()
    trusted = roadwire.verify(signed(), trust=[ROOT_CERTIFICATE])
    assert trusted and trusted.verdict == "valid" and trusted.checked["chain"] == "yes"
    assert trusted.chain == (trusted.signer, *trusted.chain[1:]) and trusted.permissions is not None
    # With an empty list no signer is trusted.
    assert roadwire.verify(signed(), trust=[]).verdict == "untrusted"
    assert verdict.payload == CAM and verdict.psid == 36 and verdict.format == "ieee1609.2"
    assert verdict.generated == RECORDED
    assert roadwire.verify(signed(), trust=[ROOT_CERTIFICATE], at=RECORDED)
    assert roadwire.verify(signed(location=(491711500, 165978980, 0)), trust=[ROOT_CERTIFICATE])


def test_an_empty_list_of_trust_trusts_nobody() -> None:
    for verdict in (roadwire.verify(signed(), trust=[]), roadwire.Verifier(trust=iter([])).verify(signed())):
        assert not verdict and verdict.verdict == "untrusted"


def test_a_message_has_only_what_its_signer_may_send() -> None:
    cam = roadwire.schema("cam-1.4.1")
    vehicle = "020200072a996500005a582ef22e18030c223412c708426f900053c122b69302908a74140b61fda0c0"
    value = cam.decode("uper", bytes.fromhex(vehicle))
    emergency = {"lightBarSirenInUse": (b"\x80", 2), "emergencyPriority": (b"\x80", 2)}
    value["cam"]["camParameters"]["specialVehicleContainer"] = {"emergencyContainer": emergency}

    def sign(message: bytes) -> bytes:
        return roadwire.sign(message, certificate=TICKET, key=KEY, psid=36, generated=RECORDED)

    # The ticket is for CAMs, and has no bit for an emergency vehicle's.
    assert roadwire.verify(sign(bytes.fromhex(vehicle)), trust=[ROOT_CERTIFICATE])
    with pytest.warns(roadwire.SignWarning, match="a part of a message"):
        special = sign(cam.encode("uper", value))
    assert roadwire.verify(special, trust=[ROOT_CERTIFICATE]).verdict == "invalid"
    assert roadwire.verify(special).verdict == "invalid"


def test_a_signer_is_known_by_its_digest_once_it_was_seen() -> None:
    by_digest = signed(signer="digest")
    assert roadwire.verify(by_digest).verdict == "unknown-signer"
    assert roadwire.verify(by_digest, certificates=[TICKET]).verdict == "signed"
    verifier = roadwire.Verifier(trust=[ROOT_CERTIFICATE])
    assert verifier.verify(signed())
    assert verifier.verify(by_digest)


def test_what_was_changed_is_invalid() -> None:
    message = bytearray(signed())
    message[message.find(CAM) + 5] ^= 1
    verdict = roadwire.verify(bytes(message))
    assert not verdict and verdict.verdict == "invalid" and verdict.reason


def test_time_counts_where_trust_is_asked_for() -> None:
    late = datetime(2024, 1, 1, tzinfo=timezone.utc)
    assert roadwire.verify(signed(), trust=[ROOT_CERTIFICATE], at=late).verdict == "expired"
    with pytest.raises(ValueError, match="zone"):
        roadwire.verify(signed(), at=datetime(2024, 1, 1))


def test_the_profile_counts_by_application_unless_it_is_chosen() -> None:
    verdicts = {
        None: roadwire.verify(UNTIMED, trust=[ROOT_CERTIFICATE]),
        "etsi": roadwire.verify(UNTIMED, trust=[ROOT_CERTIFICATE], profile="etsi"),
        "none": roadwire.Verifier(trust=[ROOT_CERTIFICATE], profile="none").verify(UNTIMED),
    }
    assert {name: one.verdict for name, one in verdicts.items()} == {None: "invalid", "etsi": "invalid", "none": "valid"}
    assert verdicts["none"].checked["profile"].startswith("no: ") and verdicts["none"]
    with pytest.raises(ValueError, match="'etsi' or 'none'"):
        roadwire.verify(UNTIMED, profile="ieee")  # type: ignore[arg-type]


def revocable() -> bytes:
    return roadwire.sign(CAM, certificate=REVOCABLE_TICKET, key=KEY, psid=36, generated=RECORDED)


def test_messages_of_revoked_certificates_are_invalid() -> None:
    signer = roadwire.verify(revocable()).signer
    assert signer is not None
    assert roadwire.verify(revocable(), trust=[ROOT_CERTIFICATE])
    for revoke in (signer, signer.hex(), b"\x01\x02" + signer, "0102" + signer.hex(), bytearray(signer)):
        for trust in ([ROOT_CERTIFICATE], None):
            verdict = roadwire.verify(revocable(), trust=trust, revoke=[b"12345678", revoke])  # type: ignore[list-item]
            assert verdict.verdict == "invalid" and "revoked" in (verdict.reason or ""), revoke
    assert roadwire.verify(revocable(), trust=[ROOT_CERTIFICATE], revoke=[b"12345678"])
    assert roadwire.verify(revocable(), trust=[ROOT_CERTIFICATE], crl=[CRL]).verdict == "invalid"
    assert roadwire.verify(signed(), trust=[ROOT_CERTIFICATE], crl=[CRL])
    verifier = roadwire.Verifier(trust=[ROOT_CERTIFICATE])
    assert verifier.verify(revocable())
    assert verifier.add_crl(CRL, RECORDED) == 1
    assert verifier.verify(revocable()).verdict == "invalid" and verifier.verify(signed())
    root = verifier.verify(signed()).chain[-1]
    verifier.revoke(root)
    assert verifier.verify(signed()).verdict == "invalid"


def test_lists_and_digests_that_cannot_be_used_are_refused() -> None:
    before = datetime(2019, 6, 11, 7, tzinfo=timezone.utc)
    for octets, trust, at, reason in [
        (CRL, [], None, "not trusted|not known"),
        (CRL[:-1] + bytes([CRL[-1] ^ 1]), [ROOT_CERTIFICATE], None, "signature"),
        (CRL, [ROOT_CERTIFICATE], before, "not made at the time"),
        (b"", [ROOT_CERTIFICATE], None, "the input ends"),
        (revocable(), [ROOT_CERTIFICATE], None, "application"),
    ]:
        verifier = roadwire.Verifier(trust=trust)
        with pytest.raises(roadwire.Error, match=reason) as refused:
            verifier.add_crl(octets, at)
        assert refused.value.code == "crl"
    for digest in (b"1234567", "0011", "no digits at all", b""):
        with pytest.raises(ValueError, match="HashedId8"):
            roadwire.Verifier(revoke=[digest])
    for wrong in ({"crl": CRL}, {"revoke": "0011223344556677"}):
        with pytest.raises(TypeError, match="list"):
            roadwire.verify(signed(), **wrong)


def test_sign_warns_of_what_receivers_refuse() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        signed()
    late = datetime(2024, 1, 1, tzinfo=timezone.utc)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"psid": 141}, "an application that the signer has no permission for"),
        ({"generated": late}, "generated when its signer is not valid"),
    ]
    for more, reason in cases:
        with pytest.warns(roadwire.SignWarning, match=reason) as told:
            message = roadwire.sign(CAM, **{"certificate": TICKET, "key": KEY, "psid": 36, "generated": RECORDED, **more})
        assert roadwire.verify(message).verdict in ("signed", "invalid")
        assert told[0].filename == __file__ and str(told[0].message).startswith("receivers may refuse the message: ")
    assert roadwire.SignWarning.__module__ == "roadwire" and issubclass(roadwire.SignWarning, UserWarning)


def test_open_regions_are_those_that_no_place_is_compared_with() -> None:
    assert roadwire.verify(signed()).open_regions == ()
    in_a_circle = roadwire.sign(CAM, certificate=CIRCLE_TICKET, key=KEY, psid=36, generated=RECORDED)
    verdict = roadwire.verify(in_a_circle, trust=[ROOT_CERTIFICATE])
    assert verdict and verdict.checked["place"] == "no: the message has no place"
    circle = {"circle": {"center": {"latitude": 480000000, "longitude": 110000000}, "radius": 1000}}
    germany = {"identified": {"dictionary": 1, "region": 276, "local": 0}}
    assert verdict.open_regions == (circle,)
    assert set(verdict.checked) == {"chain", "profile", "permissions", "place", "time", "payload"}
    abroad = roadwire.sign(CAM, certificate=COUNTRY_TICKET, key=KEY, psid=36, generated=RECORDED)
    assert roadwire.verify(abroad, trust=[ROOT_CERTIFICATE]).open_regions == (germany,)


def test_what_cannot_be_signed_or_verified() -> None:
    for certificate, key, code in [
        (TICKET, bytes([3] * 32), "key"),
        (TICKET, b"", "key"),
        (b"abc", KEY, "certificate"),
    ]:
        with pytest.raises(roadwire.Error) as refused:
            roadwire.sign(CAM, certificate=certificate, key=key, psid=36)
        assert refused.value.code == code
    with pytest.raises(roadwire.Error):
        roadwire.verify(b"\x09\x09")
    with pytest.raises(roadwire.Error) as refused:
        roadwire.verify(signed(), trust=[b"abc"])
    assert refused.value.code == "certificate"
    with pytest.raises(TypeError):
        roadwire.sign("text", certificate=TICKET, key=KEY, psid=36)  # type: ignore[arg-type]
