package io.optimus.yarn.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.Test;

/** Holds the tables of metrics, and the table of the log line, in docs/operations.md against the code, in both directions. */
public final class DocumentedMetricsTest {
    private static final Pattern ROW =
            Pattern.compile("\\| `([A-Z]\\w+)` \\| `([a-z0-9_{}, ]+)` \\| (\\w+) \\| ([^|]+) \\| .+ \\|");

    private final OptimusMetrics metrics = OptimusMetrics.unregistered(EveryMetric::gpus, () -> 0);

    @Test
    public void areExactlyTheExportedOnes() throws IOException {
        EveryMetric.happens(metrics);
        TreeSet<String> exported = CollectedMetrics.all(metrics).stream()
                .map(value -> value.name() + " " + prometheus(value) + " "
                        + value.type().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        TreeSet<String> documented = rows().stream()
                .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(documented).isEqualTo(exported);
    }

    @Test
    public void haveTheUnitOfTheirNames() throws IOException {
        assertThat(rows()).allSatisfy(row -> {
            String name = row.group(1);
            String unit = row.group(4);
            if (name.endsWith("Millis") || name.endsWith("MillisAvgTime")) {
                assertThat(unit).as(name).isEqualTo("ms");
            } else if (name.contains("Percent")) {
                assertThat(unit).as(name).isEqualTo("%");
            } else if (name.endsWith("Bytes")) {
                assertThat(unit).as(name).isEqualTo("bytes");
            } else if (name.endsWith("Gpus") || name.startsWith("IdleGpus")) {
                assertThat(unit).as(name).isEqualTo("GPUs");
            } else if (name.endsWith("Jobs")) {
                assertThat(unit).as(name).isEqualTo("jobs");
            } else {
                assertThat(unit).as(name).isNotIn("ms", "%", "bytes", "GPUs", "jobs");
            }
        });
    }

    @Test
    public void theKeysOfTheLogLineAreExplained() throws IOException {
        String section = section("### The line of a round");
        List<String> explained = Pattern.compile("`([a-zA-Z]+)`")
                .matcher(section.lines()
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> line.substring(0, line.indexOf('|', 1)))
                        .collect(Collectors.joining()))
                .results()
                .map(found -> found.group(1))
                .toList();
        List<String> written = Arrays.stream(EveryMetric.round().inLog().split(" "))
                .map(pair -> pair.substring(0, pair.indexOf('=')))
                .toList();

        assertThat(explained).isEqualTo(written);
    }

    private static String prometheus(CollectedMetrics.Value value) {
        String name = new PrometheusMetricsSink().prometheusName(value.record(), value.name());
        String labels = value.tags().keySet().stream()
                .map(tag -> tag.toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return labels.isEmpty() ? name : name + "{" + labels + "}";
    }

    private static List<Matcher> rows() throws IOException {
        List<Matcher> rows = section("### Metrics")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(ROW::matcher)
                .toList();
        assertThat(rows).isNotEmpty().allMatch(Matcher::matches);
        return rows;
    }

    private static String section(String title) throws IOException {
        String text = Files.readString(Path.of("..", "docs", "operations.md"));
        int begin = text.indexOf("\n" + title + "\n");
        assertThat(begin).as(title).isPositive();
        int end = text.indexOf("\n### ", begin + title.length());
        return text.substring(begin, end);
    }
}
