package io.optimus.am.client;

import io.optimus.am.client.command.ClusterCommand;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete commands and options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        versionProvider = ClusterCommand.Version.class,
        description =
                "Print a script that has bash or zsh complete the commands and options of optimus. Source it once, and"
                        + " from the shell's own start file.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "2:invalid options"},
        footerHeading = "%nExample:%n",
        footer = {"  yarn jar optimus-am.jar completion bash > ~/.optimus-completion", "  source ~/.optimus-completion"
        })
final class CompletionCommand implements Callable<Integer> {
    /** The name of the script, and of the alias that docs/commands.md recommends for yarn jar. */
    private static final String NAME = "optimus";

    private final PrintWriter out;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "bash|zsh", description = "The shell.")
    private Shell shell = Shell.BASH;

    CompletionCommand(PrintWriter out) {
        this.out = out;
    }

    private enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public Integer call() {
        out.println("# Completion of " + NAME + " for " + shell + ": source this file");
        // In zsh, the script turns on zsh's emulation of bash's completion.
        out.print(AutoComplete.bash(NAME, spec.root().commandLine()));
        out.flush();
        return 0;
    }
}
