package io.optimus.yarn.read;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * Copies of all applications that YARN schedules, of which each is made again when the application changed.
 *
 * <p>Not thread-safe.
 */
final class ApplicationCopies {
    private SortedMap<ApplicationId, ApplicationReader> copies = new TreeMap<>();

    /**
     * Drops the copies of applications that have ended, except those whose tasks wait for another ApplicationMaster, and
     * makes those again that are in {@code changed} or differ from the application.
     *
     * @param check throws if there is no time left
     */
    Renewed renew(
            Collection<SchedulerApplication<FiCaSchedulerApp>> applications,
            Set<ApplicationId> changed,
            RMContext context,
            Runnable check) {
        SortedMap<ApplicationId, ApplicationReader> present = new TreeMap<>();
        List<ApplicationReader> renewed = new ArrayList<>();
        for (SchedulerApplication<FiCaSchedulerApp> application : applications) {
            check.run();
            FiCaSchedulerApp app = application.getCurrentAppAttempt();
            if (app != null && (!app.isStopped() || !app.getLiveContainers().isEmpty())) {
                ApplicationId id = app.getApplicationId();
                ApplicationReader known = copies.get(id);
                if (known == null || changed.contains(id) || !known.isCurrent(app)) {
                    known = new ApplicationReader(app, context);
                    renewed.add(known);
                }
                present.put(id, known);
            }
        }
        boolean any = present.size() != copies.size() || !renewed.isEmpty();
        copies = present;
        return new Renewed(renewed, any);
    }

    /**
     * What was done.
     *
     * @param copied applications that were copied again
     * @param any whether any copy was made or dropped
     */
    record Renewed(List<ApplicationReader> copied, boolean any) {}

    /** Forgets all copies. */
    void clear() {
        copies = new TreeMap<>();
    }

    /** Forgets the copies of applications that avoid nodes: the names of nodes and racks mean other nodes now. */
    void forgetBlacklists() {
        copies.values().removeIf(ApplicationReader::avoidsNodes);
    }

    /** All applications by the paths of their queues, in order of their ids. */
    SortedMap<String, List<ApplicationReader>> byQueue() {
        SortedMap<String, List<ApplicationReader>> byQueue = new TreeMap<>();
        for (ApplicationReader application : copies.values()) {
            byQueue.computeIfAbsent(application.queue(), queue -> new ArrayList<>())
                    .add(application);
        }
        return byQueue;
    }

    /** The copy of one application; empty if YARN does not schedule it. */
    Optional<ApplicationReader> of(ApplicationId id) {
        return Optional.ofNullable(copies.get(id));
    }
}
