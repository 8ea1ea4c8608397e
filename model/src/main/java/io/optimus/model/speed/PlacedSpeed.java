package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A speed function of parameter-server training that depends on the number of nodes: transfers between nodes take longer.
 *
 * <pre>seconds(p, w, n) = seconds(p, w) + t · w/p · (1 − 1/n)</pre>
 *
 * <p>where seconds(p, w) are those of the {@link SpeedForm} on one node, and 1 − 1/n is the part of all pairs of a worker and a
 * server that lie on different ones of n nodes if tasks are spread evenly. This agrees with Optimus's placement theorem (section
 * 4.2): the fewer nodes, the faster.
 *
 * <p>Example: 1 s a step on one node and t = 0.4 s: 2 workers and 2 servers take 1 + 0.4 · 1 · 1/2 = 1.2 s on two.
 *
 * @param together the function on one node
 * @param form the form of that function
 * @param secondsPerRatioAcrossNodes t, for a server that w/p workers share, 0 or more
 * @param tasksPerNode how many tasks a node holds, 1 or more; if no number of nodes is given, the fewest are assumed
 */
public record PlacedSpeed(SpeedFunction together, SpeedForm form, double secondsPerRatioAcrossNodes, int tasksPerNode)
        implements SpeedFunction {
    @Override
    public SortedMap<String, Double> parameters() {
        SortedMap<String, Double> parameters = new TreeMap<>(together.parameters());
        parameters.put("secondsPerRatioAcrossNodes", secondsPerRatioAcrossNodes);
        parameters.put("tasksPerNode", (double) tasksPerNode);
        return parameters;
    }

    @Override
    public double stepsPerSecond(Allocation allocation) {
        return stepsPerSecond(allocation, MeasuredSizes.nodesFor(allocation.tasks(), tasksPerNode));
    }

    @Override
    public double stepsPerSecond(Allocation allocation, int nodes) {
        double speed = together.stepsPerSecond(allocation);
        double seconds = form.seconds(allocation, speed);
        double longer = secondsPerRatioAcrossNodes * crossing(allocation, nodes);
        // In every form, speed is one over the seconds, times something that does not depend on nodes.
        return longer == 0 ? speed : speed * (seconds / (seconds + longer));
    }

    /** w/p · (1 − 1/n). */
    static double crossing(Allocation allocation, int nodes) {
        double ratio = (double) allocation.workers() / allocation.parameterServers();
        return ratio * (1 - 1.0 / nodes);
    }
}
