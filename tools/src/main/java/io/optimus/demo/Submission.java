package io.optimus.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job that is submitted by the user's own command.
 *
 * @param file the job file
 * @param settings values that replace those of the file, as {@code key=value}
 */
public record Submission(Path file, List<String> settings) {
    private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

    /**
     * Submits the job.
     *
     * @param command the command line up to {@code submit}
     * @param output folder for the trained model and the result
     * @return application id
     * @throws IOException if the command fails or prints no application id; the message holds its output
     */
    public String run(List<String> command, Path output) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("submit", file.toString(), "--set", "output=" + output.toUri()));
        settings.forEach(setting -> words.addAll(List.of("--set", setting)));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroy();
            throw new IOException("Submitting " + file + " failed:\n" + said);
        }
        Matcher id = APPLICATION.matcher(said);
        if (!id.find()) {
            throw new IOException("No application id in the output of submitting " + file + ":\n" + said);
        }
        return id.group();
    }
}
