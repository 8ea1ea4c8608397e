package io.optimus.dataplane;

import java.util.List;

/**
 * One kind of job whose exchange is measured. Workers compute nothing.
 *
 * @param megabytes parameters of the model, in 10⁶ bytes
 * @param servers the number of parameter servers
 * @param workers the number of workers
 * @param mode {@code synchronous} or {@code asynchronous}
 * @param optimizer {@code sgd} or {@code adam}
 * @param sameHost whether tasks know that they are on one host; otherwise they exchange by TCP as between two hosts
 * @param wireFormat {@code float32} or {@code bfloat16}, which also counts as if floats moved
 */
record ExchangeCase(
        int megabytes, int servers, int workers, String mode, String optimizer, boolean sameHost, String wireFormat) {
    private static final String FLOATS = "float32";
    private static final int FLOATS_PER_MEGABYTE = 1_000_000 / Float.BYTES;

    /** All that are measured. */
    static final List<ExchangeCase> ALL = List.of(
            new ExchangeCase(10, 1, 1, "synchronous", "sgd", false),
            new ExchangeCase(10, 1, 1, "synchronous", "sgd", true),
            new ExchangeCase(10, 2, 2, "synchronous", "sgd", false),
            new ExchangeCase(10, 2, 2, "synchronous", "sgd", true),
            new ExchangeCase(10, 2, 2, "asynchronous", "sgd", false),
            new ExchangeCase(10, 2, 2, "asynchronous", "sgd", true),
            new ExchangeCase(100, 1, 1, "synchronous", "sgd", false),
            new ExchangeCase(100, 1, 1, "synchronous", "sgd", true),
            new ExchangeCase(100, 2, 2, "synchronous", "sgd", false),
            new ExchangeCase(100, 2, 2, "synchronous", "sgd", true),
            new ExchangeCase(100, 2, 2, "synchronous", "sgd", false, "bfloat16"),
            new ExchangeCase(100, 2, 2, "synchronous", "adam", false),
            new ExchangeCase(100, 2, 2, "synchronous", "adam", true));

    ExchangeCase(int megabytes, int servers, int workers, String mode, String optimizer, boolean sameHost) {
        this(megabytes, servers, workers, mode, optimizer, sameHost, FLOATS);
    }

    /** A name without spaces. */
    String name() {
        return megabytes + "MB-" + servers + "+" + workers + "-" + mode + "-" + optimizer
                + (wireFormat.equals(FLOATS) ? "" : "-" + wireFormat)
                + (sameHost ? "-same-host" : "");
    }

    int floats() {
        return megabytes * FLOATS_PER_MEGABYTE;
    }

    /** What moves in {@code steps} exchanges of one worker, both ways, in 10⁶ bytes. */
    double moved(double steps) {
        return 2 * megabytes * steps;
    }

    /** The job file of such a job. */
    String jobFile() {
        String settings = optimizer.equals("adam") ? "{kind: adam}" : "{kind: sgd, learningRate: 0.001, momentum: 0}";
        return """
                name: data-plane
                engine: java
                model: mlp
                dataset: digits
                mode: %s
                wireFormat: %s
                globalBatch: 64
                optimizer: %s
                stop: {maxEpochs: 10000000}
                checkpoint: {everySteps: 1000000000, everySeconds: 86400}
                roles:
                  worker: {min: %d, max: %d, memoryMb: 2048}
                  ps: {min: %d, max: %d, memoryMb: 2048}
                """
                .formatted(mode, wireFormat, settings, workers, workers, servers, servers);
    }
}
