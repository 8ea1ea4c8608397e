package io.optimus.fault;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Commands of Linux that change networks and mounts. */
final class SystemCommand {
    private SystemCommand() {}

    /** Throws if the command fails, with what it said. */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + String.join(" ", command) + ": " + said.strip());
        }
    }

    static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
