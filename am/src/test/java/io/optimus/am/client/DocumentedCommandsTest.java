package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Holds docs/commands.md against the code: its sections are what {@link #section} makes of the commands. */
public final class DocumentedCommandsTest {
    private static final Path DOCUMENT = Path.of("../docs/commands.md");
    /** A command with its arguments, up to the end of the line or of its quotation. */
    private static final Pattern CALL =
            Pattern.compile("(?:scripts/optimus|yarn jar optimus-am\\.jar) ([a-z][^`\\n]*)");
    /** Of every command: the document describes them once. */
    private static final Set<String> COMMON = Set.of("-h", "-V", "-D", "--conf", "--output");

    @Test
    public void documentsEveryCommandWithItsOptionsExamplesAndExitCodes() throws IOException {
        CommandLine commands = OptimusCommand.commandLine(
                new FakeClusterClient(), new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
        Map<String, String> expected = new LinkedHashMap<>();
        commands.getSubcommands().forEach((name, command) -> expected.put(name, section(command.getCommandSpec())));

        Map<String, String> documented = sections();

        assertThat(String.join("\n", documented.values()))
                .as("the sections of docs/commands.md: replace them by this")
                .isEqualTo(String.join("\n", expected.values()));
    }

    @Test
    public void documentsTheCommonOptions() throws IOException {
        String introduction = Files.readString(DOCUMENT);
        introduction = introduction.substring(0, introduction.indexOf("\n## submit"));

        assertThat(introduction).contains(COMMON);
    }

    @Test
    public void everyCallInTheDocumentationCanBeGiven() throws IOException {
        Map<String, Path> calls = new TreeMap<>();
        for (Path document : documents()) {
            Matcher call = CALL.matcher(Files.readString(document));
            while (call.find()) {
                calls.put(call.group(1), document);
            }
        }

        assertThat(calls).hasSizeGreaterThan(30);
        calls.forEach((call, document) -> {
            String[] words = call.replaceAll("\\[[^]]*]", "")
                    .replace("APPLICATION_ID", FakeClusterClient.ID)
                    .split(" > ", -1)[0]
                    .strip()
                    .split(" +", -1);
            assertThatCode(() -> OptimusCommand.commandLine(
                                    new FakeClusterClient(),
                                    new PrintWriter(new StringWriter()),
                                    new PrintWriter(new StringWriter()))
                            .parseArgs(words))
                    .as("%s in %s", call, document)
                    .doesNotThrowAnyException();
            assertThat(Arrays.stream(words).filter(word -> word.startsWith("conf/")))
                    .as("files of %s in %s", call, document)
                    .allSatisfy(file -> assertThat(Path.of("..").resolve(file)).exists());
        });
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(Path.of("../README.md")));
        for (String folder : List.of("../docs", "../conf")) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                files.filter(file -> file.toString().matches(".*\\.(md|yaml)")).forEach(documents::add);
            }
        }
        return documents;
    }

    /** The sections of the document by command; each ends with an empty line. */
    private static Map<String, String> sections() throws IOException {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        List<String> section = new ArrayList<>();
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (line.startsWith("## ")) {
                section = new ArrayList<>();
                sections.put(line.substring(3), section);
            }
            section.add(line);
        }
        Map<String, String> texts = new LinkedHashMap<>();
        sections.forEach((name, lines) -> {
            if (Character.isLowerCase(name.charAt(0))) {
                texts.put(name, String.join("\n", lines).strip() + "\n");
            }
        });
        return texts;
    }

    private static String section(CommandSpec command) {
        StringBuilder text = new StringBuilder();
        text.append("## ").append(command.name()).append("\n");
        text.append(String.join(" ", command.usageMessage().description())).append("\n\n");
        for (String example : command.usageMessage().footer()) {
            text.append("    ").append(example.strip()).append("\n");
        }
        List<ArgSpec> own = command.args().stream()
                .filter(each -> !(each instanceof OptionSpec option && COMMON.contains(option.shortestName())))
                .filter(each -> !(each instanceof OptionSpec option && COMMON.contains(option.longestName())))
                .toList();
        if (!own.isEmpty()) {
            text.append("\n| option | meaning |\n|---|---|\n");
            own.forEach(each -> text.append("| `")
                    .append(synopsis(each))
                    .append("` | ")
                    .append(String.join(" ", each.description()))
                    .append(" |\n"));
        }
        text.append("\n| exit code | meaning |\n|---|---|\n");
        command.usageMessage().exitCodeList().forEach((code, meaning) -> text.append("| ")
                .append(code)
                .append(" | ")
                .append(meaning)
                .append(" |\n"));
        return text.toString();
    }

    /** {@code --queue QUEUE}; a bar would end the cell of the table. */
    private static String synopsis(ArgSpec argument) {
        boolean flag = argument.arity().max() == 0;
        String label = argument.paramLabel().replace("|", "\\|");
        return argument instanceof OptionSpec option ? option.longestName() + (flag ? "" : " " + label) : label;
    }
}
