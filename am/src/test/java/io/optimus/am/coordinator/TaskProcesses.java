package io.optimus.am.coordinator;

import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.ps.ParameterServerProcess;
import io.optimus.am.wire.TaskId;
import io.optimus.am.worker.WorkerProcess;
import io.optimus.model.Role;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/** Starts tasks as processes, as an ApplicationMaster does, and ends them after the test. */
final class TaskProcesses extends ExternalResource {
    private final TemporaryFolder folder;
    private final List<Process> processes = new ArrayList<>();

    /** Keeps their working folders in {@code folder}. */
    TaskProcesses(TemporaryFolder folder) {
        this.folder = folder;
    }

    /** Starts {@code task} with a JVM that has {@code flags}. */
    Process start(TestJob job, TaskId task, JobSpec spec, List<String> flags) throws IOException {
        Class<?> main = task.role() == Role.WORKER ? WorkerProcess.class : ParameterServerProcess.class;
        Path home = folder.newFolder(task.toString()).toPath();
        Files.write(home.resolve(JobDirectory.JOB_LINK), JobSpecJson.write(spec));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(new File(home.toFile(), "log"))
                .environment()
                .putAll(job.environment(task).variables());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    @Override
    protected void after() {
        processes.forEach(Process::destroyForcibly);
    }
}
