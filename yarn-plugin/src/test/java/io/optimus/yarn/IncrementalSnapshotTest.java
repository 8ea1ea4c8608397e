package io.optimus.yarn;

import static io.optimus.yarn.read.LocalResourceManager.resource;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.yarn.read.ClusterReader;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import io.optimus.yarn.read.NodeGpuTypes;
import io.optimus.yarn.read.SchedulerChanges;
import io.optimus.yarn.read.TrainingApplication;
import io.optimus.yarn.read.TrainingApplication.RoleShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.KillApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.junit.Test;

/** Snapshots that copy only what changed are those that copy everything, through random histories of a live scheduler. */
public class IncrementalSnapshotTest {
    private static final int EVENTS = 70;

    @Test(timeout = 120_000)
    public void equalsAFullCopyAfterEachEvent() throws Exception {
        for (long seed = 1; seed <= 3; seed++) {
            try (History history = new History(seed)) {
                for (int event = 0; event < EVENTS; event++) {
                    history.next();
                }
            }
        }
    }

    @Test(timeout = 60_000)
    public void returnsTheSameSnapshotWhileNothingChanges() throws Exception {
        try (History history = new History(4)) {
            for (int event = 0; event < 20; event++) {
                history.next();
            }
            ClusterView view = history.incremental();
            assertThat(history.incremental()).isSameAs(view);
            history.heartbeats();
            history.incremental();
            assertThat(history.incremental()).isSameAs(history.incremental());
        }
    }

    /** One cluster with what happened on it. */
    private static final class History implements AutoCloseable {
        private final long seed;
        private final Random random;
        private final LocalResourceManager yarn;
        private final ClusterReader reader;
        private final List<NodeId> nodes = new ArrayList<>();
        private final List<FakeApplicationMaster> masters = new ArrayList<>();
        private final Set<ApplicationId> training = new HashSet<>();
        private final List<String> events = new ArrayList<>();
        private int ports = 1001;
        private int submitted;

        History(long seed) throws Exception {
            this.seed = seed;
            this.random = new Random(seed);
            yarn = LocalResourceManager.withQueues(List.of("a=50", "b=50"), settings(seed));
            reader = reader(((OptimusScheduler) yarn.scheduler()).changes().orElseThrow());
            for (int i = 0; i < 4; i++) {
                addNode();
            }
            for (int i = 0; i < 5; i++) {
                masters.add(yarn.launch(queue(), user(), nodes.get(0)));
                toggle(masters.get(i).id());
            }
        }

        private static Map<String, String> settings(long seed) {
            String capacity = "accessible-node-labels.fast.capacity";
            String root = "yarn.scheduler.capacity.root.";
            return Map.of(
                    "yarn.resourcemanager.scheduler.class",
                    CountingScheduler.class.getName(),
                    "yarn.scheduler.optimus.mode",
                    "off",
                    "yarn.node-labels.enabled",
                    "true",
                    "yarn.node-labels.fs-store.root-dir",
                    Path.of("target", "node-labels", "history-" + seed + "-" + System.nanoTime())
                            .toUri()
                            .toString(),
                    root + "accessible-node-labels",
                    "*",
                    root + capacity,
                    "100",
                    root + "a." + capacity,
                    "50",
                    root + "b." + capacity,
                    "50");
        }

        private ClusterReader reader(SchedulerChanges changes) {
            CapacityScheduler scheduler = yarn.scheduler();
            return new ClusterReader(
                    scheduler,
                    new NodeGpuTypes(scheduler, () -> GpuTypes.ALIKE),
                    changes,
                    new ClusterReader.Times(() -> 0, () -> 0));
        }

        ClusterView incremental() {
            return reader.read(registered());
        }

        /** One event and its consequences, and a comparison after each. */
        void next() throws Exception {
            event();
            compare();
            heartbeats();
            compare();
        }

        private void compare() {
            try {
                Await.until("equal snapshots", () -> described(incremental())
                        .equals(described(reader(new SchedulerChanges()).read(registered()))));
            } catch (AssertionError e) {
                assertThat(described(incremental()))
                        .as("seed " + seed + " after " + events)
                        .isEqualTo(described(reader(new SchedulerChanges()).read(registered())));
                throw e;
            }
        }

        private static List<String> described(ClusterView view) {
            List<String> lines = new ArrayList<>();
            lines.add(view.free().toString());
            view.queues()
                    .forEach(queue -> lines.addAll(List.of(
                            queue.queue() + " " + queue.partition(),
                            queue.cluster().nodes().toString(),
                            queue.cluster().budget().toString(),
                            queue.ordinary().toString(),
                            queue.heldByUser().toString(),
                            queue.userBudgets().toString(),
                            queue.guaranteed().toString(),
                            queue.usages().toString())));
            return lines;
        }

        private List<TrainingApplication> registered() {
            RoleShape worker = new RoleShape(1, Resources.of(1024, 1, 1), 1, 8);
            return training.stream()
                    .map(id -> new TrainingApplication(id, Map.of(Role.WORKER, worker)))
                    .toList();
        }

