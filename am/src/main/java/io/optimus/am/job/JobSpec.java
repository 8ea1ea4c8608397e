package io.optimus.am.job;

import io.optimus.am.engine.EngineSpec;
import io.optimus.am.engine.Engines;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.util.List;

/**
 * A training job, complete: what the job file says and a default for everything that it leaves out. The client writes it
 * into the job's directory as JSON ({@link JobSpecJson}); the ApplicationMaster and its tasks read it there.
 *
 * @param name for people
 * @param queue leaf queue to run in
 * @param priority as YARN knows it, larger first
 * @param preemptible false: the job is never made smaller by the scheduler
 * @param minRunSeconds the job is not made smaller before it has run that long, 0 or more
 * @param mode how the workers' gradients meet
 * @param engine what computes gradients, of which model
 * @param dataset {@code digits}, or {@code idx:FOLDER} with MNIST's file names in it
 * @param globalBatch samples a step, 1 or more: of all workers together when synchronous, of one worker when
 *     asynchronous
 * @param seed of initial parameters and of the order of samples
 * @param optimizer how parameter servers apply gradients
 * @param stop when training ends
 * @param worker tasks that compute gradients
 * @param gpuTypes types of GPUs that workers may have, one of them at a time; none: any
 * @param parameterServer tasks that hold the parameters
 * @param checkpoint how often the state is saved
 * @param output folder for the trained model; {@code ${application}} in it stands for the application id
 * @param master container of the ApplicationMaster
 * @param maxAttempts how many ApplicationMasters are tried, 1 or more
 * @param logLevel of the ApplicationMaster and of all tasks
 */
public record JobSpec(
        String name,
        String queue,
        int priority,
        boolean preemptible,
        long minRunSeconds,
        TrainingMode mode,
        EngineSpec engine,
        String dataset,
        int globalBatch,
        long seed,
        Optimizer optimizer,
        StopRule stop,
        RoleSpec worker,
        List<String> gpuTypes,
        RoleSpec parameterServer,
        Checkpoint checkpoint,
        String output,
        Master master,
        int maxAttempts,
        LogLevel logLevel) {
    /** Copies. */
    public JobSpec {
        gpuTypes = List.copyOf(gpuTypes);
    }

    /** Stands for the application id in {@link #output}. */
    public static final String APPLICATION = "${application}";

    /** What the job wants of {@code role}. */
    public RoleSpec role(Role role) {
        return switch (role) {
            case WORKER -> worker;
            case PARAMETER_SERVER -> parameterServer;
        };
    }

    /** Folder for the trained model of {@code applicationId}; relative to the user's home unless it is absolute. */
    public String outputOf(String applicationId) {
        return output.replace(APPLICATION, applicationId);
    }

    /** Whether steps are paced to a given speed function. */
    public boolean paced() {
        return engine.engine().equals(Engines.EMULATED);
    }

    /** How parameter servers apply gradients. */
    public sealed interface Optimizer {
        /** Step size, above 0. */
        double learningRate();

        /** L2 penalty that is added to the gradient, 0 or more. */
        double weightDecay();

        /**
         * Stochastic gradient descent.
         *
         * @param learningRate step size, above 0
         * @param momentum in [0, 1); 0 for none
         * @param weightDecay L2 penalty, 0 or more
         */
        record Sgd(double learningRate, double momentum, double weightDecay) implements Optimizer {}

        /**
         * Adam (Kingma and Ba, 2015).
         *
         * @param learningRate step size, above 0
         * @param beta1 decay of the gradient's mean, in [0, 1)
         * @param beta2 decay of its square's mean, in [0, 1)
         * @param epsilon added to the root, above 0
         * @param weightDecay L2 penalty, 0 or more
         */
        record Adam(double learningRate, double beta1, double beta2, double epsilon, double weightDecay)
                implements Optimizer {}
    }

    /**
     * Checkpoints in the job's directory.
     *
     * @param everySteps one each that many steps, 1 or more
     * @param everySeconds and one where the last is that old, 1 or more
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
        /** And what may become one. */
        WARN,
        /** And each resize, checkpoint and epoch. */
        INFO,
        /** And each decision on the way. */
        DEBUG,
        /** And each message. */
        TRACE
    }
}
