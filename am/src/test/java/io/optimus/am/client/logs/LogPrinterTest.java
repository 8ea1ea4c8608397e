package io.optimus.am.client.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.Test;

public final class LogPrinterTest {
    private static final LoggedTask TASK = new LoggedTask("worker-0", "container_1", "a:1", "http://a:8042");

    private final StringWriter printed = new StringWriter();
    private byte[] content = new byte[0];
    private final LogPrinter printer = new LogPrinter(new FakeLog(), new PrintWriter(printed), 10);

    private final class FakeLog implements LogReader {
        @Override
        public SortedMap<String, Long> files(LoggedTask task) {
            return new TreeMap<>(Map.of("stderr", (long) content.length));
        }

        @Override
        public LastBytes last(LoggedTask task, String file, long bytes) {
            int from = (int) Math.max(0, content.length - bytes);
            return new LastBytes(content.length, Arrays.copyOfRange(content, from, content.length));
        }
    }

    private void written(String text) {
        content = text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    public void tellsWhatItLeavesOut() throws IOException {
        String first = "0123456789\nabcdef\nghi\n";
        written(first);
        printer.print(TASK, -1);
        assertThat(printed.toString())
                .contains(
                        "==> 12 bytes before this are left out; YARN prints all by: yarn logs -containerId container_1 <==")
                .endsWith("bcdef\nghi\n".substring(0, 10));

        written(first + "more and more and more\n");
        printer.printNew(TASK);
        assertThat(printed.toString()).contains("==> 13 bytes before this").endsWith(" and more\n");
    }

    @Test
    public void waitsForTheRestOfACharacter() throws IOException {
        byte[] whole = "3 µs\n".getBytes(StandardCharsets.UTF_8);
        content = Arrays.copyOf(whole, 3);
        printer.print(TASK, -1);
        assertThat(printed.toString()).endsWith("<==\n3 ");

        content = whole;
        printer.printNew(TASK);
        printer.end();
        assertThat(printed.toString()).endsWith("<==\n3 µs\n");
    }
}
