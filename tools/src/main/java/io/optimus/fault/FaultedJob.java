package io.optimus.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job that trains while faults happen.
 *
 * @param name its name, and that of its output folder
 * @param file the job file
 * @param overrides values that replace those of the file, as {@code key=value}
 * @param reference the name of a job without faults that must end with the same loss; empty: there is none
 */
record FaultedJob(String name, Path file, List<String> overrides, String reference) {
    private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

    /** Submits it by the user's own command, and returns its application id. */
    String submit(List<String> command, Path outputs) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("submit", file.toString(), "--set", "name=" + name));
        words.addAll(List.of("--set", "output=" + outputs.resolve(name).toUri()));
        overrides.forEach(override -> words.addAll(List.of("--set", override)));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher id = APPLICATION.matcher(said);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0 || !id.find()) {
            process.destroy();
            throw new IOException("Submitting " + name + " failed:\n" + said);
        }
        return id.group();
    }

    /** The result in its output folder; a missing node if there is none. */
    JsonNode result(Path outputs) throws IOException {
        Path result = outputs.resolve(name).resolve("result.json");
        ObjectMapper json = new ObjectMapper();
        return Files.exists(result) ? json.readTree(result.toFile()) : json.missingNode();
    }
}
