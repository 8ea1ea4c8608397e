package io.optimus.yarn.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Holds the dashboard and the alerts of {@code conf/monitoring} against the metrics and the documentation. */
public final class MonitoringFilesTest {
    private static final Path FOLDER = Path.of("..", "conf", "monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(optimus_[a-z0-9_]+)(\\{[^}]*\\})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)=~?\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without) \\((\\w+)\\)");
    /** Prometheus itself adds it. */
    private static final String SCRAPE_JOB = "job";

    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    private final Map<String, Set<String>> exported = exported();

    private static Map<String, Set<String>> exported() {
        OptimusMetrics metrics = OptimusMetrics.unregistered(EveryMetric::gpus, () -> 0);
        EveryMetric.happens(metrics);
        Map<String, Set<String>> labels = new TreeMap<>();
        CollectedMetrics.all(metrics).forEach(value -> labels.computeIfAbsent(
                        new PrometheusMetricsSink().prometheusName(value.record(), value.name()),
                        name -> new TreeSet<>())
                .addAll(value.tags().keySet().stream()
                        .map(tag -> tag.toLowerCase(Locale.ROOT))
                        .toList()));
        return labels;
    }

    @Test
    public void theDashboardShowsMetricsThatExist() throws IOException {
        List<String> expressions = new ArrayList<>();
        for (JsonNode panel : dashboard().path("panels")) {
            panel.path("targets")
                    .forEach(target -> expressions.add(target.path("expr").asText()));
        }
        assertThat(expressions).hasSizeGreaterThan(20).allSatisfy(this::uses);
        dashboard().path("templating").path("list").forEach(variable -> {
            if (variable.path("type").asText().equals("query")) {
                uses(variable.path("definition").asText());
            }
        });
    }

    @Test
    public void theDashboardIsOneThatGrafanaCanImport() throws IOException {
        JsonNode dashboard = dashboard();
        assertThat(dashboard.path("schemaVersion").asInt()).isBetween(36, 42);
        assertThat(dashboard.path("uid").asText()).matches("[a-z0-9-]{1,40}");
        assertThat(dashboard.path("title").asText()).isNotBlank();
        assertThat(dashboard.path("id").isNull()).isTrue();
        Set<Integer> ids = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
            String title = panel.path("title").asText();
            assertThat(ids.add(panel.path("id").asInt())).as("id of " + title).isTrue();
            JsonNode at = panel.path("gridPos");
            assertThat(at.path("x").asInt() + at.path("w").asInt()).as(title).isBetween(1, 24);
            for (int x = at.path("x").asInt();
                    x < at.path("x").asInt() + at.path("w").asInt();
                    x++) {
                for (int y = at.path("y").asInt();
                        y < at.path("y").asInt() + at.path("h").asInt();
                        y++) {
                    assertThat(cells.add(x + "," + y))
                            .as(title + " covers another panel")
                            .isTrue();
                }
            }
            if (!panel.path("type").asText().equals("row")) {
                assertThat(panel.path("description").asText()).as(title).isNotBlank();
                assertThat(panel.path("datasource").path("uid").asText())
                        .as(title)
                        .isEqualTo("${datasource}");
            }
        }
        assertThat(dashboard.at("/templating/list/0/type").asText()).isEqualTo("datasource");
        assertThat(dashboard.at("/templating/list/0/name").asText()).isEqualTo("datasource");
    }

    @Test
    public void alertsAreOnMetricsThatExistAndSayWhatToDo() throws IOException {
        String documented = Files.readString(Path.of("..", "docs", "operations.md"));
        String section = documented.substring(documented.indexOf("\n### Alerts\n"));
        TreeSet<String> rows = new TreeSet<>();
        Pattern.compile("(?m)^\\| `(Optimus\\w+)` \\| .{20,} \\| .{20,} \\|$")
                .matcher(section.substring(0, section.indexOf("\n### ", 5)))
                .results()
                .forEach(row -> rows.add(row.group(1)));
        TreeSet<String> alerts = new TreeSet<>();
        for (JsonNode rule : rules()) {
            String name = rule.path("alert").asText();
            assertThat(alerts.add(name)).as(name).isTrue();
            uses(rule.path("expr").asText());
            assertThat(rule.at("/labels/severity").asText()).as(name).isIn("critical", "warning", "info");
            assertThat(rule.at("/annotations/summary").asText()).as(name).isNotBlank();
            assertThat(rule.at("/annotations/runbook").asText()).isEqualTo("docs/operations.md#alerts");
        }
        assertThat(rows).isEqualTo(alerts);
    }

    @Test
    public void prometheusReadsTheRulesAndAlertsWhenItShould() throws Exception {
        assumeTrue("promtool is not there: apt-get install prometheus", Promtool.isThere());

        for (List<String> command : List.of(
                List.of(
                        "check",
                        "rules",
                        FOLDER.resolve("prometheus-rules.yaml").toString()),
                List.of(
                        "test",
                        "rules",
                        FOLDER.resolve("prometheus-rules-test.yaml").toString()))) {
            Promtool.Answer answer = Promtool.run(command, "");
            assertThat(answer.exit()).as(answer.text()).isZero();
        }
    }

    /** Asserts that {@code expression} names metrics that exist, with labels that they have. */
    private void uses(String expression) {
        TreeSet<String> labels = new TreeSet<>(Set.of(SCRAPE_JOB));
        List<String> names = new ArrayList<>();
        METRIC.matcher(expression).results().forEach(found -> {
            names.add(found.group(1));
            Set<String> known = new TreeSet<>(exported.getOrDefault(found.group(1), Set.of()));
            labels.addAll(known);
            known.add(SCRAPE_JOB);
            if (found.group(2) != null) {
                MATCHER.matcher(found.group(2)).results().forEach(matcher -> assertThat(matcher.group(1))
                        .as(expression)
                        .isIn(known));
            }
        });
        assertThat(names).as(expression).isNotEmpty().isSubsetOf(exported.keySet());
        GROUPING.matcher(expression)
                .results()
                .forEach(group -> assertThat(group.group(1)).as(expression).isIn(labels));
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper()
                .readTree(FOLDER.resolve("grafana-dashboard.json").toFile());
    }

    private static List<JsonNode> rules() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        new ObjectMapper(new YAMLFactory())
                .readTree(FOLDER.resolve("prometheus-rules.yaml").toFile())
                .path("groups")
                .forEach(group -> group.path("rules").forEach(rules::add));
        assertThat(rules).isNotEmpty();
        return rules;
    }
}
