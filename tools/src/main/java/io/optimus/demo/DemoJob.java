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
 * A job of the demo.
 *
 * @param file the job file
 * @param overrides values that replace those of the file, as {@code key=value}
 * @param startAfterSeconds seconds after the start of the demo at which it is submitted
 * @param isResized whether it runs for so long that the plan resizes it; another may end before
 */
record DemoJob(Path file, List<String> overrides, int startAfterSeconds, boolean isResized) {
    private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

    /** What the files of this job's results are called: the folder of an example, or the job file. */
    String name() {
        String fileName = String.valueOf(file.getFileName());
        return fileName.equals("job.yaml")
                ? String.valueOf(file.getName(file.getNameCount() - 2))
                : fileName.replace(".yaml", "");
    }

    /**
     * Submits the job by the user's own command.
     *
     * @param command the words before {@code submit}
     * @param output folder for the trained model and the result
     * @return application id
     */
    String submit(List<String> command, Path output) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("submit", file.toString(), "--set", "output=" + output.toUri()));
        overrides.forEach(override -> words.addAll(List.of("--set", override)));
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
