package io.optimus.hadooptests;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reads the XML reports of JUnit's console. */
final class Reports {
    private Reports() {}

    /** Outcomes by name of the test, from all reports in a folder. */
    static Map<String, Outcome> read(Path folder) throws IOException {
        Map<String, Outcome> outcomes = new TreeMap<>();
        try (DirectoryStream<Path> reports = Files.newDirectoryStream(folder, "TEST-*.xml")) {
            for (Path report : reports) {
                addTo(outcomes, report);
            }
        }
        return outcomes;
    }

    private static void addTo(Map<String, Outcome> outcomes, Path report) throws IOException {
        NodeList tests;
        try {
            tests = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("testcase");
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(report + " is no report of JUnit: " + e.getMessage(), e);
        }
        for (int i = 0; i < tests.getLength(); i++) {
            Element test = (Element) tests.item(i);
            outcomes.merge(name(test), outcome(test), (one, other) -> one.isRed() ? one : other);
        }
    }

    /** JUnit 5 appends parentheses. A class that could not begin has a test case of the class's own name. */
    private static String name(Element test) {
        String name = test.getAttribute("name");
        return name.endsWith("()") ? name.substring(0, name.length() - 2) : name;
    }

    private static Outcome outcome(Element test) {
        if (has(test, "error")) {
            return Outcome.ERROR;
        }
        if (has(test, "failure")) {
            return Outcome.FAILED;
        }
        return has(test, "skipped") ? Outcome.SKIPPED : Outcome.PASSED;
    }

    private static boolean has(Element test, String child) {
        return test.getElementsByTagName(child).getLength() > 0;
    }
}
