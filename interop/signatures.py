"""Holds verdicts on signed messages of IEEE 1609.2 against Python's `cryptography`, with messages read by pycrate.

Messages are those of the recordings beside the project, where they are there; and messages and certificates that are made here, on each curve that pycrate's module has (not P-384): certificates signed by `cryptography`, messages signed by
`roadwire sign` and by `cryptography`, and forgeries of them.
"""

import argparse
import collections
import copy
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from pycrate_asn1dir import ITS_IEEE1609_2

import captures

MODULE = ITS_IEEE1609_2.Ieee1609Dot2
CURVES = {
    "ecdsaNistP256": ec.SECP256R1(),
    "ecdsaBrainpoolP256r1": ec.BrainpoolP256R1(),
    "ecdsaBrainpoolP384r1": ec.BrainpoolP384R1(),
}
# Their orders; implicit certificates have 256 bits.
ORDERS = {
    "ecdsaNistP256": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "ecdsaBrainpoolP256r1": 0xA9FB57DBA1EEA9BC3E660A909D838D718C397AA3B561A6F7901E0E82974856A7,
}
HASHES = {"sha256": (hashlib.sha256, hashes.SHA256()), "sha384": (hashlib.sha384, hashes.SHA384())}
# 2022-01-01T00:00:00Z, in seconds since 2004 (TAI).
START = 568_080_005
CAM = "020200072a996500005a582ef22e18030c223412c708426f900053c122b69302908a74140b61fda0c0"


def encoded(kind, value):
    kind.set_val(copy.deepcopy(value))
    return kind.to_coer()


def decoded(kind, octets):
    kind.from_coer(octets)
    return copy.deepcopy(kind.get_val())


def signed_hash(algorithm, data, signer):
    new = HASHES[algorithm][0]
    return new(new(data).digest() + new(signer).digest()).digest()


def x_of(point):
    return point[1]["x"] if isinstance(point[1], dict) else point[1]


def key_of(certificate):
    name, (form, point) = certificate["toBeSigned"]["verifyKeyIndicator"][1]
    first = {"compressed-y-0": b"\2", "compressed-y-1": b"\3"}.get(form)
    octets = first + point if first else b"\4" + point["x"] + point["y"]
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVES[name], octets)


def is_signed(key, algorithm, hashed, signature):
    r, s = (int.from_bytes(one, "big") for one in (x_of(signature[1]["rSig"]), signature[1]["sSig"]))
    try:
        key.verify(utils.encode_dss_signature(r, s), hashed, ec.ECDSA(utils.Prehashed(HASHES[algorithm][1])))
        return True
    except InvalidSignature:
        return False


def digest_of(octets, certificate):
    is_long = "384" in certificate["toBeSigned"]["verifyKeyIndicator"][1][0]
    return HASHES["sha384" if is_long else "sha256"][0](octets).digest()[-8:]


class Receiver:
    """Remembers certificates, as roadwire does."""

    def __init__(self):
        self.known = {}

    def verdict(self, octets):
        try:
            kind, data = decoded(MODULE.Ieee1609Dot2Data, octets)["content"]
            whole = MODULE.Ieee1609Dot2Data.to_coer()
        except Exception:  # whatever pycrate throws
            return "invalid"
        if kind != "signedData":
            return "none"
        if not octets.startswith(whole):
            return "invalid"
        form, signer = data["signer"]
        if form == "certificate":
            certificate = encoded(MODULE.Certificate, signer[0]), signer[0]
        else:
            certificate = self.known.get(signer)
        if certificate is None:
            return "unknown-signer"
        hashed = signed_hash(data["hashId"], encoded(MODULE.ToBeSignedData, data["tbsData"]), certificate[0])
        try:
            key = key_of(certificate[1])
        except (ValueError, TypeError):
            return "invalid"
        if not is_signed(key, data["hashId"], hashed, data["signature"]):
            return "invalid"
        self.known[digest_of(*certificate)] = certificate
        return "signed"


