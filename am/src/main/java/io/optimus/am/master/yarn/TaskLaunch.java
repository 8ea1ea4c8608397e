package io.optimus.am.master.yarn;

import io.optimus.am.engine.djl.NativeLibraries;
import io.optimus.am.job.JavaCommand;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.ServerMemory;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The command and environment of a task's container.
 *
 * <p>The job's secret is not part of them, because YARN keeps launch scripts for debugging: the container's shell reads
 * it from a file that only the user can read.
 */
public final class TaskLaunch {
    private static final String SERVER_CLASS = "io.optimus.am.ps.ParameterServerProcess";
    private static final String WORKER_CLASS = "io.optimus.am.worker.WorkerProcess";
    private static final String COMMAND_CLASS = "io.optimus.am.command.CommandProcess";

    /** Environment variable with the number of GPUs that the task asked for. */
    private static final String GPUS = "OPTIMUS_GPUS";

    /** YARN replaces this by the container's working folder. */
    private static final String HERE = "{{PWD}}";

    /** A small container passes YARN's check of virtual memory only with small reservations. */
    private static final List<String> SMALL = List.of(
            "-XX:+UseSerialGC",
            "-XX:CompressedClassSpaceSize=48m",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:MaxMetaspaceSize=96m");

    /**
     * Heap of a worker beside an owner's program, MiB. Parameters and gradients are in memory that it shares with the program,
     * and in direct buffers; the heap holds messages only.
     */
    private static final int HEAP_BESIDE_PROGRAM_MB = 96;

    /** Direct buffers beside an owner's command, MiB; only its output and messages pass through the JVM. */
    private static final int DIRECT_BESIDE_COMMAND_MB = 16;

    /** Outside the JVM's heap, libtorch takes most of a worker's memory. */
    private static final double HEAP_BESIDE_NATIVES = 0.25;

    /** Part of a worker's memory without native libraries, beside what the JVM needs itself. */
    private static final double HEAP_OF_WORKER = 0.6;
    /** Direct buffers of a worker without a program, for parameters and gradient, as a part of its heap. */
    private static final double DIRECT_OF_WORKER = 0.5;

    /** The same two where bfloat16 rounds, of which a worker keeps one more float for each parameter. */
    private static final double HEAP_OF_ROUNDING = 0.5;

    private static final double DIRECT_OF_ROUNDING = 0.75;

    /** Our JVMs do not run with less, MiB. */
    private static final int LEAST_MB = 64;

    private final JobSpec spec;
    private final Natives natives;
    private final String coordinator;
    private final Map<String, String> variables;

    /**
     * Launches all tasks of a job.
     *
     * @param coordinator address of the coordinator, host:port
     * @param variables environment of every task, which the job's own variables and those below override
     */
    public TaskLaunch(JobSpec spec, Natives natives, String coordinator, Map<String, String> variables) {
        this.spec = spec;
        this.natives = natives;
        this.coordinator = coordinator;
        this.variables = Map.copyOf(variables);
    }

    /**
     * Where a worker finds PyTorch's native libraries.
     *
     * @param folder folder of the libraries; empty if workers need none
     */
    public record Natives(String folder) {
        /** Workers need no native libraries. */
        public static final Natives NONE = new Natives("");

        /** YARN unpacks an archive with the libraries into the container's working folder. */
        public static final Natives ARCHIVE =
                new Natives(HERE + "/" + JobDirectory.NATIVES_LINK + "/" + NativeLibraries.FOLDER_IN_JAR);
    }

    /** The shell command of a container with {@code memoryMb} MiB. */
    public String command(Role role, long memoryMb) {
        String process = spec.command().isPresent()
                ? COMMAND_CLASS
                : switch (role) {
                    case WORKER -> WORKER_CLASS;
                    case PARAMETER_SERVER -> SERVER_CLASS;
                };
        // Escaped so that the inner shell reads the file: everybody can see the launch script's arguments.
        return "export " + TaskEnvironment.SECRET + "=\\$(cat " + JobDirectory.SECRET_LINK + ") && "
                + JavaCommand.of(heapMb(role, memoryMb), spec.logLevel(), flags(role, memoryMb), process);
    }

    /** The environment of {@code task} on {@code host}. */
    public Map<String, String> environment(TaskId task, String host) {
        Map<String, String> environment = new TreeMap<>(variables);
        environment.putAll(spec.dockerOfTasks());
        if (runsProgram(task.role())) {
            environment.putAll(ofProgram(task.role()));
        }
        environment.putAll(spec.role(task.role()).environment());
        // Tasks do not use Hadoop. They start sooner without its many jars.
        environment.put("CLASSPATH", HERE + "/" + JobDirectory.JAR_LINK);
        environment.put("MALLOC_ARENA_MAX", "1");
        environment.put(TaskEnvironment.COORDINATOR, coordinator);
        environment.put(TaskEnvironment.TASK, task.toString());
        environment.put(TaskEnvironment.HOST, host);
        environment.put(GPUS, String.valueOf(spec.role(task.role()).task().amount(Resources.GPUS)));
        if (usesNatives(task.role())) {
            environment.putAll(NativeLibraries.environment(natives.folder(), HERE + "/tmp"));
        }
        return environment;
    }

    /** Variables for PyTorch, which by default starts a thread for each core of the node, and for its output. */
    private Map<String, String> ofProgram(Role role) {
        return Map.of(
                "OMP_NUM_THREADS",
                String.valueOf(spec.role(role).task().amount(Resources.VCORES)),
                "PYTHONUNBUFFERED",
                "1");
    }

    /** Largest heap of a task of {@code role}, MiB: the container's memory less what is needed outside the heap. */
    int heapMb(Role role, long memoryMb) {
        if (runsProgram(role)) {
            return HEAP_BESIDE_PROGRAM_MB;
        }
        if (role == Role.PARAMETER_SERVER) {
            return ServerMemory.of(spec, memoryMb).heapMb();
        }
        return usesNatives(role)
                ? (int) (memoryMb * HEAP_BESIDE_NATIVES)
                : (int) Math.max(
                        LEAST_MB,
                        (memoryMb - ServerMemory.JVM_OWN_MB)
                                * (spec.wireFormat().rounds() ? HEAP_OF_ROUNDING : HEAP_OF_WORKER));
    }

    private List<String> flags(Role role, long memoryMb) {
        List<String> flags = new ArrayList<>(usesNatives(role) ? NativeLibraries.JVM_FLAGS : SMALL);
        flags.add("-XX:MaxDirectMemorySize=" + directMb(role, memoryMb) + "m");
        if (role == Role.PARAMETER_SERVER) {
            flags.add("-Xmn" + ServerMemory.YOUNG_MB + "m");
        }
        flags.add("-XX:+ExitOnOutOfMemoryError");
        flags.add("-XX:-UsePerfData");
        flags.add("-Djava.io.tmpdir=" + HERE + "/tmp");
        return flags;
    }

    /**
     * The most that direct buffers may take, MiB. Beside an owner's program they hold parts of pushes and answers, which is far
     * less, and what bfloat16 has rounded away.
     */
    private long directMb(Role role, long memoryMb) {
        int heapMb = heapMb(role, memoryMb);
        if (spec.command().isPresent()) {
            return DIRECT_BESIDE_COMMAND_MB;
        }
        if (runsProgram(role)) {
            return (memoryMb - heapMb) / 2;
        }
        return role == Role.PARAMETER_SERVER
                ? ServerMemory.of(spec, memoryMb).directMb()
                : Math.max(LEAST_MB, (long)
                        (heapMb * (spec.wireFormat().rounds() ? DIRECT_OF_ROUNDING : DIRECT_OF_WORKER)));
    }

    private boolean runsProgram(Role role) {
        return spec.command().isPresent()
                || (role == Role.WORKER && spec.engine().program() != null);
    }

    private boolean usesNatives(Role role) {
        return role == Role.WORKER && !natives.equals(Natives.NONE);
    }
}
