package io.optimus.am.job;

import io.optimus.model.Role;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Commands of a job's owner that train by themselves.
 *
 * @param lines the shell command of each role that the job has
 * @param elastic how they are resized
 * @param graceSeconds seconds between SIGTERM and SIGKILL, 0 or more
 * @param chief whether the first worker is called chief, and the job ends when its command does
 * @param checkpointFolder where they keep their checkpoints; empty if the job file names no folder
 * @param environment further environment variables
 */
public record CommandSpec(
        SortedMap<Role, String> lines,
        Elasticity elastic,
        int graceSeconds,
        boolean chief,
        String checkpointFolder,
        SortedMap<String, String> environment) {
    public CommandSpec {
        lines = Collections.unmodifiableSortedMap(new TreeMap<>(lines));
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    }

    /** How commands are resized. */
    public enum Elasticity {
        /** Not at all. */
        NONE,
        /** All end, having written their checkpoints, and start again in the new size. */
        RESTART,
        /** Live: those that stay go on, and torchrun forms the group anew. */
        TORCHRUN
    }

    /** The shell command of {@code role}; empty if the job does not have the role. */
    public String line(Role role) {
        return lines.getOrDefault(role, "");
    }

    /** The folder for the checkpoints of {@code applicationId}; empty if there is none. */
    public String checkpointFolderOf(String applicationId) {
        return checkpointFolder.replace(JobSpec.APPLICATION, applicationId);
    }
}
