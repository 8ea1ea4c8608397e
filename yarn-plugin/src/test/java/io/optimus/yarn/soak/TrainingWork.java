package io.optimus.yarn.soak;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.job.Placement;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import io.optimus.yarn.read.TaskContainers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;

/**
 * A training job: it reports what it measures of its truth, follows directives as its manners are, and ends after a number
 * of steps.
 */
final class TrainingWork implements Work {
    private static final long HEARTBEAT_MILLIS = 1000;
    static final int SERVERS = 10;
    static final int WORKERS = 11;

    private final SoakCluster cluster;
    private final Script.Training script;
    private final Map<Role, TaskContainers.Task> tasks = new EnumMap<>(Role.class);
    private final Queue<DueDirective> directives = new ArrayDeque<>();
    private final Random random;
    private final TrainingMessages messages;
    private final Progress progress;
    private final StartWatch watch = new StartWatch();
    private TaskContainers containers;
    private Optional<FakeApplicationMaster> master = Optional.empty();
    private Optional<TrainingProtocolClient> client = Optional.empty();
    private Placement target = Placement.NONE;
    private long nextHeartbeatMillis;
    private long nextReportMillis;
    private long plan;
    private boolean hasDied;
    private boolean hasLostTask;

    /** A directive and when the master acts on it. */
    private record DueDirective(long atMillis, DirectiveProto directive) {}

    TrainingWork(SoakCluster cluster, Script.Training script) {
        this.cluster = cluster;
        this.script = script;
        this.random = new Random(script.submission().seed());
        this.progress = new Progress(script, random);
        this.messages = new TrainingMessages(script);
        if (script.max().parameterServers() > 0) {
            tasks.put(
                    Role.PARAMETER_SERVER, new TaskContainers.Task(SERVERS, LocalResourceManager.resource(2048, 1, 0)));
        }
        tasks.put(Role.WORKER, new TaskContainers.Task(WORKERS, LocalResourceManager.resource(4096, 2, 1)));
        this.containers = new TaskContainers(tasks);
    }

    StartWatch watch() {
        return watch;
    }

    Progress progress() {
        return progress;
    }

    @Override
    public void begin(FakeApplicationMaster registered, List<Container> kept, long nowMillis) throws Exception {
        master = Optional.of(registered);
        client = Optional.of(registered.trainingClient());
        containers = new TaskContainers(tasks);
        containers.add(kept);
        target = containers.placement();
        directives.clear();
        messages.newAttempt();
        register(nowMillis);
        nextHeartbeatMillis = nowMillis;
        nextReportMillis = nowMillis;
    }

    private void register(long nowMillis) throws Exception {
        var response = client.orElseThrow().registerJob(messages.registration(progress, containers.placement(), plan));
        watch.registered(nowMillis);
        if (response.hasDirective()) {
            receive(response.getDirective(), nowMillis);
        }
    }

    @Override
    public void reconnected() {
        nextHeartbeatMillis = 0;
    }

    @Override
    public boolean step(long nowMillis) throws Exception {
        if (progress.isDone()) {
            finish();
            return true;
        }
        act(nowMillis);
        if (nowMillis >= nextHeartbeatMillis) {
            nextHeartbeatMillis = nowMillis + HEARTBEAT_MILLIS;
            heartbeat(nowMillis);
        }
        if (nowMillis >= nextReportMillis) {
            report(nowMillis);
        }
        return false;
    }

    private void finish() throws Exception {
        client.orElseThrow()
                .finishJob(FinishJobRequestProto.newBuilder()
                        .setVersion(TrainingMessages.VERSION)
                        .setConverged(true)
                        .setFinalStep(progress.wholeSteps())
                        .build());
    }

    /** Acts on the directives whose time has come. */
    private void act(long nowMillis) throws Exception {
        Optional<DirectiveProto> latest = Optional.empty();
        while (!directives.isEmpty() && directives.element().atMillis() <= nowMillis) {
            latest = Optional.of(directives.remove().directive());
        }
        if (latest.isPresent()) {
            plan = latest.get().getPlan();
            target = TrainingMessages.target(latest.get());
            nextHeartbeatMillis = nowMillis;
        }
    }

