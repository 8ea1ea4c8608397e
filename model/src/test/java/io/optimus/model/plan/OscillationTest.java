package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.TestCategory.Slow;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.policy.OptimusPolicy;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFitter;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.speed.SpeedSamples;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Two equal jobs share 8 GPUs for 50 rounds; their speeds and ends are measured with noise. */
@Category(Slow.class)
public final class OscillationTest {
    private static final int ROUNDS = 50;
    private static final SynchronousSpeed TRUTH = new SynchronousSpeed(32, .0078, .1, .02, .005, .002);
    private static final SpeedForm FORM = SpeedForm.of(TrainingMode.SYNCHRONOUS, 32);
    private static final SizeRange RANGE = new SizeRange(new Allocation(1, 1), new Allocation(4, 8));

    @Test
    public void twoEqualJobsDoNotExchangeWorkersRepeatedly() {
        int plain = 0;
        int damped = 0;
        for (long seed = 0; seed < 20; seed++) {
            plain += resizes(seed, false);
            damped += resizes(seed, true);
        }

        System.out.printf(
                "resizes a job in %d rounds: %.2f by the policy alone, %.2f where they have to be worth it%n",
                ROUNDS, plain / 40.0, damped / 40.0);
        // A job resizes a few times while its speed is being learned, not every other round.
        assertThat(damped / 40.0).isLessThan(3);
        assertThat(plain).as("the noise makes the policy alone oscillate").isGreaterThan(2 * damped);
    }

    private static int resizes(long seed, boolean damped) {
        Random random = new Random(seed);
        ClusterSnapshot cluster = Clusters.ofGpus(1, 8);
        Map<String, SpeedSamples> samples = new HashMap<>();
        Map<String, Placement> inForce = new HashMap<>();
        for (String id : List.of("x", "y")) {
            SpeedSamples first = new SpeedSamples();
            samples.put(id, first);
            inForce.put(id, Clusters.on(0, 1, 1));
            for (Allocation size : List.of(new Allocation(1, 2), new Allocation(3, 1))) {
                first.add(noisy(size, random));
            }
        }
        int resizes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<JobSnapshot> jobs = new ArrayList<>();
            for (String id : List.of("x", "y")) {
                Placement now = inForce.getOrDefault(id, Placement.NONE);
                SpeedSamples measured = samples.getOrDefault(id, new SpeedSamples());
                measured.add(noisy(now.allocation(), random));
                SpeedFunction speed = new SpeedFitter(FORM)
                        .fit(measured.sizes(), RANGE)
                        .fitted()
                        .orElseThrow();
                double remaining = 100_000 * Math.exp(0.2 * random.nextGaussian());
                jobs.add(
                        Jobs.small(id).on(now).speed(speed).remaining(remaining).snapshot());
            }
            Map<String, Placement> planned = plan(cluster, jobs, inForce, damped);
            for (String id : List.of("x", "y")) {
                Placement next = planned.getOrDefault(id, Placement.NONE);
                resizes += next.equals(inForce.put(id, next)) ? 0 : 1;
            }
        }
        return resizes;
    }

    private static Map<String, Placement> plan(
            ClusterSnapshot cluster, List<JobSnapshot> jobs, Map<String, Placement> inForce, boolean damped) {
        AllocationDecision decision = new OptimusPolicy().allocate(cluster, jobs);
        Map<String, Proposal> proposals = new HashMap<>();
        new OptimusPlacer()
                .place(cluster, jobs, decision)
                .placements()
                .forEach((id, placement) -> proposals.put(id, Proposal.of(placement)));
        Map<String, Placement> planned = new HashMap<>();
        Map<String, Proposal> kept = damped
                ? ResizeFilter.withoutUnrepaid(new PlannedUse(cluster, Map.of(), Map.of()), jobs, inForce, proposals)
                : proposals;
        kept.forEach((id, proposal) -> planned.put(id, proposal.planned()));
        return planned;
    }

    /** Returns a measurement over 10 s with an error of 5 %. */
    private static SpeedSample noisy(Allocation size, Random random) {
        return new SpeedSample(size, TRUTH.stepsPerSecond(size) * Math.exp(0.05 * random.nextGaussian()), 10);
    }
}
