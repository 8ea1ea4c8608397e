package io.optimus.dataplane;

import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.ServerMemory;
import io.optimus.am.ps.ParameterServerProcess;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.local.LocalCoordinator;
import io.optimus.local.PauseListener;
import io.optimus.model.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A job with real parameter servers, and workers that compute nothing. Each task is a process of its own on this machine. */
final class IdleJob implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private final Path folder;
    private final IdleModel model;
    private final boolean sameHost;
    private final JobSecret secret = JobSecret.random();
    private final LocalCoordinator coordinator;
    private final List<TaskProcess> tasks = new ArrayList<>();

    /**
     * A job without tasks.
     *
     * @param jobFile how it trains
     * @param model what its workers train
     * @param folder for its checkpoints and logs
     * @param sameHost whether all tasks are on one host; otherwise each is on one of its own
     * @param listener receives its events; empty if nobody needs them
     */
    IdleJob(String jobFile, IdleModel model, Path folder, boolean sameHost, Optional<PauseListener> listener)
            throws IOException, InvalidJobFileException {
        JobSpec spec = JobFile.read(Files.writeString(folder.resolve("job.yaml"), jobFile), List.of())
                .spec();
        this.folder = folder;
        this.model = model;
        this.sameHost = sameHost;
        this.coordinator = listener.isPresent()
                ? LocalCoordinator.of(spec, secret, folder, listener.get())
                : LocalCoordinator.of(spec, secret, folder);
        try {
            coordinator.start();
        } catch (IOException e) {
            coordinator.close();
            throw e;
        }
    }

    /** Starts a task, with {@code memory} for its JVM. */
    TaskProcess start(TaskId task, TaskProcess.Memory memory) throws IOException {
        String host = sameHost ? HOST : hostOf(task);
        Map<String, String> variables = new TaskEnvironment(HOST, coordinator.port(), task, host, secret).variables();
        List<String> words = new ArrayList<>();
        switch (task.role()) {
            case PARAMETER_SERVER -> {
                // The flag that containers get. Without it the collector copies large arrays into the old generation.
                words.add("-Xmn" + ServerMemory.YOUNG_MB + "m");
                words.add(ParameterServerProcess.class.getName());
            }
            case WORKER -> {
                words.add(IdleWorker.class.getName());
                words.addAll(model.words());
            }
        }
        Path home = Files.createDirectory(folder.resolve(task.toString()));
        TaskProcess process = new TaskProcess(home, variables, memory, words);
        tasks.add(process);
        return process;
    }

    /** An address of this machine that no other task has, so that tasks take each other's host for another one. */
    private static String hostOf(TaskId task) {
        int network = task.role() == Role.PARAMETER_SERVER ? 1 : 2;
        return "127.0." + network + "." + (1 + task.index());
    }

    /** Trains with these tasks as soon as all have connected. */
    void target(Set<TaskId> members) {
        coordinator.target(members);
    }

    /** Kills all tasks. */
    @Override
    public void close() {
        try (coordinator) {
            tasks.forEach(TaskProcess::close);
        }
    }
}
