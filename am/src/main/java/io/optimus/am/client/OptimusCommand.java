package io.optimus.am.client;

import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.ClusterCommand;
import io.optimus.am.client.forecast.CapacityCommand;
import io.optimus.am.client.forecast.WhatIfCommand;
import io.optimus.am.client.logs.LogsCommand;
import io.optimus.am.client.order.DrainCommand;
import io.optimus.am.client.order.KillCommand;
import io.optimus.am.client.order.PauseCommand;
import io.optimus.am.client.order.PriorityCommand;
import io.optimus.am.client.order.ResizeCommand;
import io.optimus.am.client.order.ResumeCommand;
import io.optimus.am.client.show.ExplainCommand;
import io.optimus.am.client.show.HistoryCommand;
import io.optimus.am.client.show.ListCommand;
import io.optimus.am.client.show.ModelsCommand;
import io.optimus.am.client.show.PlanCommand;
import io.optimus.am.client.show.RoundsCommand;
import io.optimus.am.client.show.StatusCommand;
import io.optimus.am.client.submission.SubmitCommand;
import io.optimus.am.client.submission.ValidateCommand;
import io.optimus.am.client.top.TopCommand;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Main class of {@code yarn jar optimus-am.jar}. The exit codes stand in {@code docs/commands.md} and in {@link
 * ClusterCommand}.
 */
@Command(
        name = "yarn jar optimus-am.jar",
        mixinStandardHelpOptions = true,
        versionProvider = ClusterCommand.Version.class,
        description = "Runs elastic training jobs on YARN.",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:the cluster refused or does not answer, or the job failed",
            "2:invalid options or job file; nothing was done",
            "3:--wait stopped before the job ended"
        },
        footerHeading = "%nExample:%n",
        footer = {"  yarn jar optimus-am.jar submit job.yaml --wait", "  yarn jar optimus-am.jar submit -h"})
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
        CommandLine line = commandLine(environment, out, err);
        if (arguments.length == 0) {
            line.usage(err);
            return ClusterCommand.INVALID;
        }
        return line.execute(arguments);
    }

    /** All commands. */
    static CommandLine commandLine(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        CommandLine line = new CommandLine(new OptimusCommand());
        line.addSubcommand(new SubmitCommand(environment, out, err));
        line.addSubcommand(new ValidateCommand(environment, out, err));
        line.addSubcommand(new ListCommand(environment, out, err));
        line.addSubcommand(new TopCommand(environment, out, err));
        line.addSubcommand(new StatusCommand(environment, out, err));
        line.addSubcommand(new ExplainCommand(environment, out, err));
        line.addSubcommand(new WhatIfCommand(environment, out, err));
        line.addSubcommand(new CapacityCommand(environment, out, err));
        line.addSubcommand(new PlanCommand(environment, out, err));
        line.addSubcommand(new ModelsCommand(environment, out, err));
        line.addSubcommand(new RoundsCommand(environment, out, err));
        line.addSubcommand(new HistoryCommand(environment, out, err));
        line.addSubcommand(new LogsCommand(environment, out, err));
        line.addSubcommand(new KillCommand(environment, out, err));
        line.addSubcommand(new PriorityCommand(environment, out, err));
        line.addSubcommand(new PauseCommand(environment, out, err));
        line.addSubcommand(new ResumeCommand(environment, out, err));
        line.addSubcommand(new DrainCommand(environment, out, err));
        line.addSubcommand(new ResizeCommand(environment, out, err));
        line.addSubcommand(new CommandLine(new SimulateCommand(err)).setUnmatchedOptionsArePositionalParams(true));
        line.addSubcommand(new CompletionCommand(out));
        line.setOut(out).setErr(err);
        line.setOverwrittenOptionsAllowed(true);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        return line;
    }
}
