package io.optimus.yarn.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.yarn.Await;
import io.optimus.yarn.metrics.CollectedMetrics;
import io.optimus.yarn.metrics.OptimusMetrics;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** What page, REST and metrics show of a ResourceManager on which jobs train. */
public final class ShownOperationTest {
    @Rule
    public final Timeout timeout = new Timeout(120, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void aJobThatIsMovedShowsItsNewQueueEverywhere() throws Exception {
        try (PageCluster cluster = new PageCluster(folder.getRoot().toPath(), Map.of())) {
            cluster.nodes(2, 4);
            FollowingJob job = cluster.train("moved");
            cluster.awaitSteps(job, 50);
            assertThat(rest(cluster, "/jobs/" + job.id()).path("queue").asText())
                    .isEqualTo("root.default");

            cluster.move(job.id(), "research");

            Await.until("the job shows its new queue", () -> rest(cluster, "/jobs/" + job.id())
                    .path("queue")
                    .asText()
                    .equals("root.research"));
            assertThat(rest(cluster, "/jobs").path("jobs").path(0).path("queue").asText())
                    .isEqualTo("root.research");
            assertThat(rest(cluster, "/jobs/" + job.id() + "/explain")
                            .path("queue")
                            .asText())
                    .isEqualTo("root.research");
            for (String page : new String[] {"/cluster/optimus", "/cluster/optimus/job/" + job.id()}) {
                assertThat(cluster.get(page).body()).as(page).contains(">root.research<");
            }
            Await.until("the metrics show it", () -> metrics()
                    .getOrDefault("OptimusQueue{Queue=root.research}.Jobs", 0L)
                    .equals(1L));
            assertThat(metrics())
                    .containsEntry("OptimusQueue{Queue=root.default}.Jobs", 0L)
                    .containsEntry("OptimusQueue{Queue=root.default,State=training}.Gpus", 0L);
        }
    }

    @Test
    public void aHealthyRunRefusesNoValueAndNoCall() throws Exception {
        try (PageCluster cluster = new PageCluster(folder.getRoot().toPath(), Map.of())) {
            cluster.nodes(2, 4);
            FollowingJob first = cluster.train("first");
            cluster.awaitSteps(first, 200);
            FollowingJob second = cluster.train("second");
            cluster.awaitSteps(second, 200);
            second.finish();
            cluster.awaitSteps(first, first.step() + 200);

            JsonNode shown = rest(cluster, "/jobs/" + first.id());
            assertThat(shown.path("refusedValues").asInt()).isZero();
            assertThat(shown.path("waitingSinceMillis").isNull()).isTrue();
            assertThat(metrics())
                    .containsEntry("RefusedValues", 0L)
                    .containsEntry("RefusedCalls", 0L)
                    .containsEntry("FitFailures", 0L)
                    .containsEntry("RoundFailures", 0L)
                    .hasEntrySatisfying(
                            "Resizes", resizes -> assertThat(resizes).isPositive())
                    .hasEntrySatisfying(
                            "ResizePauseMillis", pause -> assertThat(pause).isPositive());
        }
    }

    @Test
    public void restSaysThatAPlanIsOnlyAdviceAndSinceWhenAJobWaits() throws Exception {
        try (PageCluster cluster =
                new PageCluster(folder.getRoot().toPath(), Map.of("yarn.scheduler.optimus.mode", "advise"))) {
            long before = System.currentTimeMillis();
            FollowingJob job = cluster.train("waiting");
            cluster.awaitReason(job);

            JsonNode shown = rest(cluster, "/jobs/" + job.id());
            assertThat(shown.path("schedulerMode").asText()).isEqualTo("advise");
            assertThat(shown.path("reason").asText()).contains("advice only");
            assertThat(shown.path("waitingSinceMillis").asLong()).isBetween(before - 1_000, System.currentTimeMillis());
            JsonNode listed = rest(cluster, "/jobs").path("jobs").path(0);
            assertThat(listed.path("schedulerMode").asText()).isEqualTo("advise");
            assertThat(rest(cluster, "/plan").path("mode").asText()).isEqualTo("advise");
            assertThat(rest(cluster, "/jobs/" + job.id() + "/explain")
                            .path("schedulerMode")
                            .asText())
                    .isEqualTo("advise");
        }
    }

    private static JsonNode rest(PageCluster cluster, String path) throws Exception {
        return new ObjectMapper().readTree(cluster.get("/ws/v1/optimus" + path).body());
    }

    private static Map<String, Long> metrics() {
        return CollectedMetrics.of(
                (OptimusMetrics) DefaultMetricsSystem.instance().getSource(OptimusMetrics.NAME));
    }
}
