package io.optimus.am.job;

import io.optimus.am.engine.Communication;
import io.optimus.am.engine.EmulatedSpec;
import io.optimus.am.engine.EngineSpec;
import io.optimus.am.engine.Engines;
import io.optimus.am.engine.LearningRateSchedule;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyValues;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A training job, complete: what its job file says, and a default for every key that the file leaves out. The client
 * writes it into the job's directory ({@link JobSpecJson}); the ApplicationMaster and its tasks read it there.
 *
 * <p>{@link JobKeys} declares the keys with their types, ranges and defaults; each accessor here reads one or a few.
 */
public final class JobSpec {
    /** Stands for the application id in the folder for the trained model. */
    static final String APPLICATION = "${application}";

    private final KeyValues values;

    /** The job that {@code values} describe, which must have no problems. */
    JobSpec(KeyValues values) {
        this.values = values;
    }

    /** The name that people see. */
    public String name() {
        return values.get(JobKeys.NAME);
    }

    /** The leaf queue to run in. */
    public String queue() {
        return values.get(JobKeys.QUEUE);
    }

    /** YARN's priority; larger is more urgent. */
    public int priority() {
        return values.get(JobKeys.PRIORITY);
    }

    /** False if the scheduler may never make the job smaller. */
    public boolean preemptible() {
        return values.get(JobKeys.PREEMPTIBLE);
    }

    /** The scheduler does not make the job smaller before it has run that long, 0 or more. */
    public long minRunSeconds() {
        return values.get(JobKeys.MIN_RUN_SECONDS);
    }

    /** How the gradients of workers are applied. */
    public TrainingMode mode() {
        return values.get(JobKeys.MODE);
    }

    /** How workers combine their gradients. */
    public Communication communication() {
        return values.find(JobKeys.UPDATE)
                        .filter(JobKeys.Updater.WORKER::equals)
                        .isPresent()
                ? Communication.AVERAGING_SERVER
                : values.get(JobKeys.COMMUNICATION);
    }

    /** The numbers in which gradients and parameters go to and from parameter servers. */
    public WireFormat wireFormat() {
        return values.find(JobKeys.WIRE_FORMAT).orElse(WireFormat.FLOAT32);
    }

    /** The engine that computes gradients, and the model; or the owner's program. */
    public EngineSpec engine() {
        return JobKeys.PROGRAM
                .read(values)
                .map(EngineSpec::of)
                .or(() -> command().map(commands -> EngineSpec.COMMAND))
                .orElseGet(this::ownEngine);
    }

    /** The owner's commands that train by themselves, if this is such a job. */
    public Optional<CommandSpec> command() {
        return JobKeys.COMMAND.read(values);
    }

    private EngineSpec ownEngine() {
        return new EngineSpec(
                values.get(JobKeys.ENGINE),
                values.get(JobKeys.MODEL),
                values.find(JobKeys.HIDDEN).orElse(List.of()),
                paced() ? pace() : null,
                null);
    }

    private EmulatedSpec pace() {
        return new EmulatedSpec(
                values.get(JobKeys.WRAPS),
                values.get(JobKeys.SECONDS_PER_SAMPLE),
                values.get(JobKeys.SECONDS_FIXED),
                values.get(JobKeys.SECONDS_PER_RATIO),
                values.get(JobKeys.SECONDS_PER_WORKER),
                values.get(JobKeys.SECONDS_PER_SERVER));
    }

    /** Whether steps are paced to a given speed function. */
    public boolean paced() {
        return values.find(JobKeys.ENGINE).filter(Engines.EMULATED::equals).isPresent();
    }

    /** The files that the owner sends to the working folder of every worker. */
    public List<WorkerFile> workerFiles() {
        return JobKeys.workerFiles(values).stream()
                .map(ProgramKeys.Listed::file)
                .toList();
    }

    /** Environment variables by which YARN runs the tasks in a Docker image; none if the owner names no image. */
    public SortedMap<String, String> dockerOfTasks() {
        return JobKeys.DOCKER.ofTasks(values);
    }

    /** Environment variables by which YARN runs the ApplicationMaster in a Docker image; none if it runs in none. */
    public SortedMap<String, String> dockerOfApplicationMaster() {
        return JobKeys.DOCKER.ofApplicationMaster(values);
    }

    /** URIs of further file systems that the job reads or writes. */
    public List<String> fileSystems() {
        return values.get(JobKeys.FILE_SYSTEMS);
    }

    /** Whether initial parameters are those of a model, under {@link JobDirectory#START_MODEL_LINK}. */
    public boolean startsFromModel() {
        return values.find(JobKeys.START.model).isPresent();
    }

    /** The application id or the folder of an earlier job whose training goes on. */
    public Optional<String> resumes() {
        return values.find(JobKeys.START.resume);
    }

    /** The name of the data set, which {@link io.optimus.am.dataset.Datasets} reads; empty for an owner's program. */
    public String dataset() {
        return values.find(JobKeys.DATASET).orElse("");
    }

    /**
     * Samples a step, 1 or more: of all workers together when synchronous, of one worker when asynchronous. An owner's
     * program decides itself; until it has, this is 1.
     */
    public int globalBatch() {
        return values.find(JobKeys.GLOBAL_BATCH).orElse(1);
    }

    /** The batches that the job may train with; they are fixed unless it trains by all-reduce. */
    public BatchSpec batch() {
        return JobKeys.BATCH.read(values);
    }

    /** The seed of initial parameters and of the order of samples; commands have their own. */
    public long seed() {
        return values.find(JobKeys.SEED).orElse(0L);
    }

