package io.optimus.yarn.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.optimus.yarn.Await;
import io.optimus.yarn.page.FollowingJob;
import io.optimus.yarn.page.PageCluster;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * Reads {@code /prom} of a ResourceManager with the parsers of Prometheus: promtool, and Prometheus's library for Python. Each is
 * skipped where it is not installed.
 *
 * <p>Hadoop's sink writes no help texts, and names counters without {@code _total}. promtool's linter remarks both; they are no
 * errors of the format.
 */
public final class PrometheusEndpointTest {
    private static final int LINT = 3;
    /** Prints the samples of the scheduler as Prometheus's library reads them: name, labels, value. */
    private static final String READER =
            """
            # The library gives counters the suffix _total that Hadoop leaves out.
            import sys
            from prometheus_client.parser import text_string_to_metric_families
            for family in text_string_to_metric_families(sys.stdin.read()):
                for sample in family.samples:
                    labels = {k: v for k, v in sample.labels.items() if k not in ("context", "hostname")}
                    print(sample.name.removesuffix("_total"), ",".join(k + "=" + v for k, v in sorted(labels.items())), sample.value, sep="|")
            """;

    @Rule
    public final Timeout timeout = new Timeout(120, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private PageCluster cluster;
    private String answer = "";

    @Before
    public void train() throws Exception {
        forgetOtherMetrics();
        cluster = new PageCluster(folder.getRoot().toPath(), Map.of("hadoop.prometheus.endpoint.enabled", "true"));
        cluster.nodes(2, 4);
        FollowingJob job = cluster.train("job");
        cluster.awaitSteps(job, 50);
        Await.until("/prom has the job", () -> {
            // By itself, Hadoop hands its metrics to /prom every ten seconds.
            DefaultMetricsSystem.instance().publishMetricsNow();
            answer = cluster.get("/prom").body();
            return answer.lines().anyMatch(line -> line.matches("optimus_queue_jobs\\{.*root\\.default.*} 1"));
        });
    }

    /** Hadoop has one system of metrics in a process. It counts who uses it, and earlier tests may not have stopped theirs. */
    private static void forgetOtherMetrics() {
        boolean last = false;
        while (!last) {
            last = DefaultMetricsSystem.instance().shutdown();
        }
        DefaultMetricsSystem.shutdown();
    }

    @After
    public void stop() {
        cluster.close();
    }

    @Test
    public void promtoolReadsIt() throws Exception {
        assumeTrue("promtool is not there: apt-get install prometheus", Promtool.isThere());

        Promtool.Answer checked = Promtool.run(List.of("check", "metrics"), ours());

        assertThat(checked.exit()).as(checked.text()).isIn(0, LINT);
        assertThat(checked.text().lines()).allSatisfy(line -> assertThat(line)
                .containsAnyOf("no help text", "should have \"_total\" suffix", "use base unit", "abbreviated"));
    }

    @Test
    public void prometheusLibraryReadsEverySample() throws Exception {
        List<String> python = List.of("/usr/bin/python3", "-c");
        assumeTrue(
                "Prometheus's library for Python is not there: apt-get install python3-prometheus-client",
                Promtool.runs(List.of(python.get(0), python.get(1), "import prometheus_client")));

        Promtool.Answer read = Promtool.runCommand(List.of(python.get(0), python.get(1), READER), answer);

        assertThat(read.exit()).as(read.text()).isZero();
        Map<String, Double> values = new TreeMap<>();
        read.text().lines().filter(line -> line.startsWith("optimus_")).forEach(line -> {
            String[] parts = line.split("\\|", -1);
            values.put(parts[0] + "{" + parts[1] + "}", Double.valueOf(parts[2]));
        });
        assertThat(values)
                .containsEntry("optimus_scheduler_jobs{}", 1.0)
                .containsEntry("optimus_scheduler_refused_values{}", 0.0)
                .containsEntry("optimus_queue_jobs{queue=root.default}", 1.0)
                .containsEntry("optimus_queue_jobs{queue=root.research}", 0.0)
                .containsKeys(
                        "optimus_cluster_gpus{state=training}",
                        "optimus_queue_gpus{queue=root.default,state=idle}",
                        "optimus_step_runs{step=fit}");
        Set<String> names = new TreeSet<>();
        values.keySet().forEach(key -> names.add(key.substring(0, key.indexOf('{'))));
        assertThat(names).as("what /prom has beyond the documented names").isSubsetOf(documented());
    }

    private static Set<String> documented() {
        OptimusMetrics every = OptimusMetrics.unregistered(EveryMetric::gpus, () -> 0);
        EveryMetric.happens(every);
        return CollectedMetrics.all(every).stream()
                .map(value -> new PrometheusMetricsSink().prometheusName(value.record(), value.name()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The lines of the scheduler; what Hadoop's own sources write is not ours to check. */
    private String ours() {
        return answer.lines()
                .filter(line -> line.startsWith("optimus_") || line.startsWith("# TYPE optimus_"))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
