package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;

public final class KillCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void refusesToShowOrKillWhatYarnDoesNotKnow() {
        assertThat(optimus.run("status", FakeClusterClient.ID)).isEqualTo(1);
        assertThat(optimus.run("kill", FakeClusterClient.ID)).isEqualTo(1);
        assertThat(cluster.killed).isEmpty();
    }

    @Test
    public void killsAJobAndRemovesItsSecret() throws IOException {
        optimus.submit();
        Path secret = optimus.jobFolder().resolve("job.secret");

        assertThat(optimus.run("kill", FakeClusterClient.ID)).isZero();
        assertThat(cluster.killed).containsExactly(FakeClusterClient.ID);
        assertThat(secret).doesNotExist();
    }

    @Test
    public void killsAnothersJobInTheFolderOfItsOwner() throws IOException {
        cluster.owner = "ann";
        cluster.state("RUNNING", Outcome.OPEN, "");
        Path theirs = Files.createDirectories(optimus.staging().resolve("ann").resolve(FakeClusterClient.ID));
        Files.writeString(theirs.resolve("job.secret"), "");

        assertThat(optimus.run("kill", FakeClusterClient.ID)).isZero();
        assertThat(theirs.resolve("job.secret")).doesNotExist();
    }

    @Test
    public void saysWhereTheSecretIsThatItMayNotRemove() throws IOException {
        cluster.owner = "ann";
        cluster.state("RUNNING", Outcome.OPEN, "");
        Path theirs = Files.createDirectories(optimus.staging().resolve("ann").resolve(FakeClusterClient.ID));
        // A folder that is not empty cannot be deleted like a file; it stands for any refusal of the file system.
        Files.createDirectories(theirs.resolve("job.secret/more"));

        assertThat(optimus.run("kill", FakeClusterClient.ID)).isZero();
        assertThat(optimus.out()).contains("Killed " + FakeClusterClient.ID);
        assertThat(optimus.err()).contains("are still in", theirs.toString(), "ann can remove them");
    }
}
