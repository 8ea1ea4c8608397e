package io.optimus.sls.applications;

/**
 * How a simulated job trains: {@code 1 / (decay * step + 1) + 0.2} is its loss, {@code speed * w / (w + half)} its steps a
 * second with w workers.
 *
 * <p>For example, with speed 10 and half 8 a job makes 1.1 steps a second with one worker and 5 with eight.
 */
final class TrainingProgress {
    private static final double LEAST_LOSS = 0.2;

    private final double decay;
    private final double speed;
    private final double half;
    private double step;

    /** A job whose curve and speed follow from {@code index}, so that both sides and all repetitions have the same jobs. */
    TrainingProgress(int index) {
        this.decay = 0.002 * (1 + index % 5);
        this.speed = 5 + index % 7;
        this.half = 4 + index % 9;
    }

    double stepsPerSecond(int workers) {
        return speed * workers / (workers + half);
    }

    void train(int workers, double seconds) {
        step += stepsPerSecond(workers) * seconds;
    }

    long step() {
        return (long) step;
    }

    double loss() {
        return 1 / (decay * step + 1) + LEAST_LOSS;
    }
}
