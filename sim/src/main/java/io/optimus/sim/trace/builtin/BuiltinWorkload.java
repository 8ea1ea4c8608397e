package io.optimus.sim.trace.builtin;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.trace.ArrivalPattern;
import io.optimus.sim.trace.WorkloadSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A workload that needs no file: parameter-server jobs of eight measured models. Only the cluster limits the size of a
 * job, as in the paper.
 *
 * @param jobs number of jobs, 1 or more
 * @param durationSeconds time within which they arrive
 * @param arrivals how arrival times are drawn
 * @param modes how the jobs train
 * @param mostTasks most tasks of a role that the cluster can hold
 */
public record BuiltinWorkload(int jobs, double durationSeconds, ArrivalPattern arrivals, Modes modes, int mostTasks)
        implements WorkloadSource {
    /** The number of jobs on the paper's testbed (Optimus, abstract). */
    public static final int JOBS = 9;

    /** The time within which jobs arrive on the paper's testbed. */
    public static final double DURATION_SECONDS = 12_000;

    /** The number of servers of the paper's testbed. There, 7 had CPUs only and 6 had GPUs; here all are alike. */
    public static final int NODES = 13;

    /** The number of GPUs per node in the configuration that the authors published. */
    public static final int GPUS_PER_NODE = 2;

    /** A node holds a ps and a worker for each GPU. */
    private static final int TASKS_PER_NODE = 2 * GPUS_PER_NODE;

    public enum Modes {
        /** Synchronous and asynchronous in turn. */
        MIXED,
        SYNC,
        ASYNC;

        /** Returns the name on the command line. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        TrainingMode ofJob(int number) {
            return switch (this) {
                case MIXED -> number % 2 == 0 ? TrainingMode.SYNCHRONOUS : TrainingMode.ASYNCHRONOUS;
                case SYNC -> TrainingMode.SYNCHRONOUS;
                case ASYNC -> TrainingMode.ASYNCHRONOUS;
            };
        }
    }

    @Override
    public String name() {
        return "builtin-" + modes.word() + "-" + arrivals.word();
    }

    @Override
    public Workload draw(long seed) {
        Random random = Seeds.random(seed, "builtin workload");
        double[] seconds = arrivals.draw(jobs, durationSeconds, random);
        MeasuredModel[] models = MeasuredModel.values();
        List<SimulatedJob> drawn = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            MeasuredModel model = models[random.nextInt(models.length)];
            TrainingMode mode = modes.ofJob(i);
            String id = String.format(Locale.ROOT, "%s-%s-%03d", model.label(), word(mode), i);
            drawn.add(new ConvergingJob(
                            model.label(),
                            model.form(mode),
                            model.truth(mode, TASKS_PER_NODE),
                            new Allocation(mostTasks, mostTasks),
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
