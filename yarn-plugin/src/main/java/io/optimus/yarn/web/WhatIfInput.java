package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.Strategies;
import io.optimus.protocol.MessageJson;
import io.optimus.protocol.OneLine;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.yarn.read.ClusterCopy.AddedNode;
import io.optimus.yarn.read.ContainerLimits;
import io.optimus.yarn.whatif.AskedJob;
import io.optimus.yarn.whatif.InvalidQuestionException;
import io.optimus.yarn.whatif.Question;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Reads one question; everything that is wrong with it is named at once. */
final class WhatIfInput {
    private static final int LONGEST_QUOTE = 60;
    private static final long LARGEST_AMOUNT = 1L << 40;
    private static final double LARGEST_NUMBER = 1e15;
    private static final double FASTEST = 1e9;
    private static final int PERCENT = 100;

    private final CapacityScheduler scheduler;
    private final String user;
    private final List<String> problems = new ArrayList<>();

    /** Reads a question of {@code user}. */
    WhatIfInput(CapacityScheduler scheduler, String user) {
        this.scheduler = scheduler;
        this.user = user;
    }

    Question read(JsonNode json) throws InvalidQuestionException {
        checkKeys(json, "the question", Set.of("job", "policy", "policies", "queueLimits", "lostNodes", "addedNodes"));
        Optional<AskedJob> job = json.has("job") ? job(json.path("job")) : Optional.empty();
        Optional<String> policy = json.has("policy") ? policy(json.path("policy"), "policy") : Optional.empty();
        SortedMap<String, String> policies = new TreeMap<>();
        fields(json, "policies").forEach((name, value) -> leaf(name, "policies")
                .ifPresent(path -> policy(value, "policies." + path).ifPresent(known -> policies.put(path, known))));
        SortedMap<String, Double> limits = new TreeMap<>();
        fields(json, "queueLimits").forEach((name, value) -> limited(name).ifPresent(path -> {
            if (value.isNumber() && value.doubleValue() > 0 && value.doubleValue() <= PERCENT) {
                limits.put(path, value.doubleValue());
            } else {
                problems.add("queueLimits." + path + " must be above 0 and at most 100: percent of its parent");
            }
        }));
        Question question = new Question(job, policy, policies, limits, lostNodes(json), addedNodes(json));
        if (problems.isEmpty() && json.isEmpty()) {
            problems.add("the question names no change. Remedy: give a job, policy, policies, queueLimits, lostNodes or"
                    + " addedNodes");
        }
        if (!problems.isEmpty()) {
            throw new InvalidQuestionException(problems);
        }
        return question;
    }

    private void checkKeys(JsonNode json, String what, Set<String> keys) {
        if (!json.isObject()) {
            problems.add(what + " must be a JSON object");
            return;
        }
        json.fieldNames().forEachRemaining(name -> {
            if (!keys.contains(name)) {
                problems.add(what + " has no field " + quoted(name) + ", but " + new TreeSet<>(keys));
            }
        });
    }

    private static String quoted(String text) {
        return OneLine.of(text, LONGEST_QUOTE);
    }

    private Map<String, JsonNode> fields(JsonNode json, String key) {
        Map<String, JsonNode> fields = new TreeMap<>();
        JsonNode object = json.path(key);
        if (!object.isMissingNode() && !object.isObject()) {
            problems.add(key + " must be an object: queue and value");
            return fields;
        }
        for (Iterator<Map.Entry<String, JsonNode>> all = object.fields(); all.hasNext(); ) {
            Map.Entry<String, JsonNode> field = all.next();
            fields.put(field.getKey(), field.getValue());
        }
        return fields;
    }

    private Optional<String> policy(JsonNode value, String where) {
        if (Strategies.practicable().contains(value.asText())) {
            return Optional.of(value.asText());
        }
        problems.add(where + " must be one of " + String.join(", ", Strategies.practicable()) + ", not "
                + quoted(value.asText()));
        return Optional.empty();
    }

    private Optional<String> leaf(String name, String where) {
        Optional<CSQueue> queue =
                Optional.ofNullable(scheduler.getQueue(name)).filter(AbstractLeafQueue.class::isInstance);
        if (queue.isEmpty()) {
            problems.add(where + ": there is no leaf queue " + quoted(name) + "; give its path, such as root.default");
        }
        return queue.map(CSQueue::getQueuePath);
    }

    private Optional<String> limited(String name) {
        Optional<CSQueue> queue =
                Optional.ofNullable(scheduler.getQueue(name)).filter(known -> known.getParent() != null);
        if (queue.isEmpty()) {
            problems.add("queueLimits: there is no queue " + quoted(name) + " below root; give its path");
        }
        return queue.map(CSQueue::getQueuePath);
    }

