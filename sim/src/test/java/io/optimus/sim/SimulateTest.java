package io.optimus.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class SimulateTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int simulate(String... arguments) {
        return Simulate.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(errors, true))
                .execute(Stream.concat(Arrays.stream(arguments), Stream.of("--quiet"))
                        .toArray(String[]::new));
    }

    private Path out(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    @Test
    public void writesEveryRunInOrderWithAnyNumberOfThreads() throws IOException {
        assertThat(simulate("--jobs", "6", "--seeds", "3", "--threads", "2", "--out", out("a").toString()))
                .as(errors.toString())
                .isZero();

        JsonNode results =
                new ObjectMapper().readTree(out("a").resolve("results.json").toFile());
        assertThat(results).hasSize(3);
        assertThat(results.findValuesAsText("seed")).containsExactly("1", "2", "3");
        JsonNode first = results.get(0);
        assertThat(first.get("workload").asText()).isEqualTo("builtin-mixed-uniform");
        assertThat(first.get("policy").asText()).isEqualTo("marginal-goodput");
        assertThat(first.get("jobs").asInt()).isEqualTo(6);
        assertThat(first.get("meanJctSeconds").asDouble()).isGreaterThan(60);
        assertThat(first.get("makespanSeconds").asDouble())
                .isGreaterThan(first.get("p50").asDouble());
        assertThat(first.get("decisionMillis").get("max").asDouble())
                .isGreaterThanOrEqualTo(first.get("decisionMillis").get("mean").asDouble());
        assertThat(Files.readAllLines(out("a").resolve("jobs.csv"))).hasSize(1 + 3 * 6);
        assertThat(output.toString())
                .contains("mean JCT s")
                .contains("builtin-mixed-uniform")
                .contains("an event");
    }

    @Test
    public void sameSeedsGiveTheSameBytesExceptDecisionTimesWithAnyNumberOfThreads() throws IOException {
        simulateOn("1", "a");
        simulateOn("4", "b");

        for (String file : List.of("results.csv", "jobs.csv", "errors.csv", "report.html")) {
            assertThat(out("a").resolve(file)).hasSameBinaryContentAs(out("b").resolve(file));
        }
        assertThat(withoutDecisions(out("a"))).isEqualTo(withoutDecisions(out("b")));
    }

    private void simulateOn(String threads, String folder) {
        String policies = "marginal-goodput,optimus,tiresias,lower-bound";
        String[] what = {"--jobs", "6", "--seeds", "2", "--policy", policies, "--node-failures", "20000"};
        String[] where = {"--threads", threads, "--out", out(folder).toString()};
        assertThat(simulate(Stream.of(what, where).flatMap(Arrays::stream).toArray(String[]::new)))
                .as(errors.toString())
                .isZero();
    }

    private static JsonNode withoutDecisions(Path folder) throws IOException {
        JsonNode results =
                new ObjectMapper().readTree(folder.resolve("results.json").toFile());
        results.forEach(run -> ((ObjectNode) run).remove("decisionMillis"));
        return results;
    }

    @Test
    public void reportIsSelfContained() throws IOException {
        simulate("--jobs", "6", "--out", out("a").toString());

        String report = Files.readString(out("a").resolve("report.html"));
        assertThat(report).contains("<svg").contains("Completion times").contains("GPUs by job, marginal-goodput");
        assertThat(report)
                .contains("What the columns are", "<dt>max wait</dt>", "class=\"limit\"")
                .doesNotContain("d=\"\"");
        assertThat(report).doesNotContain("http://").doesNotContain("https://").doesNotContain("NaN");
    }

    @Test
    public void reportDistinguishesGroupedJobsFromSingleOnes() throws IOException {
        simulate(
                "--jobs",
                "41",
                "--policy",
                "fifo",
                "--knowledge",
                "exact",
                "--out",
                out("many").toString());
        simulate(
                "--jobs",
                "40",
                "--policy",
                "fifo",
                "--knowledge",
                "exact",
                "--out",
                out("few").toString());

        assertThat(Files.readString(out("many").resolve("report.html"))).contains("; grey: 1 other<");
        assertThat(Files.readString(out("few").resolve("report.html"))).doesNotContain("grey: ");
    }

    @Test
    public void worseKnowledgeDoesNotBeatTheTruth() throws IOException {
        simulate("--jobs", "24", "--knowledge", "exact", "--out", out("exact").toString());
        simulate(
                "--jobs",
                "24",
                "--knowledge",
                "exact",
                "--speed-error",
                "0.9",
                "--remaining-error",
                "0.9",
                "--out",
                out("wrong").toString());

        assertThat(meanJct(out("wrong"))).isGreaterThan(meanJct(out("exact")));
    }

    private static double meanJct(Path folder) throws IOException {
        return new ObjectMapper()
                .readTree(folder.resolve("results.json").toFile())
                .get(0)
                .get("meanJctSeconds")
                .asDouble();
    }

    @Test
    public void refusesAFolderThatItCannotWriteToBeforeItBegins() throws IOException {
        Path file = folder.newFile("results").toPath();

        assertThat(simulate("--jobs", "1000000", "--out", file.toString())).isEqualTo(2);
        assertThat(errors.toString()).contains("--out " + file + " cannot be created");
    }

    @Test
    public void leavesOldResultsWholeWhereNewOnesCannotBeWritten() throws IOException {
        Files.createDirectories(out("a").resolve(".report.html.part"));
        Files.writeString(out("a").resolve("results.csv"), "old\n");

        assertThat(simulate("--jobs", "1", "--policy", "fifo", "--out", out("a").toString()))
                .isEqualTo(1);
        assertThat(errors.toString()).contains("cannot write the results to");
        assertThat(out("a").resolve("results.csv")).hasContent("old");
        assertThat(out("a")).isDirectoryNotContaining("glob:**results.json");
    }

    @Test
    public void refusesOptionsWithoutEffect() throws IOException {
        Path trace = folder.newFile("trace.csv").toPath();
        Files.write(trace, List.of("job_id,submit_time,duration,gpu_num", "1,0,600,1"));

        assertThat(simulate("--workload", trace.toString(), "--jobs", "5", "--modes", "sync"))
                .isEqualTo(2);
        assertThat(errors.toString())
                .contains("--jobs only has an effect on the workload 'builtin'")
                .contains("--modes only has an effect on the workload 'builtin'")
                .doesNotContain("--duration");

        assertThat(simulate("--profiles", folder.getRoot().toString())).isEqualTo(2);
        assertThat(errors.toString()).contains("--profiles only has an effect on workloads that name models");
    }

    @Test
    public void refusesBadInputWithEveryProblemAtOnce() throws IOException {
        Path nonsense = folder.newFile("nonsense.csv").toPath();
        Files.writeString(nonsense, "some,thing\n1,2\n");

        int exit = simulate(
                "--workload",
                nonsense.toString(),
                "missing.csv",
                "--policy",
                "optimus,fastest",
                "--interval",
                "0",
                "--resize-cost",
                "60-5",
                "--speed-error",
                "0.2",
                "--gpu-types",
                "8xv100",
                "--arrivals",
                "never",
                "--remaining",
                "guessed",
                "--placement",
                "anywhere");

        assertThat(exit).isEqualTo(2);
        assertThat(errors.toString())
                .contains("some,thing")
                .contains("missing.csv does not exist")
                .contains("fastest does not exist")
                .contains("--interval wants a number from 1")
                .contains("--resize-cost wants a number of seconds")
                .contains("--gpu-types wants COUNTxTYPE=SPEED, separated by commas, got 8xv100")
                .contains("add --knowledge exact")
                .contains("--placement is one of fewest-nodes, spread; got anywhere")
                .contains("--arrivals is one of uniform")
                .contains("--remaining wants declared, curve or unknown, got guessed");
        assertThat(Path.of("target/simulation/results.json")).doesNotExist();
    }

    @Test
    public void refusesWrongArgumentsBesideAllOtherProblems() {
        assertThat(simulate("--seeds", "many", "--nodez", "4", "--policy", "optimus, fastest"))
                .isEqualTo(2);
        assertThat(errors.toString())
                .contains("'many' is not an int")
                .contains("--nodez")
                .contains("--policy fastest does not exist")
                .doesNotContain("Usage:");
    }

    @Test
    public void distinguishesFilesOfTheSameName() throws IOException {
        List<String> lines = List.of("job_id,submit_time,duration,gpu_num", "1,0,600,1");
        for (String load : List.of("light", "heavy")) {
            Files.createDirectory(out(load));
            Files.write(out(load).resolve("jobs.csv"), lines);
        }
        String light = out("light").resolve("jobs.csv").toString();

        assertThat(simulate(
                        "--workload", light, out("heavy").resolve("jobs.csv").toString(), "--out", out("a").toString()))
                .as(errors.toString())
                .isZero();
        assertThat(output.toString()).contains("light/jobs.csv").contains("heavy/jobs.csv");

        assertThat(simulate("--workload", light, light)).isEqualTo(2);
        assertThat(errors.toString()).contains("jobs.csv is named twice");
    }

    @Test
    public void reportsTheLowerBound() throws IOException {
        simulate("--jobs", "6", "--policy", "optimus,lower-bound", "--out", out("a").toString());

        JsonNode results =
                new ObjectMapper().readTree(out("a").resolve("results.json").toFile());
        assertThat(results.findValuesAsText("policy")).containsExactly("optimus", "lower-bound");
        assertThat(results.get(1).get("meanJctSeconds").asDouble())
                .isLessThan(results.get(0).get("meanJctSeconds").asDouble());
        assertThat(results.get(1).get("p99").isNull()).isTrue();
        assertThat(output.toString()).contains("lower-bound").contains("–");
        assertThat(Files.readString(out("a").resolve("results.csv"))).doesNotContain("NaN");
    }

    @Test
    public void reportsErrorsOfPredictionsByProgress() throws IOException {
        simulate("--jobs", "6", "--out", out("a").toString());

        List<String> lines = Files.readAllLines(out("a").resolve("errors.csv"));
        assertThat(lines.get(0)).contains("meanSpeedError,worstSpeedError").contains("meanEndError,worstEndError");
        assertThat(lines).anyMatch(line -> line.contains(",90,100,")).noneMatch(line -> line.contains("NaN"));
    }

    @Test
    public void refusesOptionsOfLearningIfPoliciesKnowTheTruth() {
        assertThat(simulate("--knowledge", "exact", "--remaining", "curve", "--declared-sigma", "0.5"))
                .isEqualTo(2);
        assertThat(errors.toString())
                .contains("--remaining has no effect on exact knowledge")
                .contains("--declared-sigma only has an effect on declared epochs");
    }

    @Test
    public void refusesPausesThatAreTooLong() {
        assertThat(simulate("--resize-cost", "1e15")).isEqualTo(2);
        assertThat(errors.toString()).contains("--resize-cost wants a number from 0 to 1000000, got 1000000000000000");
    }

    @Test
    public void refusesAClusterOnWhichNoJobFits() {
        assertThat(simulate("--nodes", "0", "--out", out("a").toString())).isEqualTo(2);
        assertThat(errors.toString()).contains("--nodes wants a number from 1");
    }

    @Test
    public void helpNamesEveryOptionWithExamples() {
        assertThat(simulate("--help")).isZero();
        assertThat(output.toString())
                .contains("Examples:")
                .contains("--resize-cost")
                .contains("--gpus-per-node");
    }
}
