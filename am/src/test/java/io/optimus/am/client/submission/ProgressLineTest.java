package io.optimus.am.client.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.OptionalDouble;
import org.junit.Test;

public final class ProgressLineTest {
    private final StringWriter out = new StringWriter();

    @Test
    public void drawsTheSameLineAnewOnATerminal() {
        ProgressLine line = new ProgressLine(new PrintWriter(out), 60);

        line.show("RUNNING  epoch 3.2, step 140", OptionalDouble.of(0.274));
        line.show("RUNNING  epoch 9", OptionalDouble.of(1));
        line.println("SUCCEEDED after 42 s");

        assertThat(out.toString().lines()).last().isEqualTo("SUCCEEDED after 42 s");
        assertThat(out.toString())
                .startsWith("\r[#####---------------]  27 %  RUNNING  epoch 3.2, step 140"
                        + "\r[####################] 100 %  RUNNING  epoch 9            ");
    }

    @Test
    public void cutsWhatTheTerminalCannotShow() {
        ProgressLine line = new ProgressLine(new PrintWriter(out), 40);

        line.show("RUNNING  epoch 3.2, step 140, loss 0.4321", OptionalDouble.empty());

        assertThat(out.toString())
                .isEqualTo("\r[                    ]   ? %  RUNNING  ")
                .hasSize(40);
    }

    @Test
    public void printsOnlyWhatChangedElsewhere() {
        ProgressLine line = new ProgressLine(new PrintWriter(out), 0);

        line.show("ACCEPTED", OptionalDouble.empty());
        line.show("ACCEPTED", OptionalDouble.of(0.1));
        line.show("RUNNING", OptionalDouble.of(0.1));

        assertThat(out.toString().lines()).containsExactly("ACCEPTED", "RUNNING");
    }
}
