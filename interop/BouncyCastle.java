import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Security;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSEnvelopedData;
import org.bouncycastle.cms.CMSEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKeyTransEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

/**
 * Makes a certificate, a list of revoked ones, and signed and enveloped data for RSA and for an elliptic curve: a line with the type and the octets in DER for each. Then it reads such lines with octets
 * that another implementation wrote, and says {@code ok}, or what is wrong, for each.
 */
public class BouncyCastle {
    private static final byte[] CONTENT = "content".getBytes();

    public static void main(String[] arguments) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        KeyPair rsa = pair("RSA", 2048);
        KeyPair curve = pair("EC", 256);
        X509CertificateHolder[] certificates = new X509CertificateHolder[2];
        KeyPair[] pairs = {rsa, curve};
        String[] algorithms = {"SHA256withRSA", "SHA256withECDSA"};
        for (int at = 0; at < 2; at++) {
            ContentSigner signer = new JcaContentSignerBuilder(algorithms[at]).setProvider("BC").build(pairs[at].getPrivate());
            certificates[at] = certificate(pairs[at], signer);
            print("Certificate", certificates[at].getEncoded());
            print("CertificateList", revoked(certificates[at], signer).getEncoded());
            print("ContentInfo", signed(certificates[at], signer).toASN1Structure().getEncoded(ASN1Encoding.DER));
        }
        print("ContentInfo", enveloped(certificates[0]).toASN1Structure().getEncoded(ASN1Encoding.DER));
        System.out.println();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (int at = 0; at < 7; at++) {
            byte[] octets = HexFormat.of().parseHex(in.readLine());
            int which = at < 3 || at == 6 ? 0 : 1;
            System.out.println(answer(at == 6 ? 3 : at % 3, octets, certificates[which], pairs[which]));
        }
    }

    private static String answer(int what, byte[] octets, X509CertificateHolder certificate, KeyPair pair) {
        try {
            var verifiers = new JcaContentVerifierProviderBuilder().setProvider("BC").build(pair.getPublic());
            boolean right = switch (what) {
                case 0 -> new X509CertificateHolder(octets).isSignatureValid(verifiers);
                case 1 -> new X509CRLHolder(octets).isSignatureValid(verifiers);
                case 2 -> {
                    SignerInformation signer = new CMSSignedData(octets).getSignerInfos().iterator().next();
                    yield signer.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(certificate));
                }
                default -> {
                    var recipient = new CMSEnvelopedData(octets).getRecipientInfos().iterator().next();
                    yield Arrays.equals(recipient.getContent(new JceKeyTransEnvelopedRecipient(pair.getPrivate())), CONTENT);
                }
            };
            return right ? "ok" : "wrong";
        } catch (Exception error) {
            return "error: " + error;
        }
    }

    private static KeyPair pair(String algorithm, int bits) throws Exception {
        KeyPairGenerator pairs = KeyPairGenerator.getInstance(algorithm, "BC");
        pairs.initialize(bits);
        return pairs.generateKeyPair();
    }

    private static X509CertificateHolder certificate(KeyPair pair, ContentSigner signer) throws Exception {
        X500Name name = new X500Name("CN=roadwire, O=Example, C=DE");
        Date from = new Date(1_700_000_000_000L);
        Date to = new Date(4_000_000_000_000L);
        var builder = new JcaX509v3CertificateBuilder(name, BigInteger.valueOf(4711), from, to, name, pair.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(3));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign));
        GeneralName[] names = {new GeneralName(GeneralName.dNSName, "example.org"), new GeneralName(GeneralName.directoryName, name)};
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        return builder.build(signer);
    }

    private static X509CRLHolder revoked(X509CertificateHolder certificate, ContentSigner signer) throws Exception {
        var builder = new X509v2CRLBuilder(certificate.getSubject(), new Date(1_800_000_000_000L));
        builder.setNextUpdate(new Date(2_600_000_000_000L));
        builder.addCRLEntry(BigInteger.ONE, new Date(1_790_000_000_000L), 1);
        return builder.build(signer);
    }

    private static CMSSignedData signed(X509CertificateHolder certificate, ContentSigner signer) throws Exception {
        CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
        var digests = new JcaDigestCalculatorProviderBuilder().setProvider("BC").build();
        generator.addSignerInfoGenerator(new JcaSignerInfoGeneratorBuilder(digests).build(signer, certificate));
        generator.addCertificates(new JcaCertStore(List.of(certificate)));
        return generator.generate(new CMSProcessableByteArray(CONTENT), true);
    }

    private static CMSEnvelopedData enveloped(X509CertificateHolder certificate) throws Exception {
        CMSEnvelopedDataGenerator generator = new CMSEnvelopedDataGenerator();
        var holder = new JcaX509CertificateConverter().setProvider("BC").getCertificate(certificate);
        generator.addRecipientInfoGenerator(new JceKeyTransRecipientInfoGenerator(holder).setProvider("BC"));
        return generator.generate(new CMSProcessableByteArray(CONTENT), new JceCMSContentEncryptorBuilder(CMSAlgorithm.AES128_CBC).setProvider("BC").build());
    }

    /** In DER: what its library streams is BER, with indefinite lengths. */
    private static void print(String type, byte[] octets) throws Exception {
        System.out.println(type + " " + HexFormat.of().formatHex(ASN1Primitive.fromByteArray(octets).getEncoded(ASN1Encoding.DER)));
    }
}
