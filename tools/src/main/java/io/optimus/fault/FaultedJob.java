package io.optimus.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.demo.Submission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A job that trains while faults happen.
 *
 * @param name its name, and that of its output folder
 * @param submission its job file and settings
 * @param reference the name of a job without faults that must end with the same loss; empty: there is none
 */
record FaultedJob(String name, Submission submission, String reference) {
    /** The result in its output folder; a missing node if there is none. */
    JsonNode result(Path outputs) throws IOException {
        Path result = outputs.resolve(name).resolve("result.json");
        ObjectMapper json = new ObjectMapper();
        return Files.exists(result) ? json.readTree(result.toFile()) : json.missingNode();
    }
}