        private void event() throws Exception {
            FakeApplicationMaster master = masters.get(random.nextInt(masters.size()));
            NodeId node = nodes.get(random.nextInt(nodes.size()));
            int choice = random.nextInt(17);
            events.add(choice + " " + master.id() + " " + node);
            switch (choice) {
                case 0 -> submit();
                case 1, 2, 3 -> master.askAnywhere(1, task(), 1 + random.nextInt(6));
                case 4 -> master.askPinned(1, task(), node, 1 + random.nextInt(3));
                case 5 -> master.askAnywhere(2, resource(8000, 4, 0), 1);
                case 6, 7 -> master.release(some(master));
                case 8 -> replace(master);
                case 9 -> toggle(master.id());
                case 10 -> avoid(master, node);
                case 11 -> kill(master);
                case 12 -> addNode();
                case 13 -> loseOrDrain(node);
                case 14 -> move(master);
                case 15 -> update(master);
                case 16 -> configure();
                default -> throw new IllegalStateException();
            }
        }

        private static Resource task() {
            return resource(1024, 1, 1);
        }

        /** Its ApplicationMaster gets a container as soon as there is room, and is never heard of. */
        private void submit() throws Exception {
            if (++submitted < 4) {
                toggle(yarn.submit(queue(), user()));
            }
        }

        private String queue() {
            return random.nextBoolean() ? "a" : "b";
        }

        private String user() {
            return random.nextBoolean() ? "alice" : "bob";
        }

        private void toggle(ApplicationId id) {
            if (!training.remove(id)) {
                training.add(id);
            }
        }

        private List<ContainerId> some(FakeApplicationMaster master) {
            return tasks(master).stream().limit(1 + random.nextInt(3)).toList();
        }

        private static List<ContainerId> tasks(FakeApplicationMaster master) {
            return master.scheduled().getLiveContainers().stream()
                    .filter(container -> !container.isAMContainer())
                    .map(RMContainer::getContainerId)
                    .sorted()
                    .toList();
        }

        /** One task ends and an equal one begins, perhaps on the same node, without a snapshot in between. */
        private void replace(FakeApplicationMaster master) throws Exception {
            List<ContainerId> one = tasks(master).stream().limit(1).toList();
            master.allocate(AllocateRequest.newBuilder()
                    .releaseList(one)
                    .askList(List.of(FakeApplicationMaster.ask(1, task(), "*", one.size(), true))));
            heartbeats();
        }

        private static void avoid(FakeApplicationMaster master, NodeId node) throws Exception {
            master.allocate(AllocateRequest.newBuilder()
                    .resourceBlacklistRequest(
                            ResourceBlacklistRequest.newInstance(List.of(node.toString()), List.of())));
        }

        /** Ends the ApplicationMaster's container, so that YARN starts another attempt, or the application. */
        private void kill(FakeApplicationMaster master) throws Exception {
            if (masters.size() > 2 && random.nextBoolean()) {
                masters.remove(master);
                yarn.resourceManager()
                        .getClientRMService()
                        .forceKillApplication(KillApplicationRequest.newInstance(master.id()));
            } else {
                List<ContainerId> tasks = tasks(master);
                if (!tasks.isEmpty()) {
                    preempt(tasks.get(0));
                }
            }
        }

        private void preempt(ContainerId id) {
            RMContainer container = yarn.scheduler().getRMContainer(id);
            yarn.scheduler()
                    .handle(new ContainerPreemptEvent(
                            id.getApplicationAttemptId(), container, SchedulerEventType.MARK_CONTAINER_FOR_KILLABLE));
        }

        private void addNode() throws Exception {
            if (nodes.size() < 7) {
                NodeId node = yarn.node(ports++, 16_384, 16, 4);
                if (random.nextBoolean()) {
                    yarn.report(node);
                }
                nodes.add(node);
            }
        }

        private void loseOrDrain(NodeId node) throws Exception {
            if (nodes.size() > 3 && masters.stream().noneMatch(master -> isOn(master, node))) {
                nodes.remove(node);
                if (random.nextBoolean()) {
                    yarn.lose(node);
                } else {
                    yarn.decommission(node);
                }
            }
        }

        private static boolean isOn(FakeApplicationMaster master, NodeId node) {
            return master.scheduled().getLiveContainers().stream()
                    .anyMatch(container -> container.isAMContainer()
                            && container.getAllocatedNode().equals(node));
        }

        private void move(FakeApplicationMaster master) throws Exception {
            yarn.scheduler().moveApplication(master.id(), queue());
        }

        private static void update(FakeApplicationMaster master) throws Exception {
            List<Container> granted = master.granted().stream()
                    .filter(container -> tasks(master).contains(container.getId()))
                    .toList();
            if (!granted.isEmpty()) {
                Container container = granted.get(0);
                master.allocate(AllocateRequest.newBuilder()
                        .updateRequests(List.of(UpdateContainerRequest.newInstance(
                                container.getVersion(),
                                container.getId(),
                                ContainerUpdateType.INCREASE_RESOURCE,
                                resource(2048, 2, 1),
                                null))));
            }
        }

        private void configure() throws Exception {
            switch (random.nextInt(3)) {
                case 0 -> yarn.label(nodes.get(nodes.size() - 1), "fast");
                case 1 -> yarn.attribute(
                        NodeAttribute.PREFIX_CENTRALIZED, "gpu-type", random.nextBoolean() ? "a100" : "v100");
                default -> yarn.scheduler()
                        .reinitialize(
                                yarn.resourceManager().getConfig(),
                                yarn.resourceManager().getRMContext());
            }
        }

        void heartbeats() throws Exception {
            yarn.heartbeatOfAll(nodes);
            for (FakeApplicationMaster master : masters) {
                master.heartbeat();
            }
        }

        @Override
        public void close() {
            yarn.close();
        }
    }
}