    private SortedSet<String> lostNodes(JsonNode json) {
        SortedSet<String> nodes = new TreeSet<>();
        JsonNode list = json.path("lostNodes");
        if (!list.isMissingNode() && !list.isArray()) {
            problems.add("lostNodes must be a list of ids, HOST:PORT");
        }
        list.forEach(node -> nodes.add(OneLine.of(node.asText(), 2 * PERCENT)));
        return nodes;
    }

    private List<AddedNode> addedNodes(JsonNode json) {
        List<AddedNode> nodes = new ArrayList<>();
        JsonNode list = json.path("addedNodes");
        if (!list.isMissingNode() && !list.isArray()) {
            problems.add("addedNodes must be a list");
            return nodes;
        }
        for (JsonNode node : list) {
            int number = nodes.size() + 1;
            String where = "addedNodes[" + number + "]";
            checkKeys(node, where, Set.of("resources", "gpuType"));
            Resources capacity = resources(node.path("resources"), where + ".resources");
            if (capacity.amount(Resources.MEMORY_MB) == 0 || capacity.amount(Resources.VCORES) == 0) {
                problems.add(where + ".resources needs some " + Resources.MEMORY_MB + " and some " + Resources.VCORES);
            }
            nodes.add(new AddedNode(
                    "added-" + number + ":0",
                    capacity,
                    OneLine.of(node.path("gpuType").asText(""), LONGEST_QUOTE)));
        }
        return nodes;
    }

    private Resources resources(JsonNode json, String where) {
        Map<String, Long> amounts = new HashMap<>();
        if (!json.isMissingNode() && !json.isObject()) {
            problems.add(where + " must be an object of amounts by YARN's names, such as " + Resources.MEMORY_MB);
        }
        for (Iterator<Map.Entry<String, JsonNode>> all = json.fields(); all.hasNext(); ) {
            Map.Entry<String, JsonNode> amount = all.next();
            boolean valid = amount.getValue().isIntegralNumber()
                    && amount.getValue().longValue() >= 0
                    && amount.getValue().longValue() <= LARGEST_AMOUNT;
            if (valid) {
                amounts.put(amount.getKey(), amount.getValue().longValue());
            } else {
                problems.add(where + "." + quoted(amount.getKey()) + " must be a whole number, 0 or more");
            }
        }
        return Resources.of(amounts);
    }

    private Optional<AskedJob> job(JsonNode json) {
        checkKeys(json, "job", Set.of("registration", "queue", "master", "speeds", "steps"));
        Optional<String> queue = leaf(json.path("queue").asText("default"), "job.queue");
        RegisterJobRequestProto.Builder registration =
                RegisterJobRequestProto.newBuilder().setVersion(TrainingProtocol.VERSION);
        MessageJson.read(json.path("registration"), registration, "job.registration", problems);
        Resources master = resources(json.path("master"), "job.master");
        SortedMap<Allocation, Double> speeds = speeds(json.path("speeds"));
        OptionalDouble steps = OptionalDouble.empty();
        if (json.has("steps")) {
            double value = json.path("steps").asDouble(-1);
            if (value > 0 && value <= LARGEST_NUMBER) {
                steps = OptionalDouble.of(value);
            } else {
                problems.add("job.steps must be above 0: the steps that the job takes in all");
            }
        }
        return queue.isPresent() && problems.isEmpty()
                ? Optional.of(new AskedJob(
                        registration.build(), user, queue.get(), master, new ContainerLimits(scheduler), speeds, steps))
                : Optional.empty();
    }

    private SortedMap<Allocation, Double> speeds(JsonNode list) {
        SortedMap<Allocation, Double> speeds = new TreeMap<>();
        if (!list.isMissingNode() && !list.isArray()) {
            problems.add("job.speeds must be a list of parameterServers, workers and stepsPerSecond");
            return speeds;
        }
        for (JsonNode one : list) {
            checkKeys(one, "job.speeds", Set.of("parameterServers", "workers", "stepsPerSecond"));
            int servers = one.path("parameterServers").asInt(0);
            int workers = one.path("workers").asInt(0);
            double speed = one.path("stepsPerSecond").asDouble(0);
            if (servers >= 0 && workers >= 1 && speed > 0 && speed <= FASTEST) {
                speeds.put(new Allocation(servers, workers), speed);
            } else {
                problems.add("job.speeds: workers must be 1 or more, and stepsPerSecond above 0");
            }
        }
        return speeds;
    }
}
