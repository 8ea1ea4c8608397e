package io.optimus.yarn.cost;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.OptimusScheduler;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.round.RoundTrigger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * A ResourceManager in this JVM with many nodes of 8 GPUs, training jobs of at most 16 workers, and ordinary applications
 * of ten containers. Nothing runs on the nodes; this class makes the calls of ApplicationMasters and nodes. Jobs call the
 * registry of the training service without its network.
 */
final class LargeCluster implements AutoCloseable {
    static final int CONTAINERS = 10;

    /** So many events wait at most. */
    private static final int BATCH = 100;

    private static final int GROUP = 50;

    private static final int QUEUES = 10;
    private static final int WORKERS = 11;
    private static final int LARGEST = 16;
    private static final int FIRST_PORT = 1001;
    private static final long START_SECONDS = 1200;

    private final LocalResourceManager yarn;
    private final List<NodeId> nodes;
    private final List<FakeApplicationMaster> jobs = new ArrayList<>();
    private final List<FakeApplicationMaster> ordinary = new ArrayList<>();
    private final Map<ApplicationId, String> queueOf = new HashMap<>();
    private final Map<ApplicationId, Long> sequences = new HashMap<>();

    /**
     * Starts it without jobs.
     *
     * @param scheduler class of the scheduler
     * @param settings further configuration
     */
    LargeCluster(Class<?> scheduler, Map<String, String> settings, int nodes) throws Exception {
        List<String> queues = new ArrayList<>();
        Map<String, String> conf = new TreeMap<>(settings);
        conf.put("yarn.resourcemanager.scheduler.class", scheduler.getName());
        conf.put("yarn.scheduler.capacity.maximum-applications", "1000000");
        for (int queue = 0; queue < QUEUES; queue++) {
            queues.add("q" + queue + "=" + 100 / QUEUES);
        }
        yarn = LocalResourceManager.withQueues(queues, conf);
        this.nodes = yarn.nodes(nodes, FIRST_PORT, 131_072, 64, 8);
    }

    /** Starts ordinary applications, each with its containers. */
    void startOrdinary(int count) throws Exception {
        launch(count, ordinary);
        for (FakeApplicationMaster master : ordinary) {
            master.askAnywhere(1, LocalResourceManager.resource(1024, 1, 0), CONTAINERS);
        }
        awaitAll("ordinary applications have their containers", () -> fewerThan(CONTAINERS));
    }

    private List<FakeApplicationMaster> fewerThan(int containers) {
        return ordinary.stream().filter(master -> master.held() < containers).toList();
    }

    /** Starts the masters of training jobs, which hold no tasks yet. */
    void startMasters(int count) throws Exception {
        launch(count, jobs);
    }

    private void launch(int count, List<FakeApplicationMaster> masters) throws Exception {
        int left = count;
        for (int queue = 0; left > 0; queue = (queue + 1) % QUEUES) {
            int some = Math.min(left, Math.max(1, count / QUEUES / 2));
            String user = "user" + masters.size() % 7;
            for (FakeApplicationMaster master :
                    yarn.launchAll(some, "q" + queue, user, nodes.subList(0, Math.min(nodes.size(), 1000)))) {
                masters.add(master);
                queueOf.put(master.id(), "root.q" + queue);
            }
            left -= some;
        }
    }

    /** Registers all jobs, and lets them follow their plans until all hold what is planned. */
    void train() throws Exception {
        for (FakeApplicationMaster master : jobs) {
            state().registry().register(facts(master), Jobs.limits(Resources.of(8192, 8, 8)), registration());
        }
        state().timer().signal(RoundTrigger.ARRIVAL);
        awaitRound(0);
        // Some at a time: each heartbeat of a node looks at all applications with pending requests.
        for (int first = 0; first < jobs.size(); first += GROUP) {
            grow(jobs.subList(first, Math.min(jobs.size(), first + GROUP)));
        }
        report();
    }

