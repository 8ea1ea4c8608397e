package io.optimus.sim.trace;

import io.optimus.sim.engine.Workload;

/** Where the workload of a run comes from: the same for the same seed. */
public interface WorkloadSource {
    /** For reports. */
    String name();

    /** How many jobs each workload of it has. */
    int jobs();

    /** The workload of a run with {@code seed}; what was read from a file is the same for all seeds. */
    Workload draw(long seed);

    /** Always {@code workload}, under a name by which it is told from others. */
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
