package io.optimus.am.job;

import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Engines;
import io.optimus.am.engine.Optimizer;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.Resources;
import java.util.Locale;
import java.util.Optional;

/**
 * The memory of a parameter server: how its JVM divides the container's memory, and how many parameters fit.
 *
 * <p>A server holds <i>b</i> bytes of parameters and serves <i>w</i> workers; the optimizer keeps <i>k</i> numbers for each
 * parameter. Beside what the JVM needs for itself, the server needs at most:
 *
 * <ul>
 *   <li>heap, synchronous: four versions of (1 + k) · b bytes: before the last step, after it, one that is loaded and one that
 *       is saved. Nearly five, where one of many servers leaves
 *   <li>heap, asynchronous: four versions of (1 + k) · b bytes: the current one, one that is loaded, one that is saved and one
 *       that waits to be saved
 *   <li>direct buffers: a gradient of each worker, w · b bytes, or half of that as bfloat16s of the engines that come with Optimus;
 *       for each worker also the part of an answer that is being sent to it, and some MiB for transfers between servers
 * </ul>
 *
 * <p>Heap and direct buffers get memory in proportion to these needs, so that both limits are reached at the same b.
 */
public final class ServerMemory {
    /** Memory of a JVM beside heap and direct buffers: code, classes, threads, the collector. */
    public static final int JVM_OWN_MB = 150;
    /** Of the heap, for new objects. Large parameters do not fit there, and are in the rest from the beginning. */
    public static final int YOUNG_MB = 16;

    /** Of the heap, for all but parameters. */
    private static final int HEAP_OWN_MB = YOUNG_MB + 24;
    /** Of direct buffers, for transfers between servers and for those of Java's sockets. */
    private static final int DIRECT_OWN_MB = 12;
    /** Our JVMs do not run with less, of the heap and of direct buffers each. */
    private static final int LEAST_MB = 64;

    /** The part of an answer that is sent at a time to one worker, MiB. */
    static final double PART_MB = 0.125;

    private static final int ADAM_SLOTS = 2;
    private static final double MIB = 1 << 20;

    private final int heapMb;
    private final int directMb;

    private ServerMemory(int heapMb, int directMb) {
        this.heapMb = heapMb;
        this.directMb = directMb;
    }

    /**
     * What a server needs.
     *
     * @param heap bytes of heap for each byte of parameters that it holds
     * @param direct bytes of direct buffers for each byte of parameters that it holds
     * @param directOwnMb MiB of buffers that do not grow with the parameters
     */
    private record Need(double heap, double direct, double directOwnMb) {
        static Need of(JobSpec spec, int slots) {
            int servers = spec.parameterServer().min();
            boolean isResized = spec.parameterServer().max() > servers;
            double version = 1 + slots;
            int workers = spec.worker().max();
            // A program may have many floats that are not parameters and are not rounded.
            double gradients = spec.wireFormat().rounds() && spec.engine().program() == null ? workers / 2.0 : workers;
            double parts = DIRECT_OWN_MB + workers * PART_MB;
            if (spec.mode() == TrainingMode.ASYNCHRONOUS) {
                return new Need(4 * version, gradients, parts);
            }
            double versions = isResized ? Math.max(4, 2 + 3.0 * servers / (servers + 1)) : 4;
            return new Need(versions * version, gradients, parts);
        }

        /** Nobody knows the optimizer of an owner's program before it runs. */
        static Need atLaunch(JobSpec spec) {
            boolean isKnown = spec.engine().program() == null || spec.communication() == Communication.AVERAGING_SERVER;
            return of(spec, isKnown ? slots(spec.optimizer()) : ADAM_SLOTS);
        }

        private static int slots(Optimizer optimizer) {
            return optimizer.match(sgd -> sgd.momentum() == 0 ? 0 : 1, adam -> ADAM_SLOTS, own -> 0);
        }

        /** The memory of a container that has room for parts of {@code partMb}, if it is divided like this. */
        long containerMb(double partMb) {
            return JVM_OWN_MB
                    + (long) Math.ceil(Math.max(LEAST_MB, heapMb(partMb)) + Math.max(LEAST_MB, directMb(partMb)));
        }

        double heapMb(double partMb) {
            return HEAP_OWN_MB + heap * partMb;
        }

        double directMb(double partMb) {
            return directOwnMb + direct * partMb;
        }
    }

    /** Divides the memory of the job's parameter servers, as much as its file says. */
    public static ServerMemory of(JobSpec spec) {
        return of(spec, spec.parameterServer().task().amount(Resources.MEMORY_MB));
    }

