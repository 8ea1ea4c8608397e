package io.optimus.sls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Both schedulers under one workload, with as many measurements of each. */
final class Comparison {
    private static final double LEAST_HEARTBEATS = 0.95;

    private final Workload workload;
    private final Map<Side, List<Measurement>> measured = new EnumMap<>(Side.class);

    Comparison(Workload workload) {
        this.workload = workload;
        for (Side side : Side.values()) {
            measured.put(side, new ArrayList<>());
        }
    }

    void add(Side side, Measurement measurement) {
        of(side).add(measurement);
    }

    Workload workload() {
        return workload;
    }

    /** The measurements of {@code side}. */
    List<Measurement> of(Side side) {
        return measured.computeIfAbsent(side, key -> new ArrayList<>());
    }

    /** The median over the repetitions. */
    double median(Side side, Figure figure) {
        double[] values = of(side).stream().mapToDouble(figure::of).sorted().toArray();
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }

    /** Ours divided by stock; NaN where stock has nothing of it. */
    double ratio(Figure figure) {
        double stock = median(Side.STOCK, figure);
        return stock == 0 ? Double.NaN : median(Side.OURS, figure) / stock;
    }

    /** Whether ours is at most {@code mostRatio} times stock. */
    boolean isWithin(Figure figure, double mostRatio) {
        return !(ratio(figure) > mostRatio);
    }

    /** Whether the scheduler handled nearly as many heartbeats as the nodes wanted to send, on both sides. */
    boolean machineFollowed() {
        return Arrays.stream(Side.values())
                .flatMap(side -> of(side).stream())
                .allMatch(measurement -> measurement.rates().heartbeats() >= LEAST_HEARTBEATS * workload.nodes());
    }
}
