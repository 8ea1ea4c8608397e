package io.optimus.am.job;

import io.optimus.am.engine.EmulatedSpec;
import io.optimus.am.engine.Engines;
import io.optimus.am.job.JobSpec.LogLevel;
import io.optimus.am.job.JobSpec.Optimizer;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.ValueType;
import io.optimus.am.yaml.ValueTypes;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Every key of job files; {@code docs/job-file.md} holds the same as a table. */
public final class JobKeys {
    /** Beyond it the coordinator's one connection a task becomes the bottleneck. */
    static final int MOST_TASKS = 1_000;

    static final String SGD = "sgd";
    static final String ADAM = "adam";

    static final FileKey<String> NAME = FileKey.required("name", ValueTypes.text(""), "shown to people", JobSpec::name);
    static final FileKey<String> QUEUE =
            FileKey.defaulting("queue", ValueTypes.text(""), "default", "leaf queue to run in", JobSpec::queue);
    static final FileKey<Integer> PRIORITY = FileKey.defaulting(
            "priority",
            ValueTypes.count(0, 1_000_000),
            0,
            "as YARN knows it: jobs of larger priority get their minimum before those of smaller",
            JobSpec::priority);
    static final FileKey<Boolean> PREEMPTIBLE = FileKey.defaulting(
            "preemptible",
            ValueTypes.truth(),
            true,
            "`false`: the scheduler never makes the job smaller",
            JobSpec::preemptible);
    static final FileKey<Long> MIN_RUN_SECONDS = FileKey.defaulting(
            "minRunSeconds",
            ValueTypes.whole(0, 1_000_000_000),
            0L,
            "the scheduler does not make the job smaller before it has run that long",
            JobSpec::minRunSeconds);
    static final FileKey<TrainingMode> MODE = FileKey.defaulting(
            "mode",
            ValueTypes.oneOf(List.of(TrainingMode.values()), JobKeys::lower),
            TrainingMode.SYNCHRONOUS,
            "how the workers' gradients meet: in one update a step, or each by itself",
            JobSpec::mode);
    static final FileKey<String> ENGINE = FileKey.defaulting(
            "engine",
            ValueTypes.oneOf(Engines.NAMES, word -> word),
            Engines.JAVA,
            "what computes gradients: PyTorch on CPUs through DJL, plain Java (mlp only), or one of them paced to a given speed",
            spec -> spec.engine().engine());
    static final FileKey<String> MODEL = FileKey.required(
            "model.kind",
            ValueTypes.oneOf(Engines.MODELS, word -> word),
            "what is trained; `model: lenet` says the same as `model: {kind: lenet}`",
            spec -> spec.engine().model());
    static final FileKey<List<Integer>> HIDDEN = FileKey.optional(
            "model.hidden",
            ValueTypes.listOf(ValueTypes.count(1, 16_384)),
            "[64] for mlp",
            "widths of an mlp's hidden layers, from the input on; `[]` for none",
            spec -> Optional.of(spec.engine().hidden())
                    .filter(hidden -> spec.engine().model().equals(Engines.MLP)));
    static final FileKey<String> DATASET = FileKey.required(
            "dataset",
            ValueTypes.text("digits, idx:/folder"),
            "`digits` comes with Optimus; `idx:/folder` holds MNIST's four files, on every node at that path",
            JobSpec::dataset);
    static final FileKey<Integer> GLOBAL_BATCH = FileKey.defaulting(
            "globalBatch",
            ValueTypes.count(1, 1_000_000),
            64,
            "samples a step: of all workers together when synchronous, of one worker when asynchronous",
            JobSpec::globalBatch);
    static final FileKey<Long> SEED = FileKey.defaulting(
            "seed",
            ValueTypes.whole(Long.MIN_VALUE, Long.MAX_VALUE),
            1L,
            "decides initial parameters and the order of samples",
            JobSpec::seed);
    static final FileKey<String> OPTIMIZER = FileKey.defaulting(
            "optimizer.kind",
            ValueTypes.oneOf(List.of(SGD, ADAM), word -> word),
            SGD,
            "how gradients are applied; `optimizer: adam` says the same as `optimizer: {kind: adam}`",
            spec -> spec.optimizer() instanceof Optimizer.Sgd ? SGD : ADAM);
    static final FileKey<Double> LEARNING_RATE = FileKey.optional(
            "optimizer.learningRate",
            ValueTypes.decimal("above 0", rate -> rate > 0),
            "0.1 for sgd, 0.001 for adam",
            "step size",
            spec -> Optional.of(spec.optimizer().learningRate()));
    static final FileKey<Double> WEIGHT_DECAY = FileKey.defaulting(
            "optimizer.weightDecay", atLeastZero(), 0.0, "L2 penalty, added to the gradient", spec -> spec.optimizer()
                    .weightDecay());
    static final FileKey<Double> MOMENTUM = FileKey.optional(
            "optimizer.momentum", belowOne(), "0.9 for sgd", "of sgd; 0 for none", ofSgd(Optimizer.Sgd::momentum));
    static final FileKey<Double> BETA1 = FileKey.optional(
            "optimizer.beta1", belowOne(), "0.9 for adam", "adam's decay of the mean", ofAdam(Optimizer.Adam::beta1));
    static final FileKey<Double> BETA2 = FileKey.optional(
            "optimizer.beta2",
            belowOne(),
            "0.999 for adam",
            "adam's decay of the variance",
            ofAdam(Optimizer.Adam::beta2));
    static final FileKey<Double> EPSILON = FileKey.optional(
            "optimizer.epsilon",
            ValueTypes.decimal("above 0", epsilon -> epsilon > 0),
            "1e-8 for adam",
            "keeps adam from dividing by zero",
            ofAdam(Optimizer.Adam::epsilon));
    static final FileKey<Double> PLATEAU_DECREASE = FileKey.optional(
            "stop.plateau.decrease",
            ValueTypes.decimal("above 0, below 1", decrease -> decrease > 0 && decrease < 1),
            "no such rule",
            "ends converged when an epoch's mean loss falls by less than this part of the largest loss seen",
            ofStop(StopRule.LossPlateau.class, StopRule.LossPlateau::relativeDecrease));
    static final FileKey<Integer> PLATEAU_EPOCHS = FileKey.optional(
            "stop.plateau.epochs",
            ValueTypes.count(1, 1_000_000),
            "3 with decrease",
            "for that many epochs in a row",
            ofStop(StopRule.LossPlateau.class, StopRule.LossPlateau::epochs));
    static final FileKey<Double> TARGET_LOSS = FileKey.optional(
            "stop.targetLoss",
            atLeastZero(),
            "no such rule",
            "ends converged when an epoch's mean loss is at or below this",
            ofStop(StopRule.TargetLoss.class, StopRule.TargetLoss::loss));
    static final FileKey<Integer> MAX_EPOCHS = FileKey.optional(
            "stop.maxEpochs",
            ValueTypes.count(1, 100_000_000),
            "100",
            "ends after that many passes over the training samples, whatever the loss",
            ofStop(StopRule.MaxEpochs.class, StopRule.MaxEpochs::epochs));
    public static final RoleKeys WORKER = RoleKeys.of("roles.worker", "workers", 1_024, JobSpec::worker);
    static final FileKey<List<String>> GPU_TYPES = FileKey.defaulting(
            "roles.worker.gpuTypes",
            ValueTypes.listOf(ValueTypes.text("")),
            List.of(),
            "types of GPUs that the workers may have, as the cluster's nodes name theirs; the job runs on one of them at a time. `[]`: any",
            JobSpec::gpuTypes);
    public static final RoleKeys PARAMETER_SERVER =
            RoleKeys.of("roles.ps", "parameter servers", 512, JobSpec::parameterServer);
    static final FileKey<String> WRAPS = FileKey.optional(
            "emulated.wraps",
            ValueTypes.oneOf(List.of(Engines.JAVA, Engines.DJL), word -> word),
            "java for engine emulated",
            "what really computes",
            ofEmulated(EmulatedSpec::engine));
    static final FileKey<Double> SECONDS_PER_SAMPLE = speed(
            "secondsPerSample",
            "forward pass, per sample of a worker's part of the batch; synchronous only",
            EmulatedSpec::secondsPerSample);
    static final FileKey<Double> SECONDS_FIXED =
            speed("secondsFixed", "what no number of tasks changes", EmulatedSpec::secondsFixed);
    static final FileKey<Double> SECONDS_PER_RATIO =
            speed("secondsPerRatio", "transfer, times workers per parameter server", EmulatedSpec::secondsPerRatio);
    static final FileKey<Double> SECONDS_PER_WORKER =
            speed("secondsPerWorker", "overhead of each worker", EmulatedSpec::secondsPerWorker);
    static final FileKey<Double> SECONDS_PER_SERVER =
            speed("secondsPerServer", "overhead of each parameter server", EmulatedSpec::secondsPerServer);
    static final FileKey<Integer> CHECKPOINT_STEPS = FileKey.defaulting(
            "checkpoint.everySteps",
            ValueTypes.count(1, Integer.MAX_VALUE),
            500,
            "steps between two checkpoints in the job's folder",
            spec -> spec.checkpoint().everySteps());
    static final FileKey<Integer> CHECKPOINT_SECONDS = FileKey.defaulting(
            "checkpoint.everySeconds",
            ValueTypes.count(1, Integer.MAX_VALUE),
            60,
            "seconds after which one is made though its steps are not over",
            spec -> spec.checkpoint().everySeconds());
    static final FileKey<String> OUTPUT = FileKey.defaulting(
            "output",
            ValueTypes.text(""),
            "optimus-models/" + JobSpec.APPLICATION,
            "folder for the trained model, in the user's home on the cluster's file system unless it is absolute; `"
                    + JobSpec.APPLICATION + "` stands for the application's id",
            JobSpec::output);
    static final FileKey<Integer> MASTER_MEMORY = FileKey.defaulting(
            "applicationMaster.memoryMb",
            memory(),
            512,
            "MiB of the ApplicationMaster's container",
            spec -> spec.master().memoryMb());
    static final FileKey<Integer> MASTER_VCORES = FileKey.defaulting(
            "applicationMaster.vcores", vcores(), 1, "virtual cores of its container", spec -> spec.master()
                    .vcores());
    static final FileKey<Integer> MAX_ATTEMPTS = FileKey.defaulting(
            "applicationMaster.maxAttempts",
            ValueTypes.count(1, 1_000),
            2,
            "how many ApplicationMasters are tried, one after the other; the cluster may allow fewer",
            JobSpec::maxAttempts);
    static final FileKey<LogLevel> LOG_LEVEL = FileKey.defaulting(
            "logLevel",
            ValueTypes.oneOf(List.of(LogLevel.values()), JobKeys::lower),
            LogLevel.INFO,
            "of the ApplicationMaster and all tasks",
            JobSpec::logLevel);

