package io.optimus.am.worker;

import io.optimus.am.dataset.Dataset;
import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.EmulatedSpec;
import io.optimus.am.engine.EngineSpec;
import io.optimus.am.engine.Engines;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.djl.DjlEngine;
import io.optimus.am.engine.emulated.PacedEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.am.engine.program.ProgramEngine;
import io.optimus.am.job.JobSpec;
import io.optimus.am.wire.TaskId;
import io.optimus.model.TrainingMode;
import java.io.IOException;

/** Makes the training engine of a worker. */
final class EngineFactory {
    private EngineFactory() {}

    /**
     * The engine of a job's worker, with the job's data set.
     *
     * @throws IOException if the data set cannot be read
     */
    static TrainingEngine create(JobSpec job, TaskId task) throws IOException {
        EngineSpec spec = job.engine();
        ProgramSpec program = spec.program();
        return program == null
                ? create(spec, Datasets.open(job.dataset()), job.mode(), job.globalBatch())
                : new ProgramEngine(program, new ProgramEngine.Job(task.toString(), job.seed(), job.mode()));
    }

    /**
     * The engine on {@code dataset} that {@code spec} describes; the checks of the job file have accepted it.
     *
     * @param globalBatch samples of a synchronous step of all workers together, on which an emulated speed depends
     * @throws IllegalArgumentException if there is no such engine
     */
    static TrainingEngine create(EngineSpec spec, Dataset dataset, TrainingMode mode, int globalBatch) {
        TrainingEngine computing =
                switch (spec.computingEngine()) {
                    case Engines.JAVA -> new PlainPerceptron(dataset, spec.hidden());
                    case Engines.DJL -> new DjlEngine(spec.model(), spec.hidden(), dataset);
                    default -> throw new IllegalArgumentException(
                            "There is no engine '" + spec.computingEngine() + "': use one of " + Engines.NAMES);
                };
        EmulatedSpec emulated = spec.emulated();
        return emulated == null ? computing : new PacedEngine(computing, emulated.speed(mode, globalBatch), mode);
    }
}
