package io.optimus.am.client.submission;

import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.am.yaml.FileProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks a job file and prints it with every default. */
@Command(
        name = "validate",
        description = "Check a job file, and compare it with the cluster if that answers; print it with every default.",
        exitCodeList = {
            "0:the job file is valid; where the cluster did not answer, a message says so",
            "1:something cannot be read, such as a file of --conf",
            "2:invalid options or job file, or the cluster would refuse the job"
        },
        footer = "  yarn jar optimus-am.jar validate job.yaml")
public final class ValidateCommand extends JobFileCommand {
    @Mixin
    private final JobFileOptions options = new JobFileOptions();

    public ValidateCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected int runWithFile(Configuration configuration) throws IOException, InvalidJobFileException {
        JobFile file = options.read(err);
        List<FileProblem> problems = problemsOfCluster(configuration, file.demand());
        if (!problems.isEmpty()) {
            return report(problems);
        }
        out.print(JobFile.print(file.spec()));
        return 0;
    }
}
