package io.optimus.am.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.engine.GroupEngine;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.FakeCoordinatorSocket;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class GroupSavesTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final List<String> calls = new CopyOnWriteArrayList<>();

    private final GroupEngine engine = (GroupEngine) Proxy.newProxyInstance(
            GroupEngine.class.getClassLoader(), new Class<?>[] {GroupEngine.class}, (proxy, method, arguments) -> {
                calls.add(method.getName());
                return null;
            });

    @Test
    public void aCopyThatAnEarlierMembershipAskedForIsNotSaved() throws IOException {
        try (FakeCoordinatorSocket coordinator = new FakeCoordinatorSocket();
                CoordinatorConnection connection =
                        CoordinatorConnection.connect(coordinator.environment(TaskId.worker(1)));
                GroupSaves saves = new GroupSaves(engine, connection, 100)) {
            saves.begin(new MembershipNumber(1, 1), true, 0);
            saves.begin(new MembershipNumber(1, 2), false, 60);

            saves.copied(100);

            assertThat(calls).containsExactly("save", "taken");
        }
    }
}
