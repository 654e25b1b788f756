import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.oer.Element;
import org.bouncycastle.oer.OEREncoder;
import org.bouncycastle.oer.OERInputStream;

/** Bouncy Castle with the protocol that {@code peers/README.md} describes: RULES MESSAGE SCHEMA. */
public class Engine {
    /** How often each direction runs before anything is timed, for the compiler of the virtual machine. */
    private static final int WARM_UP = 20_000;

    private interface Codec {
        ASN1Encodable decode(byte[] octets) throws IOException;

        byte[] encode(ASN1Encodable value) throws IOException;
    }

    /** Octets with the value that they have. */
    private record Loaded(byte[] octets, ASN1Encodable value) {}

    private final Codec codec;
    private final List<Loaded> all = new ArrayList<>();
    private boolean isWarm;

    private Engine(Codec codec) {
        this.codec = codec;
    }

    public static void main(String[] arguments) throws IOException {
        Codec codec = arguments[1].equals("set") ? codec(arguments[0], arguments[2]) : null;
        if (codec == null) {
            System.err.println("it has no " + arguments[0].toUpperCase(Locale.ROOT) + " of " + arguments[2]);
            System.exit(3);
        }
        new Engine(codec).serve();
    }

    private static Codec codec(String rules, String schema) {
        return switch (schema) {
            case "certificate-2017" -> codec(rules, Certificate2017.CERTIFICATE);
            case "dot2-original-2015" -> codec(rules, SecuredData2015.SECURED_DATA);
            default -> null;
        };
    }

    /** Its OER writes the canonical form. BER and DER are read into a tree of tags and values, whatever the type. */
    private static Codec codec(String rules, Element type) {
        return switch (rules) {
            case "oer", "coer" -> new Codec() {
                @Override
                public ASN1Encodable decode(byte[] octets) throws IOException {
                    return OERInputStream.parse(octets, type);
                }

                @Override
                public byte[] encode(ASN1Encodable value) {
                    return OEREncoder.toByteArray(value, type);
                }
            };
            case "ber", "der" -> new Codec() {
                private final String form = rules.equals("der") ? ASN1Encoding.DER : ASN1Encoding.BER;

                @Override
                public ASN1Encodable decode(byte[] octets) throws IOException {
                    return ASN1Primitive.fromByteArray(octets);
                }

                @Override
                public byte[] encode(ASN1Encodable value) throws IOException {
                    return value.toASN1Primitive().getEncoded(form);
                }
            };
            default -> null;
        };
    }

    private void serve() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            try {
                switch (words[0]) {
                    case "load", "add" -> {
                        if (words[0].equals("load")) {
                            all.clear();
                        }
                        byte[] octets = HexFormat.of().parseHex(words[1]);
                        Loaded loaded = new Loaded(octets, codec.decode(octets));
                        out.println("ok " + HexFormat.of().formatHex(codec.encode(loaded.value)));
                        all.add(loaded);
                    }
                    case "recode" -> out.println("ok " + HexFormat.of().formatHex(codec.encode(codec.decode(HexFormat.of().parseHex(words[1])))));
                    case "time" -> {
                        warmUp();
                        Times before = Times.before();
                        long[] done = run(words[1], Long.parseLong(words[2]));
                        long[] times = Times.since(before);
                        out.println("ok " + times[0] + " " + times[1] + " " + done[0] + " " + done[1]);
                    }
                    default -> out.println("no such command");
                }
            } catch (IOException | RuntimeException | StackOverflowError error) {
                out.println("no " + String.valueOf(error).replace('\n', ' '));
            }
        }
    }

    private void warmUp() throws IOException {
        if (!isWarm && !all.isEmpty()) {
            isWarm = true;
            int repeats = 1 + WARM_UP / all.size();
            run("encode", repeats);
            run("decode", repeats);
        }
    }

    /** How many calls there were, and their octets. What is refused is thrown. */
    private long[] run(String direction, long repeats) throws IOException {
        long[] done = new long[2];
        for (long at = 0; at < repeats; at++) {
            for (Loaded one : all) {
                if (direction.equals("encode")) {
                    done[1] += codec.encode(one.value).length;
                } else if (codec.decode(one.octets) != null) {
                    done[1] += one.octets.length;
                }
                done[0]++;
            }
        }
        return done;
    }
}
