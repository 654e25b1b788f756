import com.siemens.ct.exi.core.EXIFactory;
import com.siemens.ct.exi.core.FidelityOptions;
import com.siemens.ct.exi.core.helpers.DefaultEXIFactory;
import com.siemens.ct.exi.grammars.GrammarFactory;
import com.siemens.ct.exi.main.api.sax.EXIResult;
import com.siemens.ct.exi.main.api.sax.EXISource;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import org.xml.sax.InputSource;
import org.xml.sax.XMLReader;

/** Lines in, lines out: {@code E xml} gives the octets of the document in hexadecimal, {@code D hex} the document; a failure gives {@code error: ...}. */
public class Exificient {
    public static void main(String[] arguments) throws Exception {
        EXIFactory factory = DefaultEXIFactory.newInstance();
        boolean strict = arguments[1].equals("strict");
        factory.setFidelityOptions(strict ? FidelityOptions.createStrict() : FidelityOptions.createDefault());
        factory.setGrammars(GrammarFactory.newInstance().createGrammars(arguments[0]));
        SAXParserFactory parsers = SAXParserFactory.newInstance();
        parsers.setNamespaceAware(true);
        XMLReader reader = parsers.newSAXParser().getXMLReader();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String text = line.substring(2);
            try {
                out.println(line.startsWith("E") ? encode(factory, reader, text) : decode(factory, text));
            } catch (Exception | StackOverflowError error) {
                out.println("error: " + String.valueOf(error).replace('\n', ' '));
            }
        }
    }

    private static String encode(EXIFactory factory, XMLReader reader, String xml) throws Exception {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        EXIResult result = new EXIResult(factory);
        result.setOutputStream(octets);
        reader.setContentHandler(result.getHandler());
        reader.parse(new InputSource(new StringReader(xml)));
        return HexFormat.of().formatHex(octets.toByteArray());
    }

    private static String decode(EXIFactory factory, String hex) throws Exception {
        EXISource source = new EXISource(factory);
        source.setInputSource(new InputSource(new ByteArrayInputStream(HexFormat.of().parseHex(hex))));
        Transformer transformer = TransformerFactory.newInstance().newTransformer();
        transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        StringWriter xml = new StringWriter();
        transformer.transform(source, new StreamResult(xml));
        return xml.toString().replace("\n", "&#10;");
    }
}
