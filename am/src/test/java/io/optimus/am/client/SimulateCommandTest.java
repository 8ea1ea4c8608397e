package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Rule;
import org.junit.Test;

public final class SimulateCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    @Test
    public void saysWhereTheSimulatorIsThatItCannotRun() {
        assertThat(optimus.run("simulate", "--policy", "drf")).isEqualTo(1);
        assertThat(optimus.err()).contains("There is no optimus-sim.jar", "scripts/simulate");
    }
}
