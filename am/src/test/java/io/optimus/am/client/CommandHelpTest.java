package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import picocli.CommandLine;

public final class CommandHelpTest {
    private static final String CALL = "yarn jar optimus-am.jar ";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    public void everyCommandHelpsWithExamplesAndExitCodesAndTellsItsVersion() {
        assertThat(commands().getSubcommands().keySet()).isNotEmpty().allSatisfy(command -> {
            out.getBuffer().setLength(0);
            assertThat(run(command, "-h")).isZero();
            assertThat(out.toString())
                    .contains("Usage: " + CALL + command, "Exit codes:", "Example:", "  " + CALL + command);
            assertThat(run(command, "--help")).isZero();
            out.getBuffer().setLength(0);
            assertThat(run(command, "-V")).isZero();
            assertThat(out.toString()).startsWith("Optimus for YARN ");
        });
        assertThat(run("-h")).isZero();
        assertThat(run("-V")).isZero();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    public void everyExampleIsACommandThatCanBeGiven() {
        commands().getSubcommands().forEach((name, command) -> {
            String[] examples = command.getCommandSpec().usageMessage().footer();
            assertThat(examples).as(name).isNotEmpty();
            for (String example : examples) {
                if (example.contains(CALL)) {
                    String[] words = example.strip()
                            .substring(CALL.length())
                            .split(" > ", -1)[0]
                            .split(" ", -1);
                    assertThat(words[0]).isEqualTo(name);
                    assertThatCode(() -> commands().parseArgs(words))
                            .as(example)
                            .doesNotThrowAnyException();
                }
            }
        });
    }

    @Test
    public void everyCommandThatPrintsAnAnswerPrintsItForPrograms() {
        List<String> silent = Arrays.asList(
                "validate",
                "logs",
                "top",
                "kill",
                "priority",
                "pause",
                "resume",
                "drain",
                "resize",
                "simulate",
                "completion");
        commands().getSubcommands().forEach((name, command) -> assertThat(
                        command.getCommandSpec().findOption("--output") != null)
                .as(name)
                .isEqualTo(!silent.contains(name)));
    }

    private CommandLine commands() {
        return OptimusCommand.commandLine(
                new FakeClusterClient(), new PrintWriter(out, true), new PrintWriter(err, true));
    }

    private int run(String... arguments) {
        return OptimusCommand.run(
                new FakeClusterClient(), new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}
