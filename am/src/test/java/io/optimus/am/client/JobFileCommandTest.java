package io.optimus.am.client;

import static io.optimus.am.client.CommandRunner.SMALLEST;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.client.cluster.ClusterClient.ClusterQueue;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import java.io.IOException;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;

/** What {@code submit} and {@code validate} find in a job file. */
public final class JobFileCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void leavesNothingBehindWhenTheJobFileIsWrong() throws IOException {
        optimus.writeJobFile(SMALLEST + "seeed: 3\nroles: {ps: {min: 2, max: 1}}\n");

        assertThat(optimus.submit("--set", "priority=x")).isEqualTo(2);
        assertThat(optimus.err())
                .contains("job.yaml:5:1: seeed: ", "job.yaml:6:22: roles.ps.max: ", "--set priority=x: priority: ")
                .contains("3 problems; nothing was done.");
        optimus.assertNothingHappened();
    }

    @Test
    public void namesTheLineOfResourcesThatTheClusterDoesNotHave() throws IOException {
        optimus.writeJobFile(
                SMALLEST + "roles:\n  worker: {gpus: 16, memoryMb: 9000}\n  ps: {resources: {yarn.io/fpga: 1}}\n");

        assertThat(optimus.submit()).isEqualTo(2);
        assertThat(optimus.err())
                .contains("job.yaml:6:12: roles.worker.gpus: 16 is above the cluster's largest container, which has 4")
                .contains("job.yaml:6:22: roles.worker.memoryMb: 9000 is above")
                .contains(
                        "roles.ps.resources.yarn.io/fpga: the cluster does not count the resource yarn.io/fpga, only memory-mb,")
                .contains("resource-types.xml");
        optimus.assertNothingHappened();
    }

    @Test
    public void reportsProblemsOfTheFileAndOfTheClusterAtOnce() throws IOException {
        optimus.writeJobFile(SMALLEST + "seeed: 3\nroles:\n  worker: {gpus: 16}\n  ps: {min: 2, max: 1}\n");

        assertThat(optimus.submit()).isEqualTo(2);
        assertThat(optimus.err())
                .contains("job.yaml:5:1: seeed: ", "roles.ps.max: 1 is below min")
                .contains("roles.worker.gpus: 16 is above the cluster's largest container, which has 4")
                .contains("3 problems; nothing was done.");
        optimus.assertNothingHappened();
    }

    @Test
    public void refusesAQueueThatDoesNotTakeTheJobBeforeAnythingHappens() throws IOException {
        cluster.queues = List.of(
                new ClusterQueue("root.open", true, "RUNNING", true),
                new ClusterQueue("root.stopped", true, "STOPPED", true),
                new ClusterQueue("root.theirs", true, "RUNNING", false),
                new ClusterQueue("root.parent", false, "RUNNING", true));

        assertThat(refusal("nowhere"))
                .contains("job.yaml:5:1: queue: the cluster has no queue nowhere: there is root.open");
        assertThat(refusal("root.stopped")).contains("queue: root.stopped is STOPPED and takes no jobs");
        assertThat(refusal("theirs")).contains("queue: you may not submit to root.theirs: there is root.open");
        assertThat(refusal("parent")).contains("queue: root.parent is not a leaf queue: there is root.open");
        optimus.assertNothingHappened();
        assertThat(optimus.validate()).isEqualTo(2);
    }

    @Test
    public void leavesQueuesToYarnThatItMayMapOrMake() throws IOException {
        cluster.queues = List.of(new ClusterQueue("root.users", true, "RUNNING", true));

        assertThat(optimus.submit("--dry-run")).isZero();
        assertThat(optimus.submit("--dry-run", "--queue", "root.users.ann")).isZero();
        assertThat(optimus.submit("--dry-run", "--queue", "users")).isZero();
    }

    @Test
    public void refusesAFileSystemThatTheClientDoesNotKnow() throws IOException {
        assertThat(optimus.submit("--set", "fileSystems=nowhere://data")).isEqualTo(2);
        assertThat(optimus.err()).contains("fileSystems: cannot use the file system nowhere://data: ", "check the URI");
        optimus.assertNothingHappened();
    }

    @Test
    public void warnsOfADataFolderThatOnlyTheNodesMayHave() throws IOException {
        optimus.writeJobFile(SMALLEST.replace("digits", "idx:/no/such/folder"));

        assertThat(optimus.validate()).isZero();
        assertThat(optimus.submit()).isZero();
        assertThat(optimus.err().lines()).hasSize(2).allSatisfy(line -> assertThat(line)
                .isEqualTo("Warning: dataset: there is no folder /no/such/folder on this machine; each worker"
                        + " looks for it on its node, and the job fails if it is missing there"));
    }

    @Test
    public void printsEveryDefaultWhenItValidates() throws InvalidJobFileException {
        assertThat(optimus.validate("--set", "seed=9")).isZero();
        assertThat(optimus.out()).contains("queue: default", "memoryMb: 1024", "seed: 9");
        assertThat(JobFile.parse("printed", optimus.out(), List.of()).spec().seed())
                .isEqualTo(9);
    }

    @Test
    public void validatesWithoutACluster() {
        cluster.reachable = false;

        assertThat(optimus.validate()).isZero();
        assertThat(optimus.err()).contains("Checked without the cluster");
    }

    private String refusal(String queue) throws IOException {
        optimus.writeJobFile(SMALLEST + "queue: " + queue + "\n");
        optimus.clearErr();
        assertThat(optimus.submit()).isEqualTo(2);
        return optimus.err();
    }
}
