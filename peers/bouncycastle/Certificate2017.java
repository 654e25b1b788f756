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

import org.bouncycastle.oer.Element;
import org.bouncycastle.oer.OERDefinition.Builder;

/** The certificate study's certificate (Hammi et al., Listing 1) in Bouncy Castle's schema language. */
final class Certificate2017 {
    private static final Builder UINT8 = integer(0, 255);
    private static final Builder UINT16 = integer(0, 65535);
    private static final Builder TIME32 = integer(0, 4294967295L);
    private static final Builder HASHED_ID8 = octets(8);
    private static final Builder COORDINATE = octets(32);
    private static final Builder ITS_AID = integer();

    private static final Builder UNCOMPRESSED = seq(COORDINATE.label("x"), COORDINATE.label("y"));
    private static final Builder POINT = choice(
            COORDINATE.label("compressed-y-0"), COORDINATE.label("compressed-y-1"), UNCOMPRESSED.label("uncompressed"));
    private static final Builder RECONSTRUCTION_POINT = choice(
            COORDINATE.label("x-coordinate-only"), COORDINATE.label("compressed-y-0"), COORDINATE.label("compressed-y-1"),
            UNCOMPRESSED.label("uncompressed"));
    private static final Builder SIGNATURE_POINT = choice(
            COORDINATE.label("x-coordinate-only"), COORDINATE.label("compressed-y-0"), COORDINATE.label("compressed-y-1"));

    private static final Builder SIGNER_INFO = choice(
            nullValue().label("self"),
            HASHED_ID8.label("certificateDigestSHA256"),
            seq(enumeration(enumItem("sha256"), extension()).label("algorithm"), HASHED_ID8.label("digest"))
                    .label("certificateDigestOtherAlgorithm"));

    private static final Builder SUBJECT_INFO = seq(
            enumeration(
                    enumItem("enrollment-credential"), enumItem("authorization-ticket"), enumItem("authorization-authority"),
                    enumItem("enrollment-authority"), enumItem("root-ca"), enumItem("crl-signer")).label("subjectType"),
            // Without SIZE (0..32), which is of characters and changes no octet of OER.
            utf8String().label("subjectName"));

    private static final Builder PUBLIC_KEY = seq(
            enumeration(enumItem("ecdsa-nistp256-with-sha256"), enumItem("ecies-nistp256"), extension()).label("algorithm"),
            POINT.label("key"));
    private static final Builder ENCRYPTION_KEY = seq(
            enumeration(enumItem("aes128Ccm"), extension()).label("supported-symm-alg"), PUBLIC_KEY.label("public-key"));

    private static final Builder ITS_LIST = choice(
            seqof(ITS_AID).label("its-aid-list"),
            seqof(seq(ITS_AID.label("its-aid"), octets(0, 31).label("service-specific-permissions"))).label("its-aid-ssp-list"));

    private static final Builder SUBJECT_ATTRIBUTES = seq(
            PUBLIC_KEY.label("verificationKey"),
            optional(ENCRYPTION_KEY.label("encryptionKey")),
            octets(1).label("assuranceLevel"),
            optional(RECONSTRUCTION_POINT.label("reconstructionValue")),
            ITS_LIST.label("itsList"),
            extension());

    private static final Builder DURATION = choice(
            UINT16.label("microseconds"), UINT16.label("milliseconds"), UINT16.label("seconds"), UINT16.label("minutes"),
            UINT16.label("hours"), UINT16.label("sixtyHours"), UINT16.label("years"));
    private static final Builder TIME = choice(
            TIME32.label("timeEnd"),
            seq(TIME32.label("startValidity"), TIME32.label("endValidity")).label("timeStartAndEnd"),
            seq(TIME32.label("startValidity"), DURATION.label("duration")).label("timeStartAndDuration"));

    private static final Builder LOCATION = seq(
            integer(-900000000, 900000001).label("latitude"), integer(-1799999999, 1800000001).label("longitude"));
    private static final Builder REGION = choice(
            seq(LOCATION.label("center"), UINT16.label("radius")).label("circularRegion"),
            seqof(seq(LOCATION.label("northWest"), LOCATION.label("southEast"))).label("rectangularRegion"),
            seqof(LOCATION).label("polygonalRegion"),
            seq(enumeration(enumItem("iso-3166-1"), enumItem("un-stats")).label("regionDictionary"),
                    UINT16.label("regionIdentifier"), integer().label("localRegion")).label("identifiedRegion"),
            extension());

    static final Element CERTIFICATE = seq(
            UINT8.label("version"),
            SIGNER_INFO.label("signerInfo"),
            SUBJECT_INFO.label("subjectInfo"),
            SUBJECT_ATTRIBUTES.label("subjectAttributes"),
            seq(TIME.label("timeOfValidation"), optional(REGION.label("region")), extension()).label("validityRestrictions"),
            seq(SIGNATURE_POINT.label("r"), COORDINATE.label("s")).label("signature")).build();

    private Certificate2017() {}
}
