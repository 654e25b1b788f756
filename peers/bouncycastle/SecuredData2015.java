import static org.bouncycastle.oer.OERDefinition.choice;
import static org.bouncycastle.oer.OERDefinition.enumItem;
import static org.bouncycastle.oer.OERDefinition.enumeration;
import static org.bouncycastle.oer.OERDefinition.extension;
import static org.bouncycastle.oer.OERDefinition.integer;
import static org.bouncycastle.oer.OERDefinition.nullValue;
import static org.bouncycastle.oer.OERDefinition.octets;
import static org.bouncycastle.oer.OERDefinition.optional;
import static org.bouncycastle.oer.OERDefinition.seq;
import static org.bouncycastle.oer.OERDefinition.seqof;
import static org.bouncycastle.oer.OERDefinition.utf8String;

import java.math.BigInteger;
import org.bouncycastle.oer.Element;
import org.bouncycastle.oer.OERDefinition.BaseType;
import org.bouncycastle.oer.OERDefinition.Builder;

/**
 * The messages of IEEE 1609.2 in the original schema of Kumar and Whyte (dot2-original.asn), in Bouncy Castle's schema language. Its own types of 1609.2 are those
 * of a later edition, which has other messages.
 */
final class SecuredData2015 {
    private static final Builder UINT8 = integer(0, 255);
    private static final Builder UINT16 = integer(0, 65535);
    private static final Builder UINT32 = integer(0, 4294967295L);
    private static final Builder UINT64 = integer(BigInteger.ZERO, BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
    /* Bouncy Castle 1.82 gives a range that ends with 2^31 - 1 eight octets. One that ends before it has the four of X.696. */
    private static final Builder SINT32 = integer(-2147483648L, 2147483646L);
    private static final Builder PSID = integer().rangeToMAXFrom(0);
    private static final Builder OCTETS = octets().unbounded();
    private static final Builder HASHED_ID3 = octets(3);
    private static final Builder HASHED_ID8 = octets(8);

    private static final Builder ECC_POINT = choice(
            octets(32).label("xOnly"), nullValue().label("fill"), octets(32).label("compressedY0"), octets(32).label("compressedY1"),
            octets(64).label("uncompressed"));
    private static final Builder PUBLIC_KEY = choice(
            octets(29).label("ecdsaNistP224"), ECC_POINT.label("ecdsaNistP256"), ECC_POINT.label("eciesNistP256"), extension());
    private static final Builder SIGNATURE = choice(
            octets(56).label("ecdsaNistP224"), seq(ECC_POINT.label("r"), octets(32).label("s")).label("ecdsaNistP256"), extension());

    private static final Builder TWO_D_LOCATION = seq(SINT32.label("latitude"), SINT32.label("longitude"));
    private static final Builder THREE_D_LOCATION = seq(SINT32.label("latitude"), SINT32.label("longitude"), UINT16.label("elevation"));
    private static final Builder REGION = choice(
            nullValue().label("fromIssuer"),
            seq(TWO_D_LOCATION.label("center"), UINT16.label("radius")).label("circle"),
            seqof(seq(TWO_D_LOCATION.label("northWest"), TWO_D_LOCATION.label("southEast"))).label("rectangle"),
            seqof(TWO_D_LOCATION).label("polygon"),
            nullValue().label("none"),
            extension());
    private static final Builder DURATION = choice(
            UINT16.label("seconds"), UINT16.label("minutes"), UINT16.label("hours"), UINT16.label("sixtyHours"), UINT16.label("years"));

    private static final Builder TO_BE_SIGNED_CERTIFICATE = seq(
            enumeration(
                    enumItem("sdeAnonymous"), enumItem("sdeIdentifiedNotLocalized"), enumItem("sdeIdentifiedLocalized"), enumItem("sdeEnrolment"),
                    enumItem("wsa"), enumItem("wsaEnrolment"), enumItem("sdeCa"), enumItem("wsaCa"), enumItem("crlSigner"), enumItem("rootCa"),
                    extension()).label("holder"),
            choice(nullValue().label("self"), HASHED_ID8.label("digest"), extension()).label("issuer"),
            enumeration(enumItem("sha256"), enumItem("sha224")).label("hashAlg"),
            enumeration(enumItem("ecdsaNistP224"), enumItem("ecdsaNistP256")).label("signatureAlg"),
            HASHED_ID3.label("cracaId"),
            choice(utf8String().label("name"), OCTETS.label("additionalData"), extension()).label("id"),
            seqof(seq(PSID.label("psid"), optional(OCTETS.label("ssp")), extension())).label("permissions"),
            optional(REGION.label("region")),
            UINT32.label("expiration"),
            optional(UINT32.label("startValidity"), DURATION.label("lifetime")),
            UINT32.label("crlSeries"),
            optional(PUBLIC_KEY.label("verificationKey"), PUBLIC_KEY.label("encryptionKey")),
            UINT8.label("assurance"),
            optional(nullValue().label("canIssue"), UINT8.label("priority"), new Builder(BaseType.BIT_STRING).unbounded().label("permittedHolders")),
            extension());
    private static final Builder CERTIFICATE = seq(
            UINT8.label("version"),
            TO_BE_SIGNED_CERTIFICATE.label("unsigned"),
            choice(SIGNATURE.label("signature"), ECC_POINT.label("reconstruction"), extension()).label("material"));

    private static final Builder RECIPIENT_INFO = choice(
            seq(HASHED_ID8.label("id"),
                    choice(seq(ECC_POINT.label("v"), octets(16).label("c"), octets(20).label("t")).label("ecies"), extension()).label("key"))
                    .label("cert"),
            HASHED_ID8.label("psk"),
            extension());
    private static final Builder ENCRYPTED_DATA = seq(
            seqof(RECIPIENT_INFO).label("recipients"),
            choice(seq(octets(12).label("nonce"), OCTETS.label("ccm")).label("aes128ccm"), extension()).label("ciphertext"));

    private static final Builder SIGNER = choice(
            nullValue().label("self"), HASHED_ID8.label("digestP224"), HASHED_ID8.label("digestP256"), CERTIFICATE.label("certificate"),
            seqof(CERTIFICATE).label("chain"), HASHED_ID8.label("otherDigest"), extension());
    private static final Builder PAYLOAD = seq(
            optional(OCTETS.label("data"), choice(octets(32).label("sha256")).label("extDataHash")), extension());
    private static final Builder HEADER = seq(
            PSID.label("psid"),
            optional(
                    UINT64.label("generationTime"), UINT8.label("generationTimeStdDev"), UINT64.label("expiryTime"),
                    THREE_D_LOCATION.label("generationLocation"), seqof(HASHED_ID3).label("unrecognizedRequest"), HASHED_ID3.label("p2pcdRequest"),
                    UINT32.label("missingCrl"), UINT16.label("messageType"),
                    enumeration(enumItem("generic"), enumItem("cam"), enumItem("denm"), enumItem("encrypted"), extension()).label("securityProfile"),
                    PUBLIC_KEY.label("encryptionKey"),
                    choice(octets(12).label("aes128ccmNonce"), extension()).label("encryptionParameters"),
                    seqof(RECIPIENT_INFO).label("recipientInfo"), UINT8.label("priority"), OCTETS.label("ssp"), OCTETS.label("extensions")),
            extension());
    private static final Builder SIGNED_DATA = seq(
            SIGNER.label("signer"), seq(PAYLOAD.label("payload"), HEADER.label("header")).label("unsignedData"), SIGNATURE.label("signature"));

    static final Element SECURED_DATA = seq(
            UINT8.label("protocolVersion"),
            choice(
                    OCTETS.label("unsecured"), SIGNED_DATA.label("signed"), ENCRYPTED_DATA.label("encrypted"), OCTETS.label("certificateRequest"),
                    OCTETS.label("certificateResponse"), OCTETS.label("anonymousCertificateResponse"), OCTETS.label("certificateRequestError"),
                    OCTETS.label("crlRequest"), OCTETS.label("crl"), SIGNED_DATA.label("signedWsa"), OCTETS.label("certificateResponseAck"),
                    extension()).label("content")).build();

    private SecuredData2015() {}
}
