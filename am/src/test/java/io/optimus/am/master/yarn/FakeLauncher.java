package io.optimus.am.master.yarn;

import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** NodeManagers that only take notes. */
public final class FakeLauncher implements TaskLauncher {
    public final Map<TaskId, String> launched = new TreeMap<>();
    public final List<String> stopped = new ArrayList<>();

    @Override
    public void launch(TaskId task, TaskContainer grant) {
        launched.put(task, grant.container());
    }

    @Override
    public void stop(TaskContainer grant) {
        stopped.add(grant.container());
    }
}
