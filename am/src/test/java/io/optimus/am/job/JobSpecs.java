package io.optimus.am.job;

import io.optimus.am.engine.EmulatedSpec;
import io.optimus.am.engine.EngineSpec;
import io.optimus.am.engine.Engines;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.StopRule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Job specs for tests. */
public final class JobSpecs {
    private JobSpecs() {}

    /** A paced job with something other than the default in every field. */
    public static JobSpec emulated() {
        return new JobSpec(
                "emulated",
                "research",
                3,
                false,
                60,
                TrainingMode.ASYNCHRONOUS,
                EngineSpec.mlp(Engines.JAVA, 64, 32).paced(new EmulatedSpec(Engines.JAVA, 0, 0.2, 0.01, 0.002, 0.003)),
                "digits",
                32,
                7,
                new JobSpec.Optimizer.Adam(0.001, 0.9, 0.999, 1e-8, 1e-4),
                new StopRule.FirstOf(List.of(
                        new StopRule.LossPlateau(0.01, 3), new StopRule.TargetLoss(0.05), new StopRule.MaxEpochs(40))),
                new RoleSpec(1, 4, Resources.of(1024, 2, 1), new TreeMap<>(Map.of("OMP_NUM_THREADS", "2")), 5),
                List.of("a100", "v100"),
                RoleSpec.of(1, 2, Resources.of(512, 1, 0), 4),
                new JobSpec.Checkpoint(250, 90),
                "models/" + JobSpec.APPLICATION,
                new JobSpec.Master(768, 2),
                3,
                JobSpec.LogLevel.DEBUG);
    }
}
