package io.optimus.am.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.coordinator.CoordinatorStatus.Progress;
import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.page.StatusView;
import io.optimus.am.master.page.Survived;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.FakeCoordinator;
import io.optimus.am.master.plan.JobIdentity;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.Test;

public final class JobMetricsTest {
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| `(\\w+)` \\| (\\w+) \\| .+ \\|");

    private final Configuration configuration = new Configuration(false);

    private static StatusView status() {
        FakeCoordinator training = new FakeCoordinator();
        training.progress =
                new Progress(120, 1.5, 80, OptionalDouble.of(0.25), OptionalDouble.of(12), Optional.empty());
        return new StatusView(
                new JobIdentity("application_1_1", 1, "ann", JobSpecs.emulated(), 0, () -> 1_000),
                1_000,
                Optional.empty(),
                training.status(),
                new StatusView.FollowedPlan(Directive.NONE, false, false, Collections.emptySortedSet()),
                new StatusView.History(
                        List.of(), List.of(), new TreeMap<>(), 2, 0, new Survived(List.of(), 3, 40, 1_200, 900, 7)),
                List.of(),
                Optional.empty());
    }

    @Test
    public void prometheusReadsWhatTheJobHasSurvived() throws Exception {
        configuration.setBoolean("hadoop.prometheus.endpoint.enabled", true);
        StringWriter text = new StringWriter();

        try (JobMetrics metrics = JobMetrics.start(configuration, JobMetricsTest::status)) {
            metrics.text().orElseThrow().write(text);
        }

        assertThat(text.toString())
                .containsPattern("optimus_job_step\\{[^}]*application=\"application_1_1\"[^}]*\\} 120\\n")
                .containsPattern("optimus_job_redone_steps\\{[^}]*\\} 40\\n")
                .containsPattern("optimus_job_longest_stall_millis\\{[^}]*\\} 900\\n");
    }

    @Test
    public void areNotServedUnlessThatIsEnabled() {
        try (JobMetrics metrics = JobMetrics.start(configuration, JobMetricsTest::status)) {
            assertThat(metrics.text()).isEmpty();
        }
    }

    @Test
    public void areTheDocumentedOnes() throws Exception {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        try (JobMetrics metrics = JobMetrics.start(configuration, JobMetricsTest::status)) {
            metrics.getMetrics(collector, true);
        }
        TreeSet<String> exported = new TreeSet<>();
        for (MetricsRecord record : collector.getRecords()) {
            for (AbstractMetric metric : record.metrics()) {
                exported.add(metric.name() + " "
                        + new PrometheusMetricsSink().prometheusName(record.name(), metric.name()) + " "
                        + metric.type().name().toLowerCase(Locale.ROOT));
            }
        }

        String text = Files.readString(Path.of("..", "docs", "operations.md"));
        String section = text.substring(text.indexOf("\n### Metrics of a job\n") + 1);
        TreeSet<String> documented = section.substring(0, section.indexOf("\n### "))
                .lines()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(exported);
    }
}