    private void heartbeat(long nowMillis) throws Exception {
        List<Container> surplus = script.manners().ignoresShrinks() ? List.of() : containers.surplus(target);
        List<ContainerId> released = surplus.stream().map(Container::getId).toList();
        AllocateRequest.AllocateRequestBuilder request =
                containers.towards(target).releaseList(released);
        // The call may fail during a failover. The containers then stay in the list, and the next call releases them.
        AllocateResponse response = master.orElseThrow().allocate(request);
        containers.remove(released);
        for (Container granted : response.getAllocatedContainers()) {
            if (cluster.node(granted.getNodeId()).start(granted, nowMillis, Long.MAX_VALUE)) {
                containers.add(List.of(granted));
                progress.starts(granted.getId(), nowMillis + script.manners().startMillis());
            }
        }
        containers.remove(response.getCompletedContainersStatuses().stream()
                .map(ContainerStatus::getContainerId)
                .toList());
        // YARN does not tell of containers that are lost while no ResourceManager is active.
        containers.remove(containers.held().stream()
                .filter(container -> !cluster.node(container.getNodeId()).knows(container.getId()))
                .map(Container::getId)
                .toList());
        progress.advance(ready(nowMillis), plan, nowMillis);
        if (script.min().isWithin(progress.members().allocation())) {
            watch.runs(nowMillis);
        }
        loseTask();
    }

    /** The tasks whose processes are up. */
    private Placement ready(long nowMillis) {
        Map<String, Allocation> ready = new TreeMap<>();
        for (Container container : containers.held()) {
            if (progress.isUp(container.getId(), nowMillis)
                    && cluster.node(container.getNodeId()).runs(container.getId())) {
                ready.merge(
                        container.getNodeId().toString(),
                        Allocation.NONE.plus(containers.roleOf(container), 1),
                        Allocation::plus);
            }
        }
        return Placement.of(ready);
    }

    private void loseTask() {
        if (!hasLostTask
                && script.manners().losesTaskAfter().isPresent()
                && progress.fraction() > script.manners().losesTaskAfter().getAsDouble()
                && !containers.held().isEmpty()) {
            hasLostTask = true;
            List<Container> held = containers.held();
            Container lost = held.get(random.nextInt(held.size()));
            cluster.node(lost.getNodeId()).stop(lost.getId(), 1);
        }
    }

    private void report(long nowMillis) throws Exception {
        ReportResponseProto response;
        try {
            response = client.orElseThrow().report(messages.report(progress, planDone(), nowMillis));
        } catch (TrainingRefusedException e) {
            if (e.reason() != Reason.TOO_OFTEN) {
                throw e;
            }
            nextReportMillis = nowMillis + HEARTBEAT_MILLIS;
            return;
        }
        nextReportMillis = nowMillis + response.getReportIntervalMillis();
        if (response.getRegisterAgain()) {
            register(nowMillis);
        } else if (response.hasDirective()) {
            receive(response.getDirective(), nowMillis);
        }
    }

    private OptionalLong planDone() {
        return progress.members().equals(target) ? OptionalLong.of(plan) : OptionalLong.empty();
    }

    private void receive(DirectiveProto directive, long nowMillis) {
        watch.directed(TrainingMessages.target(directive), directive.getReason());
        directives.add(new DueDirective(nowMillis + script.manners().delayMillis(), directive));
    }

    @Override
    public boolean dies() {
        boolean due = !hasDied
                && script.manners().diesAfter().isPresent()
                && progress.fraction() > script.manners().diesAfter().getAsDouble();
        hasDied |= due;
        return due;
    }

    @Override
    public void end() {
        client.ifPresent(TrainingProtocolClient::close);
        client = Optional.empty();
        master = Optional.empty();
        if (!script.manners().keepsContainers()) {
            List<ContainerId> all = new ArrayList<>();
            for (Container container : containers.held()) {
                cluster.node(container.getNodeId())
                        .stop(container.getId(), ContainerExitStatus.KILLED_BY_RESOURCEMANAGER);
                all.add(container.getId());
            }
            containers.remove(all);
        }
        progress.stops();
    }

    @Override
    public Lack lack() {
        if (master.isEmpty() || progress.isDone()) {
            return new Lack(Resource.newInstance(0, 0), 0);
        }
        Allocation lacking = script.min().beyond(containers.placement().allocation());
        Role role = lacking.workers() > 0 ? Role.WORKER : Role.PARAMETER_SERVER;
        return lacking.isNone()
                ? new Lack(Resource.newInstance(0, 0), 0)
                : new Lack(Objects.requireNonNull(tasks.get(role)).resource(), lacking.count(role));
    }
}
