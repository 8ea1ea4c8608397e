package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.ClusterClient.ClusterQueue;
import io.optimus.am.client.cluster.SchedulerJob;
import io.optimus.am.client.submission.JobResult;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.job.SharedFileSystem;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class OptimusCommandTest {
    private static final String SMALLEST = "name: a\nengine: java\nmodel: mlp\ndataset: digits\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final FakeClusterClient cluster = new FakeClusterClient();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path file = Path.of("");
    private Path jar = Path.of("");
    private Path staging = Path.of("");

    @Before
    public void writeFiles() throws IOException {
        file = write("job.yaml", SMALLEST);
        jar = write("optimus-am.jar", "not a real jar");
        staging = folder.getRoot().toPath().resolve("staging");
    }

    @Test
    public void submitsAndNamesIdAndPage() throws IOException {
        assertThat(run("submit", file.toString(), "--set", "priority=7", "--queue", "research"))
                .isZero();

        assertThat(out.toString())
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
    public void stagesTheJobForItsOwnerOnly() throws IOException {
        run("submit", file.toString());

        Path job = jobFolder();
        assertThat(JobSpecJson.read(Files.readAllBytes(job.resolve("job.json"))).name())
                .isEqualTo("a");
        assertThat(job.resolve("optimus-am.jar")).hasSameBinaryContentAs(jar);
        assertThat(Files.readString(job.resolve("job.secret"))).matches("[0-9a-f]{64}");
        assertThat(permissions(job)).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(job)) {
            assertThat(files).isNotEmpty().allSatisfy(path -> assertThat(permissions(path))
                    .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
    }

    @Test
    public void stagesTheFilesOfAnOwnersProgramForItsOwnerOnly() throws IOException {
        write("train.py", "print()");
        write("env.tgz", "packed");
        writeProgram("archives: ['env.tgz#env', '" + onCluster("big.tar") + "#big']");

        assertThat(run("submit", file.toString())).isZero();

        assertThat(out.toString()).contains("Sent      2 files, 0.0 MiB");
        Path files = jobFolder().resolve("files");
        assertThat(permissions(files)).isEqualTo("rwx------");
        assertThat(files.resolve("train.py")).hasContent("print()");
        assertThat(files.resolve("env.tgz")).hasContent("packed");
        assertThat(permissions(files.resolve("env.tgz"))).isEqualTo("rw-------");
        assertThat(files.resolve("big.tar")).doesNotExist();
        assertThat(cluster.submitted.get(0).getApplicationTags()).containsExactlyInAnyOrder("synchronous", "python");
    }

    @Test
    public void removesTheFilesOfAnOwnersProgramWhenItsMasterNeverRan() throws IOException {
        write("train.py", "print()");
        writeProgram("");

        assertThat(run("submit", file.toString(), "--wait")).isZero();
        assertThat(jobFolder().resolve("files")).doesNotExist();
    }

    @Test
    public void refusesFilesOfAProgramThatAreMissingHereAndOnTheCluster() throws IOException {
        writeProgram("files: ['" + onCluster("big.tar").replace("big", "small") + "', 'shared:/']");

        assertThat(run("submit", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("program.script: there is no file " + file.resolveSibling("train.py"))
                .contains("files: there is no file shared:" + file.resolveSibling("small.tar"))
                .contains("files: '' cannot be a name in the worker's folder")
                .contains("files: shared:/ is a folder");
        assertNothingHappened();
        assertThat(run("validate", file.toString())).isEqualTo(2);
    }

    private void writeProgram(String further) throws IOException {
        file = write("job.yaml", "name: a\nframework: python\nprogram: {script: train.py}\n" + further + "\n");
    }

    /** A file on a file system that is not the local one. */
    private String onCluster(String name) throws IOException {
        return "shared:" + write(name, "large");
    }

    @Test
    public void keepsTheSecretOutOfTheLaunchContext() throws IOException {
        run("submit", file.toString());

        String secret = Files.readString(jobFolder().resolve("job.secret"));
        var container = cluster.submitted.get(0).getAMContainerSpec();
        assertThat(container.getCommands().toString()).doesNotContain(secret).contains("ApplicationMaster");
        assertThat(container.getEnvironment().toString()).doesNotContain(secret);
        assertThat(container.getEnvironment()).containsKey(JobDirectory.ROOT_VARIABLE);
        assertThat(container.getEnvironment().get("CLASSPATH")).startsWith("{{PWD}}/optimus-am.jar<CPS>");
        assertThat(container.getLocalResources()).containsOnlyKeys("optimus-am.jar", "job.json", "job.secret");
    }

    @Test
    public void startsAMasterThatPassesYarnsCheckOfVirtualMemoryAndEndsWhenMemoryDoes() throws IOException {
        run("submit", file.toString());

        var container = cluster.submitted.get(0).getAMContainerSpec();
        assertThat(container.getCommands().toString())
                .contains("-Xmx307m", "-XX:CompressedClassSpaceSize=48m", "-XX:ReservedCodeCacheSize=64m")
                .contains("-XX:+ExitOnOutOfMemoryError");
        assertThat(container.getEnvironment()).containsEntry("MALLOC_ARENA_MAX", "1");
    }

    @Test
    public void startsEveryProcessWithTheJavaThatIsGiven() throws IOException {
        run("submit", file.toString());
        run("submit", file.toString(), "-D", "yarn.optimus.java-home=/opt/java-17");

        assertThat(cluster.submitted.get(0).getAMContainerSpec().getEnvironment())
                .doesNotContainKeys("JAVA_HOME", "OPTIMUS_JAVA_HOME");
        assertThat(cluster.submitted.get(1).getAMContainerSpec().getEnvironment())
                .containsEntry("JAVA_HOME", "/opt/java-17")
                .containsEntry("OPTIMUS_JAVA_HOME", "/opt/java-17");
    }

    @Test
    public void leavesNothingBehindWhenTheJobFileIsWrong() throws IOException {
        file = write("job.yaml", SMALLEST + "seeed: 3\nroles: {ps: {min: 2, max: 1}}\n");

        assertThat(run("submit", file.toString(), "--set", "priority=x")).isEqualTo(2);
        assertThat(err.toString())
                .contains("job.yaml:5:1: seeed: ", "job.yaml:6:22: roles.ps.max: ", "--set priority=x: priority: ")
                .contains("3 problems; nothing was done.");
        assertNothingHappened();
    }

    @Test
    public void namesTheLineOfResourcesThatTheClusterDoesNotHave() throws IOException {
        file = write(
                "job.yaml",
                SMALLEST + "roles:\n  worker: {gpus: 16, memoryMb: 9000}\n  ps: {resources: {yarn.io/fpga: 1}}\n");

        assertThat(run("submit", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("job.yaml:6:12: roles.worker.gpus: 16 is above the cluster's largest container, which has 4")
                .contains("job.yaml:6:22: roles.worker.memoryMb: 9000 is above")
                .contains(
                        "roles.ps.resources.yarn.io/fpga: the cluster does not count the resource yarn.io/fpga, only memory-mb,")
                .contains("resource-types.xml");
        assertNothingHappened();
    }

    @Test
    public void reportsProblemsOfTheFileAndOfTheClusterAtOnce() throws IOException {
        file = write("job.yaml", SMALLEST + "seeed: 3\nroles:\n  worker: {gpus: 16}\n  ps: {min: 2, max: 1}\n");

        assertThat(run("submit", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("job.yaml:5:1: seeed: ", "roles.ps.max: 1 is below min")
                .contains("roles.worker.gpus: 16 is above the cluster's largest container, which has 4")
                .contains("3 problems; nothing was done.");
        assertNothingHappened();
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
        assertNothingHappened();
        assertThat(run("validate", file.toString())).isEqualTo(2);
    }

    @Test
    public void leavesQueuesToYarnThatItMayMapOrMake() throws IOException {
        cluster.queues = List.of(new ClusterQueue("root.users", true, "RUNNING", true));

        assertThat(run("submit", file.toString(), "--dry-run")).isZero();
        assertThat(run("submit", file.toString(), "--dry-run", "--queue", "root.users.ann"))
                .isZero();
        assertThat(run("submit", file.toString(), "--dry-run", "--queue", "users"))
                .isZero();
    }

    private String refusal(String queue) throws IOException {
        file = write("job.yaml", SMALLEST + "queue: " + queue + "\n");
        err.getBuffer().setLength(0);
        assertThat(run("submit", file.toString())).isEqualTo(2);
        return err.toString();
    }

    @Test
    public void removesStagingAndKillsWhatYarnTookWhenSubmissionFails() throws IOException {
        cluster.failsAfterSubmit = true;

        assertThat(run("submit", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("Connection lost");
        assertThat(cluster.killed).containsExactly(FakeClusterClient.ID);
        assertThat(jobFolders()).isEmpty();
    }

    @Test
    public void submitsNothingOnADryRun() throws IOException, InvalidJobFileException {
        assertThat(run("submit", file.toString(), "--dry-run")).isZero();
        assertThat(JobFile.parse("printed", out.toString(), List.of()).spec().name())
                .isEqualTo("a");
        assertNothingHappened();
    }

    @Test
    public void failsWhereTheClusterDoesNotAnswer() throws IOException {
        cluster.reachable = false;

        assertThat(run("submit", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("Connection refused");
        assertNothingHappened();
    }

    @Test
    public void waitsAndShowsProgressUntilTheJobSucceeds() throws IOException {
        cluster.pauses.add(() -> {
            cluster.state("RUNNING", Outcome.OPEN, "");
            cluster.scheduled.put(FakeClusterClient.ID, scheduled(1, 2));
        });
        cluster.pauses.add(() -> {});
        cluster.pauses.add(() -> cluster.scheduled.put(FakeClusterClient.ID, scheduled(2, 2)));

        assertThat(run("submit", file.toString(), "--wait")).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "ACCEPTED",
                        "RUNNING  epoch 3.2, step 140, loss 0.4321, ps 1, workers 1 -> 2, 12.3 steps/s, ends in 5 to 40 min"
                                + " (paced)",
                        "workers 2, ",
                        "SUCCEEDED after 42 s")
                .containsOnlyOnce("1 -> 2");
    }

    @Test
    public void drawsABarOnATerminal() {
        cluster.columns = 60;
        cluster.pauses.add(() -> cluster.scheduled.put(FakeClusterClient.ID, scheduled(1, 2)));
        cluster.pauses.add(() -> {});

        assertThat(run("submit", file.toString(), "--wait")).isZero();

        assertThat(out.toString()).contains("\r[                    ]   ? %  ACCEPTED");
        assertThat(out.toString().lines()).contains("SUCCEEDED after 42 s");
    }

    @Test
    public void exitsByTheOutcomeOfTheJobAndCleansUpForItsMaster() throws IOException {
        cluster.pauses.add(() -> cluster.state("FINISHED", Outcome.FAILED, "worker-3 ran out of memory"));

        assertThat(run("submit", file.toString(), "--wait")).isEqualTo(1);
        assertThat(out.toString()).contains("FAILED after 42 s: worker-3 ran out of memory");
        assertThat(jobFolder().resolve("job.secret")).doesNotExist();
        assertThat(jobFolder().resolve("job.json")).exists();
    }

    @Test
    public void submitsForPrograms() throws IOException {
        assertThat(run("submit", file.toString(), "--output", "json")).isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("id").asText()).isEqualTo(FakeClusterClient.ID);
        assertThat(answer.get("page").asText()).isEqualTo(cluster.trackingUrl);
        assertThat(answer.get("output").asText()).endsWith(FakeClusterClient.ID);
        assertThat(answer.has("outcome")).isFalse();

        out.getBuffer().setLength(0);
        assertThat(run("submit", file.toString(), "--wait", "--output", "json")).isZero();
        answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("outcome").asText()).isEqualTo("succeeded");
        assertThat(answer.get("result").isNull()).isTrue();
        assertThat(err.toString()).contains("Submitted " + FakeClusterClient.ID, "SUCCEEDED after 42 s");
    }

    @Test
    public void waitsForAResourceManagerThatRestarts() {
        cluster.pauses.add(() -> cluster.away = true);
        cluster.pauses.add(() -> {});
        cluster.pauses.add(() -> cluster.away = false);

        assertThat(run("submit", file.toString(), "--wait")).isZero();
        assertThat(out.toString())
                .containsOnlyOnce("does not answer, waiting for it: Connection refused")
                .containsSubsequence("waiting for it", "SUCCEEDED after 42 s");
    }

    @Test
    public void distinguishesAJobThatItNoLongerSeesFromOneThatFailed() throws IOException {
        cluster.pauseMillis = 10 * 60_000;
        for (int pause = 0; pause < 5; pause++) {
            cluster.pauses.add(() -> cluster.away = true);
        }

        assertThat(run("submit", file.toString(), "--wait")).isEqualTo(3);
        assertThat(out.toString()).contains("Stopped waiting for " + FakeClusterClient.ID + ", which may go on");
        assertThat(jobFolder().resolve("job.secret")).exists();

        cluster.away = false;
        cluster.pauses.clear();
        cluster.pauses.add(cluster.applications::clear);
        assertThat(run("submit", file.toString(), "--wait")).isEqualTo(3);
        assertThat(out.toString()).contains("YARN no longer knows " + FakeClusterClient.ID);
    }

    @Test
    public void saysOnceThatTheSchedulerDoesNotAnswer() {
        cluster.remark = "the cluster's scheduler is not OptimusScheduler";
        cluster.pauses.add(() -> {});
        cluster.pauses.add(() -> {});

        assertThat(run("submit", file.toString(), "--wait")).isZero();
        assertThat(out.toString()).containsOnlyOnce("is not OptimusScheduler");
    }

    @Test
    public void sendsTheNativeLibrariesOnceForAllJobs() throws IOException {
        Files.createDirectories(folder.getRoot().toPath().resolve("lib"));
        write("lib/pytorch-native-cpu-9.9-linux-x86_64.jar", "libraries");

        run("submit", file.toString(), "--set", "engine=djl");
        run("submit", file.toString(), "--set", "engine=djl");

        Path cached = userFolder().resolve("cache/pytorch-native-cpu-9.9-linux-x86_64.jar");
        try (InputStream withChecksums =
                FileSystem.getLocal(new Configuration()).open(new org.apache.hadoop.fs.Path(cached.toUri()))) {
            assertThat(withChecksums).hasContent("libraries");
        }
        try (Stream<Path> files = Files.list(cached.resolveSibling("."))) {
            assertThat(files.filter(path -> !path.toString().endsWith(".crc"))).hasSize(1);
        }
        assertThat(cluster.submitted).allSatisfy(context -> assertThat(
                        context.getAMContainerSpec().getEnvironment().get("OPTIMUS_NATIVES_ARCHIVE"))
                .endsWith(cached.toString()));
    }

    @Test
    public void namesTheFolderOfNativeLibrariesThatEveryNodeHas() throws IOException {
        Path libraries = folder.newFolder("torch").toPath();
        Files.writeString(libraries.resolve("libtorch.so"), "");

        run("submit", file.toString(), "--set", "engine=djl", "-D", "yarn.optimus.natives=" + libraries);

        assertThat(cluster.submitted.get(0).getAMContainerSpec().getEnvironment())
                .containsEntry("OPTIMUS_NATIVES_FOLDER", libraries.toString());
    }

    @Test
    public void saysHowToGiveNativeLibrariesThatAreMissing() throws IOException {
        assertThat(run("submit", file.toString(), "--set", "engine=djl")).isEqualTo(1);
        assertThat(err.toString()).contains("pytorch-native-cpu-*.jar", "yarn.optimus.natives");
        assertNothingHappened();
    }

    @Test
    public void printsEveryDefaultWhenItValidates() throws InvalidJobFileException {
        assertThat(run("validate", file.toString(), "--set", "seed=9")).isZero();
        assertThat(out.toString()).contains("queue: default", "memoryMb: 1024", "seed: 9");
        assertThat(JobFile.parse("printed", out.toString(), List.of()).spec().seed())
                .isEqualTo(9);
    }

    @Test
    public void goesOnFromTheCheckpointOfAnEarlierJob() throws IOException {
        Path earlier = earlierJob("seed: 4\n");
        file = write("job.yaml", SMALLEST + "seed: 4\noptimizer: {learningRate: 0.01}\n");

        assertThat(run(
                        "submit",
                        file.toString(),
                        "--resume",
                        earlier.getFileName().toString()))
                .as(err.toString())
                .isZero();
        assertThat(JobSpecJson.read(Files.readAllBytes(jobFolder().resolve("job.json")))
                        .resumes())
                .contains(earlier.getFileName().toString());
        assertThat(run("submit", file.toString(), "--resume", earlier.toUri().toString(), "--dry-run"))
                .isZero();
    }

    @Test
    public void refusesToGoOnFromAJobThatTrainsSomethingElse() throws IOException {
        Path earlier = earlierJob("globalBatch: 32\n");

        assertThat(run(
                        "submit",
                        file.toString(),
                        "--resume",
                        earlier.getFileName().toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "globalBatch: 64 differs from 32 in the job whose training goes on: write 32, or start from its"
                                + " model.bin with start.model");
        assertThat(cluster.submitted).isEmpty();
    }

    @Test
    public void refusesToGoOnFromAJobThatStillRunsOrHasNoCheckpoint() throws IOException {
        Path earlier = earlierJob("");
        cluster.state("RUNNING", Outcome.OPEN, "");
        assertThat(run("submit", file.toString(), "--resume", FakeClusterClient.ID))
                .isEqualTo(2);
        assertThat(err.toString()).contains(FakeClusterClient.ID + " is still running: end it first");

        Files.delete(earlier.resolve("checkpoints/checkpoint-000000000500-0001.000002"));
        assertThat(run(
                        "submit",
                        file.toString(),
                        "--resume",
                        earlier.getFileName().toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no checkpoint in ", "start from its model.bin with start.model");
        assertThat(run("submit", file.toString(), "--resume", "job-7")).isEqualTo(2);
        assertThat(err.toString()).contains("'job-7' names no job: write an application id");
    }

    /** The folder of a job that was killed. */
    private Path earlierJob(String further) throws IOException {
        file = write("earlier.yaml", SMALLEST + further);
        assertThat(run("submit", file.toString())).isZero();
        cluster.applications.clear();
        cluster.submitted.clear();
        Path earlier = jobFolder().resolveSibling("application_1600000000000_0003");
        Files.move(jobFolder(), earlier);
        Files.createDirectory(earlier.resolve("checkpoints"));
        Files.createFile(earlier.resolve("checkpoints/checkpoint-000000000500-0001.000002"));
        file = write("job.yaml", SMALLEST);
        return earlier;
    }

    @Test
    public void runsTheApplicationMasterInTheDockerImageOnlyIfAsked() throws IOException {
        run("submit", file.toString(), "--set", "docker.image=torch");
        run(
                "submit",
                file.toString(),
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

    private Map<String, String> masterEnvironment(int submitted) {
        return cluster.submitted.get(submitted).getAMContainerSpec().getEnvironment();
    }

    @Test
    public void refusesAFileSystemThatTheClientDoesNotKnow() throws IOException {
        assertThat(run("submit", file.toString(), "--set", "fileSystems=nowhere://data"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("fileSystems: cannot use the file system nowhere://data: ", "check the URI");
        assertNothingHappened();
    }

    @Test
    public void warnsOfADataFolderThatOnlyTheNodesMayHave() throws IOException {
        file = write("job.yaml", SMALLEST.replace("digits", "idx:/no/such/folder"));

        assertThat(run("validate", file.toString())).isZero();
        assertThat(run("submit", file.toString())).isZero();
        assertThat(err.toString().lines()).hasSize(2).allSatisfy(line -> assertThat(line)
                .isEqualTo("Warning: dataset: there is no folder /no/such/folder on this machine; each worker"
                        + " looks for it on its node, and the job fails if it is missing there"));
    }

    @Test
    public void validatesWithoutACluster() {
        cluster.reachable = false;

        assertThat(run("validate", file.toString())).isZero();
        assertThat(err.toString()).contains("Checked without the cluster");
    }

    @Test
    public void exitsWithTwoOnWrongUsage() throws IOException {
        assertThat(run()).isEqualTo(2);
        assertThat(run("sbmit")).isEqualTo(2);
        assertThat(run("submit")).isEqualTo(2);
        assertThat(run("submit", file.toString(), "--waitt")).isEqualTo(2);
        assertThat(run("status", "job_1")).isEqualTo(2);
        assertThat(err.toString()).contains("'job_1' is not an application id");
        assertThat(run("submit", file + ".not")).isEqualTo(2);
        assertThat(err.toString()).contains("There is no readable file");
        assertNothingHappened();
    }

    @Test
    public void listsJobsWithTheirProgress() {
        cluster.state("RUNNING", Outcome.OPEN, "");
        cluster.scheduled.put(FakeClusterClient.ID, scheduled(1, 2));

        assertThat(run("list")).isZero();
        assertThat(out.toString()).contains(FakeClusterClient.ID, "RUNNING", "0.4321", "1 -> 2");
    }

    @Test
    public void listsEndedJobsOnlyWhenAsked() {
        cluster.state("FINISHED", Outcome.SUCCEEDED, "");

        run("list");
        assertThat(out.toString()).doesNotContain(FakeClusterClient.ID);
        run("list", "--all");
        assertThat(out.toString()).contains(FakeClusterClient.ID, "SUCCEEDED");
    }

    @Test
    public void showsOneJobWithThePlansReason() {
        cluster.state("RUNNING", Outcome.OPEN, "");
        cluster.scheduled.put(FakeClusterClient.ID, scheduled(1, 2));

        assertThat(run("status", FakeClusterClient.ID)).isZero();
        assertThat(out.toString()).contains("RUNNING", "loss 0.4321", "largest gain");
    }

    @Test
    public void saysSinceWhenAJobWaitsAndThatAPlanIsOnlyAdvice() throws IOException {
        cluster.state("RUNNING", Outcome.OPEN, "");
        cluster.scheduled.put(
                FakeClusterClient.ID,
                SchedulerJob.of(new ObjectMapper()
                        .readTree("{\"id\":\"" + FakeClusterClient.ID
                                + "\",\"waitingSinceMillis\":60000,\"schedulerMode\":\"advise\"}")));
        cluster.answers.put(
                "/jobs/" + FakeClusterClient.ID + "/explain",
                "{\"queue\":\"root.a\",\"policy\":\"optimus\",\"schedulerMode\":\"advise\",\"text\":[]}");

        assertThat(run("status", FakeClusterClient.ID)).isZero();
        assertThat(out.toString()).contains("1970-01-01T00:01:00Z", "mode advise");
        assertThat(run("list")).isZero();
        assertThat(err.toString()).contains("mode advise");
        assertThat(run("explain", FakeClusterClient.ID)).isZero();
        assertThat(out.toString()).contains("policy optimus, mode advise");
        assertThat(run("status", FakeClusterClient.ID, "--output", "yaml")).isZero();
        assertThat(out.toString()).contains("schedulerMode: advise", "waitingSinceMillis: 60000");
    }

    @Test
    public void asksForOneJobOnly() throws IOException {
        cluster.state("RUNNING", Outcome.OPEN, "");
        cluster.scheduled.put(FakeClusterClient.ID, scheduled(1, 2));

        run("status", FakeClusterClient.ID);
        run("submit", file.toString(), "--wait");

        assertThat(cluster.questions).isNotEmpty().containsOnly("/jobs/" + FakeClusterClient.ID);
    }

    @Test
    public void printsForPrograms() throws IOException {
        cluster.state("RUNNING", Outcome.OPEN, "");
        cluster.scheduled.put(FakeClusterClient.ID, scheduled(1, 2));

        assertThat(run("list", "--output", "json")).isZero();
        JsonNode list = new ObjectMapper().readTree(out.toString());
        assertThat(list.get(0).get("id").asText()).isEqualTo(FakeClusterClient.ID);
        assertThat(list.get(0).get("loss").asDouble()).isEqualTo(0.43213);
        assertThat(list.get(0).get("planned").get("workers").asInt()).isEqualTo(2);

        assertThat(run("status", FakeClusterClient.ID, "--output", "yaml")).isZero();
        assertThat(out.toString()).contains("id: " + FakeClusterClient.ID + "\n", "state: RUNNING\n");
        assertThat(run("list", "--output", "xml")).isEqualTo(2);
    }

    @Test
    public void listsResultsOfEndedJobs() {
        cluster.state("FINISHED", Outcome.SUCCEEDED, "");
        cluster.answers.put(
                "/history?limit=1000",
                "{\"jobs\":[{\"id\":\"" + FakeClusterClient.ID + "\",\"loss\":0.125,\"step\":140,\"epoch\":3,"
                        + "\"accuracy\":0.91,\"output\":\"hdfs:/models/a\"}]}");

        assertThat(run("list", "--all")).isZero();
        assertThat(out.toString()).contains("SUCCEEDED", "0.1250", "0.9100", "hdfs:/models/a");
    }

    @Test
    public void explainsAJobInTheWordsOfTheScheduler() {
        cluster.state("RUNNING", Outcome.OPEN, "");
        cluster.answers.put(
                "/jobs/" + FakeClusterClient.ID + "/explain",
                "{\"queue\":\"root.a\",\"policy\":\"optimus\",\"text\":[\"Why: it waits.\",\"Asked: 1 worker.\"]}");

        assertThat(run("explain", FakeClusterClient.ID)).isZero();
        assertThat(out.toString())
                .containsSubsequence("queue root.a, policy optimus", "Why: it waits.", "Asked: 1 worker.");
        assertThat(run("explain", FakeClusterClient.ID, "--output", "json")).isZero();
        assertThat(out.toString()).contains("\"policy\"");
    }

    @Test
    public void explainsAJobThatHasEnded() {
        cluster.state("FINISHED", Outcome.SUCCEEDED, "");
        cluster.answers.put(
                "/jobs/" + FakeClusterClient.ID + "/explain",
                "{\"queue\":\"root.a\",\"state\":\"ended\",\"outcome\":\"succeeded\",\"step\":938,\"loss\":0.11304,"
                        + "\"largest\":{\"parameterServers\":1,\"workers\":3},\"resizes\":2,\"reason\":\"Grows.\"}");

        assertThat(run("explain", FakeClusterClient.ID)).isZero();
        assertThat(out.toString())
                .contains(
                        "queue root.a, has ended: succeeded at step 938, loss 0.1130, on at most 1 ps 3 w, resizes: 2",
                        "The last reason for its size: Grows.");
    }

    @Test
    public void explainsAJobThatTheSchedulerDoesNotKnow() {
        cluster.state("ACCEPTED", Outcome.OPEN, "Queue's AM resource limit exceeded.");

        assertThat(run("explain", FakeClusterClient.ID)).isZero();
        assertThat(out.toString()).contains("is ACCEPTED", "YARN says: Queue's AM resource limit exceeded.");
        assertThat(run("explain", FakeClusterClient.ID, "--output", "json")).isZero();
        assertThat(out.toString()).contains("\"state\" : \"ACCEPTED\"");

        cluster.state("KILLED", Outcome.KILLED, "");
        assertThat(run("explain", FakeClusterClient.ID)).isZero();
        assertThat(out.toString()).contains("has ended: killed. The scheduler has forgotten it");
    }

    @Test
    public void asksWhatWouldHappenAndPrintsIt() throws IOException {
        cluster.answers.put(
                "/what-if",
                "{\"mode\":\"advise\",\"assumptions\":[\"no node fails\"],\"changes\":[{\"job\":{\"name\":\"a\",\"queue\":"
                        + "\"root.default\",\"reason\":\"It starts.\",\"speedFrom\":\"unknown\",\"stepsFrom\":\"given\","
                        + "\"forecast\":{\"planned\":{\"parameterServers\":1,\"workers\":2},\"start\":\"now\",\"end\":"
                        + "\"no predicted end: unknown\"}},\"all\":{\"jobs\":1,\"compared\":1,\"later\":1,\"sooner\":0,"
                        + "\"meanLaterSeconds\":90,\"sumLaterSeconds\":90},\"jobs\":[{\"id\":\"application_1_7\",\"allocation\":"
                        + "{\"parameterServers\":0,\"workers\":4},\"before\":{\"endSeconds\":10,\"end\":\"in 10 s\"},\"after\":"
                        + "{\"planned\":{\"parameterServers\":0,\"workers\":3},\"endSeconds\":null},\"laterSeconds\":null}]}]}");

        assertThat(run(
                        "what-if",
                        file.toString(),
                        "--step-seconds",
                        "0.5",
                        "--steps",
                        "1000",
                        "--policy",
                        "root.a=drf",
                        "--policy",
                        "optimus",
                        "--queue-limit",
                        "root.a=60",
                        "--lose-node",
                        "n7:1",
                        "--add-node",
                        "memory=1024,vcores=2,gpus=1,type=a100"))
                .as(err.toString())
                .isZero();

        JsonNode asked = new ObjectMapper().readTree(cluster.asked);
        assertThat(asked.path("job").path("registration").path("name").asText()).isEqualTo("a");
        assertThat(asked.path("job")
                        .path("speeds")
                        .path(0)
                        .path("stepsPerSecond")
                        .asDouble())
                .isEqualTo(2);
        assertThat(asked.path("job").path("steps").asDouble()).isEqualTo(1000);
        assertThat(asked.path("policy").asText()).isEqualTo("optimus");
        assertThat(asked.path("policies").path("root.a").asText()).isEqualTo("drf");
        assertThat(asked.path("queueLimits").path("root.a").asDouble()).isEqualTo(60);
        assertThat(asked.path("lostNodes").path(0).asText()).isEqualTo("n7:1");
        assertThat(asked.path("addedNodes")).hasSize(1);
        assertThat(out.toString())
                .contains("first size: 1 ps 2 w", "start:      now", "no predicted end: unknown", "It starts.")
                .contains("1 later", "90 s later", "application_1_7", "4 w", "3 w", "In mode advise", "no node fails");
        assertThat(cluster.submitted).isEmpty();

        assertThat(run("what-if", "--policy", "drf", "--output", "json")).isZero();
        assertThat(run("what-if")).isEqualTo(2);
        assertThat(err.toString()).contains("Name a change");
        assertThat(run("what-if", "--add-node", "memory=much,disk=1")).isEqualTo(2);
        assertThat(err.toString()).contains("much is no whole number", "disk is none of");
        assertThat(run("what-if", folder.getRoot() + "/none.yaml")).isEqualTo(2);
    }

    @Test
    public void saysWhatTheNextNodeWouldSave() {
        cluster.answers.put(
                "/capacity",
                "{\"assumptions\":[],\"changes\":[{\"node\":{\"resources\":{\"memory-mb\":1024},\"gpuType\":\"a100\",\"like\":3},"
                        + "\"all\":{\"jobs\":2,\"compared\":2,\"later\":0,\"sooner\":2,\"meanLaterSeconds\":-300,"
                        + "\"sumLaterSeconds\":-600},\"jobs\":[]}]}");

        assertThat(run("capacity")).isZero();
        assertThat(out.toString())
                .contains("like 3 others (memory-mb:1024 of type a100)", "2 would end sooner", "5 min sooner");
    }

    @Test
    public void listsRoundsAndEndedJobs() {
        cluster.answers.put(
                "/rounds",
                "{\"rounds\":[{\"number\":7,\"time\":0,\"durationMillis\":12,\"jobs\":3,\"plan\":9,\"early\":[\"arrival\"],"
                        + "\"outcome\":\"planned\"}]}");
        cluster.answers.put(
                "/history?limit=1000",
                "{\"jobs\":[{\"id\":\"" + FakeClusterClient.ID
                        + "\",\"outcome\":\"succeeded\",\"endedMillis\":0,\"step\":140,"
                        + "\"loss\":0.5,\"predictions\":[{\"fraction\":0.5,\"predictedRemainingSeconds\":30,"
                        + "\"actualRemainingSeconds\":33}]}]}");

        assertThat(run("rounds")).isZero();
        assertThat(out.toString()).contains("7 1970-01-01T00:00:00Z", "12", "arrival", "planned");
        assertThat(run("history")).isZero();
        assertThat(out.toString()).contains(FakeClusterClient.ID, "succeeded", "140", "0.5000", "30", "33");
        cluster.answers.clear();
        assertThat(run("rounds")).isEqualTo(1);
    }

    @Test
    public void saysThatAPlanIsKeptSinceARestart() {
        cluster.answers.put(
                "/plan", "{\"number\":9,\"frozen\":true,\"mode\":\"enforce\",\"next\":null,\"rounds\":[],\"jobs\":[]}");
        cluster.answers.put("/jobs?fields=id,name,user,queue,allocation", "{\"next\":null,\"jobs\":[]}");

        assertThat(run("plan")).isZero();

        assertThat(out.toString()).contains("Plan 9, kept since a restart: no round has decided yet");
    }

    @Test
    public void showsThePlanOfEveryPage() throws IOException {
        cluster.answers.put(
                "/plan",
                "{\"number\":9,\"frozen\":false,\"mode\":\"advise\",\"next\":\"application_1_7\",\"rounds\":[],\"jobs\":[{\"id\":"
                        + "\"application_1_7\",\"planned\":{\"parameterServers\":1,\"workers\":4},\"reason\":\"largest gain\"}]}");
        cluster.answers.put(
                "/plan?after=application_1_7",
                "{\"number\":9,\"next\":null,\"rounds\":[],\"jobs\":[{\"id\":\"application_1_8\",\"planned\":"
                        + "{\"parameterServers\":0,\"workers\":0},\"reason\":\"no room\"}]}");
        cluster.answers.put(
                "/jobs?fields=id,name,user,queue,allocation",
                "{\"next\":null,\"jobs\":[{\"id\":\"application_1_7\",\"name\":\"a\",\"user\":\"ann\",\"queue\":\"root.b\","
                        + "\"allocation\":{\"parameterServers\":0,\"workers\":2}}]}");

        assertThat(run("plan")).isZero();
        assertThat(out.toString()).contains("Plan 9, which is only advice");
        assertThat(out.toString().lines().filter(line -> line.startsWith("application_")))
                .satisfiesExactly(
                        line -> assertThat(line).containsSubsequence("root.b", "2 w", "1 ps 4 w", "largest gain"),
                        line -> assertThat(line).containsSubsequence("-", "-", "none", "no room"));

        out.getBuffer().setLength(0);
        assertThat(run("plan", "--output", "json")).isZero();
        JsonNode plan = new ObjectMapper().readTree(out.toString());
        assertThat(plan.path("jobs")).hasSize(2);
        assertThat(plan.path("jobs").path(0).path("user").asText()).isEqualTo("ann");
        assertThat(plan.has("rounds")).isFalse();
    }

    @Test
    public void showsTheFittedModels() throws IOException {
        String model = "\"id\":\"" + FakeClusterClient.ID
                + "\",\"name\":\"a\",\"mode\":\"synchronous\",\"lossCurve\":{\"outcome\":"
                + "\"fitted\",\"family\":\"inverse\",\"beta0\":0.5,\"beta1\":2.25,\"firstStep\":0,\"bendStep\":40,"
                + "\"residual\":0.0123,\"points\":120,\"young\":false},\"speedFunction\":{\"outcome\":\"fitted\","
                + "\"relativeError\":0.031,\"sizes\":3,\"young\":false,\"theta0\":1.5,\"measured\":[{\"parameterServers\":1,"
                + "\"workers\":4,\"nodes\":2,\"stepsPerSecond\":12.5}]},\"remaining\":{\"steps\":900,\"fewestSteps\":800,"
                + "\"mostSteps\":1000,\"endStep\":1900,\"vague\":false}";
        cluster.answers.put("/models", "{\"next\":null,\"jobs\":[{" + model + "}]}");
        cluster.answers.put("/jobs/" + FakeClusterClient.ID, "{\"queue\":\"root.b\"," + model + "}");

        assertThat(run("models")).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        FakeClusterClient.ID, "synchronous", "inverse", "120", "0.0123", "900", "3", "3.1 %");
        assertThat(run("models", FakeClusterClient.ID)).isZero();
        assertThat(out.toString())
                .contains("beta0 0.5000, beta1 2.250", "0.0123 over 120 points, from step 40", "between 800 and 1000")
                .contains("theta0 1.500", "3.1 % over 3 sizes", "12.500");
        out.getBuffer().setLength(0);
        assertThat(run("models", FakeClusterClient.ID, "--output", "yaml")).isZero();
        assertThat(out.toString()).contains("family: inverse").doesNotContain("root.b");

        cluster.answers.put("/jobs/" + FakeClusterClient.ID, "{\"outcome\":\"succeeded\"}");
        assertThat(run("models", FakeClusterClient.ID)).isEqualTo(1);
        assertThat(err.toString()).contains("has ended (succeeded)", "history");
    }

    @Test
    public void saysWhereTheSimulatorIsThatItCannotRun() {
        assertThat(run("simulate", "--policy", "drf")).isEqualTo(1);
        assertThat(err.toString()).contains("There is no optimus-sim.jar", "scripts/simulate");
    }

    @Test
    public void helpsAndTellsItsVersion() throws IOException {
        assertThat(run("submit", "-h")).isZero();
        assertThat(out.toString()).contains("--wait");
        assertThat(run("-V")).isZero();
        assertThat(out.toString()).contains("Optimus for YARN ");
        assertThat(run("list", "-V")).isZero();
        assertNothingHappened();
    }

    @Test
    public void tellsTheResultAndHowToLoadTheModelWhenItHasWaited() throws IOException {
        String result =
                "{\"finalLoss\":0.25,\"heldOutAccuracy\":0.97,\"steps\":140,\"epochs\":3.0,\"model\":\"model.bin\","
                        + "\"metrics\":{}}";

        assertThat(JobResult.of(new ObjectMapper().readTree(result), "hdfs://nn/out")
                        .lines())
                .containsExactly(
                        "Result    loss 0.2500, held-out accuracy 0.9700, 3.0 epochs, 140 steps",
                        "Model     hdfs://nn/out/model.bin",
                        "Load it   hadoop fs -get hdfs://nn/out/model.bin . && python3 -c 'import optimus_yarn as optimus;"
                                + " print(optimus.load(\"model.bin\").keys())'");
        assertThat(JobResult.of(new ObjectMapper().readTree(result), "file:/home/ann/out")
                        .lines())
                .last()
                .asString()
                .isEqualTo("Load it   python3 -c 'import optimus_yarn as optimus;"
                        + " print(optimus.load(\"/home/ann/out/model.bin\").keys())'");
        assertThat(JobResult.of(new ObjectMapper().readTree("{\"model\":null}"), "out")
                        .lines())
                .isEmpty();
    }

    @Test
    public void refusesToShowOrKillWhatYarnDoesNotKnow() {
        assertThat(run("status", FakeClusterClient.ID)).isEqualTo(1);
        assertThat(run("kill", FakeClusterClient.ID)).isEqualTo(1);
        assertThat(cluster.killed).isEmpty();
    }

    @Test
    public void givesOrdersToTheScheduler() {
        assertThat(run("pause")).isZero();
        assertThat(run("resume")).isZero();
        assertThat(run("drain", "--node", "gpu01:8041")).isZero();
        assertThat(run("drain", "--queue", "root.research", "--undo")).isZero();
        assertThat(run("resize", FakeClusterClient.ID, "--workers", "4", "--parameter-servers", "2"))
                .isZero();
        assertThat(run("resize", FakeClusterClient.ID, "--keep")).isZero();
        assertThat(run("resize", FakeClusterClient.ID, "--undo")).isZero();

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

        assertThat(run("pause")).isEqualTo(1);

        assertThat(err.toString()).contains("ann may not do this");
        assertThat(run("drain")).as("neither a node nor a queue").isEqualTo(2);
        assertThat(run("drain", "--node", "a:1", "--queue", "root")).isEqualTo(2);
        assertThat(cluster.orders).isEmpty();
    }

    @Test
    public void changesThePriorityOfAJobAndSaysWhatYarnAdmits() {
        cluster.state("RUNNING", Outcome.OPEN, "");

        assertThat(run("priority", FakeClusterClient.ID, "5")).isZero();
        assertThat(cluster.priorities).containsEntry(FakeClusterClient.ID, 5);
        assertThat(out.toString()).isEqualToIgnoringNewLines(FakeClusterClient.ID + " has priority 5");

        assertThat(run("priority", FakeClusterClient.ID, "11")).isZero();
        assertThat(out.toString()).contains("has priority 10", "yarn.cluster.max-application-priority");
        assertThat(run("priority", FakeClusterClient.ID))
                .as("without a priority")
                .isEqualTo(2);
        assertThat(run("priority", FakeClusterClient.ID, "--", "-1")).isEqualTo(2);
        assertThat(cluster.priorities).containsEntry(FakeClusterClient.ID, 10);

        cluster.state("FINISHED", Outcome.SUCCEEDED, "");
        assertThat(run("priority", FakeClusterClient.ID, "1")).isEqualTo(1);
        assertThat(err.toString()).contains("has ended already");
    }

    @Test
    public void leavesOtherApplicationsAlone() {
        cluster.type = "SPARK";
        cluster.state("RUNNING", Outcome.OPEN, "");

        assertThat(run("kill", FakeClusterClient.ID)).isEqualTo(1);
        assertThat(run("priority", FakeClusterClient.ID, "1")).isEqualTo(1);
        assertThat(err.toString()).contains("is no training job, but an application of type SPARK");
        assertThat(cluster.killed).isEmpty();
        assertThat(cluster.priorities).isEmpty();
    }

    @Test
    public void refusesOptionsThatItWouldIgnore() {
        cluster.state("RUNNING", Outcome.OPEN, "");

        assertThat(run("resize", FakeClusterClient.ID, "--undo", "--parameter-servers", "2"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--parameter-servers goes with --workers only");
        assertThat(run("logs", FakeClusterClient.ID, "--tail", "-5")).isEqualTo(2);
        assertThat(cluster.orders).isEmpty();
    }

    @Test
    public void printsTheWholeJobForProgramsWithoutSubmittingIt() throws IOException {
        assertThat(run("submit", file.toString(), "--dry-run", "--output", "json"))
                .isZero();

        assertThat(new ObjectMapper()
                        .readTree(out.toString())
                        .path("roles")
                        .path("worker")
                        .path("min")
                        .asInt())
                .isEqualTo(1);
        assertThat(err.toString()).contains("Not submitted");
        assertThat(cluster.submitted).isEmpty();
    }

    @Test
    public void killsAJobAndRemovesItsSecret() throws IOException {
        run("submit", file.toString());
        Path secret = jobFolder().resolve("job.secret");

        assertThat(run("kill", FakeClusterClient.ID)).isZero();
        assertThat(cluster.killed).containsExactly(FakeClusterClient.ID);
        assertThat(secret).doesNotExist();
    }

    @Test
    public void killsAnothersJobInTheFolderOfItsOwner() throws IOException {
        cluster.owner = "ann";
        cluster.state("RUNNING", Outcome.OPEN, "");
        Path theirs = Files.createDirectories(staging.resolve("ann").resolve(FakeClusterClient.ID));
        Files.writeString(theirs.resolve("job.secret"), "");

        assertThat(run("kill", FakeClusterClient.ID)).isZero();
        assertThat(theirs.resolve("job.secret")).doesNotExist();
    }

    @Test
    public void saysWhereTheSecretIsThatItMayNotRemove() throws IOException {
        cluster.owner = "ann";
        cluster.state("RUNNING", Outcome.OPEN, "");
        Path theirs = Files.createDirectories(staging.resolve("ann").resolve(FakeClusterClient.ID));
        // A folder that is not empty cannot be deleted like a file; it stands for any refusal of the file system.
        Files.createDirectories(theirs.resolve("job.secret/more"));

        assertThat(run("kill", FakeClusterClient.ID)).isZero();
        assertThat(out.toString()).contains("Killed " + FakeClusterClient.ID);
        assertThat(err.toString()).contains("are still in", theirs.toString(), "ann can remove them");
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (all.size() > 1) {
            all.addAll(1, List.of("-D", "fs.defaultFS=file:///", "-D", "yarn.optimus.staging-dir=" + staging.toUri()));
            all.addAll(1, List.of("-D", "yarn.optimus.jar=" + jar));
            all.addAll(1, List.of("-D", "fs.shared.impl=" + SharedFileSystem.class.getName()));
        }
        return OptimusCommand.run(
                cluster, new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.getRoot().toPath().resolve(name), text);
    }

    private void assertNothingHappened() throws IOException {
        assertThat(cluster.submitted).isEmpty();
        assertThat(jobFolders()).isEmpty();
    }

    private Path userFolder() {
        return staging.resolve(System.getProperty("user.name"));
    }

    private Path jobFolder() {
        return userFolder().resolve(FakeClusterClient.ID);
    }

    private List<Path> jobFolders() throws IOException {
        if (!Files.exists(userFolder())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(userFolder())) {
            return files.filter(path -> !path.endsWith("cache")).toList();
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static SchedulerJob scheduled(int workers, int planned) {
        String json =
                """
                {"id": "%s", "epoch": 3.21, "step": 140, "loss": 0.43213, "stepsPerSecond": 12.34,
                 "remainingTime": "5 to 40 min", "allocation": {"parameterServers": 1, "workers": %d},
                 "planned": {"parameterServers": 1, "workers": %d}, "reason": "largest gain", "paced": true}
                """
                        .formatted(FakeClusterClient.ID, workers, planned);
        try {
            return SchedulerJob.of(new ObjectMapper().readTree(json));
        } catch (JsonProcessingException wrong) {
            throw new IllegalStateException(wrong);
        }
    }
}
