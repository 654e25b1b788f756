import com.siemens.ct.exi.core.EXIFactory;
import com.siemens.ct.exi.core.FidelityOptions;
import com.siemens.ct.exi.core.helpers.DefaultEXIFactory;
import com.siemens.ct.exi.main.api.sax.EXIResult;
import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.InputSource;
import org.xml.sax.XMLReader;

/** Writes each schema of the folder XSD as an EXI document with its prefixes into another folder, for exip, which reads schemas in this form alone. */
public class Schema {
    public static void main(String[] folders) throws Exception {
        for (File file : new File(folders[0]).listFiles((folder, name) -> name.endsWith("-exi.xsd") || name.endsWith("-exi-default.xsd"))) {
            EXIFactory factory = DefaultEXIFactory.newInstance();
            FidelityOptions fidelity = FidelityOptions.createDefault();
            fidelity.setFidelity(FidelityOptions.FEATURE_PREFIX, true);
            factory.setFidelityOptions(fidelity);
            EXIResult result = new EXIResult(factory);
            SAXParserFactory parsers = SAXParserFactory.newInstance();
            parsers.setNamespaceAware(true);
            XMLReader reader = parsers.newSAXParser().getXMLReader();
            reader.setFeature("http://xml.org/sax/features/namespace-prefixes", true);
            String name = file.getName().replaceFirst("xsd$", "exi");
            try (OutputStream output = new FileOutputStream(new File(folders[1], name))) {
                result.setOutputStream(output);
                reader.setContentHandler(result.getHandler());
                reader.parse(new InputSource(file.toURI().toString()));
            }
        }
    }
}
