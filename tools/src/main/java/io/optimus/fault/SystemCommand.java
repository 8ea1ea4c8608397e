package io.optimus.fault;

import java.io.IOException;

/** Commands of Linux that change networks and mounts. Their output is dropped. */
final class SystemCommand {
    private SystemCommand() {}

    /** Throws if the command fails. */
    static void run(String... command) throws IOException, InterruptedException {
        if (!succeeds(command)) {
            throw new IOException("failed: " + String.join(" ", command));
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
