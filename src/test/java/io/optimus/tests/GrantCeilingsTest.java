package io.optimus.tests;

import static io.optimus.tests.ScriptedMaster.PS;
import static io.optimus.tests.ScriptedMaster.PS_TASK;
import static io.optimus.tests.ScriptedMaster.WORKER;
import static io.optimus.tests.ScriptedMaster.WORKER_TASK;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** An ApplicationMaster that asks for more than its plan gets no more than the plan. */
public class GrantCeilingsTest {
    @ClassRule
    public static final TrainingCluster CLUSTER =
            new TrainingCluster("grant-ceilings", 2, 4).set("yarn.scheduler.optimus.policy", "drf");

    @Rule
    public final Timeout timeout = new Timeout(3, TimeUnit.MINUTES);

    @Test
    public void givesNoMoreThanThePlanHoweverMuchIsAskedFor() throws Exception {
        try (ScriptedMaster greedy = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            greedy.registerJob(1, 1);
            DirectiveProto directive = awaitDirective(greedy);
            List<ResourceRequest> asks = new ArrayList<>(ScriptedMaster.pinned(directive, WORKER, WORKER_TASK, 4));
            asks.addAll(ScriptedMaster.pinned(directive, PS, PS_TASK, 4));
            Await.until("the plan's two tasks are granted", () -> {
                greedy.allocate(asks);
                return greedy.held().size() == 2;
            });
            Await.holds("no third task is granted", Duration.ofSeconds(3), () -> {
                greedy.allocate(asks);
                return greedy.holding(PS) == 1 && greedy.holding(WORKER) == 1;
            });
        }
    }

    @Test
    public void givesNothingBySchedulingRequests() throws Exception {
        try (ScriptedMaster greedy = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            greedy.registerJob(1, 1);
            DirectiveProto directive = awaitDirective(greedy);
            Await.until("the plan's two tasks are granted", () -> {
                greedy.allocate(greedy.asksFor(directive));
                return greedy.held().size() == 2;
            });
            SchedulingRequest extra = SchedulingRequest.newInstance(
                    7,
                    WORKER,
                    ExecutionTypeRequest.newInstance(),
                    java.util.Set.of("extra"),
                    ResourceSizing.newInstance(3, WORKER_TASK),
                    null);
            Await.holds("no third task is granted", Duration.ofSeconds(3), () -> {
                greedy.allocate(List.of(), List.of(), List.of(extra));
                return greedy.held().size() == 2;
            });
        }
    }

    @Test
    public void reservesNothingOnAFullNode() throws Exception {
        try (ScriptedMaster ordinary = ScriptedMaster.start(CLUSTER, "YARN", "default");
                ScriptedMaster greedy = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            List<ResourceRequest> all =
                    List.of(ResourceRequest.newInstance(WORKER, ResourceRequest.ANY, ScriptedMaster.task(1024, 1), 8));
            Await.until("the ordinary application holds every GPU", () -> {
                ordinary.allocate(ordinary.held().isEmpty() ? all : List.of());
                return ordinary.holding(WORKER) == 8;
            });
            greedy.registerJob(1, 4);
            List<ResourceRequest> asks = CLUSTER.scheduler().getNodeTracker().getAllNodes().stream()
                    .map(node -> ResourceRequest.newInstance(WORKER, node.getNodeName(), WORKER_TASK, 4, true))
                    .collect(java.util.stream.Collectors.toCollection(ArrayList::new));
            asks.add(ResourceRequest.newInstance(WORKER, ResourceRequest.ANY, WORKER_TASK, 8, true));
            Await.holds("no node is reserved", Duration.ofSeconds(3), () -> {
                greedy.report();
                greedy.allocate(asks);
                return CLUSTER.scheduler().getNodeTracker().getAllNodes().stream()
                        .allMatch(node -> node.getReservedContainer() == null);
            });
            assertThat(greedy.held()).isEmpty();
        }
    }

    @Test
    public void givesNothingFromAsksOfALargerPlan() throws Exception {
        try (ScriptedMaster first = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            first.registerJob(2, 8);
            Await.until("the first job grows to all GPUs", () -> {
                first.follow();
                return first.holding(WORKER) == 8;
            });
            DirectiveProto large = first.follow();
            try (ScriptedMaster second = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
                second.registerJob(2, 8);
                Await.until("the second job gets its share", () -> {
                    first.follow();
                    second.follow();
                    return second.holding(WORKER) >= 2 && first.holding(WORKER) <= 6;
                });
                long fair = first.holding(WORKER);
                List<ResourceRequest> old = ScriptedMaster.pinned(large, WORKER, WORKER_TASK, 4);
                Await.holds("the first job gets nothing back", Duration.ofSeconds(2), () -> {
                    first.allocate(old);
                    return first.holding(WORKER) <= fair;
                });
            }
        }
    }

    private static DirectiveProto awaitDirective(ScriptedMaster master) throws Exception {
        DirectiveProto[] found = new DirectiveProto[1];
        Await.until("a plan covers the job", () -> {
            found[0] = master.send(master.report()).getDirective();
            return found[0].getTargetCount() > 0;
        });
        return found[0];
    }
}
