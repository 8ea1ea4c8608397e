package io.optimus.am.job;

import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.EmulatedSpec;
import io.optimus.am.engine.EngineSpec;
import io.optimus.am.engine.Engines;
import io.optimus.am.engine.SpecProblem;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyValues;
import io.optimus.model.TrainingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds values that are right one by one but do not go together, and builds the parts of a spec that have variants. */
final class JobChecks {
    /** Keys of the job file by the words that {@link SpecProblem} uses. */
    private static final Map<String, FileKey<?>> ENGINE_KEYS = Map.of(
            "engine", JobKeys.ENGINE,
            "model", JobKeys.MODEL,
            "hidden", JobKeys.HIDDEN,
            "emulated", JobKeys.WRAPS,
            "emulated.engine", JobKeys.WRAPS,
            "emulated.secondsPerSample", JobKeys.SECONDS_PER_SAMPLE,
            "emulated.secondsFixed", JobKeys.SECONDS_FIXED,
            "emulated.secondsPerRatio", JobKeys.SECONDS_PER_RATIO,
            "emulated.secondsPerWorker", JobKeys.SECONDS_PER_WORKER,
            "emulated.secondsPerServer", JobKeys.SECONDS_PER_SERVER);

    private final KeyValues given;

    JobChecks(KeyValues given) {
        this.given = given;
    }

    void check() {
        checkRange(JobKeys.WORKER);
        checkRange(JobKeys.PARAMETER_SERVER);
        checkGpuTypes();
        checkEngine();
        checkOptimizer();
        checkDataset();
        checkBatch();
        if (given.find(JobKeys.PLATEAU_EPOCHS).isPresent() && missing(JobKeys.PLATEAU_DECREASE)) {
            given.add(JobKeys.PLATEAU_EPOCHS, "means nothing without stop.plateau.decrease: add it, or leave this out");
        }
    }

    private void checkRange(RoleKeys role) {
        Optional<Integer> max = given.find(role.max());
        if (given.sound(role.min()) && max.isPresent() && max.get() < given.get(role.min())) {
            given.add(
                    role.max(),
                    max.get() + " is below min, which is " + given.get(role.min()) + ": raise max or lower "
                            + role.min().path());
        }
    }

    private void checkGpuTypes() {
        boolean none = given.sound(JobKeys.WORKER.gpus()) && given.get(JobKeys.WORKER.gpus()) == 0;
        if (none
                && given.find(JobKeys.GPU_TYPES)
                        .filter(types -> !types.isEmpty())
                        .isPresent()) {
            given.add(
                    JobKeys.GPU_TYPES,
                    "means nothing without GPUs: give " + JobKeys.WORKER.gpus().path() + ", or leave this out");
        }
    }

    private void checkBatch() {
        RoleKeys worker = JobKeys.WORKER;
        if (!given.sound(JobKeys.GLOBAL_BATCH, JobKeys.MODE, worker.min(), worker.max())) {
            return;
        }
        int workers = given.find(worker.max()).orElse(given.get(worker.min()));
        int batch = given.get(JobKeys.GLOBAL_BATCH);
        if (given.get(JobKeys.MODE) == TrainingMode.SYNCHRONOUS && workers > batch) {
            given.add(
                    JobKeys.GLOBAL_BATCH,
                    batch + " samples are too few for " + workers
                            + " workers, which share them in each step: raise it, or lower roles.worker.max");
        }
    }

    private void checkDataset() {
        given.find(JobKeys.DATASET)
                .map(Datasets::problems)
                .orElse(List.of())
                .forEach(problem -> given.add(JobKeys.DATASET, problem));
    }

    private void checkEngine() {
        if (!given.sound(JobKeys.ENGINE, JobKeys.MODEL, JobKeys.MODE)) {
            return;
        }
        for (SpecProblem problem : Engines.problems(engine(), given.get(JobKeys.MODE))) {
            String name = problem.key().replaceAll("\\[.*", "");
            FileKey<?> key = ENGINE_KEYS.getOrDefault(name, JobKeys.ENGINE);
            boolean ofAllTerms = name.equals("emulated");
            if (given.sound(key) && (!ofAllTerms || paceKeys().stream().allMatch(given::sound))) {
                given.add(key, problem.sentence());
            }
        }
    }

    private void checkOptimizer() {
        if (!given.sound(JobKeys.OPTIMIZER)) {
            return;
        }
        boolean sgd = given.get(JobKeys.OPTIMIZER).equals(JobKeys.SGD);
        List<FileKey<Double>> others =
                sgd ? List.of(JobKeys.BETA1, JobKeys.BETA2, JobKeys.EPSILON) : List.of(JobKeys.MOMENTUM);
        for (FileKey<Double> other : others) {
            if (given.find(other).isPresent()) {
                given.add(
                        other,
                        sgd
                                ? "is adam's, this is sgd: leave it out, or choose optimizer.kind adam"
                                : "is sgd's, this is adam: leave it out, or choose optimizer.kind sgd");
            }
        }
    }

    private boolean missing(FileKey<?> key) {
        return given.sound(key) && given.find(key).isEmpty();
    }

    /** The engine as given; whether it can run is {@link #check}'s. */
    EngineSpec engine() {
        String engine = given.get(JobKeys.ENGINE);
        String model = given.get(JobKeys.MODEL);
        List<Integer> hidden = given.find(JobKeys.HIDDEN).orElse(model.equals(Engines.MLP) ? List.of(64) : List.of());
        boolean emulated = engine.equals(Engines.EMULATED) || anyPaceGiven();
        return new EngineSpec(engine, model, hidden, emulated ? pace() : null);
    }

    private boolean anyPaceGiven() {
        return given.find(JobKeys.WRAPS).isPresent()
                || paceKeys().stream().anyMatch(key -> given.find(key).isPresent());
    }

    private static List<FileKey<Double>> paceKeys() {
        return List.of(
                JobKeys.SECONDS_PER_SAMPLE,
                JobKeys.SECONDS_FIXED,
                JobKeys.SECONDS_PER_RATIO,
                JobKeys.SECONDS_PER_WORKER,
                JobKeys.SECONDS_PER_SERVER);
    }

    private EmulatedSpec pace() {
        List<Double> seconds =
                paceKeys().stream().map(key -> given.find(key).orElse(0.0)).toList();
        return new EmulatedSpec(
                given.find(JobKeys.WRAPS).orElse(Engines.JAVA),
                seconds.get(0),
                seconds.get(1),
                seconds.get(2),
                seconds.get(3),
                seconds.get(4));
    }
}
