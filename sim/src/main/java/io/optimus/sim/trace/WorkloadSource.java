package io.optimus.sim.trace;

import io.optimus.sim.engine.Workload;

/** The source of each run's workload, which is the same for the same seed. */
public interface WorkloadSource {
    /** Returns the name in reports. */
    String name();

    int jobs();

    /** Returns the workload of a run. A workload that was read from a file is the same for all seeds. */
    Workload draw(long seed);

    /** Returns a source that always gives {@code workload}, under a name that no other source has. */
    static WorkloadSource of(String name, Workload workload) {
        return new WorkloadSource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public int jobs() {
                return workload.jobs().size();
            }

            @Override
            public Workload draw(long seed) {
                return workload;
            }
        };
    }
}