    /** All, in the table's order. */
    public static final List<FileKey<?>> ALL = all();

    private JobKeys() {}

    private static List<FileKey<?>> all() {
        List<FileKey<?>> all = new ArrayList<>(List.of(NAME, QUEUE, PRIORITY, PREEMPTIBLE, MIN_RUN_SECONDS, MODE));
        all.addAll(List.of(ENGINE, MODEL, HIDDEN, DATASET, GLOBAL_BATCH, SEED));
        all.addAll(List.of(OPTIMIZER, LEARNING_RATE, WEIGHT_DECAY, MOMENTUM, BETA1, BETA2, EPSILON));
        all.addAll(List.of(PLATEAU_DECREASE, PLATEAU_EPOCHS, TARGET_LOSS, MAX_EPOCHS));
        all.addAll(WORKER.all());
        all.add(GPU_TYPES);
        all.addAll(PARAMETER_SERVER.all());
        all.addAll(List.of(WRAPS, SECONDS_PER_SAMPLE, SECONDS_FIXED));
        all.addAll(List.of(SECONDS_PER_RATIO, SECONDS_PER_WORKER, SECONDS_PER_SERVER));
        all.addAll(List.of(
                CHECKPOINT_STEPS, CHECKPOINT_SECONDS, OUTPUT, MASTER_MEMORY, MASTER_VCORES, MAX_ATTEMPTS, LOG_LEVEL));
        return List.copyOf(all);
    }

