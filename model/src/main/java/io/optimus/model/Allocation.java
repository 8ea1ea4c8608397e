package io.optimus.model;

/**
 * How many tasks of each role a job has: (p, w) in the paper's notation.
 *
 * @param parameterServers number of parameter servers, 0 or more
 * @param workers number of workers, 0 or more
 */
public record Allocation(int parameterServers, int workers) implements Comparable<Allocation> {
    /** No task at all: the job waits. */
    public static final Allocation NONE = new Allocation(0, 0);

    /** Throws if a count is negative. */
    public Allocation {
        if (parameterServers < 0 || workers < 0) {
            throw new IllegalArgumentException(
                    "Counts of tasks must not be negative: ps=" + parameterServers + " workers=" + workers);
        }
    }

    public int count(Role role) {
        return switch (role) {
            case WORKER -> workers;
            case PARAMETER_SERVER -> parameterServers;
        };
    }

    /** This allocation with {@code delta} (may be negative) more tasks of {@code role}. */
    public Allocation plus(Role role, int delta) {
        return switch (role) {
            case WORKER -> new Allocation(parameterServers, workers + delta);
            case PARAMETER_SERVER -> new Allocation(parameterServers + delta, workers);
        };
    }

    /** The sum, role by role. */
    public Allocation plus(Allocation other) {
        return new Allocation(parameterServers + other.parameterServers, workers + other.workers);
    }

    /** {@code factor} times as many tasks of each role; {@code factor} is 0 or more. */
    public Allocation times(int factor) {
        return new Allocation(factor * parameterServers, factor * workers);
    }

    /** The tasks that this has beyond {@code other}, role by role; zero where it has fewer. */
    public Allocation beyond(Allocation other) {
        return new Allocation(
                Math.max(0, parameterServers - other.parameterServers), Math.max(0, workers - other.workers));
    }

    /** The smaller count of each role. */
    public Allocation min(Allocation other) {
        return new Allocation(Math.min(parameterServers, other.parameterServers), Math.min(workers, other.workers));
    }

    /** The larger count of each role. */
    public Allocation max(Allocation other) {
        return new Allocation(Math.max(parameterServers, other.parameterServers), Math.max(workers, other.workers));
    }

    /** The number of tasks of both roles. */
    public int tasks() {
        return parameterServers + workers;
    }

    /** Whether there is no task. */
    public boolean isNone() {
        return tasks() == 0;
    }

    /** Whether neither role has more tasks than in {@code other}. */
    public boolean isWithin(Allocation other) {
        return parameterServers <= other.parameterServers && workers <= other.workers;
    }

    /** Orders by parameter servers, then by workers, for deterministic tables; it is no ranking. */
    @Override
    public int compareTo(Allocation other) {
        int byServers = Integer.compare(parameterServers, other.parameterServers);
        return byServers != 0 ? byServers : Integer.compare(workers, other.workers);
    }

    /** For example {@code 2 ps + 1 worker}, or with one role only {@code 4 workers} or {@code 2 ps}. */
    @Override
    public String toString() {
        String servers = parameterServers == 0 ? "" : parameterServers + " ps";
        String others = workers == 0 && parameterServers > 0 ? "" : workers + (workers == 1 ? " worker" : " workers");
        return servers + (servers.isEmpty() || others.isEmpty() ? "" : " + ") + others;
    }
}
