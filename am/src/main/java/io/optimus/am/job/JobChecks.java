package io.optimus.am.job;

import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Engines;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyValues;
import io.optimus.model.TrainingMode;
import java.nio.file.Path;
import java.util.List;

/** Finds values that are valid one by one but do not fit together. */
final class JobChecks {
    static final String OF_COMMANDS = "belongs to commands: add 'framework: command', or leave this out";

    private final KeyValues values;
    private final Path folder;

    /**
     * Checks a job file.
     *
     * @param folder the folder of the job file
     */
    JobChecks(KeyValues values, Path folder) {
        this.values = values;
        this.folder = folder;
    }

    /** Adds every problem to the values. */
    void check() {
        checkRange(JobKeys.WORKER);
        checkRange(JobKeys.PARAMETER_SERVER);
        checkGpuTypes();
        JobKeys.DOCKER.check(values);
        checkFileSystems();
        JobKeys.START.check(values, folder);
        if (values.valid(JobKeys.PROGRAM.framework)) {
            if (JobKeys.PROGRAM.trains(values)) {
                new ProgramChecks(values, folder).check();
            } else {
                checkEngine();
            }
        }
        if (values.isGiven(JobKeys.PLATEAU_EPOCHS)
                && values.valid(JobKeys.PLATEAU_DECREASE)
                && !values.isGiven(JobKeys.PLATEAU_DECREASE)) {
            values.addProblem(
                    JobKeys.PLATEAU_EPOCHS, "means nothing without stop.plateau.decrease: add it, or leave this out");
        }
    }

    private void checkEngine() {
        for (FileKey<?> key : JobKeys.PROGRAM.all()) {
            refuse(key, "belongs to your own program: add 'framework: python', or leave this out");
        }
        for (FileKey<?> key : JobKeys.COMMAND.all()) {
            refuse(key, OF_COMMANDS);
        }
        if (usesAllReduce(values)) {
            values.addProblem(
                    JobKeys.COMMUNICATION,
                    "all-reduce is for your own program: add 'framework: python', or leave this out");
        }
        refuse(
                JobKeys.UPDATE,
                "says where your own program is updated: add 'framework: python', or leave this out; the engines that come"
                        + " with Optimus are updated on the servers");
        refuse(
                JobKeys.TARGET_ACCURACY,
                "needs the reports of your own program: add 'framework: python', or leave this out");
        for (FileKey<?> key : List.of(JobKeys.MODEL, JobKeys.DATASET)) {
            if (values.valid(key) && !values.isGiven(key)) {
                values.addProblem(key, "is required: " + key.meaning());
            }
        }
        JobKeys.BATCH.refuse(values);
        checkPace();
        checkModel();
        checkOptimizer();
        JobKeys.SCHEDULE.check(values);
        if (values.isGiven(JobKeys.DATASET)) {
            Datasets.problems(values.get(JobKeys.DATASET))
                    .forEach(problem -> values.addProblem(JobKeys.DATASET, problem));
        }
        checkBatch();
    }

    static boolean usesAllReduce(KeyValues values) {
        return values.valid(JobKeys.COMMUNICATION) && values.get(JobKeys.COMMUNICATION) == Communication.ALL_REDUCE;
    }

    private void checkRange(RoleKeys role) {
        if (role.exists(values) && values.valid(role.min, role.max) && values.get(role.max) < values.get(role.min)) {
            values.addProblem(
                    role.max,
                    values.get(role.max) + " is below min, which is " + values.get(role.min) + ": raise max or lower "
                            + role.min.path());
        }
    }

    private void checkGpuTypes() {
        if (values.valid(JobKeys.WORKER.gpus)
                && values.get(JobKeys.WORKER.gpus) == 0
                && !values.get(JobKeys.GPU_TYPES).isEmpty()) {
            values.addProblem(
                    JobKeys.GPU_TYPES,
                    "means nothing without GPUs: give " + JobKeys.WORKER.gpus.path() + ", or leave this out");
        }
    }

