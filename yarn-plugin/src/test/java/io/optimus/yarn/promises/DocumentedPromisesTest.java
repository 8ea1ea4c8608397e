package io.optimus.yarn.promises;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.Test;

/** Holds the table of promises in docs/operations.md against the tests. */
public final class DocumentedPromisesTest {
    private static final String HEAD = "| Promise | Training job | Test |";
    private static final Pattern TEST = Pattern.compile("`(\\w+)`");

    @Test
    public void eachPromiseNamesItsTestsAndEachTestItsPromise() throws IOException {
        List<String> documented = rows().stream()
                .map(row -> row.substring(row.lastIndexOf('|', row.length() - 2)))
                .peek(tests -> assertThat(tests).containsPattern(TEST))
                .flatMap(tests -> TEST.matcher(tests).results().map(found -> found.group(1)))
                .toList();
        assertThat(documented).containsExactlyInAnyOrderElementsOf(tests());
    }

    private static List<String> rows() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("../docs/operations.md"));
        int first = lines.indexOf(HEAD) + 2;
        return lines.subList(first, lines.size()).stream()
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    private static List<String> tests() {
        return List.of(
                        YarnPromisesTest.class,
                        OrderPromisesTest.class,
                        QueuePromisesTest.class,
                        NodePromisesTest.class,
                        RequestPromisesTest.class,
                        AttemptPromisesTest.class,
                        LocalityPromisesTest.class,
                        QueueTreePromisesTest.class)
                .stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(java.lang.reflect.Method::getName)
                .toList();
    }
}
