package io.optimus.dataplane;

import java.io.BufferedReader;
import java.io.IOException;

/** The times at which a worker begins its exchanges, which its process prints and the benchmark reads. */
final class ExchangeTimes {
    private static final String WORD = "exchange ";

    private ExchangeTimes() {}

    /** Prints the time of this process's next exchange, by a clock that all processes of this machine share. */
    static void tell() {
        System.out.println(WORD + System.nanoTime());
    }

    /**
     * Reads the next time that a process printed.
     *
     * @throws IOException if the process has ended
     */
    static long next(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(WORD)) {
                return Long.parseLong(line.substring(WORD.length()));
            }
        }
        throw new IOException("A worker has ended; its output is above, or in its log");
    }
}
