package io.optimus.sim.engine;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Jobs, in order of their arrival.
 *
 * @param name for reports
 * @param jobs their ids are unique
 */
public record Workload(String name, List<SimulatedJob> jobs) {
    /** Copies, sorts by arrival and then by id, refuses ids that are not unique. */
    public Workload {
        jobs = jobs.stream()
                .sorted(Comparator.comparingDouble(SimulatedJob::arrivalSeconds).thenComparing(SimulatedJob::id))
                .toList();
        Set<String> ids = new HashSet<>();
        for (SimulatedJob job : jobs) {
            if (!ids.add(job.id())) {
                throw new IllegalArgumentException("Two jobs of workload " + name + " have the id " + job.id());
            }
        }
    }
}
