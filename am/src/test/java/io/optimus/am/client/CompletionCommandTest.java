package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class CompletionCommandTest {
    private static final long TIMEOUT_SECONDS = 60;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void hasBashCompleteCommandsOptionsAndTheirValues() throws IOException, InterruptedException {
        Path script = script("bash");

        assertThat(completions(script, "optimus", "su")).containsExactly("submit");
        assertThat(completions(script, "optimus", "w")).containsExactly("what-if");
        assertThat(completions(script, "optimus", "list", "--a")).contains("--all");
        assertThat(completions(script, "optimus", "plan", "--output", "")).contains("json", "yaml", "table");
        assertThat(completions(script, "optimus", "submit", "--wa")).contains("--wait");
    }

    @Test
    public void printsTheSameScriptForZsh() throws IOException {
        assertThat(Files.readString(script("zsh")))
                .contains("for zsh", "bashcompinit", "complete -F _complete_optimus");
        assertThat(run(new StringWriter(), "fish")).isEqualTo(2);
    }

    private Path script(String shell) throws IOException {
        StringWriter out = new StringWriter();
        assertThat(run(out, shell)).isZero();
        return Files.writeString(folder.getRoot().toPath().resolve(shell), out.toString());
    }

    private static int run(StringWriter out, String shell) {
        return OptimusCommand.run(
                new FakeClusterClient(),
                new PrintWriter(out, true),
                new PrintWriter(new StringWriter(), true),
                "completion",
                shell);
    }

    /** What bash would offer for the last word. */
    private List<String> completions(Path script, String... words) throws IOException, InterruptedException {
        String quoted = "'" + String.join("' '", words) + "'";
        String program = "source " + script + "; COMP_WORDS=(" + quoted + "); COMP_CWORD=" + (words.length - 1)
                + "; COMP_LINE=\"${COMP_WORDS[*]}\"; COMP_POINT=${#COMP_LINE}; _complete_optimus;"
                + " printf '%s\\n' \"${COMPREPLY[@]}\"";
        Path output = folder.newFile().toPath();
        Process bash = new ProcessBuilder("bash", "--norc", "-c", program)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(bash.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return Files.readAllLines(output, StandardCharsets.UTF_8).stream()
                .map(String::strip)
                .toList();
    }
}