def recordings(roadwire):
    """Each message of a recording: our verdict, and Python's."""
    for path in captures.files():
        lines = subprocess.run([roadwire, "capture", "--verify", path], check=True, capture_output=True, text=True).stdout
        ours = {line["frame"]: line for line in map(json.loads, lines.splitlines())}
        receiver, counts = Receiver(), collections.Counter()
        for frame, message in captures.secured(path):
            counts[receiver.verdict(message), ours[frame]["security"]["verdict"]] += 1
        yield path.name, counts


class Maker:
    """Certificates of a root and a ticket for CAM on a curve, and signatures by their keys."""

    def __init__(self, name):
        self.name, self.octets = name, 48 if "384" in name else 32
        self.algorithm = "sha384" if self.octets == 48 else "sha256"
        self.keys = [ec.generate_private_key(CURVES[name]) for _ in range(2)]
        issue = [{"subjectPermissions": ("all", 0), "minChainLength": 1, "chainLengthRange": 0, "eeType": (0x80, 8)}]
        self.root = self.certificate(0, None, {"certIssuePermissions": issue})
        self.ticket = self.certificate(1, self.root, {"appPermissions": [{"psid": 36}]})

    def certificate(self, number, issuer, permissions):
        public = self.keys[number].public_key().public_numbers()
        point = (f"compressed-y-{public.y & 1}", public.x.to_bytes(self.octets, "big"))
        to_be_signed = {
            "id": ("none", 0),
            "cracaId": bytes(3),
            "crlSeries": 0,
            "validityPeriod": {"start": START, "duration": ("years", 3)},
            "verifyKeyIndicator": ("verificationKey", (self.name, point)),
            **permissions,
        }
        named = ("self", self.algorithm) if issuer is None else (f"{self.algorithm}AndDigest", digest_of(*issuer))
        data = encoded(MODULE.ToBeSignedCertificate, to_be_signed)
        signature = self.signature(0, data, b"" if issuer is None else issuer[0])
        value = {"version": 3, "type": "explicit", "issuer": named, "toBeSigned": to_be_signed, "signature": signature}
        return encoded(MODULE.Certificate, value), value

    def implicit(self):
        """An implicit ticket, and its holder's key (SEC 4, IEEE 1609.2 §5.3.2)."""
        order = ORDERS[self.name]
        secret = ec.generate_private_key(CURVES[self.name])
        public, number = secret.public_key().public_numbers(), secret.private_numbers().private_value
        to_be_signed = {
            **self.ticket[1]["toBeSigned"],
            "verifyKeyIndicator": ("reconstructionValue", (f"compressed-y-{public.y & 1}", public.x.to_bytes(32, "big"))),
        }
        value = {**self.ticket[1], "type": "implicit", "toBeSigned": to_be_signed}
        del value["signature"]
        hashed = signed_hash(self.algorithm, encoded(MODULE.ToBeSignedCertificate, to_be_signed), self.root[0])
        own = (int.from_bytes(hashed, "big") * number + self.keys[0].private_numbers().private_value) % order
        return (encoded(MODULE.Certificate, value), value), ec.derive_private_key(own, CURVES[self.name])

    def signature(self, number, data, signer):
        hashed = signed_hash(self.algorithm, data, signer)
        der = self.keys[number].sign(hashed, ec.ECDSA(utils.Prehashed(HASHES[self.algorithm][1])))
        r, s = (one.to_bytes(self.octets, "big") for one in utils.decode_dss_signature(der))
        return (f"{self.name}Signature", {"rSig": ("x-only", r), "sSig": s})

    def message(self, form):
        payload = {"data": {"protocolVersion": 3, "content": ("unsecuredData", bytes.fromhex(CAM))}}
        data = {"payload": payload, "headerInfo": {"psid": 36, "generationTime": (START + 60) * 1_000_000}}
        octets, certificate = self.ticket
        signer = (form, [certificate] if form == "certificate" else digest_of(octets, certificate))
        signature = self.signature(1, encoded(MODULE.ToBeSignedData, data), octets)
        signed = {"hashId": self.algorithm, "tbsData": data, "signer": signer, "signature": signature}
        return encoded(MODULE.Ieee1609Dot2Data, {"protocolVersion": 3, "content": ("signedData", signed)})


