package io.optimus.sim;

import io.optimus.model.cluster.Resources;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which nodes the command line chooses. */
final class ClusterOptions {
    /** Of a node for each of its GPUs: 16 cores and 48 GiB beside 2 GPUs, as the authors of Optimus published it. */
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
                    "nodes by the type of their GPUs, in place of --nodes, such as 8xv100=1,8xa100=2.5 for eight nodes with a type on which jobs do their own speed, and eight where they are 2.5 times as fast")
    private List<String> gpuTypes = List.of();

    /**
     * The nodes that were chosen.
     *
     * @param typesOfNodes the type of GPUs of each node, empty where nobody told them
     * @param gpusPerNode of each node
     * @param speeds of GPUs by type
     */
    record Cluster(List<String> typesOfNodes, int gpusPerNode, SortedMap<String, Double> speeds) {
        int nodes() {
            return typesOfNodes.size();
        }

        /** Of each node. */
        Resources capacity() {
            return Resources.of(
                    (long) MEMORY_MB_PER_GPU * gpusPerNode, (long) VCORES_PER_GPU * gpusPerNode, gpusPerNode);
        }
    }

    /**
     * The chosen nodes; what is wrong with the choice is added to {@code problems}.
     *
     * @param builtin whether the built-in workload runs alone, which has nodes of its own
     */
    Cluster cluster(boolean builtin, List<String> problems) {
        List<NodesOfType> types = new ArrayList<>();
        for (String text : gpuTypes) {
            Optional<NodesOfType> some = NodesOfType.parse(text);
            some.ifPresentOrElse(
                    types::add,
                    () -> problems.add("--gpu-types has COUNTxTYPE=SPEED with commas between them, got " + text));
        }
        SortedMap<String, Double> speeds = new TreeMap<>();
        types.forEach(some -> speeds.put(some.type(), some.speed()));
        if (speeds.size() < types.size()) {
            problems.add("--gpu-types names a type twice. Remedy: add their counts");
        }
        if (!gpuTypes.isEmpty() && nodes != null) {
            problems.add("--gpu-types says how many nodes there are, and so does --nodes. Remedy: leave one out");
        }
        int count = types.isEmpty()
                ? otherwise(nodes, builtin ? BuiltinWorkload.NODES : NODES)
                : types.stream().mapToInt(NodesOfType::count).sum();
        int gpus = otherwise(gpusPerNode, builtin ? BuiltinWorkload.GPUS_PER_NODE : GPUS_PER_NODE);
        OptionRanges.outside("--nodes", count, 1, MOST_NODES).ifPresent(problems::add);
        OptionRanges.outside("--gpus-per-node", gpus, 1, MOST_GPUS).ifPresent(problems::add);
        return new Cluster(typesOfNodes(types, Math.max(0, Math.min(MOST_NODES, count))), gpus, speeds);
    }

    private static int otherwise(@Nullable Integer chosen, int usual) {
        return chosen == null ? usual : chosen;
    }

    private static List<String> typesOfNodes(List<NodesOfType> types, int count) {
        return types.isEmpty()
                ? Collections.nCopies(count, "")
                : types.stream()
                        .flatMap(some -> Collections.nCopies(some.count(), some.type()).stream())
                        .limit(count)
                        .toList();
    }

    private static String count(int things, String each) {
        return things + " " + each + (things == 1 ? "" : "s");
    }

    /** What was chosen, for the report; without problems. */
    String inWords(boolean builtin) {
        Cluster chosen = cluster(builtin, new ArrayList<>());
        return count(chosen.nodes(), "node") + " of " + count(chosen.gpusPerNode(), "GPU")
                + (gpuTypes.isEmpty() ? "" : ": " + String.join(", ", gpuTypes));
    }
}
