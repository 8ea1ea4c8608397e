package io.optimus.model.policy.sia;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.ConfigurationReason;
import io.optimus.model.decision.SizeChange;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import io.optimus.model.knapsack.Knapsack;
import io.optimus.model.knapsack.OptionSet;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.speedup.Hosting;
import io.optimus.model.policy.speedup.Hostings;
import io.optimus.model.policy.speedup.Replicas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Sia (Jayaram Subramanya et al., SOSP 2023): one configuration for each job, so that
 *
 * <pre>Σ over jobs that get one of (speed-up · restart factor)^p + 1.1 · jobs that get none,  p = −0.5</pre>
 *
 * <p>is least. Speed-ups are over the job's minimum; the restart factor counts where a running job changes. Sia hands that
 * to a solver of integer programs; with one type of GPU it is a knapsack with one choice a job, which {@link Knapsack}
 * solves exactly by dynamic programming, for the clusters that Sia was measured on in milliseconds.
 *
 * <p>A recollection of the paper where it goes beyond that formula: jobs start on their minimum and at most double in a
 * round; a job without a fitted speed runs on its minimum.
 *
 * <p>Example: 4 GPUs, A and B 1, 1.8 and 3 times as fast on 1, 2 and 4. Two each cost 2 · 1.8^−0.5 = 1.49, all for one 3^−0.5
 * + 1.1 = 1.68.
 */
public final class SiaPolicy implements AllocationPolicy {
    @Override
    public String name() {
        return "sia";
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Map<String, Decided> decided = new HashMap<>();
        Resources left = cluster.available();
        List<JobSnapshot> open = new ArrayList<>();
        for (JobSnapshot job : jobs.stream().sorted(Precedence.BY_AGE).toList()) {
            Allocation held = job.current().allocation();
            if (job.mayShrink() || held.isNone()) {
                open.add(job);
            } else {
                left = left.minus(job.resources(held));
                decided.put(job.id(), decided(job, held, OptionalDouble.empty()));
            }
        }
        choose(cluster, left, open, decided);
        return AllocationDecision.of(decided);
    }

    private static void choose(
            ClusterSnapshot cluster, Resources left, List<JobSnapshot> jobs, Map<String, Decided> decided) {
        Set<String> nodes = cluster.nodes().stream().map(NodeSnapshot::id).collect(Collectors.toSet());
        Hostings hostings = new Hostings(cluster);
        List<Configurations> all = jobs.stream()
                .map(job -> configurations(job, hostings, held(job, nodes)))
                .toList();
        ResourceAxes axes = ResourceAxes.of(cluster, jobs.stream().map(job -> job.resources(job.maximum())));
        List<OptionSet> menus = IntStream.range(0, jobs.size())
                .mapToObj(job -> menu(jobs.get(job), all.get(job), axes))
                .toList();
        int[] chosen = Knapsack.choose(axes.amounts(left.max(Resources.NONE)), menus);
        for (int i = 0; i < chosen.length; i++) {
            JobSnapshot job = jobs.get(i);
            decided.put(
                    job.id(),
                    chosen[i] == Knapsack.NONE
                            ? decided(job, Allocation.NONE, OptionalDouble.empty())
                            : decided(
                                    job,
                                    all.get(i).allocation(chosen[i]),
                                    OptionalDouble.of(all.get(i).speedup(chosen[i]))));
        }
    }

    private static Configurations configurations(JobSnapshot job, Hostings hostings, Allocation held) {
        Replicas replicas = new Replicas(job);
        Hosting hosting = hostings.of(replicas.shape());
        return new Configurations(job, replicas, hosting, held);
    }

    private static Allocation held(JobSnapshot job, Set<String> nodes) {
        Allocation held = job.current().within(nodes::contains).allocation();
        return job.minimum().isWithin(held) ? held : Allocation.NONE;
    }

    private static OptionSet menu(JobSnapshot job, Configurations configurations, ResourceAxes axes) {
        double[] values = new double[configurations.size()];
        long[][] amounts = new long[values.length][];
        for (int i = 0; i < values.length; i++) {
            values[i] = configurations.value(i);
            amounts[i] = axes.amounts(job.resources(configurations.allocation(i)));
        }
        return new OptionSet(values, amounts, configurations.present());
    }

    private static Decided decided(JobSnapshot job, Allocation size, OptionalDouble speedup) {
        SizeChange sizing =
                new SizeChange(job.trainsOn(), size, job.minimum(), job.mayShrink(), OptionalDouble.empty());
        return new Decided(size, new ConfigurationReason(sizing, speedup), false);
    }
}
