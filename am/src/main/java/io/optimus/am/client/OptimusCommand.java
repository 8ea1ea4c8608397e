package io.optimus.am.client;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Main class of {@code yarn jar optimus-am.jar}.
 *
 * <p>Exit codes: 0 all is well; 1 the cluster refused or the job failed; 2 wrong options or a wrong job file, nothing
 * was done.
 */
@Command(
        name = "yarn jar optimus-am.jar",
        mixinStandardHelpOptions = true,
        version = "Optimus for YARN",
        description = "Runs elastic training jobs on YARN.",
        synopsisSubcommandLabel = "submit|validate|list|status|kill",
        footer = {"", "Exit codes: 0 well, 1 the cluster refused or the job failed, 2 wrong options or job file."})
public final class OptimusCommand {
    private OptimusCommand() {}

    /** Runs the command and ends the process with its exit code. */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] arguments) {
        Charset charset = Charset.defaultCharset();
        PrintWriter out = new PrintWriter(System.out, true, charset);
        PrintWriter err = new PrintWriter(System.err, true, charset);
        System.exit(run(new ClientEnvironment.Real(), out, err, arguments));
    }

    /** Runs the command and returns its exit code. */
    static int run(ClientEnvironment surroundings, PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine line = new CommandLine(new OptimusCommand());
        line.addSubcommand(new SubmitCommand(surroundings, out, err));
        line.addSubcommand(new ValidateCommand(surroundings, out, err));
        line.addSubcommand(new ListCommand(surroundings, out, err));
        line.addSubcommand(new StatusCommand(surroundings, out, err));
        line.addSubcommand(new KillCommand(surroundings, out, err));
        line.setOut(out).setErr(err);
        line.setOverwrittenOptionsAllowed(true);
        if (arguments.length == 0) {
            line.usage(err);
            return ClusterCommand.WRONG;
        }
        return line.execute(arguments);
    }
}
