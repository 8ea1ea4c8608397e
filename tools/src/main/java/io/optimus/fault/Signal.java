package io.optimus.fault;

import java.io.IOException;

/** A signal to a process. */
enum Signal {
    KILL,
    STOP,
    CONT;

    /** Sends it; a process that has ended meanwhile is no failure. */
    void send(long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name(), String.valueOf(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
