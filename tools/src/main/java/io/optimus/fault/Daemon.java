package io.optimus.fault;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A daemon of a local cluster.
 *
 * @param runDir the cluster's folder
 * @param name its name there, such as {@code nodemanager-2}
 * @param network the network that it runs in; empty if it shares the network of this process
 */
record Daemon(Path runDir, String name, Optional<NodeNetwork> network) {
    private static final long END_SECONDS = 20;

    /** Its process now. */
    long pid() throws IOException {
        return Long.parseLong(Files.readString(pidFile()).trim());
    }

    private Path pidFile() {
        return runDir.resolve("pids").resolve(name + ".pid");
    }

    /** Kills it, and starts it again with the same command, after {@code downSeconds}. */
    void restart(int downSeconds) throws IOException, InterruptedException {
        Path entry = Path.of("/proc", String.valueOf(pid()));
        List<String> command = JobProcesses.arguments(entry);
        Map<String, String> environment = JobProcesses.environment(entry);
        Signal.KILL.send(pid());
        awaitEnd();
        TimeUnit.SECONDS.sleep(downSeconds);
        File log = runDir.resolve("logs").resolve(name + ".log").toFile();
        ProcessBuilder builder = new ProcessBuilder(
                        network.map(within -> within.within(command)).orElse(command))
                .directory(runDir.toFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .redirectError(ProcessBuilder.Redirect.appendTo(log));
        builder.environment().clear();
        builder.environment().putAll(environment);
        Files.writeString(pidFile(), builder.start().pid() + "\n");
    }

    private void awaitEnd() throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        while (ProcessHandle.of(pid()).filter(ProcessHandle::isAlive).isPresent()) {
            if (System.nanoTime() > until) {
                throw new IOException(name + " did not end within " + END_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
