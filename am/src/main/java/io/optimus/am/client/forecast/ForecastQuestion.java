package io.optimus.am.client.forecast;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.am.engine.EmulatedSpec;
import io.optimus.am.job.JobSpec;
import io.optimus.am.registration.RegistrationMessage;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.protocol.MessageJson;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;

/** A question to the scheduler in JSON, as {@code POST /ws/v1/optimus/what-if} takes it. */
public final class ForecastQuestion {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ObjectNode json = NODES.objectNode();

    /**
     * Adds a job that would be submitted, as its ApplicationMaster would register it.
     *
     * @param stepSeconds seconds of a step on one task of each role; empty if its owner does not know
     * @param steps steps in all; empty if its owner does not know
     */
    public void job(JobSpec spec, OptionalDouble stepSeconds, OptionalDouble steps) {
        ObjectNode job = json.putObject("job");
        // How long an epoch is shows only when the data is read.
        job.set(
                "registration",
                MessageJson.of(RegistrationMessage.of(
                                spec,
                                Optional.empty(),
                                role -> spec.role(role).task(),
                                role -> role == Role.WORKER ? 2 : 1)
                        .setStepsPerEpoch(1)
                        .build()));
        job.put("queue", spec.queue());
        job.putObject("master")
                .put(Resources.MEMORY_MB, spec.master().memoryMb())
                .put(Resources.VCORES, spec.master().vcores());
        ArrayNode speeds = job.putArray("speeds");
        EmulatedSpec pace = spec.engine().emulated();
        if (stepSeconds.isPresent()) {
            boolean servers = spec.role(Role.PARAMETER_SERVER).max() > 0;
            add(speeds, new Allocation(servers ? 1 : 0, 1), 1 / stepSeconds.getAsDouble());
        } else if (pace != null) {
            paced(spec, pace.speed(spec.mode(), spec.globalBatch()), speeds);
        }
        steps.ifPresent(number -> job.put("steps", number));
    }

    /** The job file of a paced job says how fast it is on every size; these are enough to fit that. */
    private static void paced(JobSpec spec, SpeedFunction speed, ArrayNode speeds) {
        for (int workers : someOf(spec, Role.WORKER)) {
            for (int servers : someOf(spec, Role.PARAMETER_SERVER)) {
                Allocation size = new Allocation(servers, workers);
                add(speeds, size, speed.stepsPerSecond(size));
            }
        }
    }

    private static SortedSet<Integer> someOf(JobSpec spec, Role role) {
        int min = spec.role(role).min();
        int max = spec.role(role).max();
        return new TreeSet<>(Arrays.asList(min, (min + max) / 2, max));
    }

    private static void add(ArrayNode speeds, Allocation size, double stepsPerSecond) {
        speeds.addObject()
                .put("parameterServers", size.parameterServers())
                .put("workers", size.workers())
                .put("stepsPerSecond", stepsPerSecond);
    }

    /** Names the policy of a queue, or of all queues where {@code queue} is empty. */
    public void policy(String queue, String policy) {
        if (queue.isEmpty()) {
            json.put("policy", policy);
        } else {
            object("policies").put(queue, policy);
        }
    }

    /** Limits a queue to a part of what its parent may use. */
    public void limit(String queue, double percent) {
        object("queueLimits").put(queue, percent);
    }

    public void loseNode(String node) {
        list("lostNodes").add(node);
    }

    public void addNode(Map<String, Long> resources, String gpuType) {
        ObjectNode node = list("addedNodes").addObject();
        resources.forEach(node.putObject("resources")::put);
        node.put("gpuType", gpuType);
    }

    private ObjectNode object(String key) {
        return json.get(key) instanceof ObjectNode there ? there : json.putObject(key);
    }

    private ArrayNode list(String key) {
        return json.get(key) instanceof ArrayNode there ? there : json.putArray(key);
    }

    public boolean isEmpty() {
        return json.isEmpty();
    }

    public ObjectNode json() {
        return json;
    }
}
