package io.optimus.am.client;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Main class of {@code yarn jar optimus-am.jar}. The exit codes stand in {@code docs/job-file.md} and in {@link
 * ClusterCommand}.
 */
@Command(
        name = "yarn jar optimus-am.jar",
        mixinStandardHelpOptions = true,
        versionProvider = ClusterCommand.Version.class,
        description = "Runs elastic training jobs on YARN.",
        synopsisSubcommandLabel =
                "submit|validate|list|status|explain|what-if|capacity|rounds|history|kill|priority|pause|resume|drain|resize",
        footer = {
            "",
            "Exit codes: 0 success, 1 the cluster refused or the job failed, 2 invalid options or job file,",
            "3 --wait stopped before the job ended."
        })
public final class OptimusCommand {
    private OptimusCommand() {}

    /** Runs the command and ends the process with its exit code. */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] arguments) {
        Charset charset = Charset.defaultCharset();
        PrintWriter out = new PrintWriter(System.out, true, charset);
        PrintWriter err = new PrintWriter(System.err, true, charset);
        System.exit(run(new ClientEnvironment.OfProcess(), out, err, arguments));
    }

    /** Runs the command and returns its exit code. */
    static int run(ClientEnvironment environment, PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine line = new CommandLine(new OptimusCommand());
        line.addSubcommand(new SubmitCommand(environment, out, err));
        line.addSubcommand(new ValidateCommand(environment, out, err));
        line.addSubcommand(new ListCommand(environment, out, err));
        line.addSubcommand(new StatusCommand(environment, out, err));
        line.addSubcommand(new ExplainCommand(environment, out, err));
        line.addSubcommand(new WhatIfCommand(environment, out, err));
        line.addSubcommand(new CapacityCommand(environment, out, err));
        line.addSubcommand(new RoundsCommand(environment, out, err));
        line.addSubcommand(new HistoryCommand(environment, out, err));
        line.addSubcommand(new KillCommand(environment, out, err));
        line.addSubcommand(new PriorityCommand(environment, out, err));
        line.addSubcommand(new PauseCommand(environment, out, err));
        line.addSubcommand(new ResumeCommand(environment, out, err));
        line.addSubcommand(new DrainCommand(environment, out, err));
        line.addSubcommand(new ResizeCommand(environment, out, err));
        line.setOut(out).setErr(err);
        line.setOverwrittenOptionsAllowed(true);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        if (arguments.length == 0) {
            line.usage(err);
            return ClusterCommand.INVALID;
        }
        return line.execute(arguments);
    }
}
