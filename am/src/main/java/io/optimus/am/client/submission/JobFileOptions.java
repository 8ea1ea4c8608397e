package io.optimus.am.client.submission;

import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The job file of a command, and the options that override it. */
public final class JobFileOptions {
    @Parameters(paramLabel = "FILE", description = "The job file, YAML, or a tony.xml; docs/job-file.md has every key.")
    private Path file = Path.of("");

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets a key of the job file by its dotted path, as in --set roles.worker.max=6. Overrides the"
                    + " file; may be given several times.")
    private List<String> overrides = new ArrayList<>();

    @Option(names = "--queue", paramLabel = "QUEUE", description = "The same as --set queue=QUEUE.")
    private String queue = "";

    @Option(
            names = "--resume",
            paramLabel = "JOB",
            description =
                    "Goes on from the newest checkpoint of an earlier job, named by its application id or its folder;"
                            + " the same as --set start.resume=JOB.")
    private String resume = "";

    /** Reads the job file, and prints to {@code err} what only the cluster can check. */
    public JobFile read(PrintWriter err) throws IOException, InvalidJobFileException {
        List<String> all = new ArrayList<>(overrides);
        if (!queue.isEmpty()) {
            all.add("queue=" + queue);
        }
        if (!resume.isEmpty()) {
            all.add("start.resume=" + resume);
        }
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw InvalidJobFileException.of(file.toString(), "There is no readable file at this path: check it");
        }
        JobFile read = JobFile.read(file, all);
        read.warnings().forEach(warning -> err.println("Warning: " + warning));
        return read;
    }
}
