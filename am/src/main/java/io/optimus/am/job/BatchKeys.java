package io.optimus.am.job;

import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyTable;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.ValueType;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** The keys of the batch of a job with all-reduce, each declared once. */
final class BatchKeys {
    final FileKey<Integer> initial;
    final FileKey<Integer> max;
    final FileKey<Integer> perWorkerMax;
    final FileKey<Boolean> adapt;
    final FileKey<Boolean> accumulate;

    /**
     * Declares the keys in {@code table}.
     *
     * @param applies whether the program of a file's job trains by all-reduce
     */
    BatchKeys(KeyTable table, Predicate<KeyValues> applies) {
        initial = table.optional(
                "batch.initial",
                samples(),
                "your program's",
                "samples of a step of all workers as your program's loader has them; the job fails if the two differ");
        max = table.optional(
                "batch.max", samples(), "required with `adapt: true`", "most samples of a step of all workers");
        perWorkerMax = table.optional(
                "batch.perWorkerMax",
                samples(),
                "with `adapt: true` what `roles.worker.min` workers compute of the initial batch, else all of it",
                "most samples that fit a worker at once");
        adapt = table.defaultingWhere(
                applies,
                "batch.adapt",
                ValueType.truth(),
                false,
                "`true`: the job chooses its batch by goodput, from the initial one up to `max`, and the learning rate follows");
        accumulate = table.defaultingWhere(
                applies,
                "batch.accumulate",
                ValueType.truth(),
                true,
                "whether a worker may compute its samples of a step in several parts, one after another");
    }

    private static ValueType<Integer> samples() {
        return ValueType.count(1, 1_000_000_000);
    }

    private List<FileKey<?>> all() {
        return List.of(initial, max, perWorkerMax, adapt, accumulate);
    }

    /** Adds a problem for each key that is given, since the job does not train by all-reduce. */
    void refuse(KeyValues values) {
        for (FileKey<?> key : all()) {
            if (values.isGiven(key)) {
                values.addProblem(
                        key,
                        "is for 'framework: python' with 'communication: all-reduce': write both, or leave the section"
                                + " batch out");
            }
        }
    }

    /** Adds every problem of a job that trains by all-reduce to the values. */
    void check(KeyValues values, RoleKeys worker) {
        if (!values.valid(initial, max, perWorkerMax, adapt, accumulate, worker.min, worker.max)) {
            return;
        }
        boolean adapts = values.get(adapt);
        if (adapts && !values.isGiven(max)) {
            values.addProblem(max, "is required with 'adapt: true': name the largest batch that may be tried");
        }
        if (values.isGiven(initial) && values.isGiven(max) && values.get(max) < values.get(initial)) {
            values.addProblem(
                    max,
                    values.get(max) + " is less than batch.initial, which is " + values.get(initial)
                            + ": raise it, or lower batch.initial");
        }
        if (adapts && values.isGiven(max) && values.get(max) < values.get(worker.max)) {
            values.addProblem(
                    max,
                    values.get(max) + " samples are too few for " + values.get(worker.max)
                            + " workers, which share them in each step: raise it, or lower roles.worker.max");
        }
        if (adapts && !values.get(accumulate) && values.get(worker.max) == 1) {
            values.addProblem(
                    accumulate,
                    "A single worker measures the gradient's noise between the parts of a step: leave this out, or raise"
                            + " roles.worker.max");
        }
        values.find(initial)
                .flatMap(batch -> read(values).tooLargeAtOnce(batch, values.get(worker.min)))
                .ifPresent(sentence -> values.addProblem(accumulate, sentence));
    }

    /** The batches as {@code values} describe them; {@link BatchSpec#FIXED} if the job does not train by all-reduce. */
    BatchSpec read(KeyValues values) {
        return values.find(adapt)
                .map(adapts -> new BatchSpec(
                        number(values, initial),
                        number(values, max),
                        number(values, perWorkerMax),
                        adapts,
                        values.get(accumulate)))
                .orElse(BatchSpec.FIXED);
    }

    private static OptionalInt number(KeyValues values, FileKey<Integer> key) {
        return values.find(key).map(OptionalInt::of).orElse(OptionalInt.empty());
    }
}
