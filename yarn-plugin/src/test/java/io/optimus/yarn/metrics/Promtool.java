package io.optimus.yarn.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs that read Prometheus's formats, where they are installed. */
final class Promtool {
    private static final String PROGRAM = "promtool";

    private Promtool() {}

    /** What a program printed, errors included. */
    record Answer(int exit, String text) {}

    static boolean isThere() {
        return runs(List.of(PROGRAM, "--version"));
    }

    /** Whether {@code command} can be run, and exits with 0. */
    static boolean runs(List<String> command) {
        try {
            return runCommand(command, "").exit() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs promtool on {@code input}. */
    static Answer run(List<String> arguments, String input) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(PROGRAM));
        command.addAll(arguments);
        return runCommand(command, input);
    }

    static Answer runCommand(List<String> command, String input) throws IOException, InterruptedException {
        Path in = Files.createTempFile("prometheus", ".in");
        Path out = Files.createTempFile("prometheus", ".out");
        try {
            Files.writeString(in, input);
            Process process = new ProcessBuilder(command)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectErrorStream(true)
                    .start();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command + " does not end");
            }
            return new Answer(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
        } finally {
            Files.delete(in);
            Files.delete(out);
        }
    }
}
