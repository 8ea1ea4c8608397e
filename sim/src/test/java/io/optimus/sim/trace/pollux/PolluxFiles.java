package io.optimus.sim.trace.pollux;

import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** The published measurements and figures, which this repository may not contain. */
public final class PolluxFiles {
    private PolluxFiles() {}

    /** Returns a file or folder of them; skips the test if it does not exist. */
    public static Path file(String name) {
        Path file = Path.of(System.getProperty("optimus.shared.dir", "../../shared"), "data", "pollux", name);
        assumeTrue("Skipped: no published data at " + file.toAbsolutePath().normalize(), Files.exists(file));
        return file;
    }
}
