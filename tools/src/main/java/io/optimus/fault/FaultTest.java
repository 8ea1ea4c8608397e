package io.optimus.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.optimus.demo.ResourceManagerApi;
import io.optimus.demo.Submission;
import io.optimus.fault.JobProcesses.JobProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Trains a job of each kind while it kills and stops processes and cuts networks at random, and checks that each ends well:
 * a synchronous job at the same step and with the same loss as without faults, and no process or container left behind.
 * {@code scripts/fault-test} starts and stops the cluster.
 */
public final class FaultTest {
    private static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "KILLED");
    private static final String SUCCEEDED = "SUCCEEDED";
    /** Relative difference of the final loss. */
    private static final double TOLERANCE = 1e-3;

    private static final double GOOD_LOSS = 0.5;
    /** A job of 22.5 steps an epoch and a tenth of a second a step trains for somewhat more than a minute then. */
    private static final int EPOCHS_A_MINUTE = 27;

    private static final long START_SECONDS = 120;
    private static final long LEFTOVERS_SECONDS = 60;
    /** How long all steps may take that were not done while faults happened: so long, and more for each minute of faults. */
    private static final long END_SECONDS = 600;

    private static final long END_SECONDS_A_MINUTE = 30;
    /** A task that was stopped for so long is given up by its coordinator. */
    private static final int LONGEST_STOP = 60;

    private static final int LONGEST_STOP_IN_SHORT_RUN = 20;
    private static final int SHORT_RUN_MINUTES = 3;

    private final Path runDir;
    private final Path outputs;
    private final ResourceManagerApi cluster;
    private final List<String> command;
    private final Options options;
    private final FaultReport report;
    private final Map<FaultedJob, String> submitted = new LinkedHashMap<>();
    private final Set<String> running = new TreeSet<>();
    private final List<InjectedFault> faults = new ArrayList<>();

    /**
     * What is run.
     *
     * @param nodes the number of NodeManagers
     * @param means what can be done on this machine
     * @param minutes during which faults happen
     * @param seed of kinds, times and victims
     */
    private record Options(int nodes, FaultInjector.Means means, List<Fault> kinds, int minutes, long seed) {}

    private FaultTest(Path root, Path runDir, URI web, Options options) {
        this.runDir = runDir;
        this.outputs = runDir.resolve("models");
        this.cluster = new ResourceManagerApi(web);
        this.command = List.of(root.resolve("scripts/optimus").toString(), "--run-dir", runDir.toString());
        this.options = options;
        this.report = new FaultReport(options.seed, options.minutes);
    }

    /**
     * Takes {@code ROOT RUN_DIR WEB_PORT NODES OWN_STORE CUTS_NETWORKS MINUTES SEED REPORT KINDS [PYTHON]}. KINDS are words of
     * {@link Fault}, separated by spaces; an empty text means all. PYTHON has PyTorch. Exits 1 if something did not hold.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]);
        FaultTest test = new FaultTest(
                root,
                Path.of(arguments[1]),
                URI.create("http://localhost:" + arguments[2]),
                new Options(
                        Integer.parseInt(arguments[3]),
                        new FaultInjector.Means(Boolean.parseBoolean(arguments[4]), Boolean.parseBoolean(arguments[5])),
                        Fault.named(arguments[9]),
                        Integer.parseInt(arguments[6]),
                        Long.parseLong(arguments[7])));
        Path report = Path.of(arguments[8]);
        test.run(root, arguments.length > 10 ? arguments[10] : "");
        test.report.write(report);
        test.report.print(System.out);
        System.out.println("written: " + report);
        System.exit(test.report.problems().isEmpty() ? 0 : 1);
    }

    private void run(Path root, String python) throws IOException, InterruptedException {
        int epochs = EPOCHS_A_MINUTE * options.minutes;
        FaultedJob reference = emulated(root, "reference", "synchronous", epochs, "0.001", "");
        submit(reference);
        awaitEnds(END_SECONDS + END_SECONDS_A_MINUTE * options.minutes);
        submit(emulated(root, "synchronous", "synchronous", epochs, "0.1", "reference"));
        submit(emulated(root, "asynchronous", "asynchronous", epochs, "0.3", ""));
        if (!python.isEmpty()) {
            submit(job(
                    "all-reduce",
                    root.resolve("conf/examples/digits-all-reduce/job.yaml"),
                    "",
                    "program.python=" + python,
                    "program.args=[--epochs, " + epochs + "]",
                    "applicationMaster.maxAttempts=1000",
                    "roles.worker.retries=1000",
                    "roles.worker.gpus=1",
                    "roles.worker.max=2",
                    "checkpoint.everySteps=50"));
        }
        long start = System.currentTimeMillis();
        awaitRunning();
        injectFaults();
        awaitEnds(END_SECONDS + END_SECONDS_A_MINUTE * options.minutes);
        check(start);
    }

    private static FaultedJob emulated(
            Path root, String name, String mode, int epochs, String seconds, String reference) {
        return job(
                name,
                root.resolve("conf/jobs/fault-test.yaml"),
                reference,
                "mode=" + mode,
                "stop.maxEpochs=" + epochs,
                "emulated.speed.secondsFixed=" + seconds);
    }

    private static FaultedJob job(String name, Path file, String reference, String... settings) {
        List<String> all = new ArrayList<>(List.of("name=" + name));
        all.addAll(List.of(settings));
        return new FaultedJob(name, new Submission(file, all), reference);
    }

    private void submit(FaultedJob job) throws IOException, InterruptedException {
        String id = job.submission().run(command, outputs.resolve(job.name()));
        submitted.put(job, id);
        running.add(id);
        System.out.println("submitted " + job.name() + " as " + id);
    }

    private void awaitRunning() throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!workersOf(running).containsAll(running) && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(250);
        }
    }

    private Set<String> workersOf(Set<String> applications) {
        Set<String> training = new TreeSet<>();
        for (JobProcess process : JobProcesses.in(runDir.resolve("nodes"))) {
            if (process.task().startsWith("worker-") && applications.contains(process.application())) {
                training.add(process.application());
            }
        }
        return training;
    }

    private void injectFaults() throws IOException, InterruptedException {
        int longestStop = options.minutes < SHORT_RUN_MINUTES ? LONGEST_STOP_IN_SHORT_RUN : LONGEST_STOP;
        FaultInjector injector =
                new FaultInjector(runDir, options.nodes, options.means, options.kinds, longestStop, options.seed);
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(options.minutes);
        while (System.nanoTime() < until && !running.isEmpty()) {
            injector.pause();
            injector.next(running).ifPresent(fault -> {
                faults.add(fault);
                System.out.printf(
                        Locale.ROOT,
                        "%tT %s %s %s for %.1f s%n",
                        fault.fromMillis(),
                        fault.fault().word(),
                        fault.target(),
                        fault.job(),
                        (fault.toMillis() - fault.fromMillis()) / 1e3);
            });
            noteEnds();
        }
    }

    private void awaitEnds(long seconds) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!running.isEmpty() && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(500);
            noteEnds();
        }
    }

    private void noteEnds() throws InterruptedException {
        for (String id : List.copyOf(running)) {
            try {
                if (ENDED.contains(cluster.application(id).path("state").asText())) {
                    running.remove(id);
                }
            } catch (IOException e) {
                // The ResourceManager starts again.
                return;
            }
        }
    }

    private void check(long startMillis) throws IOException, InterruptedException {
        Map<String, JsonNode> results = new LinkedHashMap<>();
        Map<String, TrainingJournal> journals = new LinkedHashMap<>();
        for (Map.Entry<FaultedJob, String> each : submitted.entrySet()) {
            FaultedJob job = each.getKey();
            TrainingJournal journal = TrainingJournal.of(runDir.resolve("staging"), each.getValue());
            journals.put(each.getValue(), journal);
            results.put(job.name(), job.result(outputs));
            checkEnd(job, each.getValue(), results, journal);
        }
        for (InjectedFault fault : faults) {
            double idle = 0;
            for (Map.Entry<String, TrainingJournal> each : journals.entrySet()) {
                if (fault.job().isEmpty() || fault.job().equals(each.getKey())) {
                    idle = Math.max(idle, each.getValue().idleSeconds(fault.fromMillis(), fault.toMillis()));
                }
            }
            report.fault(fault, startMillis, idle);
        }
        checkLeftovers();
    }

    private void checkEnd(FaultedJob job, String id, Map<String, JsonNode> results, TrainingJournal journal)
            throws IOException, InterruptedException {
        JsonNode application = cluster.application(id);
        JsonNode result = results.getOrDefault(job.name(), MissingNode.getInstance());
        String finalStatus = application.path("finalStatus").asText();
        report.job(new FaultReport.Job(
                job.name(),
                id,
                finalStatus,
                result.path("steps").asLong(),
                result.path("finalLoss").asDouble(),
                journal.attempts(),
                journal.stepsRedone(),
                journal.longestIdleSeconds()));
        if (!finalStatus.equals(SUCCEEDED)) {
            report.problem(job.name() + " is " + application.path("state").asText() + ", " + finalStatus + ": "
                    + application.path("diagnostics").asText());
            return;
        }
        double loss = result.path("finalLoss").asDouble(Double.NaN);
        if (!(loss <= GOOD_LOSS)) {
            report.problem(job.name() + " ended with a loss of " + loss + ", more than " + GOOD_LOSS);
        }
        JsonNode reference = results.get(job.reference());
        if (reference != null) {
            double expected = reference.path("finalLoss").asDouble(Double.NaN);
            long steps = reference.path("steps").asLong();
            if (result.path("steps").asLong() != steps || !(Math.abs(loss - expected) <= TOLERANCE * expected)) {
                report.problem(job.name() + " ended after " + result.path("steps") + " steps with a loss of " + loss
                        + "; without faults it is " + steps + " and " + expected);
            }
        }
    }

    private void checkLeftovers() throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LEFTOVERS_SECONDS);
        List<JobProcess> left = JobProcesses.in(runDir.resolve("nodes"));
        while ((!left.isEmpty() || cluster.containers() > 0) && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(500);
            left = JobProcesses.in(runDir.resolve("nodes"));
        }
        left.forEach(process -> report.problem("left behind: " + process));
        if (cluster.containers() > 0) {
            report.problem(cluster.containers() + " containers are left");
        }
    }
}
