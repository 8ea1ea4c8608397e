package io.optimus.am.job;

import io.optimus.model.cluster.Resources;
import java.util.Optional;

/**
 * The memory of a parameter server's container.
 *
 * <p>Outside the heap, a server keeps a gradient and an answer for each worker, and two answers that all workers share,
 * each as large as the server's part of the parameters. Example: 10 workers, 2 servers, 5 million parameters of 4 bytes: (2
 * · 10 + 2) buffers of 10 MB make 220 MB a server.
 */
public final class ServerMemory {
    /** Memory of the JVM itself beside heap and direct buffers: code, classes, threads, the collector. */
    private static final int JVM_OWN_MB = 150;
    /** Our JVMs do not run with less, MiB. */
    private static final int LEAST_MB = 64;

    /** Part of the remaining memory for the heap; direct buffers get half as much. */
    private static final double HEAP_PART = 0.6;

    private static final int MIB = 1 << 20;

    private ServerMemory() {}

    /** The largest heap in a container of {@code containerMb} without native libraries, MiB. */
    public static int heapMb(long containerMb) {
        return (int) Math.max(LEAST_MB, (containerMb - JVM_OWN_MB) * HEAP_PART);
    }

    /** The most that direct buffers may take beside a heap of {@code heapMb}, MiB. */
    public static int directMb(int heapMb) {
        return Math.max(LEAST_MB, heapMb / 2);
    }

    /**
     * Says why the smallest number of parameter servers of the job cannot serve its largest number of workers; empty if they
     * can, or if there are none.
     *
     * @param parameters number of parameters of the model
     */
    public static Optional<String> shortage(JobSpec spec, long parameters) {
        int servers = spec.parameterServer().min();
        if (servers == 0) {
            return Optional.empty();
        }
        int workers = spec.worker().max();
        long shardBytes = (parameters + servers - 1) / servers * Float.BYTES;
        long neededMb = ((2L * workers + 2) * shardBytes + MIB - 1) / MIB;
        long given = spec.parameterServer().task().amount(Resources.MEMORY_MB);
        int allowedMb = directMb(heapMb(given));
        if (neededMb <= allowedMb) {
            return Optional.empty();
        }
        long wanted = JVM_OWN_MB + (long) Math.ceil(2 * (neededMb + 1) / HEAP_PART);
        return Optional.of("roles.ps.memoryMb " + given + " leaves " + allowedMb
                + " MiB for buffers, but with roles.ps.min "
                + servers + " each server needs " + neededMb + " MiB to serve a model of " + parameters
                + " parameters to " + workers + " workers (roles.worker.max): set roles.ps.memoryMb to " + wanted
                + ", or raise roles.ps.min, or lower roles.worker.max");
    }
}
