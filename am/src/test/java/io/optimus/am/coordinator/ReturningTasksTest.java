package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.engine.ProgramReport;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.Test;

public final class ReturningTasksTest {
    private static final TaskId FIRST = TaskId.worker(0);
    private static final TaskId SECOND = TaskId.worker(1);
    private static final Message.Keep KEPT =
            new Message.Keep(new MembershipNumber(1, 4), List.of(FIRST, SECOND), List.of(), 20, "");

    private final ReturningTasks tasks = new ReturningTasks(Set.of(FIRST, SECOND), Long.MAX_VALUE, () -> {});

    @Test
    public void keepsWhatTheFirstProgramReportsBeforeAllAreBack() {
        comes(FIRST, report(18));
        tasks.received(FIRST, new Message.Reported(report(21)));
        comes(SECOND, report(18));
        tasks.received(SECOND, new Message.Reported(report(22)));

        assertThat(tasks.areComplete(0)).isTrue();
        assertThat(tasks.last(false).orElseThrow().reports()).containsExactly(report(18), report(21));
    }

    @Test
    public void waitsForAMemberThatHasNotReadWhatToKeep() {
        TaskId server = TaskId.server(0);
        Message.ServerShard shard =
                new Message.ServerShard(new Message.ServerAddress(server, "127.0.0.1", 4000), Ranges.NONE);
        Message.Keep kept = new Message.Keep(KEPT.number(), List.of(FIRST), List.of(shard), 20, "");
        ReturningTasks both = new ReturningTasks(Set.of(FIRST, server), Long.MAX_VALUE, () -> {});
        both.received(FIRST, new Message.Returned(Optional.of(kept), List.of(), List.of(), List.of()));
        both.received(FIRST, new Message.WorkerReady(List.of(), 100, Optional.empty(), Optional.empty()));
        both.received(server, new Message.Returned(Optional.empty(), List.of(), List.of(), List.of(kept.number())));

        assertThat(both.areComplete(0)).isFalse();
        both.received(server, new Message.ServerReady("127.0.0.1", 4000));

        assertThat(both.areComplete(0)).isTrue();
        assertThat(both.last(true).orElseThrow().kept()).isEqualTo(kept);
    }

    private void comes(TaskId task, ProgramReport told) {
        tasks.received(task, new Message.Returned(Optional.of(KEPT), List.of(), List.of(told), List.of()));
        tasks.received(task, new Message.WorkerReady(List.of(), 100, Optional.empty(), Optional.empty()));
    }

    private static ProgramReport report(long step) {
        return new ProgramReport(step, 0, Map.of("accuracy", 0.5));
    }
}
