package io.optimus.am.command;

import io.optimus.am.command.CommandTask.Command;
import io.optimus.am.engine.gpu.VisibleGpus;
import io.optimus.am.job.CommandSpec;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskExit;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of one task that runs commands; {@link TaskEnvironment} says what its environment must hold. The job is read
 * from {@link JobDirectory#JOB_LINK} in the working folder.
 */
public final class CommandProcess {
    private static final Logger LOG = LoggerFactory.getLogger(CommandProcess.class);

    /** Set for our own JVM; it would slow down a command with many threads. */
    private static final String ARENAS = "MALLOC_ARENA_MAX";

    private CommandProcess() {}

    /** Exits with 0 when told to leave, or with a status of {@link TaskExit}. */
    public static void main(String[] arguments) {
        System.exit(run(TaskEnvironment.of(System.getenv()), Path.of(JobDirectory.JOB_LINK)));
    }

    private static int run(TaskEnvironment environment, Path job) {
        try {
            JobSpec spec = JobSpecJson.read(Files.readAllBytes(job));
            return run(environment, command(spec, environment.task().role()));
        } catch (IOException | RuntimeException e) {
            LOG.error("cannot go on task={}", environment.task(), e);
            return TaskExit.UNABLE;
        }
    }

    private static int run(TaskEnvironment environment, Command command) {
        PrintStream output = System.out;
        try (CommandTask task = new CommandTask(environment, command, output)) {
            Runtime.getRuntime().addShutdownHook(new Thread(task::endAtOnce, "end"));
            return run(environment, task);
        } catch (IOException e) {
            LOG.error("cannot reach the coordinator task={} cause={}", environment.task(), e.toString());
            return TaskExit.COORDINATOR_LOST;
        }
    }

    private static int run(TaskEnvironment environment, CommandTask task) {
        try {
            LOG.info("told to leave reason={}", task.run());
            return 0;
        } catch (IOException e) {
            // The coordinator closes the connection of a task that has failed.
            boolean failed = task.hasFailed();
            LOG.error("lost the coordinator task={} failed={} cause={}", environment.task(), failed, e.toString());
            if (task.ranOutOfMemory()) {
                return TaskExit.OUT_OF_MEMORY;
            }
            return failed ? TaskExit.UNABLE : TaskExit.COORDINATOR_LOST;
        }
    }

    private static Command command(JobSpec spec, Role role) {
        CommandSpec commands = spec.command()
                .orElseThrow(() -> new IllegalArgumentException("This job has no commands; its framework is "
                        + spec.engine().engine()));
        Map<String, String> variables = new HashMap<>(commands.environment());
        variables.putAll(gpus((int) spec.role(role).task().amount(Resources.GPUS), variables));
        List<String> words = new ArrayList<>(List.of("env"));
        if (!variables.containsKey(ARENAS)) {
            words.addAll(List.of("-u", ARENAS));
        }
        words.addAll(List.of("bash", "-c", commands.line(role)));
        return new Command(words, variables, Duration.ofSeconds(commands.graceSeconds()));
    }

    /** Variables by which the command sees the GPUs of its container only. */
    private static Map<String, String> gpus(int asked, Map<String, String> variables) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(variables);
        VisibleGpus visible = VisibleGpus.find(asked, environment);
        if (visible.certain()) {
            LOG.info("gpus asked={} set={} because {}", asked, visible.variables(), visible.explanation());
        } else {
            LOG.warn(visible.explanation());
        }
        Map<String, String> unset = new HashMap<>(visible.variables());
        unset.keySet().removeAll(variables.keySet());
        return unset;
    }
}
