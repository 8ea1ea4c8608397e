package io.optimus.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Tells the administrator what an installation lacks to count GPUs. Only the administrator may change this: once
 * YARN counts more than memory, queues and limits change for every application.
 */
final class GpuAdvice {
    private static final String TYPES = "yarn.resource-types";
    private static final String GPU = "yarn.io/gpu";
    private static final String CALCULATOR = "yarn.scheduler.capacity.resource-calculator";
    private static final String DOMINANT = "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator";

    private GpuAdvice() {}

    /**
     * Returns sentences for the administrator; none if nothing is lacking.
     *
     * @param ours the folder of our {@code resource-types.xml}
     * @param theirs the installation's configuration
     */
    static List<String> of(Path ours, Path theirs) throws IOException {
        boolean counted = counted(theirs.resolve("resource-types.xml")) || counted(theirs.resolve("yarn-site.xml"));
        boolean dominant = DOMINANT.equals(value(theirs.resolve("capacity-scheduler.xml"), CALCULATOR))
                || DOMINANT.equals(value(theirs.resolve("yarn-site.xml"), CALCULATOR));
        String calculator = CALCULATOR + " = " + DOMINANT + " in " + theirs.resolve("capacity-scheduler.xml");
        if (counted) {
            return dominant
                    ? List.of()
                    : List.of(
                            "GPUs are counted, but the ResourceManager does not start with CapacityScheduler's default"
                                    + " calculator, which knows only memory: set " + calculator);
        }
        return List.of(
                "GPUs are not counted here: jobs that ask for gpus are refused, all others run. To count them, copy "
                        + ours.resolve("resource-types.xml") + " to " + theirs + " on every host"
                        + (dominant ? "" : ", and set " + calculator),
                "    That calculator makes queues count cores and GPUs besides memory, for every application: look at"
                        + " the limits of your queues first");
    }

    private static boolean counted(Path file) throws IOException {
        return Arrays.stream(value(file, TYPES).split(",")).map(String::trim).anyMatch(GPU::equals);
    }

    private static String value(Path file, String name) throws IOException {
        return Files.exists(file) ? SiteFile.read(file).properties().getOrDefault(name, "") : "";
    }
}