    /** Waits until another round than the first {@code before} has ended, which takes a while under some policies. */
    void awaitRound(long before) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (state().log().run() <= before) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("no round ended in " + START_SECONDS + " s");
            }
            Thread.sleep(1);
        }
    }

    private void grow(List<FakeApplicationMaster> group) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        List<FakeApplicationMaster> growing = new ArrayList<>(group);
        while (!growing.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(growing.size() + " jobs do not hold what is planned in time");
            }
            Set<NodeId> targets = new TreeSet<>();
            for (FakeApplicationMaster master : List.copyOf(growing)) {
                if (follow(master)) {
                    growing.remove(master);
                } else {
                    state().plan().current().of(master.id()).stream()
                            .flatMap(plan -> plan.target().byNode().keySet().stream())
                            .forEach(node -> targets.add(NodeId.fromString(node)));
                }
            }
            heartbeat(List.copyOf(targets));
            for (FakeApplicationMaster master : growing) {
                master.heartbeat();
            }
        }
    }

    private interface Unready {
        List<FakeApplicationMaster> look() throws Exception;
    }

    private void awaitAll(String what, Unready condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        for (List<FakeApplicationMaster> left = condition.look(); !left.isEmpty(); left = condition.look()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Not in time: " + what + "; " + left.size() + " are left");
            }
            heartbeatOfNodes();
            for (FakeApplicationMaster master : left) {
                master.heartbeat();
            }
        }
    }

    private static RegisterJobRequestProto registration() {
        return Jobs.registration()
                .clearRoles()
                .addRoles(Jobs.role(RoleProto.WORKER, 1, LARGEST, WORKERS, 1))
                .build();
    }

    private ApplicationFacts facts(FakeApplicationMaster master) {
        return new ApplicationFacts(
                master.attempt(),
                master.scheduled().getUser(),
                queueOf.getOrDefault(master.id(), ""),
                master.id().getId(),
                0);
    }

    /** Requests what the plan adds and releases what it takes; returns whether the job holds what is planned. */
    private boolean follow(FakeApplicationMaster master) throws Exception {
        Optional<JobPlan> plan = state().plan().current().of(master.id());
        Placement planned = plan.map(JobPlan::planned).orElse(Placement.NONE);
        Placement target = plan.map(JobPlan::target).orElse(Placement.NONE);
        Map<String, Integer> held = held(master);
        List<ResourceRequest> asks = new ArrayList<>();
        int all = 0;
        for (Map.Entry<String, Allocation> tasks : target.byNode().entrySet()) {
            int missing = tasks.getValue().workers() - held.getOrDefault(tasks.getKey(), 0);
            if (missing > 0) {
                asks.add(ask(tasks.getKey(), missing, true));
                all += missing;
            }
        }
        asks.add(ask("/default-rack", all, false));
        asks.add(ask(ResourceRequest.ANY, all, false));
        master.allocate(AllocateRequest.newBuilder().askList(asks).releaseList(surplus(master, target)));
        return plan.isPresent() && placement(held).equals(planned);
    }

    private static ResourceRequest ask(String name, int count, boolean relax) {
        return FakeApplicationMaster.ask(WORKERS, LocalResourceManager.resource(1024, 1, 1), name, count, relax);
    }

    private static List<ContainerId> surplus(FakeApplicationMaster master, Placement target) {
        Map<String, Integer> seen = new HashMap<>();
        return master.scheduled().getLiveContainers().stream()
                .filter(container -> !container.isAMContainer())
                .filter(container -> {
                    String node = container.getAllocatedNode().toString();
                    return seen.merge(node, 1, Integer::sum) > target.on(node).workers();
                })
                .map(container -> container.getContainerId())
                .toList();
    }

    private static Map<String, Integer> held(FakeApplicationMaster master) {
        Map<String, Integer> held = new TreeMap<>();
        master.scheduled().getLiveContainers().stream()
                .filter(container -> !container.isAMContainer())
                .forEach(container -> held.merge(container.getAllocatedNode().toString(), 1, Integer::sum));
        return held;
    }

    private static Placement placement(Map<String, Integer> held) {
        Map<String, Allocation> byNode = new TreeMap<>();
        held.forEach((node, count) -> byNode.put(node, new Allocation(0, count)));
        return Placement.of(byNode);
    }

    /** Every job reports a step, losses and its speed. */
    void report() throws Exception {
        for (FakeApplicationMaster master : jobs) {
            long sequence = sequences.merge(master.id(), 1L, Long::sum);
            Map<String, Integer> held = held(master);
            ReportRequestProto.Builder report = Jobs.report(sequence).setCurrentStep(100 * sequence);
            held.forEach((node, count) -> report.addMembers(
                    NodeAllocationProto.newBuilder().setNode(node).setAllocation(Jobs.allocation(0, count))));
            for (int i = 0; i < 10; i++) {
                long step = 100 * sequence + 10L * i;
                report.addLosses(Jobs.loss(step, 1 / (0.01 * step + 1) + 0.1 + 0.01 * (step % 7)));
            }
            int workers = held.values().stream().mapToInt(Integer::intValue).sum();
            if (workers > 0) {
                report.addSpeeds(Jobs.speed(0, workers, 10.0 * workers / (1 + 0.1 * workers)));
            }
            state().registry().report(facts(master), report.build());
        }
    }

    /** One heartbeat of every master, without requests; returns the processor time of this thread for each, in seconds. */
    double heartbeatOfMasters() throws Exception {
        long before = ThreadTimes.nanosOfThis();
        for (FakeApplicationMaster master : jobs) {
            master.heartbeat();
        }
        for (FakeApplicationMaster master : ordinary) {
            master.heartbeat();
        }
        return (ThreadTimes.nanosOfThis() - before) / 1e9 / Math.max(1, jobs.size() + ordinary.size());
    }

    /** One heartbeat of every master, without requests; returns the time that each took, in seconds. */
    double[] timedHeartbeatOfMasters() throws Exception {
        List<FakeApplicationMaster> all = new ArrayList<>(jobs);
        all.addAll(ordinary);
        double[] seconds = new double[all.size()];
        for (int i = 0; i < seconds.length; i++) {
            long begin = System.nanoTime();
            all.get(i).heartbeat();
            seconds[i] = (System.nanoTime() - begin) / 1e9;
        }
        return seconds;
    }

    /** One heartbeat of every node. */
    void heartbeatOfNodes() throws Exception {
        heartbeat(nodes);
    }

    private void heartbeat(List<NodeId> some) throws Exception {
        for (int first = 0; first < some.size(); first += BATCH) {
            yarn.heartbeatOfAll(some.subList(first, Math.min(some.size(), first + BATCH)));
        }
    }

    /** Ends one container of ordinary application {@code index}, which requests another one. */
    void replaceContainer(int index) throws Exception {
        FakeApplicationMaster master = ordinary.get(index % ordinary.size());
        List<ContainerId> oldest = master.scheduled().getLiveContainers().stream()
                .filter(container -> !container.isAMContainer())
                .map(container -> container.getContainerId())
                .sorted()
                .limit(1)
                .toList();
        master.allocate(AllocateRequest.newBuilder()
                .releaseList(oldest)
                .askList(List.of(FakeApplicationMaster.ask(
                        1, LocalResourceManager.resource(1024, 1, 0), ResourceRequest.ANY, oldest.size(), true))));
        NodeId node = nodes.get(index % nodes.size());
        yarn.heartbeatOfAll(List.of(node));
    }

    /** The containers of training jobs. */
    int tasks() {
        return jobs.stream().mapToInt(FakeApplicationMaster::held).sum();
    }

    ControlLoop.State state() {
        return ((OptimusScheduler) yarn.scheduler()).overview().orElseThrow().state();
    }

    @Override
    public void close() {
        yarn.close();
    }
}
