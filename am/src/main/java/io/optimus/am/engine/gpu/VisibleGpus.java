package io.optimus.am.engine.gpu;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The GPUs that an owner's program shall see.
 *
 * <p>Where YARN isolates GPUs, a container can open the device files of its own GPUs only, and CUDA numbers these from 0.
 * Nothing is set then. Elsewhere every program would compute on the node's first GPU. The NodeManager then tells which
 * GPUs it has assigned to the container, and {@code CUDA_VISIBLE_DEVICES} names these.
 *
 * <p>Example: a node has 4 GPUs and does not isolate them. A container with 2 GPUs can open 4 device files. Its
 * NodeManager has assigned the GPUs 1 and 3 to it. Its program gets {@code CUDA_VISIBLE_DEVICES=1,3} and {@code
 * CUDA_DEVICE_ORDER=PCI_BUS_ID}: YARN counts GPUs as nvidia-smi lists them, in the order of the PCI bus, while CUDA by
 * default puts the fastest first.
 *
 * @param variables environment variables for the program; its owner's variables override them
 * @param explanation what the program sees and why, and if that is uncertain, what to configure
 * @param certain whether these are exactly the GPUs that YARN gave to the container, or that the owner chose
 */
public record VisibleGpus(SortedMap<String, String> variables, String explanation, boolean certain) {
    static final String DEVICES = "CUDA_VISIBLE_DEVICES";
    static final String ORDER = "CUDA_DEVICE_ORDER";
    private static final Map<String, String> PCI_ORDER = Map.of(ORDER, "PCI_BUS_ID");

    private static final String REMEDY =
            "Other tasks may use the same GPUs. Let YARN isolate them: see docs/gpus.md, 'The NodeManager'";

    public VisibleGpus {
        variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
    }

    /**
     * Decides what the program of a container may see.
     *
     * @param asked the GPUs that the container was asked with, 0 or more
     * @param environment the environment of the container and the variables of the job's owner
     */
    public static VisibleGpus find(int asked, Map<String, String> environment) {
        return find(asked, environment, Path.of("/dev"));
    }

    /** As above, with device files in the folder {@code devices}. */
    static VisibleGpus find(int asked, Map<String, String> environment, Path devices) {
        String chosen = environment.get(DEVICES);
        if (chosen != null) {
            return unchanged("the environment of the job sets " + DEVICES + "=" + chosen);
        }
        if (asked == 0) {
            return new VisibleGpus(
                    new TreeMap<>(Map.of(DEVICES, "")), "the program sees no GPU: the job asks for none", true);
        }
        int usable = usable(devices);
        if (usable == asked) {
            return unchanged("the program sees " + gpus(asked) + ", all that its container can open");
        }
        // CUDA numbers the GPUs of an isolated container from 0, so the NodeManager's numbers would be wrong in it.
        if (usable > 0 && usable < asked) {
            return uncertain("The job asks for " + gpus(asked) + ", and the container can open " + usable
                    + " of the node's. The program runs with these");
        }
        return ofNodeManager(asked, environment, usable);
    }

    private static VisibleGpus ofNodeManager(int asked, Map<String, String> environment, int usable) {
        List<Integer> assigned;
        try {
            assigned = NodeManagerGpus.of(environment).assigned();
        } catch (IOException e) {
            return uncertain("Cannot tell which of the node's GPUs the container was given; the job asks for " + asked
                    + ". " + e.getMessage() + ". The program runs with what it can open, " + gpus(usable) + ". "
                    + REMEDY);
        }
        if (assigned.isEmpty()) {
            return uncertain("The job asks for " + gpus(asked) + ", and the NodeManager has assigned 0 to the"
                    + " container. The program runs with what it can open, " + gpus(usable) + ". " + REMEDY);
        }
        SortedMap<String, String> variables = new TreeMap<>(PCI_ORDER);
        String numbers = assigned.stream().map(String::valueOf).collect(Collectors.joining(","));
        variables.put(DEVICES, numbers);
        return assigned.size() == asked
                ? new VisibleGpus(variables, "the program sees the GPUs " + numbers + ", as the NodeManager says", true)
                : new VisibleGpus(
                        variables,
                        "The job asks for " + gpus(asked) + ", and the NodeManager has assigned " + assigned.size()
                                + " to the container: " + numbers + ". The program sees these",
                        false);
    }

    private static String gpus(int count) {
        return count == 1 ? "1 GPU" : count + " GPUs";
    }

    private static VisibleGpus unchanged(String explanation) {
        return new VisibleGpus(new TreeMap<>(), explanation, true);
    }

    private static VisibleGpus uncertain(String explanation) {
        return new VisibleGpus(new TreeMap<>(), explanation, false);
    }

    /**
     * The number of NVIDIA's GPUs whose device files this process may open. Linux asks the cgroup of devices for that too.
     */
    private static int usable(Path devices) {
        int usable = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                devices, file -> file.getFileName().toString().matches("nvidia[0-9]+"))) {
            for (Path file : files) {
                usable += Files.isReadable(file) && Files.isWritable(file) ? 1 : 0;
            }
        } catch (IOException e) {
            return 0;
        }
        return usable;
    }
}
