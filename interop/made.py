"""Messages of X.509, CMS (RFC 5652) and OCSP (RFC 6960) in DER, that Python's `cryptography` makes, with keys for RSA and for an elliptic curve; as groups of messages with their modules."""

import datetime
import json
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
from cryptography.x509 import ocsp
from cryptography.x509.oid import NameOID

import debian
import recorded
import sdist

FROM, TO = datetime.datetime(2026, 1, 1), datetime.datetime(2036, 1, 1)
CONTENT = b"content"
# What a response says of a certificate, since when, and why.
STATUSES = [
    (ocsp.OCSPCertStatus.GOOD, None, None),
    (ocsp.OCSPCertStatus.UNKNOWN, None, None),
    (ocsp.OCSPCertStatus.REVOKED, FROM, x509.ReasonFlags.superseded),
    (ocsp.OCSPCertStatus.REVOKED, FROM, None),
]
# What the content types of CMS contain.
CONTENTS = {"1.2.840.113549.1.7.2": "SignedData", "1.2.840.113549.1.7.3": "EnvelopedData"}


def groups(options):
    ietf = sdist.unpacked("asn1tools", options.folder) / "tests" / "files" / "ietf"
    if not ietf.is_dir():
        return
    pairs = [pair(rsa.generate_private_key(65537, 2048)), pair(ec.generate_private_key(ec.SECP256R1()))]
    yield recorded.Group("made certificates", [ietf / "rfc5280.asn"], "Certificate", "der", [hexadecimal(certificate) for _, certificate in pairs])
    yield recorded.Group("made revocation lists", [ietf / "rfc5280.asn"], "CertificateList", "der", [hexadecimal(revoked(*one)) for one in pairs])
    yield from cms(options, [ietf / f"{name}.asn" for name in ("rfc3852", "rfc3281", "rfc5280")], pairs)
    dissectors = debian.unpacked("wireshark", options.folder)
    if dissectors.is_dir():
        [module] = dissectors.rglob("asn1/ocsp/OCSP.asn")
        yield from online(options, [completed(module, pathlib.Path(options.folder, "ocsp.asn")), ietf / "rfc5280.asn"], pairs)


def hexadecimal(made):
    return made.public_bytes(Encoding.DER).hex()


def pair(key):
    """A key and its certificate, signed by itself."""
    name = x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, "DE"), x509.NameAttribute(NameOID.COMMON_NAME, "roadwire")])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).serial_number(4711).not_valid_before(FROM).not_valid_after(TO).public_key(key.public_key())
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=3), critical=True)
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName("example.org"), x509.DirectoryName(name)]), critical=False)
    return key, builder.sign(key, hashes.SHA256())


def revoked(key, certificate):
    builder = x509.CertificateRevocationListBuilder().issuer_name(certificate.subject).last_update(FROM).next_update(TO)
    for number in (1, 1 << 70):
        one = x509.RevokedCertificateBuilder().serial_number(number).revocation_date(FROM)
        one = one.add_extension(x509.CRLReason(x509.ReasonFlags.key_compromise), critical=False) if number > 1 else one
        builder = builder.add_revoked_certificate(one.build())
    return builder.sign(key, hashes.SHA256())


def cms(options, files, pairs):
    """Signed data in several forms, and data enveloped for RSA; and what stands in each, by its type."""
    options_of = pkcs7.PKCS7Options
    messages = []
    for key, certificate in pairs:
        for form in ([], [options_of.DetachedSignature], [options_of.NoAttributes], [options_of.NoCerts, options_of.NoCapabilities]):
            builder = pkcs7.PKCS7SignatureBuilder().set_data(CONTENT).add_signer(certificate, key, hashes.SHA256())
            messages.append(builder.sign(Encoding.DER, [options_of.Binary, *form]).hex())
    both = pkcs7.PKCS7SignatureBuilder().set_data(CONTENT)
    for key, certificate in pairs:
        both = both.add_signer(certificate, key, hashes.SHA384())
    messages.append(both.sign(Encoding.DER, [options_of.Binary]).hex())
    messages.append(pkcs7.PKCS7EnvelopeBuilder().set_data(CONTENT).add_recipient(pairs[0][1]).encrypt(Encoding.DER, [options_of.Binary]).hex())
    whole = recorded.Group("made CMS", files, "ContentInfo", "der", messages)
    yield whole
    contents = values(options, whole)
    for identifier, name in CONTENTS.items():
        yield recorded.Group(f"made CMS: {name}", files, name, "der", [one["content"] for one in contents if one["contentType"] == identifier])


def online(options, files, pairs):
    """Requests for the status of certificates, and responses; and what stands in each response."""
    requests, responses = [], []
    for key, certificate in pairs:
        for digest in (hashes.SHA1(), hashes.SHA256()):
            request = ocsp.OCSPRequestBuilder().add_certificate(certificate, certificate, digest)
            requests += [hexadecimal(one.build()) for one in (request, request.add_extension(x509.OCSPNonce(bytes(16)), critical=False))]
            for status, when, why in STATUSES:
                response = ocsp.OCSPResponseBuilder().add_response(certificate, certificate, digest, status, FROM, TO if why else None, when, why)
                by = ocsp.OCSPResponderEncoding.HASH if when else ocsp.OCSPResponderEncoding.NAME
                response = response.responder_id(by, certificate)
                responses.append((response.certificates([certificate]) if why else response).sign(key, hashes.SHA256()))
    without = [ocsp.OCSPResponseBuilder.build_unsuccessful(status) for status in ocsp.OCSPResponseStatus if status != ocsp.OCSPResponseStatus.SUCCESSFUL]
    yield recorded.Group("made OCSP requests", files, "OCSPRequest", "der", requests)
    whole = recorded.Group("made OCSP responses", files, "OCSPResponse", "der", [hexadecimal(one) for one in (*responses, *without)])
    yield whole
    within = [value["responseBytes"]["response"] for value in values(options, whole) if "responseBytes" in value]
    yield recorded.Group("made OCSP responses: BasicOCSPResponse", files, "BasicOCSPResponse", "der", within)


def values(options, group):
    """The messages' values in JER."""
    return [json.loads(value) for value in group.convert(options.roadwire, group.rules, "jer", group.messages)]


def completed(module, written):
    """Wireshark's module of OCSP with its imports from the modules of RFC 5280, and without the information objects at its end, whose class it does not have."""
    imports = "Certificate, AlgorithmIdentifier, Name, CertificateSerialNumber, Extensions FROM PKIX1Explicit88 GeneralName, CRLReason, AuthorityInfoAccessSyntax FROM PKIX1Implicit88;"
    types = module.read_text().partition("OCSPRequest  ")[1:]
    written.write_text(f"OCSP DEFINITIONS EXPLICIT TAGS ::= BEGIN IMPORTS {imports}\n{''.join(types).partition('re-ocsp-nonce EXTENSION')[0]}END\n")
    return written
