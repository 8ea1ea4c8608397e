package io.optimus.am.master;

import static io.optimus.am.master.plan.PlanFollowerFixture.tasks;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.wire.TaskId;
import java.util.Set;
import org.junit.Test;

public class SurvivorsTest {
    private final Survivors survivors = new Survivors();

    @Test
    public void newcomersAndLeaversNeedNotSurvive() {
        survivors.asked(tasks(server(0), worker(0), worker(1)));
        survivors.asked(tasks(server(0), worker(1), worker(2)));

        assertThat(restarted(tasks(server(0), worker(1)))).isZero();
    }

    @Test
    public void whoStaysAndDoesNotRunAnyMoreWasRestarted() {
        survivors.asked(tasks(server(0), worker(0), worker(1)));
        survivors.asked(tasks(server(0), worker(0), worker(1), worker(2)));

        assertThat(restarted(tasks(worker(0), worker(2)))).isEqualTo(2);
    }

    @Test
    public void eachIsCountedForOneResizeOnly() {
        survivors.asked(tasks(server(0), worker(0)));
        survivors.asked(tasks(server(0), worker(0), worker(1)));
        assertThat(restarted(tasks(server(0)))).isEqualTo(1);

        assertThat(restarted(tasks(server(0))))
                .as("a resize that nobody asked for")
                .isZero();
    }

    @Test
    public void ofSeveralAsksBeforeAResizeTheLastCounts() {
        survivors.asked(tasks(server(0), worker(0)));
        survivors.asked(tasks(server(0), worker(1)));
        survivors.asked(tasks(server(0), worker(1), worker(2)));

        assertThat(restarted(tasks(server(0)))).isEqualTo(1);
    }

    private int restarted(Set<TaskId> running) {
        return survivors.restarted(running::contains);
    }
}
