import com.siemens.ct.exi.core.EXIFactory;
import com.siemens.ct.exi.core.FidelityOptions;
import com.siemens.ct.exi.core.helpers.DefaultEXIFactory;
import com.siemens.ct.exi.grammars.GrammarFactory;
import com.siemens.ct.exi.main.api.sax.EXIResult;
import com.siemens.ct.exi.main.api.sax.SAXFactory;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.xml.sax.Attributes;
import org.xml.sax.ContentHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;
import org.xml.sax.helpers.AttributesImpl;
import org.xml.sax.helpers.DefaultHandler;

/** EXIficient behind the protocol that {@code peers/README.md} describes: SCHEMAS RULES MESSAGE SCHEMA. */
public class Engine {
    /** How often each direction runs before anything is timed, for the compiler of the virtual machine. */
    private static final int WARM_UP = 20_000;

    /** An event, told to whoever writes the document. */
    private interface Event {
        void tell(ContentHandler handler) throws SAXException;
    }

    /** A document as its events: the message in memory. */
    private static final class Recorder extends DefaultHandler {
        final List<Event> events = new ArrayList<>();

        @Override
        public void startElement(String uri, String local, String name, Attributes attributes) {
            AttributesImpl kept = new AttributesImpl(attributes);
            events.add(handler -> handler.startElement(uri, local, name, kept));
        }

        @Override
        public void endElement(String uri, String local, String name) {
            events.add(handler -> handler.endElement(uri, local, name));
        }

        @Override
        public void characters(char[] text, int start, int length) {
            char[] kept = java.util.Arrays.copyOfRange(text, start, start + length);
            events.add(handler -> handler.characters(kept, 0, kept.length));
        }
    }

    private final XMLReader reader;
    private final EXIResult result;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private Engine(EXIFactory factory) throws Exception {
        reader = new SAXFactory(factory).createEXIReader();
        result = new EXIResult(factory);
    }

    public static void main(String[] arguments) throws Exception {
        File schema = new File(arguments[0], "xsd/" + arguments[3] + "-" + arguments[1] + ".xsd");
        if (!schema.isFile()) {
            System.exit(3);
        }
        boolean strict = arguments[1].equals("exi") || arguments[1].equals("exi-split");
        EXIFactory factory = DefaultEXIFactory.newInstance();
        factory.setFidelityOptions(strict ? FidelityOptions.createStrict() : FidelityOptions.createDefault());
        factory.setGrammars(GrammarFactory.newInstance().createGrammars(schema.getPath()));
        new Engine(factory).serve();
    }

    private void serve() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        byte[] octets = {};
        Recorder message = new Recorder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            try {
                switch (words[0]) {
                    case "load" -> {
                        octets = HexFormat.of().parseHex(words[1]);
                        message = decode(octets, new Recorder());
                        out.println("ok " + HexFormat.of().formatHex(encode(message)));
                        run("encode", WARM_UP, octets, message);
                        run("decode", WARM_UP, octets, message);
                    }
                    case "recode" -> {
                        Recorder other = decode(HexFormat.of().parseHex(words[1]), new Recorder());
                        out.println("ok " + HexFormat.of().formatHex(encode(other)));
                    }
                    case "time" -> {
                        Times before = Times.before();
                        long[] done = run(words[1], Long.parseLong(words[2]), octets, message);
                        long[] times = Times.since(before);
                        out.println("ok " + times[0] + " " + times[1] + " " + done[0] + " " + done[1]);
                    }
                    case "size" -> out.println("no it has events, which have no size");
                    case "heap", "stack" -> out.println("no heap and stack of Java are not counted");
                    default -> out.println("no it knows no such command");
                }
            } catch (Exception | StackOverflowError error) {
                out.println("no " + String.valueOf(error).replace('\n', ' '));
            }
        }
    }

    /** Decoded values are told and then forgotten: nothing is kept of them. What is refused is thrown. How many calls there were, and their octets. */
    private long[] run(String direction, long count, byte[] octets, Recorder message) throws Exception {
        DefaultHandler nobody = new DefaultHandler();
        long[] done = new long[2];
        for (long at = 0; at < count; at++) {
            if (direction.equals("encode")) {
                done[1] += encode(message).length;
            } else {
                decode(octets, nobody);
                done[1] += octets.length;
            }
            done[0]++;
        }
        return done;
    }

    private <H extends DefaultHandler> H decode(byte[] octets, H handler) throws Exception {
        reader.setContentHandler(handler);
        reader.parse(new InputSource(new ByteArrayInputStream(octets)));
        return handler;
    }

    private byte[] encode(Recorder message) throws Exception {
        output.reset();
        result.setOutputStream(output);
        ContentHandler handler = result.getHandler();
        handler.startDocument();
        for (Event event : message.events) {
            event.tell(handler);
        }
        handler.endDocument();
        return output.toByteArray();
    }
}
