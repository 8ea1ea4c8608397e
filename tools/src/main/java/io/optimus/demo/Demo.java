package io.optimus.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Submits jobs one after the other, shows them while they compete, grow and shrink, and writes a report. {@code
 * scripts/demo} starts and stops the cluster.
 */
public final class Demo {
    private static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "KILLED");
    private static final long LONGEST_SECONDS = 600;
    private static final int TERMINAL_REDRAW_SECONDS = 1;
    private static final int LOG_REDRAW_SECONDS = 10;

    private final ResourceManagerApi cluster;
    private final List<String> command;
    private final Path outputs;
    private final LiveTable table;
    private final int redrawSeconds;
    private final long startNanos = System.nanoTime();
    private final Map<DemoJob, String> submitted = new LinkedHashMap<>();
    private final Map<String, JsonNode> ended = new LinkedHashMap<>();
    private final Map<String, JsonNode> speeds = new LinkedHashMap<>();
    private final Map<String, Predictions> predictions = new ConcurrentHashMap<>();

    private Demo(ResourceManagerApi cluster, List<String> command, Path outputs, boolean terminal) {
        this.cluster = cluster;
        this.command = command;
        this.outputs = outputs;
        this.table = new LiveTable(System.out, terminal);
        this.redrawSeconds = terminal ? TERMINAL_REDRAW_SECONDS : LOG_REDRAW_SECONDS;
    }

    /**
     * Takes {@code ROOT RUN_DIR WEB_PORT REPORT TERMINAL [PYTHON]}; PYTHON has PyTorch. Exits 1 if a job failed or did not
     * converge, or if a job that lasts was not resized.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]);
        Path runDir = Path.of(arguments[1]);
        URI web = URI.create("http://localhost:" + arguments[2]);
        Demo demo = new Demo(
                new ResourceManagerApi(web),
                List.of(root.resolve("scripts/optimus").toString(), "--run-dir", runDir.toString()),
                runDir.resolve("models"),
                Boolean.parseBoolean(arguments[4]));
        DemoReport report = demo.run(jobs(root, arguments.length > 5 ? arguments[5] : ""));
        report.write(Path.of(arguments[3]), demo.cluster.rounds(), demo.seconds());
        report.print(System.out);
        System.out.printf("%nwritten: %s%n", arguments[3]);
        System.exit(report.problems().isEmpty() ? 0 : 1);
    }

    /**
     * The jobs of the demo. Those at real speed compute on CPUs and only reserve GPUs, so that they compete. One is
     * submitted when the other has trained for a while, because two cores are enough for two workers only. The asynchronous one
     * starts on a full cluster, could use most of it, and outlasts the synchronous one: it grows into the room that this
     * leaves.
     */
    private static List<DemoJob> jobs(Path root, String python) {
        Path jobs = root.resolve("conf/jobs");
        Path examples = root.resolve("conf/examples");
        List<DemoJob> all = new ArrayList<>();
        if (python.isEmpty()) {
            all.add(new DemoJob(new Submission(jobs.resolve("demo-digits.yaml"), List.of()), 0, false));
        } else {
            List<String> own =
                    List.of("program.python=" + python, "roles.worker.gpus=2", "roles.worker.max=2", "roles.ps.max=1");
            all.add(new DemoJob(
                    new Submission(examples.resolve("char-transformer/job.yaml"), with(own, "stop.targetLoss=2.1")),
                    0,
                    true));
            all.add(new DemoJob(
                    new Submission(
                            examples.resolve("digits-cnn/job.yaml"),
                            with(
                                    own,
                                    "program.args=[--epochs, 60, --channels, 384]",
                                    "stop.plateau.decrease=0.002",
                                    "stop.plateau.epochs=20")),
                    90,
                    true));
        }
        all.add(new DemoJob(new Submission(jobs.resolve("demo-paced-sync.yaml"), List.of()), 15, true));
        all.add(new DemoJob(new Submission(jobs.resolve("demo-paced-async.yaml"), List.of()), 45, true));
        return all;
    }

    private static List<String> with(List<String> settings, String... more) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(List.of(more));
        return all;
    }

    private DemoReport run(List<DemoJob> jobs) throws IOException, InterruptedException {
        Thread watch = new Thread(this::watchPredictions, "demo-predictions");
        watch.setDaemon(true);
        watch.start();
        long nextDraw = 0;
        while (ended.size() < jobs.size() && seconds() < LONGEST_SECONDS) {
            submitDue(jobs);
            noteEnded();
            if (seconds() >= nextDraw) {
                table.draw((long) seconds(), liveJobs());
                nextDraw = (long) seconds() + redrawSeconds;
            }
            TimeUnit.MILLISECONDS.sleep(250);
        }
        watch.interrupt();
        watch.join();
        return report();
    }

    private void submitDue(List<DemoJob> jobs) throws IOException, InterruptedException {
        for (DemoJob job : jobs) {
            if (!submitted.containsKey(job) && seconds() >= job.startAfterSeconds()) {
                submitted.put(job, job.submission().run(command, outputOf(job)));
                System.out.printf("%nsubmitted %s as %s%n", job.name(), submitted.get(job));
                table.leave();
            }
        }
    }

    private void noteEnded() throws IOException, InterruptedException {
        for (String id : submitted.values()) {
            if (!ended.containsKey(id)) {
                JsonNode application = cluster.application(id);
                if (ENDED.contains(application.path("state").asText())) {
                    ended.put(id, application);
                }
            }
        }
    }

    /** Notes what the scheduler shows, on a thread of its own: the other one waits for each job to be submitted. */
    private void watchPredictions() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                notePredictions();
                TimeUnit.MILLISECONDS.sleep(500);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void notePredictions() throws InterruptedException {
        try {
            for (JsonNode job : cluster.jobs()) {
                predictions
                        .computeIfAbsent(job.path("id").asText(), unknown -> new Predictions())
                        .see(seconds(), job);
            }
        } catch (IOException e) {
            System.err.println("predictions not read: " + e.getMessage());
        }
    }

    private ArrayNode liveJobs() throws IOException, InterruptedException {
        ArrayNode live = new ObjectMapper().createArrayNode();
        for (JsonNode job : cluster.jobs()) {
            String id = job.path("id").asText();
            if (!ended.containsKey(id)) {
                live.add(job);
                JsonNode measured = cluster.measuredSpeeds(id);
                if (measured.isArray()) {
                    speeds.put(id, measured);
                }
            }
        }
        return live;
    }

    private DemoReport report() throws IOException {
        DemoReport report = new DemoReport();
        for (Map.Entry<DemoJob, String> job : submitted.entrySet()) {
            JsonNode application = ended.get(job.getValue());
            if (application == null) {
                report.problem(job.getKey().name() + " has not ended within " + LONGEST_SECONDS + " s");
            } else {
                report.add(
                        job.getValue(),
                        job.getKey(),
                        application,
                        outputOf(job.getKey()),
                        speeds.get(job.getValue()),
                        predictions
                                .getOrDefault(job.getValue(), new Predictions())
                                .json());
            }
        }
        return report;
    }

    private Path outputOf(DemoJob job) {
        return outputs.resolve(job.name());
    }

    private double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
