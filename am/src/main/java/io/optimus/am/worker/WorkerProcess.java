package io.optimus.am.worker;

import io.optimus.am.engine.WorkerEngine;
import io.optimus.am.engine.program.ProgramFailedException;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskExit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of one worker; {@link TaskEnvironment} says what its environment must hold. The job is read from {@link
 * JobDirectory#JOB_LINK} in the working folder.
 */
public final class WorkerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerProcess.class);

    private WorkerProcess() {}

    /** Exits with 0 when told to leave, or with a status of {@link TaskExit}. */
    public static void main(String[] arguments) {
        System.exit(run(TaskEnvironment.of(System.getenv()), Path.of(JobDirectory.JOB_LINK)));
    }

    private static int run(TaskEnvironment environment, Path job) {
        try (Worker worker = new Worker(environment, () -> engine(job, environment))) {
            LOG.info("told to leave reason={}", worker.run());
            return 0;
        } catch (IOException e) {
            LOG.error("lost the coordinator task={} cause={}", environment.task(), e.toString());
            return TaskExit.COORDINATOR_LOST;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return TaskExit.COORDINATOR_LOST;
        } catch (RuntimeException | Error e) {
            LOG.error("cannot go on task={}", environment.task(), e);
            return isOutOfMemory(e) ? TaskExit.OUT_OF_MEMORY : TaskExit.UNABLE;
        }
    }

    private static boolean isOutOfMemory(Throwable e) {
        return Worker.outOfMemory(e) instanceof OutOfMemoryError
                || (e instanceof ProgramFailedException program && program.isOutOfMemory());
    }

    private static WorkerEngine engine(Path job, TaskEnvironment environment) throws IOException {
        return EngineFactory.create(
                JobSpecJson.read(Files.readAllBytes(job)), environment.task(), Path.of(JobDirectory.START_MODEL_LINK));
    }
}
