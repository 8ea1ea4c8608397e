package io.optimus.am.coordinator;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Cuts the network between the workers and a parameter server of a job, in one direction or both, and heals it when the job has
 * noticed. Runs as root of a network namespace of its own. Both reach the coordinator all the time.
 */
final class PartitionedTraining {
    private static final String SERVER = "10.9.0.1";
    private static final String WORKERS = "10.9.0.2";
    private static final long STEP_MILLIS = 120_000;

    private PartitionedTraining() {}

    /** Takes {@code FOLDER DIRECTION...}: {@code push} or {@code reply}. Prints the seconds until the cut was noticed. */
    public static void main(String[] arguments) throws Exception {
        List<String> directions = List.of(arguments).subList(1, arguments.length);
        prepareNetwork();
        TrainingSettings settings = TestJob.settings(
                TrainingMode.SYNCHRONOUS,
                new Optimizer.Sgd(1, 0, 0),
                1_000_000,
                new TrainingSettings.Timing(
                        100, STEP_MILLIS, STEP_MILLIS, STEP_MILLIS, STEP_MILLIS, 0, 500, STEP_MILLIS));
        try (TestJob job = new TestJob(
                settings,
                new LocalCheckpointStore(Path.of(arguments[0]).resolve("store")),
                1,
                () -> new CountingEngine(1003, 1_000))) {
            job.host = task -> task.role() == Role.PARAMETER_SERVER ? SERVER : WORKERS;
            Set<TaskId> members = job.add(1, 2);
            job.resizeTo(members);
            job.awaitStep(20);
            int resizes = job.resizes.size();
            directions.forEach(direction -> cut(direction, "add"));
            long cutNanos = System.nanoTime();
            job.await("the cut is noticed", () -> !job.stepsOn(members));
            System.out.println("noticed after " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - cutNanos));
            directions.forEach(direction -> cut(direction, "del"));
            job.await("it steps on", () -> job.stepsOn(members) && job.resizes.size() > resizes);
            long step = job.step();
            job.awaitStep(step + 20);
            System.out.println("lost " + job.lost.size());
        }
        System.exit(0);
    }

    /** Connections to the server's address come from the workers' address. */
    private static void prepareNetwork() throws IOException, InterruptedException {
        for (String command : List.of(
                "ip link set lo up",
                "ip addr add " + SERVER + "/32 dev lo",
                "ip addr add " + WORKERS + "/32 dev lo",
                "ip route add local " + SERVER + " dev lo src " + WORKERS + " table 100",
                "ip rule add to " + SERVER + " pref 5 lookup 100",
                "ip rule add pref 10 lookup local",
                "ip rule del pref 0")) {
            run(command);
        }
    }

    private static void cut(String direction, String action) {
        String from = direction.equals("push") ? WORKERS : SERVER;
        String to = direction.equals("push") ? SERVER : WORKERS;
        try {
            run("ip rule " + action + " blackhole from " + from + " to " + to + " pref 1");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(new ArrayList<>(List.of(command.split(" "))))
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + command);
        }
    }
}
