package io.optimus.am.job;

import java.util.List;

/** Job specs for tests. */
public final class JobSpecs {
    private static final String EMULATED =
            """
            name: emulated
            queue: research
            priority: 3
            preemptible: false
            minRunSeconds: 60
            mode: asynchronous
            engine: emulated
            model: {kind: mlp, hidden: [64, 32]}
            dataset: digits
            globalBatch: 32
            seed: 7
            optimizer: {kind: adam, weightDecay: 1e-4}
            stop: {plateau: {decrease: 0.01, epochs: 3}, targetLoss: 0.05, maxEpochs: 40}
            roles:
              worker:
                min: 1
                max: 4
                vcores: 2
                gpus: 1
                environment: {OMP_NUM_THREADS: 2}
                retries: 5
                gpuTypes: [a100, v100]
              ps: {max: 2, retries: 4}
            emulated:
              speed: {secondsFixed: 0.2, secondsPerRatio: 0.01, secondsPerWorker: 0.002, secondsPerServer: 0.003}
            checkpoint: {everySteps: 250, everySeconds: 90}
            output: models/${application}
            applicationMaster: {memoryMb: 768, vcores: 2, maxAttempts: 3}
            logLevel: debug
            """;

    private static final String PROGRAM =
            """
            name: program
            framework: python
            program: {module: training.main}
            roles: {worker: {memoryMb: 2096, vcores: 3}}
            """;

    private JobSpecs() {}

    /**
     * A job that an owner's program trains.
     *
     * @param overrides further {@code dotted.path=value} settings
     */
    public static JobSpec program(String... overrides) {
        return parse("program.yaml", PROGRAM, overrides);
    }

    /**
     * A paced job with values other than the defaults.
     *
     * @param overrides further {@code dotted.path=value} settings
     */
    public static JobSpec emulated(String... overrides) {
        return parse("emulated.yaml", EMULATED, overrides);
    }

    private static JobSpec parse(String name, String text, String... overrides) {
        try {
            return JobFile.parse(name, text, List.of(overrides)).spec();
        } catch (InvalidJobFileException invalid) {
            throw new IllegalArgumentException(invalid);
        }
    }
}
