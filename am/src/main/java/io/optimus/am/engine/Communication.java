package io.optimus.am.engine;

/** How the workers of a job combine their gradients. */
public enum Communication {
    /** Parameter servers hold the parameters and apply gradients. */
    PARAMETER_SERVER,
    /** Parameter servers average gradients; workers hold the parameters, each all of them, and apply the average. */
    AVERAGING_SERVER,
    /** Workers hold the parameters, each all of them, and average gradients among themselves. */
    ALL_REDUCE;

    /** Whether the job has parameter servers. */
    public boolean hasServers() {
        return this != ALL_REDUCE;
    }
}
