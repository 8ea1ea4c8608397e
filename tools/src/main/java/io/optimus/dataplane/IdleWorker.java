package io.optimus.dataplane;

import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.worker.Worker;
import java.io.IOException;

/** The process of a worker that computes nothing. */
public final class IdleWorker {
    private IdleWorker() {}

    /** Takes the words of an {@link IdleModel}; the rest is as for every worker. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        IdleModel model = IdleModel.of(arguments);
        try (Worker worker = new Worker(TaskEnvironment.of(System.getenv()), () -> new IdleEngine(model))) {
            worker.run();
        }
    }
}
