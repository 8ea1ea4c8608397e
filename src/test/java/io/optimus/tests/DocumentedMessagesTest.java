package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

/** Holds the messages of docs/troubleshooting.md against those that the code and the scripts print. */
public final class DocumentedMessagesTest {
    private static final Path ROOT = Path.of(System.getProperty("optimus.root.dir"));
    private static final Pattern ROW = Pattern.compile("^\\| `([^`]+)` \\|.*");
    /** Messages of others: Java's own. */
    private static final List<String> NOT_OURS = List.of("UnsupportedClassVersionError");

    /** A text that is cut into several string literals. */
    private static final Pattern CUT = Pattern.compile("\"\\s*\\+\\s*\"");

    private static final int LEAST_MESSAGES = 25;

    @Test
    public void areThoseThatArePrinted() throws IOException {
        String printed = sources();
        List<String> messages = new ArrayList<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/troubleshooting.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && !NOT_OURS.contains(row.group(1))) {
                messages.add(row.group(1));
            }
        }

        assertThat(messages).hasSizeGreaterThanOrEqualTo(LEAST_MESSAGES);
        assertThat(messages).allSatisfy(message -> {
            for (String part : message.split("…")) {
                assertThat(printed.contains(part.strip()))
                        .as("%s, in %s", part, message)
                        .isTrue();
            }
        });
    }

    private static String sources() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String folder : List.of("model", "protocol", "pages", "yarn-plugin", "am", "sim")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder).resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .map(DocumentedMessagesTest::read)
                        .map(text -> CUT.matcher(text).replaceAll(""))
                        .forEach(all::append);
            }
        }
        try (Stream<Path> scripts = Files.list(ROOT.resolve("scripts"))) {
            all.append(scripts.map(DocumentedMessagesTest::read).collect(Collectors.joining()));
        }
        return all.toString();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
