package io.optimus.am.job;

import io.optimus.am.engine.LearningRateSchedule;
import io.optimus.am.engine.LearningRateSchedule.Shape;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyTable;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.ValueType;
import io.optimus.model.losses.AnnouncedBends;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The keys of the learning-rate schedule. */
final class ScheduleKeys {
    /** How the learning rate goes on after the warm-up. */
    enum Kind {
        CONSTANT,
        STEP,
        COSINE,
        WARM_RESTARTS;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    final FileKey<Kind> kind;
    final FileKey<Double> warmupEpochs;
    final FileKey<List<Double>> stepEpochs;
    final FileKey<Double> stepFactor;
    final FileKey<Double> finalLearningRate;
    final FileKey<Double> restartEpochs;
    final FileKey<Integer> restartFactor;

    /** Declares the keys in {@code table}. */
    ScheduleKeys(KeyTable table, ProgramKeys program) {
        kind = table.defaultingWhere(
                values -> !program.trains(values),
                "optimizer.schedule",
                ValueType.oneOf(Arrays.asList(Kind.values()), Kind::word),
                Kind.CONSTANT,
                "how the learning rate changes after the warm-up: not at all; by `stepFactor` at each of `stepEpochs`; along a"
                        + " cosine to `finalLearningRate` at `stop.maxEpochs`; or along cosines that begin anew");
        warmupEpochs = table.defaultingWhere(
                values -> !program.trains(values),
                "optimizer.warmupEpochs",
                ValueType.decimal("0 or more", epochs -> epochs >= 0),
                0.0,
                "epochs in which the learning rate rises linearly from 0 to `learningRate`");
        stepEpochs = table.optional(
                "optimizer.stepEpochs",
                ValueType.listOf(ValueType.decimal("above 0", epoch -> epoch > 0)),
                "required with step",
                "epochs from the beginning of training at which the learning rate falls, in rising order");
        stepFactor = table.deriving(
                "optimizer.stepFactor",
                ValueType.decimal("above 0, below 1", factor -> factor > 0 && factor < 1),
                "0.1 for step",
                values -> ofKind(values, 0.1, Kind.STEP),
                "by what the learning rate is multiplied at each of `stepEpochs`");
        finalLearningRate = table.deriving(
                "optimizer.finalLearningRate",
                ValueType.decimal("0 or more", rate -> rate >= 0),
                "0 for cosine and warm-restarts",
                values -> ofKind(values, 0.0, Kind.COSINE, Kind.WARM_RESTARTS),
                "what the learning rate falls to along a cosine");
        restartEpochs = table.optional(
                "optimizer.restartEpochs",
                ValueType.decimal("above 0", epochs -> epochs > 0),
                "required with warm-restarts",
                "length of the first cosine, from the end of the warm-up");
        restartFactor = table.deriving(
                "optimizer.restartFactor",
                ValueType.count(1, 1_000),
                "1 for warm-restarts",
                values -> ofKind(values, 1, Kind.WARM_RESTARTS),
                "how many times longer each cosine is than the one before");
    }

    private <T> Optional<T> ofKind(KeyValues values, T byDefault, Kind... kinds) {
        return values.find(kind).filter(List.of(kinds)::contains).map(chosen -> byDefault);
    }

    List<FileKey<?>> all() {
        List<FileKey<?>> keys = new ArrayList<>(List.of(kind, warmupEpochs));
        keys.addAll(ofSomeKinds());
        return keys;
    }

    private List<FileKey<?>> ofSomeKinds() {
        return List.of(stepEpochs, stepFactor, finalLearningRate, restartEpochs, restartFactor);
    }

    /** The schedule of a job whose values have no problems. */
    LearningRateSchedule read(KeyValues values, double learningRate, double weightDecay) {
        return new LearningRateSchedule(learningRate, weightDecay, values.get(warmupEpochs), shape(values));
    }

