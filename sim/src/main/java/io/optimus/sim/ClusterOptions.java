package io.optimus.sim;

import io.optimus.model.cluster.Resources;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that set the nodes of the cluster. */
final class ClusterOptions {
    /** A node of 2 GPUs has 16 cores and 48 GiB, as the authors of Optimus published it. */
    private static final int VCORES_PER_GPU = 8;

    private static final int MEMORY_MB_PER_GPU = 24_576;
    private static final int MOST_NODES = 100_000;
    private static final int MOST_GPUS = 64;

    private static final int NODES = 16;
    private static final int GPUS_PER_NODE = 4;

    @Option(names = "--nodes", paramLabel = "N", description = "nodes of the cluster (default: 16; 13 for 'builtin')")
    private @Nullable Integer nodes;

    @Option(names = "--gpus-per-node", paramLabel = "N", description = "GPUs of a node (default: 4; 2 for 'builtin')")
    private @Nullable Integer gpusPerNode;

    @Option(
            names = "--gpu-types",
            split = ",",
            paramLabel = "COUNTxTYPE=SPEED",
            description =
                    "nodes by GPU type, in place of --nodes: 8xv100=1,8xa100=2.5 is eight nodes on which jobs run at their own speed, and eight on which they run 2.5 times as fast")
    private List<String> gpuTypes = List.of();

    /**
     * The chosen nodes.
     *
     * @param typesOfNodes the GPU type of each node; empty if no types were given
     * @param gpusPerNode GPUs of each node
     * @param speeds relative speed by GPU type
     */
    record Cluster(List<String> typesOfNodes, int gpusPerNode, SortedMap<String, Double> speeds) {
        int nodes() {
            return typesOfNodes.size();
        }

        Resources capacity() {
            return Resources.of(
                    (long) MEMORY_MB_PER_GPU * gpusPerNode, (long) VCORES_PER_GPU * gpusPerNode, gpusPerNode);
        }
    }

    /**
     * Nodes with one GPU type, written {@code 8xa100=2.5}.
     *
     * @param count number of nodes, 1 or more
     * @param type type of their GPUs
     * @param speed speed relative to other types, above 0
     */
    private record NodesOfType(int count, String type, double speed) {
        private static final Pattern FORM =
                Pattern.compile("([1-9][0-9]{0,5})x([^=,\\s]+)=([0-9]{1,4}(\\.[0-9]{1,6})?)");

        /** Returns the nodes; empty if {@code text} has another form. */
        static Optional<NodesOfType> parse(String text) {
            Matcher form = FORM.matcher(text);
            return Optional.of(form)
                    .filter(Matcher::matches)
                    .map(all -> new NodesOfType(
                            Integer.parseInt(all.group(1)), all.group(2), Double.parseDouble(all.group(3))))
                    .filter(nodes -> nodes.speed() > 0);
        }
    }

    /**
     * Returns the chosen nodes, and adds problems of the options to {@code problems}.
     *
     * @param builtin whether only the built-in workload runs, which has its own default nodes
     */
    Cluster cluster(boolean builtin, List<String> problems) {
        List<NodesOfType> types = new ArrayList<>();
        for (String text : gpuTypes) {
            Optional<NodesOfType> parsed = NodesOfType.parse(text);
            parsed.ifPresentOrElse(
                    types::add,
                    () -> problems.add("--gpu-types wants COUNTxTYPE=SPEED, separated by commas, got " + text));
        }
        SortedMap<String, Double> speeds = new TreeMap<>();
        types.forEach(each -> speeds.put(each.type(), each.speed()));
        if (speeds.size() < types.size()) {
            problems.add("--gpu-types names a type twice. Remedy: name it once with the sum of the counts");
        }
        if (!gpuTypes.isEmpty() && nodes != null) {
            problems.add("--gpu-types and --nodes both set the number of nodes. Remedy: leave one out");
        }
        int count = types.isEmpty()
                ? orDefault(nodes, builtin ? BuiltinWorkload.NODES : NODES)
                : types.stream().mapToInt(NodesOfType::count).sum();
        int gpus = orDefault(gpusPerNode, builtin ? BuiltinWorkload.GPUS_PER_NODE : GPUS_PER_NODE);
        ExperimentOptions.outOfRange("--nodes", count, 1, MOST_NODES).ifPresent(problems::add);
        ExperimentOptions.outOfRange("--gpus-per-node", gpus, 1, MOST_GPUS).ifPresent(problems::add);
        return new Cluster(typesOfNodes(types, Math.max(0, Math.min(MOST_NODES, count))), gpus, speeds);
    }

    private static int orDefault(@Nullable Integer chosen, int byDefault) {
        return chosen == null ? byDefault : chosen;
    }

    private static List<String> typesOfNodes(List<NodesOfType> types, int count) {
        return types.isEmpty()
                ? Collections.nCopies(count, "")
                : types.stream()
                        .flatMap(each -> Collections.nCopies(each.count(), each.type()).stream())
                        .limit(count)
                        .toList();
    }

    private static String count(int things, String each) {
        return things + " " + each + (things == 1 ? "" : "s");
    }

    /** Describes the nodes for the report; called only if there were no problems. */
    String inWords(boolean builtin) {
        Cluster chosen = cluster(builtin, new ArrayList<>());
        return count(chosen.nodes(), "node") + " of " + count(chosen.gpusPerNode(), "GPU")
                + (gpuTypes.isEmpty() ? "" : ": " + String.join(", ", gpuTypes));
    }
}