    private void checkFileSystems() {
        for (String uri : values.get(JobKeys.FILE_SYSTEMS)) {
            if (!uri.matches("[A-Za-z][A-Za-z0-9+.-]*:/.*")) {
                values.addProblem(
                        JobKeys.FILE_SYSTEMS, "'" + uri + "' is no file system: write a URI such as hdfs://other");
            }
        }
    }

    private void checkPace() {
        if (!values.valid(JobKeys.ENGINE, JobKeys.MODE)) {
            return;
        }
        boolean validPace = values.valid(JobKeys.WRAPS) && JobKeys.PACE.stream().allMatch(values::valid);
        if (!values.get(JobKeys.ENGINE).equals(Engines.EMULATED)) {
            boolean given =
                    values.isGiven(JobKeys.WRAPS) || JobKeys.PACE.stream().anyMatch(values::isGiven);
            if (given && validPace) {
                values.addProblem(
                        JobKeys.WRAPS,
                        "Only the engine emulated is paced: write 'engine: emulated', or leave 'emulated' out");
            }
            return;
        }
        if (validPace && JobKeys.PACE.stream().allMatch(term -> values.get(term) == 0)) {
            values.addProblem(JobKeys.WRAPS, "All terms of the emulated speed are 0: give secondsFixed at least");
        }
        if (values.get(JobKeys.MODE) == TrainingMode.ASYNCHRONOUS && values.get(JobKeys.SECONDS_PER_SAMPLE) != 0) {
            values.addProblem(
                    JobKeys.SECONDS_PER_SAMPLE,
                    "In asynchronous training a worker's batch is part of secondsFixed: move "
                            + values.get(JobKeys.SECONDS_PER_SAMPLE) + " times the batch there");
        }
    }

    private void checkModel() {
        if (!values.valid(JobKeys.ENGINE, JobKeys.WRAPS) || !values.isGiven(JobKeys.MODEL)) {
            return;
        }
        String model = values.get(JobKeys.MODEL);
        String engine = values.get(JobKeys.ENGINE).equals(Engines.EMULATED)
                ? values.get(JobKeys.WRAPS)
                : values.get(JobKeys.ENGINE);
        List<String> models = Engines.models(engine);
        if (!models.contains(model)) {
            values.addProblem(
                    JobKeys.MODEL,
                    "Engine " + engine + " cannot train " + model + ": use the engine " + Engines.DJL + ", or one of "
                            + models);
        }
        if (!model.equals(Engines.MLP)
                && values.find(JobKeys.HIDDEN)
                        .filter(widths -> !widths.isEmpty())
                        .isPresent()) {
            values.addProblem(JobKeys.HIDDEN, "Only the model mlp has hidden layers to choose: leave 'hidden' out");
        }
    }

    private void checkOptimizer() {
        if (!values.valid(JobKeys.OPTIMIZER)) {
            return;
        }
        switch (values.get(JobKeys.OPTIMIZER)) {
            case SGD -> {
                for (FileKey<?> key : List.of(JobKeys.BETA1, JobKeys.BETA2, JobKeys.EPSILON)) {
                    refuse(key, "belongs to adam, and this is sgd: leave it out, or choose optimizer.kind adam");
                }
            }
            case ADAM -> refuse(
                    JobKeys.MOMENTUM, "belongs to sgd, and this is adam: leave it out, or choose optimizer.kind sgd");
        }
    }

    private void refuse(FileKey<?> key, String sentence) {
        if (values.isGiven(key)) {
            values.addProblem(key, sentence);
        }
    }

    private void checkBatch() {
        RoleKeys worker = JobKeys.WORKER;
        if (!values.valid(JobKeys.GLOBAL_BATCH, JobKeys.MODE, worker.min, worker.max)) {
            return;
        }
        int workers = values.get(worker.max);
        int batch = values.get(JobKeys.GLOBAL_BATCH);
        if (values.get(JobKeys.MODE) == TrainingMode.SYNCHRONOUS && workers > batch) {
            values.addProblem(
                    JobKeys.GLOBAL_BATCH,
                    batch + " samples are too few for " + workers
                            + " workers, which share them in each step: raise it, or lower roles.worker.max");
        }
    }
}
