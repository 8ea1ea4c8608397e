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
 * <p>The job's secret is not among them, since YARN keeps launch scripts for debugging: the container's shell reads it
 * from a file that only the user can read.
 */
public final class TaskLaunch {
    private static final String SERVER_CLASS = "io.optimus.am.ps.ParameterServerProcess";
    private static final String WORKER_CLASS = "io.optimus.am.worker.WorkerProcess";
    /** What YARN replaces by the container's working folder. */
    private static final String HERE = "{{PWD}}";
    /** Small containers pass YARN's check of virtual memory only with small reservations. */
    private static final List<String> SMALL = List.of(
            "-XX:+UseSerialGC",
            "-XX:CompressedClassSpaceSize=48m",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:MaxMetaspaceSize=96m");
    /** libtorch takes the most of a worker's memory, outside the JVM's view. */
    private static final double HEAP_BESIDE_NATIVES = 0.25;

    private final JobSpec spec;
    private final Natives natives;
    private final String coordinatorHost;
    private final int coordinatorPort;

    /** For all tasks of a job. */
    public TaskLaunch(JobSpec spec, Natives natives, String coordinatorHost, int coordinatorPort) {
        this.spec = spec;
        this.natives = natives;
        this.coordinatorHost = coordinatorHost;
        this.coordinatorPort = coordinatorPort;
    }

    /** How workers come to PyTorch's native libraries. */
    public enum Natives {
        /** They need none. */
        NONE,
        /** As an archive that YARN unpacks beside the process. */
        ARCHIVE,
        /** In a folder that every node has, named by {@link JobDirectory#NATIVES_FOLDER_VARIABLE}. */
        FOLDER
    }

    /** Shell command. */
    String command(Role role) {
        String process =
                switch (role) {
                    case WORKER -> WORKER_CLASS;
                    case PARAMETER_SERVER -> SERVER_CLASS;
                };
        // Escaped, so that not the launch script's shell reads it, whose arguments anybody could see, but the next one.
        return "export " + TaskEnvironment.SECRET + "=\\$(cat " + JobDirectory.SECRET_LINK + ") && "
                + JavaCommand.of(heapMb(role), spec.logLevel(), flags(role), process);
    }

    /** Environment variables; {@code nativesFolder} counts for {@link Natives#FOLDER} only. */
    Map<String, String> environment(TaskId task, String host, String nativesFolder) {
        Map<String, String> variables = new TreeMap<>(spec.role(task.role()).environment());
        // Tasks need nothing of Hadoop: without its many jars they start sooner.
        variables.put("CLASSPATH", HERE + "/" + JobDirectory.JAR_LINK);
        variables.put("MALLOC_ARENA_MAX", "1");
        variables.put(TaskEnvironment.COORDINATOR, coordinatorHost + ":" + coordinatorPort);
        variables.put(TaskEnvironment.TASK, task.toString());
        variables.put(TaskEnvironment.HOST, host);
        if (task.role() == Role.WORKER && natives != Natives.NONE) {
            String folder = natives == Natives.FOLDER
                    ? nativesFolder
                    : HERE + "/" + JobDirectory.NATIVES_LINK + "/" + NativeLibraries.FOLDER_IN_JAR;
            variables.putAll(NativeLibraries.environment(folder, HERE + "/tmp"));
        }
        return variables;
    }

    /** Largest heap of a task of {@code role}, MiB: what the container leaves beside the JVM's and others' needs. */
    int heapMb(Role role) {
        long memory = spec.role(role).task().amount(Resources.MEMORY_MB);
        return role == Role.WORKER && natives != Natives.NONE
                ? (int) (memory * HEAP_BESIDE_NATIVES)
                : ServerMemory.heapMb(memory);
    }

    private List<String> flags(Role role) {
        List<String> flags = new ArrayList<>();
        if (role == Role.WORKER && natives != Natives.NONE) {
            flags.addAll(NativeLibraries.JVM_FLAGS);
        } else {
            flags.addAll(SMALL);
        }
        flags.add("-XX:MaxDirectMemorySize=" + ServerMemory.directMb(heapMb(role)) + "m");
        flags.add("-XX:+ExitOnOutOfMemoryError");
        flags.add("-XX:-UsePerfData");
        flags.add("-Djava.io.tmpdir=" + HERE + "/tmp");
        return flags;
    }
}
