package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** An owner's own PyTorch program is trained on parameter servers, and resized live. */
public class OwnProgramTest {
    // PyTorch reserves more virtual memory than YARN's check allows.
    @ClassRule
    public static final TrainingCluster CLUSTER =
            new TrainingCluster("program", 2, 0).set(YarnConfiguration.NM_VMEM_CHECK_ENABLED, "false");

    /** The first Python of these that has PyTorch. */
    private static final String PYTHON = Stream.of(
                    System.getenv().getOrDefault("OPTIMUS_TEST_PYTHON", ""), "python3", "/usr/bin/python3")
            .filter(python -> !python.isEmpty() && hasTorch(python))
            .findFirst()
            .orElse("");

    private static final Duration LIMIT = Duration.ofMinutes(4);

    @Rule
    public final Timeout timeout = new Timeout(8, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    @BeforeClass
    public static void needsTorch() {
        assumeTrue("No Python with PyTorch: name one in OPTIMUS_TEST_PYTHON", !PYTHON.isEmpty());
    }

    /**
     * Each sample takes time here, so that more workers make the job faster. The scheduler tries smaller sizes to learn
     * that, then goes back to the largest.
     */
    @Test
    public void trainsTheExampleWhileTheSchedulerResizesIt() throws Exception {
        Path folder = copiedExample();
        slowDown(folder.resolve("train.py"));
        SubmittedJob job = submit(folder, "program.args=[--epochs, 20]", "roles.worker.max=2", "roles.ps.max=2");

        Await.until("a worker joins the running job", LIMIT, () -> hasGrown(job.status()) || job.ended());
        JsonNode result = job.result(LIMIT);

        assertThat(hasGrown(result)).as(result.toPrettyString()).isTrue();
        assertThat(result.path("survivingTasksRestarted").asInt()).isZero();
        assertThat(result.path("finalLoss").asDouble()).isLessThan(0.05);
        assertThat(result.path("metrics").path("accuracy").asDouble()).isGreaterThan(0.95);
        assertThat(job.output().resolve(result.path("model").asText())).isNotEmptyFile();
        assertThat(job.output().resolve("model.pt")).isNotEmptyFile();
        // The ApplicationMaster removes them last, after it has written the result.
        Await.until("the files that were sent are removed", LIMIT, () -> Files.notExists(stagedFiles(job)));
    }

    private static void slowDown(Path script) throws IOException {
        String text = Files.readString(script);
        Files.writeString(
                script,
                text.replace("import gzip\n", "import gzip\nimport time\n")
                        .replace("        opt.step()\n", "        time.sleep(len(x) / 320)\n        opt.step()\n"));
    }

    /** The same without parameter servers: workers join live, one is killed, and the others go on. */
    @Test
    public void trainsTheExampleWithoutParameterServers() throws Exception {
        Path folder = copiedExample();
        slowDown(folder.resolve("train.py"));
        Path jobFile = folder.resolve("job.yaml");
        Files.writeString(jobFile, Files.readString(jobFile).replaceAll("(?m)^  ps: .*$", ""));
        SubmittedJob job =
                submit(folder, "communication=all-reduce", "program.args=[--epochs, 25]", "roles.worker.max=2");

        Await.until("a worker joins the running job", LIMIT, () -> job.workers() == 2 || job.ended());
        String killed = job.members().get("worker-1");
        assertThat(killed).as("the container of worker-1 of a job that runs").isNotNull();
        SubmittedJob.killProcess(killed);
        JsonNode result = job.result(LIMIT);

        assertThat(hasGrown(result)).as(result.toPrettyString()).isTrue();
        assertThat(result.path("lostTasks").asInt()).isEqualTo(1);
        assertThat(result.path("survivingTasksRestarted").asInt()).isZero();
        assertThat(result.path("metrics").path("accuracy").asDouble()).isGreaterThan(0.95);
        assertThat(job.output().resolve(result.path("model").asText())).isNotEmptyFile();
    }

    private static boolean hasGrown(JsonNode statusOrResult) {
        for (JsonNode resize : statusOrResult.path("resizes")) {
            int from = resize.path("fromWorkers").asInt();
            if (from > 0 && resize.path("toWorkers").asInt() > from) {
                return true;
            }
        }
        return false;
    }

    private static Path stagedFiles(SubmittedJob job) {
        return CLUSTER.folder()
                .resolve("home")
                .resolve(System.getProperty("user.name"))
                .resolve(job.id().toString())
                .resolve("files");
    }

    @Test
    public void namesTheLineOfASyntaxError() throws Exception {
        Path folder = copiedExample();
        Files.writeString(folder.resolve("train.py"), "import optimus_yarn\n\nfor epoch in\n");
        SubmittedJob job = submit(folder);

        Await.until("the job fails", LIMIT, job::ended);
        ApplicationReport report = CLUSTER.client().getApplicationReport(job.id());
        assertThat(report.getFinalApplicationStatus()).isEqualTo(FinalApplicationStatus.FAILED);
        assertThat(report.getDiagnostics()).contains("SyntaxError", "train.py:3");
    }

    /** A virtual environment, packed as an owner packs one, is unpacked on the node and its Python is used. */
    @Test
    public void runsThePythonOfAnArchive() throws Exception {
        Path folder = copiedExample();
        packEnvironment(folder.resolve("env.tar.gz"));
        Path script = folder.resolve("train.py");
        Files.writeString(script, "import sys\nopen(sys.prefix + '/packed.txt').close()\n" + Files.readString(script));
        SubmittedJob job = submit(
                folder, "archives=[\"env.tar.gz#env\"]", "program.python=env/bin/python", "program.args=[--epochs, 2]");

        assertThat(job.result(LIMIT).path("metrics").path("accuracy").asDouble())
                .isGreaterThan(0.5);
    }

    /** Makes an environment without packages of its own, which finds those of the Python that made it. */
    private static void packEnvironment(Path archive) throws Exception {
        Path environment = Files.createTempDirectory(CLUSTER.folder(), "venv");
        run(PYTHON, "-m", "venv", "--without-pip", environment.toString());
        run(
                environment.resolve("bin/python").toString(),
                "-c",
                "import subprocess, sys, sysconfig; found = subprocess.check_output([sys.argv[1], '-c',"
                        + " 'import sys; print(chr(10).join(each for each in sys.path if each))'], text=True);"
                        + " open(sysconfig.get_path('purelib') + '/outer.pth', 'w').write(found)",
                PYTHON);
        Files.createFile(environment.resolve("packed.txt"));
        run("tar", "-C", environment.toString(), "-czf", archive.toString(), ".");
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES))
                .as(String.join(" ", command))
                .isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }

    /** The example in a folder of its own, with its files beside it. */
    private static Path copiedExample() throws IOException {
        Path root = Path.of(System.getProperty("optimus.root.dir"));
        Path folder = Files.createTempDirectory(CLUSTER.folder(), "example");
        Files.copy(root.resolve("conf/examples/digits-cnn/train.py"), folder.resolve("train.py"));
        Files.copy(
                root.resolve("am/src/main/resources/io/optimus/am/dataset/digits.csv.gz"),
                folder.resolve("digits.csv.gz"));
        String jobFile = Files.readString(root.resolve("conf/examples/digits-cnn/job.yaml"));
        Files.writeString(
                folder.resolve("job.yaml"), jobFile.replaceAll("(?m)^  - .*/digits.csv.gz$", "  - digits.csv.gz"));
        return folder;
    }

    private SubmittedJob submit(Path folder, String... overrides) throws Exception {
        List<String> all = new ArrayList<>(List.of("program.python=" + PYTHON));
        all.addAll(List.of(overrides));
        return jobs.submit(folder.resolve("job.yaml"), all);
    }

    private static boolean hasTorch(String python) {
        try {
            Process process = new ProcessBuilder(python, "-c", "import torch")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
