package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import org.junit.Rule;
import org.junit.Test;

/** Orders to the scheduler, and priorities, which YARN keeps. */
public final class OrderCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void givesOrdersToTheScheduler() {
        assertThat(optimus.run("pause")).isZero();
        assertThat(optimus.run("resume")).isZero();
        assertThat(optimus.run("drain", "--node", "gpu01:8041")).isZero();
        assertThat(optimus.run("drain", "--queue", "root.research", "--undo")).isZero();
        assertThat(optimus.run("resize", FakeClusterClient.ID, "--workers", "4", "--parameter-servers", "2"))
                .isZero();
        assertThat(optimus.run("resize", FakeClusterClient.ID, "--keep")).isZero();
        assertThat(optimus.run("resize", FakeClusterClient.ID, "--undo")).isZero();

        assertThat(cluster.orders)
                .containsExactly(
                        "give /pause",
                        "take back /pause",
                        "give /drained-nodes/gpu01%3A8041",
                        "take back /drained-queues/root.research",
                        "give /jobs/" + FakeClusterClient.ID + "/size?workers=4&parameterServers=2",
                        "give /jobs/" + FakeClusterClient.ID + "/size",
                        "take back /jobs/" + FakeClusterClient.ID + "/size");
    }

    @Test
    public void saysWhyTheSchedulerRefusesAnOrder() {
        cluster.refusal = "ann may not do this to all queues";

        assertThat(optimus.run("pause")).isEqualTo(1);

        assertThat(optimus.err()).contains("ann may not do this");
        assertThat(optimus.run("drain")).as("neither a node nor a queue").isEqualTo(2);
        assertThat(optimus.run("drain", "--node", "a:1", "--queue", "root")).isEqualTo(2);
        assertThat(cluster.orders).isEmpty();
    }

    @Test
    public void changesThePriorityOfAJobAndSaysWhatYarnAdmits() {
        cluster.state("RUNNING", Outcome.OPEN, "");

        assertThat(optimus.run("priority", FakeClusterClient.ID, "5")).isZero();
        assertThat(cluster.priorities).containsEntry(FakeClusterClient.ID, 5);
        assertThat(optimus.out()).isEqualToIgnoringNewLines(FakeClusterClient.ID + " has priority 5");

        assertThat(optimus.run("priority", FakeClusterClient.ID, "11")).isZero();
        assertThat(optimus.out()).contains("has priority 10", "yarn.cluster.max-application-priority");
        assertThat(optimus.run("priority", FakeClusterClient.ID))
                .as("without a priority")
                .isEqualTo(2);
        assertThat(optimus.run("priority", FakeClusterClient.ID, "--", "-1")).isEqualTo(2);
        assertThat(cluster.priorities).containsEntry(FakeClusterClient.ID, 10);

        cluster.state("FINISHED", Outcome.SUCCEEDED, "");
        assertThat(optimus.run("priority", FakeClusterClient.ID, "1")).isEqualTo(1);
        assertThat(optimus.err()).contains("has ended already");
    }

    @Test
    public void leavesOtherApplicationsAlone() {
        cluster.type = "SPARK";
        cluster.state("RUNNING", Outcome.OPEN, "");

        assertThat(optimus.run("kill", FakeClusterClient.ID)).isEqualTo(1);
        assertThat(optimus.run("priority", FakeClusterClient.ID, "1")).isEqualTo(1);
        assertThat(optimus.err()).contains("is no training job, but an application of type SPARK");
        assertThat(cluster.killed).isEmpty();
        assertThat(cluster.priorities).isEmpty();
    }
}
