package io.optimus.sls;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What one JVM measures; the JVM that starts it writes it into a file.
 *
 * @param side the scheduler
 * @param workload what runs
 */
record RunSettings(Side side, Workload workload) {
    private static final String FILE = "run.json";

    void write(Path folder) throws IOException {
        new ObjectMapper().writeValue(folder.resolve(FILE).toFile(), this);
    }

    static RunSettings read(Path folder) throws IOException {
        return new ObjectMapper().readValue(folder.resolve(FILE).toFile(), RunSettings.class);
    }
}