    private Shape shape(KeyValues values) {
        return switch (values.get(kind)) {
            case CONSTANT -> new LearningRateSchedule.Constant();
            case STEP -> new LearningRateSchedule.Step(values.get(stepEpochs), values.get(stepFactor));
            case COSINE -> new LearningRateSchedule.Cosine(
                    values.get(JobKeys.MAX_EPOCHS), values.get(finalLearningRate));
            case WARM_RESTARTS -> new LearningRateSchedule.WarmRestarts(
                    values.get(restartEpochs), values.get(restartFactor), values.get(finalLearningRate));
        };
    }

    /** Adds every problem to the values. */
    void check(KeyValues values) {
        if (!values.valid(kind)) {
            return;
        }
        Kind chosen = values.get(kind);
        Set<FileKey<?>> own = keysOf(chosen);
        for (FileKey<?> key : ofSomeKinds()) {
            if (values.isGiven(key) && !own.contains(key)) {
                values.addProblem(
                        key,
                        "does not belong to the schedule " + chosen.word()
                                + ": leave it out, or choose another optimizer.schedule");
            }
        }
        switch (chosen) {
            case CONSTANT -> {}
            case STEP -> checkSteps(values);
            case COSINE -> checkCosine(values);
            case WARM_RESTARTS -> {
                checkRequired(values, restartEpochs);
                checkFinalRate(values);
            }
        }
    }

    private Set<FileKey<?>> keysOf(Kind chosen) {
        return switch (chosen) {
            case CONSTANT -> Set.of();
            case STEP -> Set.of(stepEpochs, stepFactor);
            case COSINE -> Set.of(finalLearningRate);
            case WARM_RESTARTS -> Set.of(restartEpochs, restartFactor, finalLearningRate);
        };
    }

    private static void checkRequired(KeyValues values, FileKey<?> key) {
        if (values.valid(key) && !values.isGiven(key)) {
            values.addProblem(key, "is required: " + key.meaning());
        }
    }

    private void checkSteps(KeyValues values) {
        checkRequired(values, stepEpochs);
        if (!values.valid(stepEpochs, warmupEpochs) || !values.isGiven(stepEpochs)) {
            return;
        }
        List<Double> epochs = values.get(stepEpochs);
        if (epochs.isEmpty() || epochs.size() > AnnouncedBends.MOST) {
            values.addProblem(
                    stepEpochs,
                    epochs.size() + " epochs: give 1 to " + AnnouncedBends.MOST + ", or choose the schedule constant");
            return;
        }
        double before = values.get(warmupEpochs);
        if (epochs.get(0) < before) {
            values.addProblem(
                    stepEpochs,
                    epochs.get(0) + " is before the end of the warm-up at epoch " + before
                            + ": raise it, or lower optimizer.warmupEpochs");
        }
        for (int i = 1; i < epochs.size(); i++) {
            if (epochs.get(i) <= epochs.get(i - 1)) {
                values.addProblem(
                        stepEpochs,
                        epochs.get(i) + " does not come after " + epochs.get(i - 1)
                                + ": list each epoch once, in rising" + " order");
                return;
            }
        }
    }

    private void checkCosine(KeyValues values) {
        if (values.valid(warmupEpochs, JobKeys.MAX_EPOCHS)
                && values.get(warmupEpochs) >= values.get(JobKeys.MAX_EPOCHS)) {
            values.addProblem(
                    warmupEpochs,
                    values.get(warmupEpochs) + " leaves no epoch to the cosine, which ends at stop.maxEpochs "
                            + values.get(JobKeys.MAX_EPOCHS) + ": lower it, or raise stop.maxEpochs");
        }
        checkFinalRate(values);
    }

    private void checkFinalRate(KeyValues values) {
        if (values.valid(finalLearningRate, JobKeys.LEARNING_RATE, JobKeys.OPTIMIZER)
                && values.get(finalLearningRate) > values.get(JobKeys.LEARNING_RATE)) {
            values.addProblem(
                    finalLearningRate,
                    values.get(finalLearningRate) + " is above optimizer.learningRate, which is "
                            + values.get(JobKeys.LEARNING_RATE) + ": lower it");
        }
    }
}
