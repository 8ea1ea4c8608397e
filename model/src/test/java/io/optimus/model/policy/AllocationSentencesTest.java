package io.optimus.model.policy;

import static io.optimus.model.Clusters.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.OptionalDouble;
import org.junit.Test;

/** Sentences for the owner are short, true and have figures, whether a job grows, shrinks or stays. */
public final class AllocationSentencesTest {
    private static final SynchronousSpeed SCALES = new SynchronousSpeed(1, 10, 0, 0, 0, 0);

    private static Jobs oneServer(String id) {
        return Jobs.resnet(id).servers(Jobs.SERVER, 1, 1).speed(SCALES).remaining(10);
    }

    private static String sentence(ClusterSnapshot cluster, String job, Jobs... jobs) {
        return new OptimusPolicy()
                .allocate(cluster, Jobs.snapshots(jobs))
                .job(job)
                .reason()
                .sentence();
    }

    @Test
    public void startsWithTheTasksOfTheLargestGain() {
        // With one and two workers, a takes 200 and 100 s, b takes 100 and 50 s.
        Jobs a = oneServer("a").remaining(20);
        Jobs b = oneServer("b");

        assertThat(sentence(Clusters.ofGpus(1, 3), "a", a, b))
                .isEqualTo(
                        "starts with 1 ps + 2 workers: its last worker saves it 100 s, and one more worker would save it"
                                + " 33.3 s, but no GPU is free, 1 is needed");
        assertThat(sentence(Clusters.ofGpus(1, 3), "b", a, b))
                .isEqualTo(
                        "starts with its minimum of 1 ps + 1 worker: one more worker would save it 50 s, and saves job a"
                                + " 100 s");
    }

    @Test
    public void growsUpToItsMaximum() {
        assertThat(sentence(
                        Clusters.ofGpus(1, 4),
                        "a",
                        oneServer("a").workers(Jobs.WORKER, 1, 2).on(on(0, 1, 1))))
                .isEqualTo("grows from 1 ps + 1 worker to 1 ps + 2 workers: its last worker saves it 50 s, and it"
                        + " is at its maximum");
    }

    @Test
    public void countsFromTheTrainingTasksWhileMoreTasksAreStarting() {
        Jobs starting =
                oneServer("a").workers(Jobs.WORKER, 1, 3).on(on(0, 1, 4)).trainsOn(1, 2);

        assertThat(sentence(Clusters.ofGpus(1, 8), "a", starting))
                .startsWith("grows from 1 ps + 2 workers to 1 ps + 3 workers");
    }

    @Test
    public void namesTheRoleThatCanGrowIfTheOtherIsAtItsMaximum() {
        Jobs job = Jobs.small("a")
                .workers(Jobs.WORKER, 1, 2)
                .speed(new SynchronousSpeed(1, 10, 0, 0, 0, 1))
                .remaining(10)
                .on(on(0, 1, 2));

        assertThat(sentence(Clusters.ofGpus(1, 4), "a", job))
                .isEqualTo("stays at 1 ps + 2 workers: its last worker saves it 50 s, and one more ps would not make it"
                        + " faster");
    }

    @Test
    public void shrinksIfTheLastTasksDoNotMakeItFaster() {
        // Seconds a step: 7 on three workers, 7.33 on two and 8 on six.
        Jobs job = oneServer("a").speed(new SynchronousSpeed(1, 12, 0, 0, 1, 0)).on(on(0, 1, 6));

        assertThat(sentence(Clusters.ofGpus(1, 8), "a", job))
                .isEqualTo("shrinks from 1 ps + 6 workers to 1 ps + 3 workers: it ends 10 s sooner with fewer tasks,"
                        + " and one more worker would not make it faster");
    }

    @Test
    public void shrinksForAJobThatGainsMore() {
        Jobs had = oneServer("a").on(on(0, 1, 3));
        Jobs gains = oneServer("b").remaining(100).on(on(0, 1, 1));

        assertThat(sentence(Clusters.ofGpus(1, 4), "a", had, gains))
                .isEqualTo(
                        "shrinks from 1 ps + 3 workers to its minimum of 1 ps + 1 worker: one more worker would save it 50"
                                + " s, and saves job b 167 s");
    }

    @Test
    public void namesTheResourcesOfBothRolesIfTheyGrowTogether() {
        // Seconds a step: (1,1) 20, (1,2) 21, (2,1) 21, (2,2) 19.
        Jobs job = Jobs.resnet("a")
                .servers(Jobs.SERVER, 1, 2)
                .workers(Jobs.WORKER, 1, 2)
                .speed(new SynchronousSpeed(1, 10, 0, 6, 0, 4))
                .remaining(10);

        assertThat(sentence(Clusters.of(1, Resources.of(1 << 20, 40, 4)), "a", job))
                .isEqualTo(
                        "starts with 2 ps + 2 workers: its last ps and worker save it 10 s, and it is at its maximum");
    }

