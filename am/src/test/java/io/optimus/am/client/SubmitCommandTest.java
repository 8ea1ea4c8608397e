package io.optimus.am.client;

import static io.optimus.am.client.CommandRunner.permissions;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpecJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.junit.Rule;
import org.junit.Test;

/** What {@code submit} gives to YARN and leaves in the staging folder. */
public final class SubmitCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void submitsAndNamesIdAndPage() throws IOException {
        assertThat(optimus.submit("--set", "priority=7", "--queue", "research")).isZero();

        assertThat(optimus.out())
                .contains("Submitted " + FakeClusterClient.ID, "http://rm/proxy/" + FakeClusterClient.ID)
                .as("relative folders are in the owner's home")
                .contains("Output    file:" + System.getProperty("user.home") + "/optimus-models/"
                        + FakeClusterClient.ID);
        ApplicationSubmissionContext context = cluster.submitted.get(0);
        assertThat(context.getApplicationType()).isEqualTo("OPTIMUS");
        assertThat(context.getQueue()).isEqualTo("research");
        assertThat(context.getPriority().getPriority()).isEqualTo(7);
        assertThat(context.getKeepContainersAcrossApplicationAttempts()).isTrue();
        assertThat(context.getMaxAppAttempts()).isEqualTo(2);
        assertThat(context.getResource().getMemorySize()).isEqualTo(512);
        assertThat(cluster.closed).isTrue();
    }

    @Test
    public void submitsForPrograms() throws IOException {
        assertThat(optimus.submit("--output", "json")).isZero();
        JsonNode answer = new ObjectMapper().readTree(optimus.out());
        assertThat(answer.get("id").asText()).isEqualTo(FakeClusterClient.ID);
        assertThat(answer.get("page").asText()).isEqualTo(cluster.trackingUrl);
        assertThat(answer.get("output").asText()).endsWith(FakeClusterClient.ID);
        assertThat(answer.has("outcome")).isFalse();

        optimus.clearOut();
        assertThat(optimus.submit("--wait", "--output", "json")).isZero();
        answer = new ObjectMapper().readTree(optimus.out());
        assertThat(answer.get("outcome").asText()).isEqualTo("succeeded");
        assertThat(answer.get("result").isNull()).isTrue();
        assertThat(optimus.err()).contains("Submitted " + FakeClusterClient.ID, "SUCCEEDED after 42 s");
    }

    @Test
    public void stagesTheJobForItsOwnerOnly() throws IOException {
        optimus.submit();

        Path job = optimus.jobFolder();
        assertThat(JobSpecJson.read(Files.readAllBytes(job.resolve("job.json"))).name())
                .isEqualTo("a");
        assertThat(job.resolve("optimus-am.jar")).hasSameBinaryContentAs(optimus.jar());
        assertThat(Files.readString(job.resolve("job.secret"))).matches("[0-9a-f]{64}");
        assertThat(permissions(job)).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(job)) {
            assertThat(files).isNotEmpty().allSatisfy(path -> assertThat(permissions(path))
                    .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
    }

    @Test
    public void keepsTheSecretOutOfTheLaunchContext() throws IOException {
        optimus.submit();

        String secret = Files.readString(optimus.jobFolder().resolve("job.secret"));
        var container = cluster.submitted.get(0).getAMContainerSpec();
        assertThat(container.getCommands().toString()).doesNotContain(secret).contains("ApplicationMaster");
        assertThat(container.getEnvironment().toString()).doesNotContain(secret);
        assertThat(container.getEnvironment()).containsKey(JobDirectory.ROOT_VARIABLE);
        assertThat(container.getEnvironment().get("CLASSPATH")).startsWith("{{PWD}}/optimus-am.jar<CPS>");
        assertThat(container.getLocalResources()).containsOnlyKeys("optimus-am.jar", "job.json", "job.secret");
    }

    @Test
    public void startsAMasterThatPassesYarnsCheckOfVirtualMemoryAndEndsWhenMemoryDoes() throws IOException {
        optimus.submit();

        var container = cluster.submitted.get(0).getAMContainerSpec();
        assertThat(container.getCommands().toString())
                .contains("-Xmx307m", "-XX:CompressedClassSpaceSize=48m", "-XX:ReservedCodeCacheSize=64m")
                .contains("-XX:+ExitOnOutOfMemoryError");
        assertThat(container.getEnvironment()).containsEntry("MALLOC_ARENA_MAX", "1");
    }

    @Test
    public void startsEveryProcessWithTheJavaThatIsGiven() throws IOException {
        optimus.submit();
        optimus.submit("-D", "yarn.optimus.java-home=/opt/java-17");

        assertThat(cluster.submitted.get(0).getAMContainerSpec().getEnvironment())
                .doesNotContainKeys("JAVA_HOME", "OPTIMUS_JAVA_HOME");
        assertThat(cluster.submitted.get(1).getAMContainerSpec().getEnvironment())
                .containsEntry("JAVA_HOME", "/opt/java-17")
                .containsEntry("OPTIMUS_JAVA_HOME", "/opt/java-17");
    }

    @Test
    public void runsTheApplicationMasterInTheDockerImageOnlyIfAsked() throws IOException {
        optimus.submit("--set", "docker.image=torch");
        optimus.submit(
                "--set",
                "docker.image=torch",
                "--set",
                "docker.applicationMaster=true",
                "-Dyarn.optimus.java-home=/node/java",
                "--set",
                "docker.javaHome=/image/java");

        assertThat(masterEnvironment(0)).doesNotContainKey("YARN_CONTAINER_RUNTIME_TYPE");
        assertThat(masterEnvironment(1))
                .containsEntry("YARN_CONTAINER_RUNTIME_TYPE", "docker")
                .containsEntry("YARN_CONTAINER_RUNTIME_DOCKER_IMAGE", "torch")
                .containsEntry("JAVA_HOME", "/image/java");
    }

    @Test
    public void removesStagingAndKillsWhatYarnTookWhenSubmissionFails() throws IOException {
        cluster.failsAfterSubmit = true;

        assertThat(optimus.submit()).isEqualTo(1);
        assertThat(optimus.err()).contains("Connection lost");
        assertThat(cluster.killed).containsExactly(FakeClusterClient.ID);
        assertThat(optimus.jobFolders()).isEmpty();
    }

    @Test
    public void submitsNothingOnADryRun() throws IOException, InvalidJobFileException {
        assertThat(optimus.submit("--dry-run")).isZero();
        assertThat(JobFile.parse("printed", optimus.out(), List.of()).spec().name())
                .isEqualTo("a");
        optimus.assertNothingHappened();
    }

    @Test
    public void printsTheWholeJobForProgramsWithoutSubmittingIt() throws IOException {
        assertThat(optimus.submit("--dry-run", "--output", "json")).isZero();

        assertThat(new ObjectMapper()
                        .readTree(optimus.out())
                        .path("roles")
                        .path("worker")
                        .path("min")
                        .asInt())
                .isEqualTo(1);
        assertThat(optimus.err()).contains("Not submitted");
        assertThat(cluster.submitted).isEmpty();
    }

    @Test
    public void failsWhereTheClusterDoesNotAnswer() throws IOException {
        cluster.reachable = false;

        assertThat(optimus.submit()).isEqualTo(1);
        assertThat(optimus.err()).contains("Connection refused");
        optimus.assertNothingHappened();
    }

    private Map<String, String> masterEnvironment(int submitted) {
        return cluster.submitted.get(submitted).getAMContainerSpec().getEnvironment();
    }
}
