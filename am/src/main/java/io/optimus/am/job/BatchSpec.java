package io.optimus.am.job;

import io.optimus.model.throughput.BatchLimits;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The batches that a job with all-reduce may train with. Its program decides the initial one.
 *
 * @param initial what the program's batch must be; empty: any
 * @param max the most samples of a step of all workers; empty: the initial batch
 * @param perWorkerMax the most samples that a worker computes at a time; empty: what the fewest workers compute of the initial
 *     batch, or all of it if the batch is fixed
 * @param adapts whether the job chooses its batch; otherwise it keeps the initial one
 * @param accumulates whether a worker may compute its samples of a step in several parts
 */
public record BatchSpec(
        OptionalInt initial, OptionalInt max, OptionalInt perWorkerMax, boolean adapts, boolean accumulates) {
    /** The program's batch, whatever it is. */
    public static final BatchSpec FIXED =
            new BatchSpec(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), false, true);

    /**
     * Why the job cannot train with the batch of its program, and the remedy; empty if it can.
     *
     * @param batch the program's batch, 1 or more
     * @param fewestWorkers the fewest workers that the job runs with, 1 or more
     */
    public Optional<String> problem(int batch, int fewestWorkers) {
        if (initial.isPresent() && initial.getAsInt() != batch) {
            return Optional.of("The program trains with a batch of " + batch + ", and batch.initial is "
                    + initial.getAsInt() + ": make them agree, or leave batch.initial out");
        }
        if (adapts && max.isPresent() && max.getAsInt() < batch) {
            return Optional.of("The program trains with a batch of " + batch + ", and batch.max is " + max.getAsInt()
                    + ": raise batch.max to " + batch + " at least");
        }
        return tooLargeAtOnce(batch, fewestWorkers);
    }

    /** Why the fewest workers cannot compute {@code batch} without accumulation, and the remedy; empty if they can. */
    Optional<String> tooLargeAtOnce(int batch, int fewestWorkers) {
        int most = perWorkerMax.orElse(batch);
        return accumulates || (long) most * fewestWorkers >= batch
                ? Optional.empty()
                : Optional.of("Of a batch of " + batch + ", " + fewestWorkers + " workers compute " + most
                        + " samples each at once: raise batch.perWorkerMax or roles.worker.min, or write"
                        + " 'batch.accumulate: true'");
    }

    /**
     * The batches of a program without such a {@link #problem}.
     *
     * @param batch the program's batch, 1 or more
     * @param fewestWorkers the fewest workers that the job runs with, 1 or more
     */
    public BatchLimits limits(int batch, int fewestWorkers) {
        int known = adapts ? (batch + fewestWorkers - 1) / fewestWorkers : batch;
        return new BatchLimits(batch, adapts ? max.orElse(batch) : batch, 1, perWorkerMax.orElse(known));
    }

    /**
     * Those of {@code limits} that {@code workers} can train with: without accumulation, not more than fits them at once.
     *
     * @param workers 1 or more
     */
    public BatchLimits onWorkers(BatchLimits limits, int workers) {
        if (accumulates) {
            return limits;
        }
        // The noise of a single gradient cannot be measured.
        long most = workers == 1 ? limits.initialBatch() : (long) limits.maxAtomicBatch() * workers;
        return new BatchLimits(
                limits.initialBatch(),
                (int) Math.max(limits.initialBatch(), Math.min(limits.maxBatch(), most)),
                limits.minAtomicBatch(),
                limits.maxAtomicBatch());
    }
}
