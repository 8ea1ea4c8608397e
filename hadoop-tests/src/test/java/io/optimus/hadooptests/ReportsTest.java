package io.optimus.hadooptests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ReportsTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    @Test
    public void readsOutcomesOfAllReports() throws IOException {
        write(
                "TEST-junit-vintage.xml",
                """
                <testsuite>
                  <testcase name="passes" classname="TestOne"/>
                  <testcase name="fails[0]" classname="TestOne"><failure message="expected:&lt;1>"/></testcase>
                  <testcase name="throws" classname="TestOne"><error message="null"/></testcase>
                  <testcase name="ignored" classname="TestOne"><skipped/></testcase>
                </testsuite>
                """);
        write("TEST-junit-jupiter.xml", "<testsuite><testcase name=\"jupiter()\" classname=\"TestOne\"/></testsuite>");
        assertThat(Reports.read(folder()))
                .containsOnly(
                        Map.entry("passes", Outcome.PASSED),
                        Map.entry("fails[0]", Outcome.FAILED),
                        Map.entry("throws", Outcome.ERROR),
                        Map.entry("ignored", Outcome.SKIPPED),
                        Map.entry("jupiter", Outcome.PASSED));
    }

    @Test
    public void refusesAReportThatIsCutOff() throws IOException {
        write("TEST-junit-vintage.xml", "<testsuite><testcase name=\"passes\"");
        assertThatThrownBy(() -> Reports.read(folder()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("TEST-junit-vintage.xml is no report of JUnit");
    }

    private Path folder() {
        return temporary.getRoot().toPath();
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(folder().resolve(name), content);
    }
}
