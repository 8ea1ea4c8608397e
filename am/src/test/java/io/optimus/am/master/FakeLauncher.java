package io.optimus.am.master;

import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** NodeManagers that only take notes. */
final class FakeLauncher implements TaskLauncher {
    final Map<TaskId, String> launched = new TreeMap<>();
    final List<String> stopped = new ArrayList<>();

    @Override
    public void launch(TaskId task, Grant grant) {
        launched.put(task, grant.container());
    }

    @Override
    public void stop(Grant grant) {
        stopped.add(grant.container());
    }
}
