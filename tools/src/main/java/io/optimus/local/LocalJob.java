package io.optimus.local;

import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.yarn.TaskLaunch;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Trains a job on this machine without YARN. The coordinator runs in this process; each task of the job's smallest size is
 * a process of its own, with the command and the environment of its container.
 *
 * <p>The job neither grows nor shrinks, and ends when this process does. For measurements: nothing restarts a task.
 */
public final class LocalJob implements Closeable {
    private static final String HOST = "127.0.0.1";
    private static final long END_SECONDS = 20;

    private final JobSpec spec;
    private final Path folder;
    private final JobSecret secret = JobSecret.random();
    private final JobEnd end = new JobEnd();
    private final LocalCoordinator coordinator;
    private final List<Process> processes = new ArrayList<>();

    private LocalJob(JobSpec spec, Path folder) throws IOException {
        this.spec = spec;
        this.folder = folder;
        this.coordinator = LocalCoordinator.of(spec, secret, folder, end);
    }

    /**
     * Takes {@code JOB_FILE FOLDER JAR [KEY=VALUE ...]}: a job file with a program, the folder that gets one folder for each
     * task, optimus-am.jar, and values that override those of the file. Exits with 0 when training has ended well, with 1
     * when it failed, and with 2 if the job file is wrong.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length < 3) {
            System.err.println("Usage: LocalJob JOB_FILE FOLDER JAR [KEY=VALUE ...]");
            System.exit(2);
        }
        List<String> overrides = List.of(Arrays.copyOfRange(arguments, 3, arguments.length));
        JobFile file;
        try {
            file = JobFile.read(Path.of(arguments[0]), overrides);
        } catch (InvalidJobFileException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        if (file.spec().engine().program() == null) {
            System.err.println(arguments[0] + " has no program: LocalJob runs jobs with framework: python");
            System.exit(2);
        }
        Path folder = Files.createDirectories(Path.of(arguments[1]).toAbsolutePath());
        LocalJob job = new LocalJob(file.spec(), folder);
        Runtime.getRuntime().addShutdownHook(new Thread(job::close));
        job.start(new TaskFolders(file, folder, Path.of(arguments[2]).toAbsolutePath(), job.secret));
        String problem = job.end.await();
        if (!problem.isEmpty()) {
            System.err.println("The job in " + folder + " failed: " + problem);
        }
        System.exit(problem.isEmpty() ? 0 : 1);
    }

    private void start(TaskFolders folders) throws IOException {
        coordinator.start();
        TaskLaunch launch = new TaskLaunch(spec, TaskLaunch.Natives.NONE, HOST + ":" + coordinator.port(), Map.of());
        List<TaskId> tasks = tasks();
        for (TaskId task : tasks) {
            Path home = folders.make(task);
            long memoryMb = spec.role(task.role()).task().amount(Resources.MEMORY_MB);
            ProcessBuilder builder = new ProcessBuilder(
                            "bash", "-c", inFolder(launch.command(task.role(), memoryMb), home))
                    .directory(home.toFile())
                    .inheritIO();
            launch.environment(task, HOST)
                    .forEach((name, value) -> builder.environment().put(name, inFolder(value, home)));
            Process process = builder.start();
            synchronized (processes) {
                processes.add(process);
            }
            var unused = process.onExit().thenAccept(ended -> ended(task, ended.exitValue()));
        }
        coordinator.target(new TreeSet<>(tasks));
    }

    private void ended(TaskId task, int exitCode) {
        if (exitCode != 0) {
            end.taskLost(
                    task,
                    "its process ended with exit code " + exitCode + "; its output is in "
                            + folder.resolve(task.toString()));
        }
    }

    private List<TaskId> tasks() {
        List<TaskId> tasks = new ArrayList<>();
        for (int index = 0; index < spec.role(Role.PARAMETER_SERVER).min(); index++) {
            tasks.add(TaskId.server(index));
        }
        for (int index = 0; index < spec.role(Role.WORKER).min(); index++) {
            tasks.add(TaskId.worker(index));
        }
        return tasks;
    }

    /** Replaces what a NodeManager replaces in commands and variables, and the quoting of its launch script. */
    private static String inFolder(String text, Path home) {
        return text.replace("{{PWD}}", home.toString())
                .replace("<LOG_DIR>", home.toString())
                .replace("\\$", "$");
    }

    /** Ends the coordinator, and with it the tasks. */
    @Override
    public void close() {
        end.finished();
        coordinator.close();
        List<Process> started;
        synchronized (processes) {
            started = List.copyOf(processes);
        }
        try {
            for (Process process : started) {
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
