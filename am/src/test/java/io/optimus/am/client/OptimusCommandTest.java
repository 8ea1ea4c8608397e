package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;

public final class OptimusCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void exitsWithTwoOnWrongUsage() throws IOException {
        assertThat(optimus.run()).isEqualTo(2);
        assertThat(optimus.run("sbmit")).isEqualTo(2);
        assertThat(optimus.run("submit")).isEqualTo(2);
        assertThat(optimus.submit("--waitt")).isEqualTo(2);
        assertThat(optimus.run("status", "job_1")).isEqualTo(2);
        assertThat(optimus.err()).contains("'job_1' is not an application id");
        assertThat(optimus.run("submit", optimus.jobFile() + ".not")).isEqualTo(2);
        assertThat(optimus.err()).contains("There is no readable file");
        optimus.assertNothingHappened();
    }

    @Test
    public void helpsAndTellsItsVersion() throws IOException {
        assertThat(optimus.run("submit", "-h")).isZero();
        assertThat(optimus.out()).contains("--wait");
        assertThat(optimus.run("-V")).isZero();
        assertThat(optimus.out()).contains("Optimus for YARN ");
        assertThat(optimus.run("list", "-V")).isZero();
        optimus.assertNothingHappened();
    }

    @Test
    public void refusesOptionsThatItWouldIgnore() {
        cluster.state("RUNNING", Outcome.OPEN, "");

        assertThat(optimus.run("resize", FakeClusterClient.ID, "--undo", "--parameter-servers", "2"))
                .isEqualTo(2);
        assertThat(optimus.err()).contains("--parameter-servers goes with --workers only");
        assertThat(optimus.run("logs", FakeClusterClient.ID, "--tail", "-5")).isEqualTo(2);
        assertThat(cluster.orders).isEmpty();
    }
}