def made(roadwire, folder, name):
    """Each message that is made here on a curve: what it is, Python's verdict, ours, and ours with a chain to the root."""
    maker = Maker(name)
    files = {what: folder / f"{name}-{what}" for what in ("root", "ticket", "key")}
    files["root"].write_bytes(maker.root[0])
    files["ticket"].write_bytes(maker.ticket[0])
    files["key"].write_bytes(maker.keys[1].private_numbers().private_value.to_bytes(maker.octets, "big"))

    def verify(message, *options):
        line = [roadwire, "--json", "verify", "--certificate", files["ticket"], *options]
        return json.loads(subprocess.run(line, input=message.hex(), capture_output=True, text=True).stdout)["verdict"]

    def sign(form):
        line = [roadwire, "sign", "-s", "cam-1.4.1", "--from", "uper", "--signer", form]
        line += ["--key", files["key"], "--certificate", files["ticket"], "--generated", str((START + 60) * 1_000_000)]
        return bytes.fromhex(subprocess.run(line, input=CAM, check=True, capture_output=True, text=True).stdout)

    if name in ORDERS:
        other = copy.copy(maker)
        other.ticket, key = maker.implicit()
        other.keys = [maker.keys[0], key]
        message = other.message("certificate")
        for what, octets in (("implicit", message), ("implicit, r changed", message[:-60] + bytes([message[-60] ^ 1]) + message[-59:])):
            theirs = "signed" if octets == message else "invalid"
            root = ["--certificate", files["root"]]
            yield what, theirs, verify(octets, *root), verify(octets, "--trust", files["root"])
    for form in ("certificate", "digest"):
        for by, message in (("cryptography", maker.message(form)), ("roadwire", sign(form))):
            messages = [(f"{by} {form}", message)]
            # A bit in the payload, in the header, in what names the signer, in r and in s.
            for place in (20, 60, len(message) - 3 * maker.octets, len(message) - 2 * maker.octets, len(message) - 5):
                changed = bytes([message[place] ^ 1])
                messages.append((f"{by} {form}, octet {place} changed", message[:place] + changed + message[place + 1 :]))
            for what, octets in messages:
                receiver = Receiver()
                receiver.known[digest_of(*maker.ticket)] = maker.ticket
                yield what, receiver.verdict(octets), verify(octets), verify(octets, "--trust", files["root"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--roadwire", required=True)
    options = parser.parse_args()
    wrong = 0
    for name, counts in recordings(options.roadwire):
        wrong += sum(count for (theirs, ours), count in counts.items() if theirs != ours)
        told = [f"{count} {theirs}" + (f" and {ours} for us" if ours != theirs else "") for (theirs, ours), count in sorted(counts.items())]
        print(f"{name}: {', '.join(told) or 'none is signed'}")
    print("NOT COMPARED: P-384, which pycrate's module does not have")
    with tempfile.TemporaryDirectory() as folder:
        for name in CURVES:
            same = valid = 0
            for what, theirs, ours, trusted in made(options.roadwire, pathlib.Path(folder), name):
                # With trust, ours is about the chain as well.
                expected = "valid" if theirs == "signed" else theirs
                if (theirs, expected) == (ours, trusted) and (theirs == "signed") == ("changed" not in what):
                    same += 1
                    valid += theirs == "signed"
                else:
                    wrong += 1
                    print(f"{name} {what}: {theirs}, and {ours} and {trusted} for us")
            print(f"{name}: {same} verdicts the same, {valid} of them valid")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
