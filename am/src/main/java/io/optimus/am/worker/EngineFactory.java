package io.optimus.am.worker;

import io.optimus.am.dataset.Dataset;
import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.EmulatedSpec;
import io.optimus.am.engine.EngineSpec;
import io.optimus.am.engine.Engines;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.ScheduledRates;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.WorkerEngine;
import io.optimus.am.engine.djl.DjlEngine;
import io.optimus.am.engine.emulated.PacedEngine;
import io.optimus.am.engine.gpu.VisibleGpus;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.am.engine.program.ProgramEngine;
import io.optimus.am.engine.program.ProgramGroup;
import io.optimus.am.engine.program.StepLimits;
import io.optimus.am.job.JobSpec;
import io.optimus.am.wire.TaskId;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the training engine of a worker. */
final class EngineFactory {
    private static final Logger LOG = LoggerFactory.getLogger(EngineFactory.class);

    private EngineFactory() {}

    /**
     * The engine of a job's worker, with the job's data set.
     *
     * @param startModel the model whose parameters are the initial ones, if the job starts from one
     * @throws IOException if the data set or that model cannot be read, or that is of another model
     */
    static WorkerEngine create(JobSpec job, TaskId task, Path startModel) throws IOException {
        if (!job.startsFromModel()) {
            return create(job, task);
        }
        TrainingEngine engine = create(job, task).match(gradients -> gradients, group -> {
            throw new IllegalStateException("A job whose workers hold the parameters cannot start from a model");
        });
        try {
            return new WarmStart(engine, startModel);
        } catch (IOException | RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    private static WorkerEngine create(JobSpec job, TaskId task) throws IOException {
        EngineSpec spec = job.engine();
        ProgramSpec program = spec.program();
        if (program == null) {
            TrainingEngine engine = create(spec, Datasets.open(job.dataset()), job.mode(), job.globalBatch());
            return job.schedule()
                    .map(schedule -> (TrainingEngine) new ScheduledRates(engine, schedule))
                    .orElse(engine);
        }
        ProgramSpec visible = withGpus(program, job);
        StepLimits limits = new StepLimits(
                Duration.ofSeconds(job.stepTimeoutSeconds()), Duration.ofSeconds(job.evaluationTimeoutSeconds()));
        return switch (job.communication()) {
            case PARAMETER_SERVER -> new ProgramEngine(
                    visible, new ProgramEngine.Job(task.toString(), job.seed(), job.mode()), limits);
            case AVERAGING_SERVER, ALL_REDUCE -> new ProgramGroup(
                    visible,
                    new ProgramGroup.Job(
                            task.toString(),
                            job.seed(),
                            job.communication(),
                            job.batch().adapts()),
                    limits);
        };
    }

    /** The program with variables by which it sees the GPUs of its container only. */
    private static ProgramSpec withGpus(ProgramSpec program, JobSpec job) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(program.environment());
        int asked = (int) job.worker().task().amount(Resources.GPUS);
        VisibleGpus visible = VisibleGpus.find(asked, environment);
        if (visible.certain()) {
            LOG.info("gpus asked={} set={} because {}", asked, visible.variables(), visible.explanation());
        } else {
            LOG.warn(visible.explanation());
        }
        return program.withVariables(visible.variables());
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