    @Test
    public void startsAtTheMinimumBeforeAnythingIsKnown() {
        assertThat(sentence(Clusters.ofGpus(1, 8), "a", Jobs.small("a").unknown()))
                .isEqualTo(
                        "starts with its minimum of 1 ps + 1 worker: its speed is measured there before it tries other"
                                + " sizes");
        assertThat(sentence(
                        Clusters.ofGpus(1, 8), "a", Jobs.small("a").unknown().on(on(0, 1, 1))))
                .startsWith("stays at its minimum of 1 ps + 1 worker: its speed is measured there");
    }

    @Test
    public void namesTheSizeThatItWouldExploreIfItFitted() {
        Jobs job = Jobs.small("a").exploring(1, 3).on(on(0, 1, 1));

        assertThat(sentence(Clusters.ofGpus(1, 3), "a", job))
                .isEqualTo("explores 1 ps + 3 workers to learn how its speed depends on its size");
        assertThat(sentence(Clusters.ofGpus(1, 2), "a", job))
                .isEqualTo("stays at its minimum of 1 ps + 1 worker: its speed is not known yet, and it cannot explore"
                        + " 1 ps + 3 workers: 1 GPU is free, 2 are needed");
        assertThat(sentence(Clusters.ofGpus(1, 8), "a", job.on(on(0, 2, 4)).mayNotShrink()))
                .isEqualTo("stays at 2 ps + 4 workers, because it may not shrink: its speed is not known yet, and it"
                        + " would explore 1 ps + 3 workers if it could shrink to that");
    }

    @Test
    public void saysWhyAJobOfUnknownSpeedCannotStay() {
        Jobs job = Jobs.small("a").unknown().on(on(0, 1, 4));
        Jobs arrives = Jobs.small("b").workers(Jobs.WORKER, 2, 2).priority(1);

        assertThat(sentence(Clusters.ofGpus(1, 4), "a", job, arrives))
                .isEqualTo(
                        "shrinks from 1 ps + 4 workers to its minimum of 1 ps + 1 worker: its speed is not known yet, and"
                                + " it cannot keep 1 ps + 4 workers: 1 GPU is free, 3 are needed");
    }

    @Test
    public void waitsForItsMinimum() {
        Jobs waits = Jobs.small("a").workers(Jobs.WORKER, 2, 4);

        assertThat(sentence(Clusters.ofGpus(1, 1), "a", waits))
                .isEqualTo("waits for its minimum of 1 ps + 2 workers: 1 GPU is free, 2 are needed");
        assertThat(sentence(
                        Clusters.ofGpus(1, 2),
                        "a",
                        waits.on(on(0, 1, 2)),
                        Jobs.small("b").workers(Jobs.WORKER, 2, 2).priority(1)))
                .isEqualTo(
                        "gives up 1 ps + 2 workers and waits for its minimum of 1 ps + 2 workers: no GPU is free, 2 are"
                                + " needed");
    }

    @Test
    public void saysThatAJobMayNotShrink() {
        assertThat(sentence(
                        Clusters.ofGpus(1, 3),
                        "a",
                        oneServer("a").on(on(0, 1, 3)).mayNotShrink()))
                .isEqualTo(
                        "stays at 1 ps + 3 workers, because it may not shrink: one more worker would save it 8.33 s, but no GPU is"
                                + " free, 1 is needed");
    }

    @Test
    public void namesItsAssumptionForAnUnpredictedEnd() {
        assertThat(sentence(Clusters.ofGpus(1, 1), "a", oneServer("a").remaining(OptionalDouble.empty())))
                .endsWith(" (its end is not predicted yet)");
    }

    @Test
    public void startsStalledJobsBeforeOthersGrow() {
        // A step would take 2.2e308 s on one worker, beyond all numbers.
        Jobs still = oneServer("still")
                .submitted(5)
                .speed(new SynchronousSpeed(1, 1.7e308, .5e308, 0, 0, 0))
                .remaining(1);
        Jobs other = oneServer("other").remaining(1e9);

        assertThat(sentence(Clusters.ofGpus(1, 3), "still", still, other))
                .startsWith("starts with 1 ps + 2 workers: it would stand still without its last worker");
        assertThat(sentence(Clusters.ofGpus(1, 2), "still", still, other))
                .contains("one more worker would let it begin to train, but no GPU is free, 1 is needed");
    }
}
