package io.optimus.sim.engine;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The jobs of a simulation, in order of their arrival.
 *
 * @param name name in reports
 * @param jobs jobs with unique ids
 */
public record Workload(String name, List<SimulatedJob> jobs) {
    /** Sorts the jobs by arrival and then by id; throws if two have the same id. */
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
