package io.optimus.yarn.jobs;

import io.optimus.yarn.jobs.CheckedLife.CheckedPrediction;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What was predicted of one job over its life, in bounded memory: when the trail is full, every second prediction is dropped,
 * and from then on twice as much time lies between two. So the last one before any moment is at most a thirtieth of the life
 * old.
 *
 * <p>Not thread-safe.
 */
final class PredictionTrail {
    /** An even number. */
    private static final int MOST = 64;

    private static final double MILLIS = 1000;

    private final long startMillis;
    private final List<Point> points = new ArrayList<>();
    private long gapMillis;

    /** A prediction, and the steps that were done then. */
    private record Point(long millis, double step, Prediction prediction) {}

    /** Begins with the job's life, by the clock of the rounds. */
    PredictionTrail(long startMillis) {
        this.startMillis = startMillis;
    }

    /** Whether the last prediction is old enough for another one. */
    boolean isDue(long nowMillis) {
        return points.isEmpty() || nowMillis - points.get(points.size() - 1).millis() >= Math.max(1, gapMillis);
    }

    /** Takes in what is predicted at {@code nowMillis}, when one is due. */
    void add(long nowMillis, double step, Prediction prediction) {
        points.add(new Point(nowMillis, step, prediction));
        if (points.size() == MOST) {
            for (int i = MOST - 1; i > 0; i -= 2) {
                points.remove(i);
            }
            gapMillis = (nowMillis - startMillis) / (MOST / 2);
        }
    }

    double lifeSeconds(long endMillis) {
        return (endMillis - startMillis) / MILLIS;
    }

    /** The steps that were done in the job's life until {@code step}. */
    double stepsUntil(double step) {
        return points.isEmpty() ? 0 : Math.max(0, step - points.get(0).step());
    }

    /** The predictions at each of {@link CheckedLife#FRACTIONS}, for a job that ended after its beginning. */
    List<CheckedPrediction> checked(long endMillis, double endStep) {
        return CheckedLife.FRACTIONS.stream()
                .map(fraction -> checked(fraction, endMillis, endStep))
                .toList();
    }

    private CheckedPrediction checked(double fraction, long endMillis, double endStep) {
        double moment = startMillis + fraction * (endMillis - startMillis);
        int next = 0;
        while (next < points.size() && points.get(next).millis() <= moment) {
            next++;
        }
        Point last = points.get(Math.max(0, next - 1));
        double nextMillis = next < points.size() ? points.get(next).millis() : endMillis;
        double nextStep = next < points.size() ? points.get(next).step() : endStep;
        double passed = Math.max(0, moment - last.millis());
        double share = nextMillis > last.millis() ? passed / (nextMillis - last.millis()) : 0;
        double done = share * Math.max(0, nextStep - last.step());
        Prediction then = last.prediction();
        return new CheckedPrediction(
                fraction,
                new Prediction(less(then.seconds(), passed / MILLIS), less(then.steps(), done), then.stepsPerSecond()),
                (endMillis - moment) / MILLIS,
                Math.max(0, endStep - last.step() - done));
    }

    private static OptionalDouble less(OptionalDouble predicted, double passed) {
        return predicted.isPresent() ? OptionalDouble.of(Math.max(0, predicted.getAsDouble() - passed)) : predicted;
    }
}