    /** No JVM starts in less. */
    static ValueType<Integer> memory() {
        return ValueTypes.count(256, 16_777_216);
    }

    static ValueType<Integer> vcores() {
        return ValueTypes.count(1, 65_536);
    }

    private static ValueType<Double> atLeastZero() {
        return ValueTypes.decimal("0 or more", number -> number >= 0);
    }

    private static ValueType<Double> belowOne() {
        return ValueTypes.decimal("0 or more, below 1", number -> number >= 0 && number < 1);
    }

    private static FileKey<Double> speed(String name, String meaning, Function<EmulatedSpec, Double> of) {
        return FileKey.optional("emulated.speed." + name, atLeastZero(), "0", "seconds: " + meaning, ofEmulated(of));
    }

    private static <T> Function<JobSpec, Optional<T>> ofEmulated(Function<EmulatedSpec, T> of) {
        return spec -> Optional.ofNullable(spec.engine().emulated()).map(of);
    }

    private static Function<JobSpec, Optional<Double>> ofSgd(Function<Optimizer.Sgd, Double> of) {
        return spec -> spec.optimizer() instanceof Optimizer.Sgd sgd ? Optional.of(of.apply(sgd)) : Optional.empty();
    }

    private static Function<JobSpec, Optional<Double>> ofAdam(Function<Optimizer.Adam, Double> of) {
        return spec -> spec.optimizer() instanceof Optimizer.Adam adam ? Optional.of(of.apply(adam)) : Optional.empty();
    }

    private static <R extends StopRule, T> Function<JobSpec, Optional<T>> ofStop(Class<R> rule, Function<R, T> of) {
        return spec -> rules(spec.stop())
                .filter(rule::isInstance)
                .map(rule::cast)
                .map(of)
                .findFirst();
    }

    private static Stream<StopRule> rules(StopRule rule) {
        return rule instanceof StopRule.FirstOf firstOf
                ? firstOf.rules().stream().flatMap(JobKeys::rules)
                : Stream.of(rule);
    }

    private static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }
}
