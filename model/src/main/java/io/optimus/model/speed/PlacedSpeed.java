package io.optimus.model.speed;

import io.optimus.model.Allocation;

/**
 * A speed function of parameter-server training that knows of nodes: what crosses between them takes longer.
 *
 * <pre>seconds(p, w, n) = seconds(p, w) + t · w/p · (1 − 1/n)</pre>
 *
 * <p>with seconds as the {@link SpeedForm} has them on one node, and 1 − 1/n the part of all pairs of a worker and a server
 * that lie on different ones of n nodes where tasks are spread evenly. That is the order of Optimus's placement theorem
 * (section 4.2): the fewer nodes, the faster.
 *
 * <p>Example: 1 s a step on one node and t = 0.4 s: 2 workers and 2 servers take 1 + 0.4 · 1 · 1/2 = 1.2 s on two.
 *
 * @param together the function on one node
 * @param form of that function
 * @param secondsPerRatioAcrossNodes t, of a server that w/p workers share, 0 or more
 * @param tasksPerNode that a node holds, 1 or more: without a number of nodes, the fewest are meant
 */
public record PlacedSpeed(SpeedFunction together, SpeedForm form, double secondsPerRatioAcrossNodes, int tasksPerNode)
        implements SpeedFunction {
    @Override
    public double stepsPerSecond(Allocation allocation) {
        return stepsPerSecond(allocation, MeasuredSizes.nodesFor(allocation.tasks(), tasksPerNode));
    }

    @Override
    public double stepsPerSecond(Allocation allocation, int nodes) {
        double speed = together.stepsPerSecond(allocation);
        double seconds = form.seconds(allocation, speed);
        double longer = secondsPerRatioAcrossNodes * crossing(allocation, nodes);
        // In every form speed is one over the seconds, times what nodes do not change.
        return longer == 0 ? speed : speed * (seconds / (seconds + longer));
    }

    /** w/p · (1 − 1/n). */
    static double crossing(Allocation allocation, int nodes) {
        double ratio = (double) allocation.workers() / allocation.parameterServers();
        return ratio * (1 - 1.0 / nodes);
    }
}