    /** Divides the memory of one parameter server of the job, MiB. */
    public static ServerMemory of(JobSpec spec, long containerMb) {
        return divided(containerMb, Need.atLaunch(spec));
    }

    private static ServerMemory divided(long containerMb, Need need) {
        double partMb = (containerMb - JVM_OWN_MB - HEAP_OWN_MB - need.directOwnMb) / (need.heap + need.direct);
        if (need.heapMb(partMb) < LEAST_MB) {
            return new ServerMemory(LEAST_MB, rest(containerMb));
        } else if (need.directMb(partMb) < LEAST_MB) {
            return new ServerMemory(rest(containerMb), LEAST_MB);
        }
        int heapMb = (int) Math.ceil(need.heapMb(partMb));
        return new ServerMemory(heapMb, (int) (containerMb - JVM_OWN_MB - heapMb));
    }

    private boolean isEnough(double neededHeapMb, double neededDirectMb) {
        return neededHeapMb <= heapMb && neededDirectMb <= directMb;
    }

    private static int rest(long containerMb) {
        return (int) Math.max(LEAST_MB, containerMb - JVM_OWN_MB - LEAST_MB);
    }

    /** The largest heap, MiB. */
    public int heapMb() {
        return heapMb;
    }

    /** The most that direct buffers may take, MiB. */
    public int directMb() {
        return directMb;
    }

    /** Like {@link #shortage(JobSpec, long, Optimizer)}; empty also where the job's file does not tell the model's size. */
    static Optional<String> shortage(JobSpec spec) {
        return parameters(spec).flatMap(parameters -> shortage(spec, parameters, spec.optimizer()));
    }

    /** The parameters of a multilayer perceptron on data that come with Optimus. */
    private static Optional<Long> parameters(JobSpec spec) {
        if (!spec.engine().model().equals(Engines.MLP) || !spec.dataset().equals(Datasets.DIGITS)) {
            return Optional.empty();
        }
        long parameters = 0;
        long inputs = Datasets.DIGITS_FEATURES;
        for (int outputs : spec.engine().hidden()) {
            parameters += (inputs + 1) * outputs;
            inputs = outputs;
        }
        return Optional.of(parameters + (inputs + 1) * Datasets.DIGITS_CLASSES);
    }

    /**
     * Says why the smallest number of parameter servers of the job cannot serve its largest number of workers; empty if they
     * can, or if there are none.
     *
     * @param parameters number of parameters of the model
     * @param optimizer how servers apply gradients
     */
    public static Optional<String> shortage(JobSpec spec, long parameters, Optimizer optimizer) {
        int servers = spec.parameterServer().min();
        if (servers == 0) {
            return Optional.empty();
        }
        double partMb = partMb(servers, parameters);
        Need need = Need.of(spec, Need.slots(optimizer));
        double heapMb = need.heapMb(partMb);
        double directMb = need.directMb(partMb);
        ServerMemory given = of(spec);
        if (given.isEnough(heapMb, directMb)) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "roles.ps.memoryMb %d leaves %d MiB of heap and %d MiB for buffers, but with roles.ps.min %d each server needs"
                        + " up to %.0f and %.0f MiB to serve a model of %d parameters to %d workers (roles.worker.max): set"
                        + " roles.ps.memoryMb to %d, or raise roles.ps.min, or lower roles.worker.max",
                spec.parameterServer().task().amount(Resources.MEMORY_MB),
                given.heapMb,
                given.directMb,
                servers,
                Math.ceil(heapMb),
                Math.ceil(directMb),
                parameters,
                spec.worker().max(),
                neededMb(spec, parameters, optimizer)));
    }

    private static double partMb(int servers, long parameters) {
        return Math.ceil((double) parameters / servers) * Float.BYTES / MIB;
    }

    /**
     * The least memory of a container with which the smallest number of parameter servers of the job can serve its largest number
     * of workers, MiB; 0 if there are no parameter servers.
     *
     * @param parameters number of parameters of the model
     * @param optimizer how servers apply gradients
     */
    public static long neededMb(JobSpec spec, long parameters, Optimizer optimizer) {
        int servers = spec.parameterServer().min();
        if (servers == 0) {
            return 0;
        }
        double partMb = partMb(servers, parameters);
        Need need = Need.of(spec, Need.slots(optimizer));
        Need divided = Need.atLaunch(spec);
        long wanted = divided.containerMb(Math.max(need.heap / divided.heap, need.direct / divided.direct) * partMb);
        // Both parts are whole MiB.
        while (!divided(wanted, divided).isEnough(need.heapMb(partMb), need.directMb(partMb))) {
            wanted++;
        }
        return wanted;
    }
}
