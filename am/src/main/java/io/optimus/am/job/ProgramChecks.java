package io.optimus.am.job;

import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyValues;
import io.optimus.model.TrainingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds what is wrong in the file of a job that an owner's program trains. */
final class ProgramChecks {
    /** The container's least memory, MiB: PyTorch alone takes 240, beside the worker's JVM. */
    private static final int LEAST_MEMORY_MB = 512;

    private final KeyValues values;
    private final ProgramKeys keys = JobKeys.PROGRAM;
    private final Path folder;

    ProgramChecks(KeyValues values, Path folder) {
        this.values = values;
        this.folder = folder;
    }

    /** Adds every problem to the values. */
    void check() {
        for (FileKey<?> key : decidedByProgram()) {
            if (values.isGiven(key)) {
                values.addProblem(key, "is decided by your program: leave it out");
            }
        }
        checkFiles();
        if (keys.runsCommands(values)) {
            new CommandChecks(values).check();
            JobKeys.BATCH.refuse(values);
            if (values.isGiven(JobKeys.UPDATE)) {
                values.addProblem(
                        JobKeys.UPDATE, "is for 'framework: python': commands make their updates by themselves");
            }
            if (JobChecks.usesAllReduce(values)) {
                values.addProblem(
                        JobKeys.COMMUNICATION, "is for 'framework: python': commands communicate by themselves");
            }
        } else {
            refuseCommands();
            if (JobChecks.usesAllReduce(values)) {
                checkAllReduce();
                JobKeys.BATCH.check(values, JobKeys.WORKER);
            } else {
                checkUpdate();
                JobKeys.BATCH.refuse(values);
            }
            checkMain();
            checkMemory();
        }
    }

    private void refuseCommands() {
        for (FileKey<?> key : JobKeys.COMMAND.all()) {
            if (values.isGiven(key)) {
                values.addProblem(key, JobChecks.OF_COMMANDS);
            }
        }
    }

    private void checkMemory() {
        FileKey<Integer> memory = JobKeys.WORKER.memoryMb;
        if (values.valid(memory) && values.get(memory) < LEAST_MEMORY_MB) {
            values.addProblem(
                    memory,
                    values.get(memory) + " MiB are too few for a Python program beside the worker's JVM: give "
                            + LEAST_MEMORY_MB + " at least");
        }
    }

    private static List<FileKey<?>> decidedByProgram() {
        List<FileKey<?>> keys = new ArrayList<>(List.of(
                JobKeys.ENGINE,
                JobKeys.MODEL,
                JobKeys.HIDDEN,
                JobKeys.DATASET,
                JobKeys.GLOBAL_BATCH,
                JobKeys.OPTIMIZER,
                JobKeys.LEARNING_RATE,
                JobKeys.WEIGHT_DECAY,
                JobKeys.MOMENTUM,
                JobKeys.BETA1,
                JobKeys.BETA2,
                JobKeys.EPSILON,
                JobKeys.WRAPS));
        keys.addAll(JobKeys.SCHEDULE.all());
        keys.addAll(JobKeys.PACE);
        return keys;
    }

    private void checkUpdate() {
        if (!values.valid(JobKeys.UPDATE) || values.get(JobKeys.UPDATE) == JobKeys.Updater.SERVER) {
            return;
        }
        if (values.valid(JobKeys.MODE) && values.get(JobKeys.MODE) == TrainingMode.ASYNCHRONOUS) {
            values.addProblem(
                    JobKeys.MODE,
                    "Workers that update alike wait for each other's gradients: leave 'mode' out, or use 'update:"
                            + " server'");
        }
        if (values.isGiven(JobKeys.START.model)) {
            values.addProblem(
                    JobKeys.START.model,
                    "A job with 'update: worker' cannot start from a model.bin: load it in your program with"
                            + " optimus_yarn.load, before job.prepare");
        }
    }

    private void checkAllReduce() {
        if (values.isGiven(JobKeys.UPDATE)) {
            values.addProblem(
                    JobKeys.UPDATE,
                    "is for jobs with parameter servers, and with 'communication: all-reduce' the workers update in any"
                            + " case: leave this out, or use 'communication: parameter-server'");
        }
        if (values.valid(JobKeys.MODE) && values.get(JobKeys.MODE) == TrainingMode.ASYNCHRONOUS) {
            values.addProblem(
                    JobKeys.MODE,
                    "Workers that average gradients among themselves wait for each other: leave 'mode' out, or use"
                            + " 'communication: parameter-server'");
        }
        if (values.isGiven(JobKeys.START.model)) {
            values.addProblem(
                    JobKeys.START.model,
                    "A job with 'communication: all-reduce' cannot start from a model.bin: load it in your program with"
                            + " optimus_yarn.load, before job.prepare");
        }
        if (values.isGiven(JobKeys.WIRE_FORMAT)) {
            values.addProblem(
                    JobKeys.WIRE_FORMAT,
                    "is for jobs with parameter servers: leave it out, and register a communication hook with your"
                            + " DistributedDataParallel");
        }
        for (FileKey<?> key : JobKeys.PARAMETER_SERVER.ofTasks()) {
            if (values.isGiven(key)) {
                values.addProblem(
                        key,
                        "A job with 'communication: all-reduce' has no parameter servers: leave the section roles.ps"
                                + " out");
                return;
            }
        }
    }

    private void checkMain() {
        if (!values.valid(keys.script, keys.module)) {
            return;
        }
        if (!values.isGiven(keys.script) && !values.isGiven(keys.module)) {
            values.addProblem(keys.script, "is required, or program.module: name the program to run");
        }
        if (values.isGiven(keys.script) && values.isGiven(keys.module)) {
            values.addProblem(keys.module, "is given beside program.script: leave one of them out");
        }
    }

    private void checkFiles() {
        Map<String, WorkerFile> byAlias = new HashMap<>();
        for (ProgramKeys.Listed listed : keys.workerFiles(values)) {
            WorkerFile file = listed.file();
            file.problem(folder).ifPresent(sentence -> values.addProblem(listed.key(), sentence));
            WorkerFile other = byAlias.putIfAbsent(file.alias(), file);
            if (other != null) {
                values.addProblem(
                        listed.key(),
                        file.source() + " and " + other.source() + " are both called " + file.alias()
                                + " in the worker's folder: give one of them another name with #NAME");
            }
        }
    }
}
