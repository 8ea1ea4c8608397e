package io.optimus.am.job;

import io.optimus.model.cluster.Resources;
import java.util.Optional;

/**
 * What the container of a parameter server has room for.
 *
 * <p>Buffers outside the heap: a gradient and an answer for each worker, and two answers that all share, each as large
 * as the server's part of the parameters. Example: 10 workers, 2 servers, 5 million parameters of 4 bytes: (2 · 10 + 2)
 * buffers of 10 MB make 220 MB a server.
 */
public final class ServerMemory {
    /** A JVM's own memory beside heap and direct buffers: code, classes, threads, the collector. */
    private static final int JVM_OWN_MB = 150;
    /** Under this no JVM of ours runs. */
    private static final int LEAST_MB = 64;

    private static final double HEAP_PART = 0.6;
    private static final int MIB = 1 << 20;

    private ServerMemory() {}

    /** Largest heap in a container of {@code containerMb} without native libraries, MiB. */
    public static int heapMb(long containerMb) {
        return (int) Math.max(LEAST_MB, (containerMb - JVM_OWN_MB) * HEAP_PART);
    }

    /** Most that direct buffers may take beside a heap of {@code heapMb}, MiB. */
    public static int directMb(int heapMb) {
        return Math.max(LEAST_MB, heapMb / 2);
    }

    /**
     * What is wrong where the job's parameter servers, as few as the job runs with, cannot serve as many workers as it
     * may be given; empty when they can.
     *
     * @param parameters of the model
     */
    public static Optional<String> lack(JobSpec spec, long parameters) {
        int servers = spec.parameterServer().min();
        int workers = spec.worker().max();
        long shardBytes = (parameters + servers - 1) / servers * Float.BYTES;
        long neededMb = ((2L * workers + 2) * shardBytes + MIB - 1) / MIB;
        long given = spec.parameterServer().task().amount(Resources.MEMORY_MB);
        int allowedMb = directMb(heapMb(given));
        if (neededMb <= allowedMb) {
            return Optional.empty();
        }
        long wanted = JVM_OWN_MB + (long) Math.ceil(2 * (neededMb + 1) / HEAP_PART);
        return Optional.of("roles.ps.memoryMb " + given + " leaves " + allowedMb + " MiB for buffers, and " + neededMb
                + " MiB are needed to serve " + workers + " workers a model of " + parameters
                + " parameters with as few parameter servers as roles.ps.min, " + servers + ": give roles.ps.memoryMb "
                + wanted + ", or raise roles.ps.min, or lower roles.worker.max");
    }
}
