package io.optimus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class SuiteTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(20);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final StringWriter errors = new StringWriter();

    @Test
    public void refusesInvalidOptionsBeforeItMeasures() {
        Path absent = folder.getRoot().toPath().resolve("absent.csv");

        int exit = run("--policy", "optimus,best", "--jobs", "0", "--seconds", "-1", "--thresholds", absent.toString());

        assertThat(exit).isEqualTo(2);
        assertThat(errors.toString())
                .contains("There is no policy best. Remedy: name one of ")
                .contains("--jobs is 0. ")
                .contains("--seconds is -1. ")
                .contains("--thresholds " + absent + " cannot be read")
                .doesNotContain("\tat ");
    }

    @Test
    public void usesTheLastNamedFileOfThresholds() {
        int exit = run("--thresholds", "thresholds.csv", "--thresholds", "another.csv", "--nodes", "0");

        assertThat(exit).isEqualTo(2);
        assertThat(errors.toString()).contains("another.csv cannot be read").contains("--nodes is 0. ");
    }

    private int run(String... arguments) {
        return Suite.commandLine().setErr(new PrintWriter(errors, true)).execute(arguments);
    }
}
