package io.optimus.install;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says in plain words whether a ResourceManager with a configuration runs Optimus, and what to change if not. */
final class Verdict {
    static final String SCHEDULER = "yarn.resourcemanager.scheduler.class";
    static final String OPTIMUS = "io.optimus.yarn.OptimusScheduler";
    static final String MODE = "yarn.scheduler.optimus.mode";
    static final String CLASSES = "yarn.http.rmwebapp.external.classes";
    private static final String REST = "io.optimus.yarn.web.OptimusResource";
    private static final String PAGES = "io.optimus.yarn.page.SchedulerPages";
    private static final String FAIR = ".fair.FairScheduler";

    private Verdict() {}

    /**
     * The verdict on a configuration, one sentence a line; the first line begins with {@code Optimus is}.
     *
     * @param properties the properties of yarn-site.xml
     * @param site where they stand
     */
    static List<String> of(Map<String, String> properties, Path site) {
        String scheduler = properties.getOrDefault(SCHEDULER, "");
        List<String> lines = new ArrayList<>();
        if (!scheduler.equals(OPTIMUS)) {
            lines.add("Optimus is OFF: " + site + " names "
                    + (scheduler.isEmpty() ? "no scheduler, so YARN runs its own" : "another scheduler, " + scheduler)
                    + ".");
            lines.add("  To turn it on, set " + SCHEDULER + " = " + OPTIMUS
                    + " there, and restart the ResourceManager. " + queues(scheduler));
            return lines;
        }
        String mode = properties.getOrDefault(MODE, "enforce");
        switch (mode) {
            case "off" -> {
                lines.add("Optimus is OFF: " + MODE + " = off in " + site + ".");
                lines.add(
                        "  To see its plans, set advise; to carry them out, enforce; then: yarn rmadmin -refreshQueues");
            }
            case "advise" -> {
                lines.add("Optimus is in mode ADVISE: it plans, shows its plans, and carries out none.");
                lines.add("  To carry them out, set " + MODE + " = enforce in " + site
                        + ", then: yarn rmadmin -refreshQueues");
            }
            case "enforce" -> lines.add("Optimus is ON: its plans are carried out (mode enforce).");
            default -> {
                lines.add("Optimus is WRONG: " + MODE + " = " + mode + " in " + site
                        + " is no mode, and the ResourceManager will not start.");
                lines.add("  Set it to advise, enforce or off.");
            }
        }
        String classes = properties.getOrDefault(CLASSES, "");
        if (!classes.contains(REST) || !classes.contains(PAGES)) {
            lines.add("  REST, the pages and the commands that ask for progress are missing: add " + REST + "," + PAGES
                    + " to " + CLASSES + " in " + site + ".");
        }
        lines.add("  The ResourceManager reads this when it starts the next time.");
        return lines;
    }

    private static String queues(String scheduler) {
        return scheduler.endsWith(FAIR)
                ? "FairScheduler's queues have to be moved to capacity-scheduler.xml before: yarn fs2cs converts them."
                : "It is a CapacityScheduler: the queues stay as they are.";
    }
}
