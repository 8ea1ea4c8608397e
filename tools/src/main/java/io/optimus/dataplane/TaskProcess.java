package io.optimus.dataplane;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process of the benchmark, whose output is read. */
final class TaskProcess implements AutoCloseable {
    private static final long END_SECONDS = 10;

    private final Process process;
    private final BufferedReader output;

    /** The most memory that a JVM may take, MiB. */
    record Memory(int heapMb, int directMb) {
        /** Enough for models of 100 MB. */
        static final Memory USUAL = new Memory(2048, 3072);
    }

    /**
     * Starts a JVM.
     *
     * @param folder its working folder, which gets its log
     * @param variables more variables of its environment
     * @param words more flags of the JVM, the main class and its arguments
     */
    TaskProcess(Path folder, Map<String, String> variables, Memory memory, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + memory.heapMb() + "m",
                "-XX:MaxDirectMemorySize=" + memory.directMb() + "m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectError(new File(folder.toFile(), "log"));
        builder.environment().putAll(variables);
        process = builder.start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    BufferedReader output() {
        return output;
    }

    /** Reads the output and forgets it, so that the process never waits for a reader. */
    void ignoreOutput() {
        Thread reader = new Thread(this::skipOutput, "output");
        reader.setDaemon(true);
        reader.start();
    }

    private void skipOutput() {
        try {
            while (output.readLine() != null) {
                // Nobody wants to know.
            }
        } catch (IOException e) {
            // The process was closed.
        }
    }

    /** The processor time that it has used. */
    Duration processorTime() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            output.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
