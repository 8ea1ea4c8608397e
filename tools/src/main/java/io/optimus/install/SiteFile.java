package io.optimus.install;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * One of Hadoop's XML configuration files. Properties can be added to its text without changing the rest.
 *
 * @param text text of the file
 * @param properties values by name, in the order of the file
 */
record SiteFile(String text, Map<String, String> properties) {
    private static final String END = "</configuration>";
    private static final String BEGIN_OF_PROPERTY = "[ \\t]*<property>\\s*<name>\\s*";
    private static final String REST_OF_PROPERTY = "\\s*</name>((?!</property>).)*</property>[ \\t]*\\n?";

    /**
     * Reads a file.
     *
     * @throws IOException if the file cannot be read or is not a Hadoop configuration; the message names the file
     */
    static SiteFile read(Path path) throws IOException {
        return of(Files.readString(path), path);
    }

    /** The file with this text; {@code path} is for messages. */
    static SiteFile of(String text, Path path) throws IOException {
        if (!text.contains(END)) {
            throw new IOException(path + " has no " + END + ": it is not a Hadoop configuration");
        }
        try {
            return new SiteFile(text, Collections.unmodifiableMap(parse(text)));
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException(path + " is not well-formed XML: " + e.getMessage(), e);
        }
    }

    /** Returns the text with these properties added at the end. */
    String with(Map<String, String> additions) {
        StringBuilder added = new StringBuilder();
        additions.forEach((name, value) -> added.append("  <property>\n    <name>")
                .append(escape(name))
                .append("</name>\n    <value>")
                .append(escape(value))
                .append("</value>\n  </property>\n"));
        int end = text.lastIndexOf(END);
        return text.substring(0, end) + added + text.substring(end);
    }

    /** Returns the text without the properties of these names; all else of it stays. */
    String without(Collection<String> names) {
        String left = text;
        for (String name : names) {
            left = Pattern.compile(BEGIN_OF_PROPERTY + Pattern.quote(escape(name)) + REST_OF_PROPERTY, Pattern.DOTALL)
                    .matcher(left)
                    .replaceAll("");
        }
        return left;
    }

    private static Map<String, String> parse(String text)
            throws SAXException, ParserConfigurationException, IOException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        Element root = factory.newDocumentBuilder()
                .parse(new InputSource(new StringReader(text)))
                .getDocumentElement();
        Map<String, String> properties = new LinkedHashMap<>();
        NodeList elements = root.getElementsByTagName("property");
        for (int i = 0; i < elements.getLength(); i++) {
            Element property = (Element) elements.item(i);
            properties.put(child(property, "name"), child(property, "value"));
        }
        return properties;
    }

    private static String child(Element property, String tag) {
        NodeList children = property.getElementsByTagName(tag);
        return children.getLength() == 0
                ? ""
                : children.item(0).getTextContent().trim();
    }

    private static String escape(String value) {
        return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
