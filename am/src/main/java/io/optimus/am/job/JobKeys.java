package io.optimus.am.job;

import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Engines;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.job.JobSpec.LogLevel;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyTable;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.ValueType;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule.LossPlateau;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Every key of job files, each declared once: its path, type and range, default and meaning. {@link JobSpec} reads their
 * values; {@code docs/job-file.md} shows them as a table, which a test compares with {@link KeyTable#markdown()}.
 */
final class JobKeys {
    /** Above this the coordinator's one connection per task becomes the bottleneck. */
    static final int MOST_TASKS = 1_000;

    /** Step size of plain descent by default. */
    static final double SGD_LEARNING_RATE = 0.1;

    static final KeyTable TABLE = new KeyTable();

    /** Who updates the parameters from gradients. */
    enum Updater {
        SERVER,
        WORKER
    }

    /** How parameter servers apply gradients. */
    enum OptimizerKind {
        SGD,
        ADAM
    }

    static final FileKey<String> NAME = TABLE.required("name", ValueType.text(""), "the name that people see");
    static final FileKey<String> QUEUE =
            TABLE.defaulting("queue", ValueType.text(""), "default", "leaf queue in which the job runs");
    static final FileKey<Integer> PRIORITY = TABLE.defaulting(
            "priority",
            ValueType.count(0, 1_000_000),
            0,
            "YARN's priority of the application, cut to the cluster's maximum: jobs with a larger one get their minimum"
                    + " first");
    static final FileKey<Boolean> PREEMPTIBLE = TABLE.defaulting(
            "preemptible",
            ValueType.truth(),
            true,
            "`false`: the scheduler never makes the job smaller, if its queue allows that");
    static final FileKey<Long> MIN_RUN_SECONDS = TABLE.defaulting(
            "minRunSeconds",
            ValueType.whole(0, 1_000_000_000),
            0L,
            "the scheduler does not make the job smaller before it has run this long, or as long as its queue allows");
    static final FileKey<TrainingMode> MODE = TABLE.defaulting(
            "mode",
            ValueType.oneOf(TrainingMode.class),
            TrainingMode.SYNCHRONOUS,
            "how the gradients of workers are applied: in one update a step, or each by itself");
    static final FileKey<Communication> COMMUNICATION = TABLE.defaulting(
            "communication",
            ValueType.oneOf(
                    List.of(Communication.PARAMETER_SERVER, Communication.ALL_REDUCE),
                    way -> way == Communication.ALL_REDUCE ? "all-reduce" : "parameter-server"),
            Communication.PARAMETER_SERVER,
            "how workers combine their gradients: parameter servers apply them, or the workers of your own program average them among themselves, and there is no ps role");
    static final ProgramKeys PROGRAM = new ProgramKeys(TABLE);
    static final FileKey<Updater> UPDATE = TABLE.defaultingWhere(
            values -> PROGRAM.runsPython(values) && usesServers(values),
            "update",
            ValueType.oneOf(Updater.class),
            Updater.SERVER,
            "where parameters are updated: on the servers; or in your own program on all workers alike, from gradients that the servers average");
    static final FileKey<WireFormat> WIRE_FORMAT = TABLE.defaultingWhere(
            values -> !PROGRAM.runsCommands(values) && usesServers(values),
            "wireFormat",
            ValueType.oneOf(WireFormat.class),
            WireFormat.FLOAT32,
            "numbers in which gradients and parameters go to and from parameter servers; `bfloat16` halves what goes over the network, and rounds");
    static final DockerKeys DOCKER = new DockerKeys(TABLE);
    static final FileKey<List<String>> FILE_SYSTEMS = TABLE.defaulting(
            "fileSystems",
            ValueType.listOf(ValueType.text("URIs")),
            List.of(),
            "further file systems that the job reads or writes, such as `hdfs://other`: on a secure cluster the job gets tokens for them");
    static final StartKeys START = new StartKeys(TABLE);
    static final FileKey<String> ENGINE = ofOptimus(
            "engine",
            ValueType.oneOf(Engines.NAMES, word -> word),
            Engines.JAVA,
            "what computes gradients: `java` is plain Java (mlp only), `djl` is PyTorch on CPUs through DJL, `emulated` is one"
                    + " of the two paced to a given speed");
    static final FileKey<String> MODEL = TABLE.optional(
            "model.kind",
            ValueType.oneOf(Engines.MODELS, word -> word),
            "required with optimus",
            "what is trained; `model: lenet` says the same as `model: {kind: lenet}`");
    static final FileKey<List<Integer>> HIDDEN = TABLE.deriving(
            "model.hidden",
            ValueType.listOf(ValueType.count(1, 16_384)),
            "[64] for mlp",
            values -> values.find(MODEL).filter(Engines.MLP::equals).map(mlp -> List.of(64)),
            "widths of an mlp's hidden layers, from the input on; `[]` for none");
    static final FileKey<String> DATASET = TABLE.optional(
            "dataset",
            ValueType.text("digits, idx:/folder"),
            "required with optimus",
            "`digits` comes with Optimus; `idx:/folder` holds MNIST's four files, at the same path on every node; the machine that submits need not have it");
    static final FileKey<Integer> GLOBAL_BATCH = ofOptimus(
            "globalBatch",
            ValueType.count(1, 1_000_000),
            64,
            "samples a step: of all workers together when synchronous, of one worker when asynchronous");
    static final BatchKeys BATCH = new BatchKeys(
            TABLE,
            values -> PROGRAM.runsPython(values)
                    && values.find(COMMUNICATION)
                            .filter(Communication.ALL_REDUCE::equals)
                            .isPresent());
    static final FileKey<Long> SEED = ofGradients(
            "seed",
            ValueType.whole(Long.MIN_VALUE, Long.MAX_VALUE),
            1L,
            "seed of the initial parameters and of the order of samples");
    static final FileKey<OptimizerKind> OPTIMIZER = ofOptimus(
            "optimizer.kind",
            ValueType.oneOf(OptimizerKind.class),
            OptimizerKind.SGD,
            "how gradients are applied; `optimizer: adam` says the same as `optimizer: {kind: adam}`");
    static final FileKey<Double> LEARNING_RATE = TABLE.deriving(
            "optimizer.learningRate",
            ValueType.decimal("above 0", rate -> rate > 0),
            "0.1 for sgd, 0.001 for adam",
            values -> values.find(OPTIMIZER).map(kind -> kind == OptimizerKind.SGD ? SGD_LEARNING_RATE : 0.001),
            "step size of an update");
    static final FileKey<Double> WEIGHT_DECAY =
            ofOptimus("optimizer.weightDecay", zeroOrMore(), 0.0, "L2 penalty, added to the gradient");
    static final FileKey<Double> MOMENTUM =
            ofOptimizer("momentum", OptimizerKind.SGD, 0.9, "momentum of sgd; 0 for none");
    static final FileKey<Double> BETA1 = ofOptimizer("beta1", OptimizerKind.ADAM, 0.9, "adam's decay of the mean");
    static final FileKey<Double> BETA2 =
            ofOptimizer("beta2", OptimizerKind.ADAM, 0.999, "adam's decay of the variance");
    static final FileKey<Double> EPSILON = TABLE.deriving(
            "optimizer.epsilon",
            ValueType.decimal("above 0", epsilon -> epsilon > 0),
            "1e-8 for adam",
            values -> values.find(OPTIMIZER).filter(OptimizerKind.ADAM::equals).map(adam -> 1e-8),
            "keeps adam from dividing by zero");
    static final ScheduleKeys SCHEDULE = new ScheduleKeys(TABLE, PROGRAM);
    static final FileKey<Double> PLATEAU_DECREASE = TABLE.optional(
            "stop.plateau.decrease",
            ValueType.decimal(
                    "1e-9 or more, below 1", decrease -> decrease >= LossPlateau.LEAST_DECREASE && decrease < 1),
            "no such rule",
            "the job ends converged when an epoch's mean loss falls by less than this part of the largest loss seen");
    static final FileKey<Integer> PLATEAU_EPOCHS = TABLE.deriving(
            "stop.plateau.epochs",
            ValueType.count(1, 1_000),
            "3 with decrease",
            values -> values.find(PLATEAU_DECREASE).map(decrease -> 3),
            "how many epochs in a row the loss must fall by less than `decrease`");
    static final FileKey<Double> TARGET_LOSS = TABLE.optional(
            "stop.targetLoss",
            zeroOrMore(),
            "no such rule",
            "the job ends converged when an epoch's mean loss is at or below this");
    static final FileKey<Double> TARGET_ACCURACY = TABLE.optional(
            "stop.targetAccuracy",
            ValueType.decimal("above 0, at most 1", accuracy -> accuracy > 0 && accuracy <= 1),
            "no such rule",
            "the job ends converged when your own program reports an `accuracy` of at least this");
    static final FileKey<Integer> MAX_EPOCHS = ofOptimus(
            "stop.maxEpochs",
            ValueType.count(1, 100_000_000),
            100,
            "the job ends after this many passes over the training samples, whatever the loss");
    static final FileKey<Integer> STEP_TIMEOUT_SECONDS = ofGradients(
            "stepTimeoutSeconds",
            ValueType.count(1, 86_400),
            300,
            "seconds of one step after which a worker counts as hung; another one takes its place");
    static final RoleKeys WORKER = new RoleKeys(
            TABLE,
            (values, command) -> true,
            "roles.worker",
            "workers",
            "your own program computes on them, the engines of Optimus do not",
            1_024);
    static final FileKey<List<String>> GPU_TYPES = TABLE.defaulting(
            "roles.worker.gpuTypes",
            ValueType.listOf(ValueType.text("")),
            List.of(),
            "types of GPUs that the workers may have, as the cluster's nodes name theirs; the job runs on one of them at a time. `[]`: any");
    static final RoleKeys PARAMETER_SERVER = new RoleKeys(
            TABLE,
            (values, command) ->
                    PROGRAM.runsCommands(values) ? values.find(command).isPresent() : usesServers(values),
            "roles.ps",
            "parameter servers",
            "only `roles.ps.command` computes on them",
            512);
    static final CommandKeys COMMAND = new CommandKeys(TABLE, PROGRAM);
    static final FileKey<String> WRAPS = TABLE.deriving(
            "emulated.wraps",
            ValueType.oneOf(List.of(Engines.JAVA, Engines.DJL), word -> word),
            "java for engine emulated",
            whenEmulated(Engines.JAVA),
            "the engine that computes the gradients");
    static final FileKey<Double> SECONDS_PER_SAMPLE = secondsOfStep(
            "secondsPerSample", "forward pass, per sample of a worker's part of the batch; synchronous only");
    static final FileKey<Double> SECONDS_FIXED =
            secondsOfStep("secondsFixed", "time that does not depend on the number of tasks");
    static final FileKey<Double> SECONDS_PER_RATIO =
            secondsOfStep("secondsPerRatio", "transfer, times workers per parameter server");
    static final FileKey<Double> SECONDS_PER_WORKER = secondsOfStep("secondsPerWorker", "overhead of each worker");
    static final FileKey<Double> SECONDS_PER_SERVER =
            secondsOfStep("secondsPerServer", "overhead of each parameter server");
    static final FileKey<Integer> CHECKPOINT_STEPS = ofGradients(
            "checkpoint.everySteps",
            ValueType.count(1, Integer.MAX_VALUE),
            500,
            "steps between two checkpoints in the job's folder");
    static final FileKey<Integer> CHECKPOINT_SECONDS = ofGradients(
            "checkpoint.everySeconds",
            ValueType.count(1, Integer.MAX_VALUE),
            60,
            "seconds after which a checkpoint is written even if `everySteps` steps have not passed");
    static final FileKey<String> OUTPUT = TABLE.defaulting(
            "output",
            ValueType.text(""),
            "optimus-models/" + JobSpec.APPLICATION,
            "folder for the trained model, in the user's home on the cluster's file system unless it is absolute; `"
                    + JobSpec.APPLICATION + "` stands for the application's id");
    static final FileKey<Integer> MASTER_MEMORY =
            TABLE.defaulting("applicationMaster.memoryMb", memoryMb(), 512, "MiB of the ApplicationMaster's container");
    static final FileKey<Integer> MASTER_VCORES = TABLE.defaulting(
            "applicationMaster.vcores", vcores(), 1, "virtual cores of the ApplicationMaster's container");
    static final FileKey<Integer> MAX_ATTEMPTS = TABLE.defaulting(
            "applicationMaster.maxAttempts",
            ValueType.count(1, 1_000),
            2,
            "how many ApplicationMasters are tried, one after the other; the cluster may allow fewer");
    static final FileKey<LogLevel> LOG_LEVEL = TABLE.defaulting(
            "logLevel",
            ValueType.oneOf(LogLevel.class),
            LogLevel.INFO,
            "log level of the ApplicationMaster and of all tasks");

    /** The terms of the speed function that the engine {@code emulated} is paced to. */
    static final List<FileKey<Double>> PACE =
            List.of(SECONDS_PER_SAMPLE, SECONDS_FIXED, SECONDS_PER_RATIO, SECONDS_PER_WORKER, SECONDS_PER_SERVER);

    /** What a job must have in common with one whose checkpoint it goes on from: it decides what steps and parameters mean. */
    static final List<FileKey<?>> OF_CHECKPOINTS =
            List.of(MODE, PROGRAM.framework, MODEL, HIDDEN, DATASET, GLOBAL_BATCH, SEED, OPTIMIZER);

    private JobKeys() {}

    /** The files for the workers' folder, in the order of the keys. */
    static List<ProgramKeys.Listed> workerFiles(KeyValues values) {
        List<ProgramKeys.Listed> files = new ArrayList<>(PROGRAM.workerFiles(values));
        START.modelFile(values).ifPresent(file -> files.add(new ProgramKeys.Listed(START.model, file)));
        return files;
    }

    /** No JVM starts with less than the lower end. */
    static ValueType<Integer> memoryMb() {
        return ValueType.count(256, 16_777_216);
    }

    static ValueType<Integer> vcores() {
        return ValueType.count(1, 65_536);
    }

    private static ValueType<Double> zeroOrMore() {
        return ValueType.decimal("0 or more", number -> number >= 0);
    }

    private static ValueType<Double> belowOne() {
        return ValueType.decimal("0 or more, below 1", number -> number >= 0 && number < 1);
    }

    private static FileKey<Double> ofOptimizer(String name, OptimizerKind kind, double byDefault, String meaning) {
        return TABLE.deriving(
                "optimizer." + name,
                belowOne(),
                byDefault + " for " + kind.name().toLowerCase(Locale.ROOT),
                values -> values.find(OPTIMIZER).filter(kind::equals).map(chosen -> byDefault),
                meaning);
    }

    private static FileKey<Double> secondsOfStep(String name, String meaning) {
        return TABLE.deriving("emulated.speed." + name, zeroOrMore(), "0", whenEmulated(0.0), "seconds: " + meaning);
    }

    private static boolean usesServers(KeyValues values) {
        return values.find(COMMUNICATION)
                .filter(Communication.PARAMETER_SERVER::equals)
                .isPresent();
    }

    /** A key with one default, which has no value where the owner's program decides. */
    private static <T> FileKey<T> ofOptimus(String path, ValueType<T> type, T byDefault, String meaning) {
        return TABLE.defaultingWhere(values -> !PROGRAM.trains(values), path, type, byDefault, meaning);
    }

    /** A key with one default, which has no value where commands train by themselves. */
    private static <T> FileKey<T> ofGradients(String path, ValueType<T> type, T byDefault, String meaning) {
        return TABLE.defaultingWhere(values -> !PROGRAM.runsCommands(values), path, type, byDefault, meaning);
    }

    private static <T> Function<KeyValues, Optional<T>> whenEmulated(T byDefault) {
        return values -> values.find(ENGINE).filter(Engines.EMULATED::equals).map(emulated -> byDefault);
    }
}
