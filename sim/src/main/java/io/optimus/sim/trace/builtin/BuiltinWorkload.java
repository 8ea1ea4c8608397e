package io.optimus.sim.trace.builtin;

import io.optimus.model.TrainingMode;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.trace.Arrivals;
import io.optimus.sim.trace.WorkloadSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A workload that needs no file: parameter-server jobs of eight measured models, synchronous and asynchronous in turn.
 *
 * @param jobs 1 or more
 * @param durationSeconds in which they arrive
 * @param arrivals how
 */
public record BuiltinWorkload(int jobs, double durationSeconds, Arrivals arrivals) implements WorkloadSource {
    /** Three of each model and mode. */
    public static final int JOBS = 48;

    /** In which jobs arrive on the paper's testbed. */
    public static final double DURATION_SECONDS = 12_000;

    /** Servers of the paper's testbed. */
    public static final int NODES = 13;

    /** Our choice, so that the cluster has room for some two dozen workers, as many servers beside them. */
    public static final int GPUS_PER_NODE = 2;

    /** A server and a worker for each GPU. */
    private static final int TASKS_PER_NODE = 2 * GPUS_PER_NODE;

    @Override
    public String name() {
        return "builtin-" + arrivals.word();
    }

    @Override
    public Workload draw(long seed) {
        Random random = Seeds.random(seed, "builtin workload");
        double[] seconds = arrivals.draw(jobs, durationSeconds, random);
        MeasuredModel[] models = MeasuredModel.values();
        List<SimulatedJob> drawn = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            MeasuredModel model = models[random.nextInt(models.length)];
            TrainingMode mode = i % 2 == 0 ? TrainingMode.SYNCHRONOUS : TrainingMode.ASYNCHRONOUS;
            String id = String.format(Locale.ROOT, "%s-%s-%03d", model.label(), word(mode), i);
            drawn.add(new ConvergingJob(
                            model.label(),
                            model.form(mode),
                            model.truth(mode, TASKS_PER_NODE),
                            ConvergingJob.MOST_TASKS,
                            model.losses())
                    .draw(id, seconds[i], random));
        }
        return new Workload(name(), drawn);
    }

    private static String word(TrainingMode mode) {
        return switch (mode) {
            case SYNCHRONOUS -> "sync";
            case ASYNCHRONOUS -> "async";
        };
    }
}
