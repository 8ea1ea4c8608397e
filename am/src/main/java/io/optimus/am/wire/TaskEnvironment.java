package io.optimus.am.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings of a task process, which its environment holds.
 *
 * @param coordinatorHost the host of the job's coordinator
 * @param coordinatorPort the port of the job's coordinator
 * @param task the task that the process is
 * @param host the name or address by which other tasks reach this process
 * @param secret the job's secret
 * @param ports the ports that a parameter server may listen on
 */
public record TaskEnvironment(
        String coordinatorHost, int coordinatorPort, TaskId task, String host, JobSecret secret, PortRange ports) {
    /** {@code host:port} of the coordinator. */
    public static final String COORDINATOR = "OPTIMUS_COORDINATOR";
    /** {@code worker-3} or {@code ps-0}. */
    public static final String TASK = "OPTIMUS_TASK";
    /** The host name or address by which other tasks reach this one. */
    public static final String HOST = "OPTIMUS_HOST";
    /** The job's secret, as text. */
    public static final String SECRET = "OPTIMUS_SECRET";
    /** A range of ports. Any port may be used if it is absent or empty. */
    public static final String PORTS = "OPTIMUS_PORTS";

    /** A process that listens on any free port. */
    public TaskEnvironment(String coordinatorHost, int coordinatorPort, TaskId task, String host, JobSecret secret) {
        this(coordinatorHost, coordinatorPort, task, host, secret, PortRange.ANY);
    }

    /** Returns the environment variables of the process. */
    public Map<String, String> variables() {
        Map<String, String> variables = new TreeMap<>();
        variables.put(COORDINATOR, coordinatorHost + ":" + coordinatorPort);
        variables.put(TASK, task.toString());
        variables.put(HOST, host);
        variables.put(SECRET, secret.text());
        variables.put(PORTS, ports.toString());
        return variables;
    }

    /**
     * Reads what {@link #variables} writes.
     *
     * @throws IllegalArgumentException naming all missing variables, or the one that is wrong
     */
    public static TaskEnvironment of(Map<String, String> variables) {
        List<String> missing = new ArrayList<>(List.of(COORDINATOR, TASK, HOST, SECRET));
        missing.removeIf(name -> !variables.getOrDefault(name, "").isBlank());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("The environment lacks " + String.join(", ", missing)
                    + "; tasks are started by their job's ApplicationMaster, which sets them");
        }
        String coordinator = variables.getOrDefault(COORDINATOR, "");
        int colon = coordinator.lastIndexOf(':');
        if (colon < 1 || !coordinator.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException(COORDINATOR + " must be host:port, got '" + coordinator + "'");
        }
        return new TaskEnvironment(
                coordinator.substring(0, colon),
                Integer.parseInt(coordinator.substring(colon + 1)),
                TaskId.parse(variables.getOrDefault(TASK, "")),
                variables.getOrDefault(HOST, ""),
                JobSecret.parse(variables.getOrDefault(SECRET, "")),
                PortRange.parse(variables.getOrDefault(PORTS, "")));
    }
}