    /** How parameter servers apply gradients. An owner's program decides itself; until it has, this is plain descent. */
    public Optimizer optimizer() {
        if (values.find(JobKeys.OPTIMIZER).isEmpty()) {
            return new Optimizer.Sgd(JobKeys.SGD_LEARNING_RATE, 0, 0);
        }
        double learningRate = values.get(JobKeys.LEARNING_RATE);
        double weightDecay = values.get(JobKeys.WEIGHT_DECAY);
        return switch (values.get(JobKeys.OPTIMIZER)) {
            case SGD -> new Optimizer.Sgd(learningRate, values.get(JobKeys.MOMENTUM), weightDecay);
            case ADAM -> new Optimizer.Adam(
                    learningRate,
                    values.get(JobKeys.BETA1),
                    values.get(JobKeys.BETA2),
                    values.get(JobKeys.EPSILON),
                    weightDecay,
                    false);
        };
    }

    /** The accuracy whose report by an owner's program ends training, in (0, 1]; empty: no report does. */
    public OptionalDouble targetAccuracy() {
        return values.find(JobKeys.TARGET_ACCURACY).map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    /**
     * How the learning rate changes; empty if that of {@link #optimizer()} holds all the time, or an owner's program sends its
     * own.
     */
    public Optional<LearningRateSchedule> schedule() {
        return values.find(JobKeys.OPTIMIZER)
                .map(kind -> JobKeys.SCHEDULE.read(
                        values, values.get(JobKeys.LEARNING_RATE), values.get(JobKeys.WEIGHT_DECAY)))
                .filter(schedule -> !schedule.isConstant());
    }

    /** When training ends: with the first rule that holds. An owner's program may also end it, and needs no rule here. */
    public StopRule stop() {
        List<StopRule> rules = new ArrayList<>();
        values.find(JobKeys.PLATEAU_DECREASE)
                .ifPresent(
                        decrease -> rules.add(new StopRule.LossPlateau(decrease, values.get(JobKeys.PLATEAU_EPOCHS))));
        values.find(JobKeys.TARGET_LOSS).ifPresent(loss -> rules.add(new StopRule.TargetLoss(loss)));
        values.find(JobKeys.MAX_EPOCHS).ifPresent(epochs -> rules.add(new StopRule.MaxEpochs(epochs)));
        return new StopRule.FirstOf(rules);
    }

    /** Seconds of one step after which a worker counts as hung, 1 or more; not for commands. */
    public int stepTimeoutSeconds() {
        return values.find(JobKeys.STEP_TIMEOUT_SECONDS).orElse(1);
    }

    /**
     * Seconds between two epochs, or in its first step, after which an owner's program counts as hung, 1 or more. The
     * engines that come with Optimus have no such times.
     */
    public int evaluationTimeoutSeconds() {
        return values.find(JobKeys.PROGRAM.evaluationTimeoutSeconds).orElse(stepTimeoutSeconds());
    }

    /** The tasks that compute gradients. */
    public RoleSpec worker() {
        return JobKeys.WORKER.read(values);
    }

    /** Types of GPUs that workers may have, one of them at a time; none: any. */
    public List<String> gpuTypes() {
        return values.get(JobKeys.GPU_TYPES);
    }

    /** The tasks that hold the parameters; {@link RoleSpec#NONE} if there are none. */
    public RoleSpec parameterServer() {
        return JobKeys.PARAMETER_SERVER.read(values);
    }

    /** The tasks of {@code role}. */
    public RoleSpec role(Role role) {
        return switch (role) {
            case WORKER -> worker();
            case PARAMETER_SERVER -> parameterServer();
        };
    }

    /** How often the state is saved; not for commands. */
    public Checkpoint checkpoint() {
        return new Checkpoint(values.get(JobKeys.CHECKPOINT_STEPS), values.get(JobKeys.CHECKPOINT_SECONDS));
    }

    /** Folder for the trained model of {@code applicationId}; relative to the user's home unless it is absolute. */
    public String outputOf(String applicationId) {
        return values.get(JobKeys.OUTPUT).replace(APPLICATION, applicationId);
    }

    /** The ApplicationMaster's container. */
    public Master master() {
        return new Master(values.get(JobKeys.MASTER_MEMORY), values.get(JobKeys.MASTER_VCORES));
    }

    /** How many ApplicationMasters are tried, 1 or more. */
    public int maxAttempts() {
        return values.get(JobKeys.MAX_ATTEMPTS);
    }

    /** The log level of the ApplicationMaster and of all tasks. */
    public LogLevel logLevel() {
        return values.get(JobKeys.LOG_LEVEL);
    }

    /** The value of {@code key} in words. */
    String print(FileKey<?> key) {
        return ClusterDemand.print(values, key);
    }

    /** Every key with its value, as nested sections of plain values that YAML and JSON writers take. */
    Map<String, Object> print() {
        return values.print();
    }

    /** Whether every key has the same value. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobSpec spec && print().equals(spec.print());
    }

    @Override
    public int hashCode() {
        return print().hashCode();
    }

    @Override
    public String toString() {
        return print().toString();
    }

    /**
     * When checkpoints are written into the job's directory.
     *
     * @param everySteps steps between two checkpoints, 1 or more
     * @param everySeconds seconds after which one is written even if fewer steps have passed, 1 or more
     */
    public record Checkpoint(int everySteps, int everySeconds) {}

    /**
     * Container of the ApplicationMaster.
     *
     * @param memoryMb MiB
     * @param vcores virtual cores
     */
    public record Master(int memoryMb, int vcores) {}

    /** How much is logged. */
    public enum LogLevel {
        /** Failures only. */
        ERROR,
        /** Also conditions that may become failures. */
        WARN,
        /** Also each resize, checkpoint and epoch. */
        INFO,
        /** Also each decision on the way. */
        DEBUG,
        /** Also each message. */
        TRACE
    }
}
