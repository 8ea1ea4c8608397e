package io.optimus.model;

import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Reference data that is too large or not ours to ship. */
public final class SharedData {
    private SharedData() {}

    /** The file {@code data/name} of the shared folder; skips the test where it is not there. */
    public static Path file(String name) {
        String folder = System.getProperty("optimus.shared.dir", "../shared");
        Path file = Path.of(folder, "data", name);
        assumeTrue("Skipped: no reference data at " + file.toAbsolutePath().normalize(), Files.isRegularFile(file));
        return file;
    }
}
