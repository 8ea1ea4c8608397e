package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.TestCategory.Slow;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Jobs on GPUs of several types, under all strategies: two nodes with 4 fast GPUs each, then two with 4 slow ones. */
@Category(Slow.class)
@RunWith(Parameterized.class)
public class GpuTypesPlanTest {
    private static final Resources NODE = Resources.of(1 << 20, 256, 4);
    private static final ClusterSnapshot CLUSTER =
            Clusters.of(List.of(node(0, "a100"), node(1, "a100"), node(2, "v100"), node(3, "v100")));
    private static final GpuTypes TYPES = new GpuTypes(new TreeMap<>(Map.of("a100", 2.5, "v100", 1.0)));

    @Parameters(name = "{0}")
    public static List<String> names() {
        return Strategies.names();
    }

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final Planner planner;

    public GpuTypesPlanTest(String name) {
        Strategy strategy = Strategies.named(name).bySeed().apply(1);
        planner = new Planner(queue -> strategy, TYPES);
    }

    private static NodeSnapshot node(int index, String type) {
        return new NodeSnapshot(Clusters.id(index), NODE, NODE, type, "");
    }

    private static QueuedJob accepting(Jobs job, String... types) {
        QueuedJob any = QueuedJob.of(job.snapshot(), "ann");
        return new QueuedJob(any.job(), "ann", any.inForce(), false, new TreeSet<>(), new TreeSet<>(List.of(types)));
    }

    private static QueueSnapshot queue(ClusterSnapshot cluster, List<QueuedJob> jobs) {
        return new QueueSnapshot("root.a", cluster, new TreeMap<>(), jobs);
    }

    private SortedMap<String, Proposal> plan(QueuedJob... jobs) {
        return planner.plan(List.of(queue(CLUSTER, List.of(jobs))));
    }

    private static Placement planned(SortedMap<String, Proposal> plan, String job) {
        return proposal(plan, job).planned();
    }

    private static Proposal proposal(SortedMap<String, Proposal> plan, String job) {
        return plan.getOrDefault(job, Proposal.of(Placement.NONE));
    }

    private static Set<String> typesOf(Placement placement) {
        return CLUSTER.nodes().stream()
                .filter(node -> !placement.on(node.id()).isNone())
                .map(NodeSnapshot::gpuType)
                .collect(Collectors.toSet());
    }

    @Test
    public void putsAJobOnTheTypeThatItsOwnerAccepts() {
        SortedMap<String, Proposal> plan = plan(accepting(Jobs.allReduce("slow"), "v100"));

        assertThat(typesOf(planned(plan, "slow"))).containsExactly("v100");
        assertThat(proposal(plan, "slow").reason()).endsWith("; on GPUs of type v100");
    }

    @Test
    public void letsAJobWaitForATypeThatNoNodeHasAndGivesThatReason() {
        SortedMap<String, Proposal> plan =
                plan(accepting(Jobs.allReduce("odd"), "h100"), accepting(Jobs.allReduce("slow"), "v100"));

        assertThat(planned(plan, "odd")).isEqualTo(Placement.NONE);
        assertThat(proposal(plan, "odd").reason()).endsWith("; no node has GPUs of a type that it accepts (h100)");
        assertThat(typesOf(planned(plan, "slow"))).containsExactly("v100");
    }

    @Test
    public void startsAJobThatAcceptsAnyTypeOnTheFastOne() {
        assertThat(typesOf(planned(plan(accepting(Jobs.allReduce("a"))), "a"))).containsExactly("a100");
    }

    @Test
    public void letsAJobThatIsTooLargeForEveryTypeWaitForTheLargestOne() {
        ClusterSnapshot threeSlow =
                Clusters.of(List.of(node(0, "a100"), node(1, "v100"), node(2, "v100"), node(3, "v100")));
        Jobs large = Jobs.allReduce("large").workers(Jobs.WORKER, 16, 16).requested(0, 16);

        SortedMap<String, Proposal> plan =
                planner.plan(List.of(queue(threeSlow, List.of(accepting(large), accepting(Jobs.allReduce("small"))))));

        assertThat(proposal(plan, "large").reason()).contains("on GPUs of type v100");
        assertThat(planned(plan, "small").byNode()).isNotEmpty();
    }

    @Test
    public void usesTheSlowTypeOnceTheFastOneIsFull() {
        QueuedJob[] jobs = new QueuedJob[4];
        for (int i = 0; i < jobs.length; i++) {
            jobs[i] = accepting(Jobs.allReduce("job" + i).submitted(i).requested(0, 4));
        }

        List<Set<String>> types = plan(jobs).values().stream()
                .map(proposal -> typesOf(proposal.planned()))
                .toList();

        assertThat(types).allMatch(ofJob -> ofJob.size() == 1).contains(Set.of("a100"), Set.of("v100"));
    }

    @Test
    public void keepsAJobOnItsTypeUnlessAChangeRepays() {
        Placement slow = Clusters.on(2, 0, 4);
        Jobs running =
                Jobs.allReduce("a").workers(Jobs.WORKER, 1, 4).requested(0, 4).on(slow);

        assertThat(typesOf(planned(plan(accepting(running.remaining(3).resizeCost(30))), "a")))
                .containsExactly("v100");
        assertThat(typesOf(planned(plan(accepting(running.remaining(1e6).resizeCost(30))), "a")))
                .containsExactly("a100");
    }

    @Test
    public void leavesUntypedClustersAsTheyWere() {
        ClusterSnapshot untyped = Clusters.ofGpus(4, 4);
        List<QueuedJob> jobs =
                List.of(QueuedJob.of(Jobs.allReduce("a").requested(0, 16).snapshot(), "ann"));

        Placement planned = planned(planner.plan(List.of(queue(untyped, jobs))), "a");

        assertThat(planned.byNode()).isNotEmpty();
        assertThat(proposal(planner.plan(List.of(queue(untyped, jobs))), "a").reason())
                .doesNotContain("GPUs of");
    }

    @Test
    public void keepsEveryJobOnItsTypeWhileNothingElseChanges() {
        SortedMap<String, Proposal> plan = new TreeMap<>();
        for (int round = 0; round < 10; round++) {
            plan = planner.plan(List.of(queue(CLUSTER, sixJobs(plan))));
        }
        SortedMap<String, Proposal> next = planner.plan(List.of(queue(CLUSTER, sixJobs(plan))));

        assertThat(types(next)).isEqualTo(types(plan));
    }

    private static List<QueuedJob> sixJobs(SortedMap<String, Proposal> plan) {
        List<QueuedJob> jobs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            jobs.add(accepting(Jobs.allReduce("job" + i)
                    .submitted(i)
                    .requested(0, 2)
                    .remaining(1000.0 * (i + 1))
                    .resizeCost(20)
                    .on(planned(plan, "job" + i))));
        }
        return jobs;
    }

    private static Map<String, Set<String>> types(SortedMap<String, Proposal> plan) {
        return plan.keySet().stream().collect(Collectors.toMap(job -> job, job -> typesOf(planned(plan, job))));
    }
}
