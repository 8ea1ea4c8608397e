package io.optimus.am.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a task process is told when it is started, through its environment.
 *
 * @param coordinatorHost where the job's coordinator listens
 * @param coordinatorPort its port
 * @param task who the process is
 * @param host name or address under which other tasks reach this process; a parameter server listens there
 * @param secret the job's
 * @param ports that a parameter server may listen on
 */
public record TaskEnvironment(
        String coordinatorHost, int coordinatorPort, TaskId task, String host, JobSecret secret, PortRange ports) {
    /** {@code host:port} of the coordinator. */
    public static final String COORDINATOR = "OPTIMUS_COORDINATOR";
    /** {@code worker-3} or {@code ps-0}. */
    public static final String TASK = "OPTIMUS_TASK";
    /** Under which other tasks reach this one. */
    public static final String HOST = "OPTIMUS_HOST";
    /** The job's secret as text. */
    public static final String SECRET = "OPTIMUS_SECRET";
    /** A range of ports; absent or empty for any. */
    public static final String PORTS = "OPTIMUS_PORTS";

    /** One that listens on any free port. */
    public TaskEnvironment(String coordinatorHost, int coordinatorPort, TaskId task, String host, JobSecret secret) {
        this(coordinatorHost, coordinatorPort, task, host, secret, PortRange.ANY);
    }

    /** The variables to start the process with. */
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
     * @throws IllegalArgumentException naming every variable that is missing, or the one that is wrong
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
