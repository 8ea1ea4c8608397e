package io.optimus.am.ps;

import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskExit;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of one parameter server; {@link TaskEnvironment} says what its environment must hold. */
public final class ParameterServerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ParameterServerProcess.class);

    private ParameterServerProcess() {}

    /** Exits with 0 when told to leave, or with a status of {@link TaskExit}. */
    public static void main(String[] arguments) {
        System.exit(run(TaskEnvironment.of(System.getenv())));
    }

    private static int run(TaskEnvironment environment) {
        ParameterServer opened;
        try {
            opened = new ParameterServer(environment);
        } catch (IOException e) {
            LOG.error("cannot listen or cannot reach the coordinator task={}", environment.task(), e);
            return TaskExit.COORDINATOR_LOST;
        }
        try (ParameterServer server = opened) {
            LOG.info("told to leave reason={}", server.run());
            return 0;
        } catch (IOException e) {
            LOG.error("lost the coordinator task={} cause={}", environment.task(), e.toString());
            return TaskExit.COORDINATOR_LOST;
        } catch (RuntimeException e) {
            LOG.error("cannot go on task={}", environment.task(), e);
            return e.getCause() instanceof OutOfMemoryError ? TaskExit.OUT_OF_MEMORY : TaskExit.UNABLE;
        }
    }
}
