package io.optimus.am.job;

import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyValues;
import io.optimus.model.TrainingMode;
import java.util.ArrayList;
import java.util.List;

/** Finds what is wrong in the file of a job whose commands train by themselves. */
final class CommandChecks {
    private final KeyValues values;
    private final CommandKeys keys = JobKeys.COMMAND;

    CommandChecks(KeyValues values) {
        this.values = values;
    }

    /** Adds every problem to the values. */
    void check() {
        for (FileKey<?> key : notOfCommands()) {
            if (values.isGiven(key)) {
                values.addProblem(key, "is decided by your commands: leave it out");
            }
        }
        if (values.valid(JobKeys.WORKER.command) && !values.isGiven(JobKeys.WORKER.command)) {
            values.addProblem(JobKeys.WORKER.command, "is required: " + JobKeys.WORKER.command.meaning());
        }
        if (values.valid(JobKeys.MODE) && values.get(JobKeys.MODE) == TrainingMode.ASYNCHRONOUS) {
            values.addProblem(
                    JobKeys.MODE,
                    "asynchronous has no meaning for commands, which exchange their gradients themselves: leave it out");
        }
        checkServers();
        checkSizes();
        if (values.isGiven(keys.checkpointFolder)
                && !values.get(keys.checkpointFolder).matches("/.*|[A-Za-z][A-Za-z0-9+.-]*:/.*")) {
            values.addProblem(
                    keys.checkpointFolder,
                    "'" + values.get(keys.checkpointFolder)
                            + "' would be lost with the container: give an absolute path that all nodes share, or a URI");
        }
    }

    private static List<FileKey<?>> notOfCommands() {
        List<FileKey<?>> keys = new ArrayList<>(JobKeys.PROGRAM.ofPython());
        keys.addAll(List.of(
                JobKeys.SEED,
                JobKeys.WIRE_FORMAT,
                JobKeys.STEP_TIMEOUT_SECONDS,
                JobKeys.CHECKPOINT_STEPS,
                JobKeys.CHECKPOINT_SECONDS,
                JobKeys.START.model,
                JobKeys.START.resume));
        return keys;
    }

    private void checkServers() {
        if (values.isGiven(JobKeys.PARAMETER_SERVER.command)) {
            if (elastic() == Elasticity.TORCHRUN) {
                values.addProblem(
                        JobKeys.PARAMETER_SERVER.command,
                        "torchrun knows no parameter servers: leave roles.ps out, or use 'elastic: restart'");
            }
            return;
        }
        for (FileKey<?> key : JobKeys.PARAMETER_SERVER.ofTasks()) {
            if (values.isGiven(key)) {
                values.addProblem(
                        key,
                        "belongs to a role that has no command: give " + JobKeys.PARAMETER_SERVER.command.path()
                                + ", or leave this out");
            }
        }
    }

    private void checkSizes() {
        for (RoleKeys role : List.of(JobKeys.WORKER, JobKeys.PARAMETER_SERVER)) {
            if (role.exists(values)
                    && elastic() == Elasticity.NONE
                    && values.valid(role.min, role.max)
                    && values.get(role.max) > values.get(role.min)) {
                values.addProblem(
                        role.max,
                        values.get(role.max) + " is above min, but these commands run at a fixed size: add 'elastic:"
                                + " restart' or 'elastic: torchrun' if they can be resized, or leave max out");
            }
        }
    }

    private Elasticity elastic() {
        return values.get(keys.elastic);
    }
}
