package io.optimus.model.policy.goodput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.GoodputReason;
import io.optimus.model.decision.GoodputReason.Weight;
import io.optimus.model.decision.Reason;
import io.optimus.model.decision.ReasonKind;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.SpeedFunction;
import java.util.OptionalDouble;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class MarginalGoodputPolicyTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final MarginalGoodputPolicy policy = new MarginalGoodputPolicy();

    private AllocationDecision allocate(ClusterSnapshot cluster, Jobs... jobs) {
        return policy.allocate(cluster, Jobs.snapshots(jobs));
    }

    private static Allocation workers(int count) {
        return new Allocation(0, count);
    }

    /** Returns a job with these speeds on 1, 2 and 4 workers. */
    private static SpeedFunction speeds(double one, double two, double four) {
        return size -> size.workers() >= 4 ? four : size.workers() >= 2 ? two : one;
    }

    @Test
    public void dividesAsInTheWorkedExample() {
        Jobs a = Jobs.allReduce("a").remaining(1000);
        Jobs b = Jobs.allReduce("b").remaining(100);

        AllocationDecision even =
                allocate(Clusters.ofGpus(1, 4), a.speed(speeds(1, 1.8, 3)), b.speed(speeds(1, 1.8, 3)));
        assertThat(even.job("a").allocation()).isEqualTo(workers(2));
        assertThat(even.job("b").allocation()).isEqualTo(workers(2));

        AllocationDecision shortest =
                allocate(Clusters.ofGpus(1, 4), a.speed(speeds(1, 1.9, 3.5)), b.speed(speeds(1, 1.9, 3.5)));
        assertThat(shortest.job("a").allocation()).isEqualTo(Allocation.NONE);
        assertThat(shortest.job("a").reason()).isInstanceOf(GoodputReason.class);
        assertThat(shortest.job("b").allocation()).isEqualTo(workers(4));
    }

    /** b gives up the least where it falls back to 2 workers: 1.94 · (1.84^0.8 − 1). a's first worker is worth (1/1.9)^0.8. */
    @Test
    public void namesTheJobThatHasWhatAnotherWouldTakeNext() {
        SpeedFunction speed = speeds(1, 1.9, 3.5);
        Jobs a = Jobs.allReduce("a").remaining(1000).speed(speed);
        Jobs b = Jobs.allReduce("b").remaining(100).speed(speed);

        Reason why = allocate(Clusters.ofGpus(1, 4), a, b).job("a").reason();

        assertThat(why.sentence())
                .isEqualTo("waits for its minimum of 1 worker: job b gains more from the same resources");
        assertThat(why.kinds()).containsExactly(ReasonKind.OUTBID);
        assertThat(why.rival()).hasValueSatisfying(rival -> {
            assertThat(rival.job()).isEqualTo("b");
            assertThat(rival.value().orElseThrow()).isCloseTo(1.22, within(0.01));
            assertThat(rival.ownValue().orElseThrow()).isCloseTo(0.598, within(0.01));
        });
    }

    @Test
    public void namesWhatLacksWhereNoJobMayReleaseIt() {
        SpeedFunction speed = speeds(1, 1.9, 3.5);
        Jobs fixed = Jobs.allReduce("fixed")
                .speed(speeds(1, 1.9, 1.9))
                .on(Clusters.on(0, 0, 3))
                .mayNotShrink();
        Jobs small = Jobs.allReduce("small").speed(speed).on(Clusters.on(0, 0, 1));

        Reason why = allocate(Clusters.ofGpus(1, 4), fixed, small).job("small").reason();

        assertThat(why.sentence())
                .isEqualTo("stays at its minimum of 1 worker: 2 workers would make it 1.9 times as fast, but no GPU is"
                        + " free, 1 is needed");
        assertThat(why.kinds()).contains(ReasonKind.NO_ROOM).doesNotContain(ReasonKind.OUTBID);
    }

    @Test
    public void saysThatMoreHasNoRoom() {
        Reason why =
                allocate(Clusters.ofGpus(1, 4), Jobs.allReduce("a")).job("a").reason();

        assertThat(why.sentence()).isEqualTo("starts with 4 workers: there is no room for more of its tasks");
        assertThat(why.kinds()).containsExactly(ReasonKind.NO_ROOM);
    }

    @Test
    public void weighsByRankAsTheFluidModelDoes() {
        assertThat(Weights.ofRank(1)).isEqualTo(1);
        assertThat(Weights.ofRank(2)).isBetween(1.93, 1.94);
        assertThat(Weights.ofRank(4000)).isGreaterThan(Weights.ofRank(3999));
    }

    @Test
    public void controlSharesResourcesThatRanksWouldGiveToTheShortestJob() {
        SpeedFunction speed = speeds(1, 1.9, 3.5);
        Jobs a = Jobs.allReduce("a").remaining(1000).speed(speed);
        Jobs b = Jobs.allReduce("b").remaining(100).speed(speed);

        AllocationDecision decision =
                MarginalGoodputPolicy.withPolluxObjective().allocate(Clusters.ofGpus(1, 4), Jobs.snapshots(a, b));

        assertThat(decision.job("a").allocation()).isEqualTo(workers(2));
        assertThat(decision.job("b").allocation()).isEqualTo(workers(2));
        assertThat(decision.job("a").reason().figures()).containsEntry("weight", 1.0);
    }

    @Test
    public void triesNoMoreThanFourTimesTheLargestSizeThatItRanOn() {
        Jobs job = Jobs.allReduce("a").history(new JobHistory(1000, 0, 0, workers(2)));

        AllocationDecision decision = allocate(Clusters.ofGpus(16, 4), job);

        assertThat(decision.job("a").allocation()).isEqualTo(workers(8));
        assertThat(decision.job("a").reason().sentence())
                .isEqualTo("starts with 8 workers: it may try at most 4 times the 2 workers that it has run on so far");
        assertThat(decision.job("a").reason().figures())
                .containsEntry("placeByRemainingWork", 1.0)
                .containsEntry("weight", 1.0)
                .hasEntrySatisfying(
                        "timesSpeedOnEqualPart", times -> assertThat(times).isCloseTo(0.171, within(1e-3)));
    }

    @Test
    public void measuresUnknownJobsOnTheirMinimumBeforeOthersGrow() {
        AllocationDecision decision = allocate(
                Clusters.ofGpus(1, 4),
                Jobs.allReduce("known").remaining(1),
                Jobs.allReduce("unknown").submitted(1).unknown());

        assertThat(decision.job("unknown").allocation()).isEqualTo(workers(1));
        assertThat(decision.job("unknown").reason().sentence())
                .isEqualTo("starts with its minimum of 1 worker: its speed is measured there before it grows");
        assertThat(decision.job("known").allocation().workers()).isGreaterThan(1);
    }

    @Test
    public void stopsNoJobThatEndsSoonerThanARestartWouldTake() {
        Jobs running = Jobs.allReduce("running")
                .speed(size -> 1)
                .on(Clusters.on(0, 0, 1))
                .resizeCost(30);
        Jobs unknown = Jobs.allReduce("unknown").submitted(1).unknown();

        AllocationDecision ends = allocate(Clusters.ofGpus(1, 1), running.remaining(20), unknown);
        assertThat(ends.job("running").allocation()).isEqualTo(workers(1));
        assertThat(ends.job("running").reason().sentence())
                .isEqualTo(
                        "stays at its minimum of 1 worker: it ends in 20 s, and to stop and restart it would take 30 s");
        assertThat(ends.job("unknown").allocation()).isEqualTo(Allocation.NONE);

        for (Jobs lasting :
                new Jobs[] {running.remaining(40), running.remaining(20).trusted(0.5)}) {
            AllocationDecision goesOn = allocate(Clusters.ofGpus(1, 1), lasting, unknown);
            assertThat(goesOn.job("running").allocation()).isEqualTo(Allocation.NONE);
            assertThat(goesOn.job("unknown").allocation()).isEqualTo(workers(1));
        }
    }

    @Test
    public void keepsANearlyEqualSizeIfAResizeIsExpensive() {
        SpeedFunction barelyMore = speeds(1, 1.9, 2);
        Jobs running = Jobs.allReduce("a").speed(barelyMore).on(Clusters.on(0, 0, 2));
        Jobs waiting = Jobs.allReduce("a").speed(barelyMore);

        assertThat(allocate(Clusters.ofGpus(1, 4), running.resizeCost(30))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(2));
        assertThat(allocate(Clusters.ofGpus(1, 4), running.resizeCost(1))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(4));
        assertThat(allocate(Clusters.ofGpus(1, 4), waiting.resizeCost(30))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(4));
    }

    @Test
    public void keepsTheSizeOfAJobThatEndsSoon() {
        // The larger size is 1.5 times as fast.
        Jobs running = Jobs.allReduce("a")
                .speed(speeds(1, 2, 3))
                .on(Clusters.on(0, 0, 2))
                .resizeCost(30);

        assertThat(allocate(Clusters.ofGpus(1, 4), running.remaining(3 * 90))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(4));
        assertThat(allocate(Clusters.ofGpus(1, 4), running.remaining(3 * 50))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(2));
    }

    @Test
    public void growsDespiteAResizeOfMinutesUnlessTheJobEndsSoon() {
        Jobs small = Jobs.allReduce("a")
                .speed(speeds(1, 1.5, 1.5))
                .on(Clusters.on(0, 0, 1))
                .history(new JobHistory(100_000, 100_000, 0, workers(4)))
                .resizeCost(300);

        assertThat(allocate(Clusters.ofGpus(1, 4), small.remaining(OptionalDouble.empty()))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(2));
        assertThat(allocate(Clusters.ofGpus(1, 4), small.remaining(600))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(1));
    }

    @Test
    public void givesLargerPrioritiesTheirMinimumAtAnyWeight() {
        Jobs shortest = Jobs.allReduce("shortest")
                .workers(Jobs.WORKER, 4, 4)
                .remaining(1)
                .on(Clusters.on(0, 0, 4));
        Jobs preferred = Jobs.allReduce("preferred")
                .submitted(1)
                .workers(Jobs.WORKER, 1, 1)
                .remaining(1e9);

        assertThat(allocate(Clusters.ofGpus(1, 4), shortest, preferred)
                        .job("preferred")
                        .allocation())
                .isEqualTo(Allocation.NONE);
        assertThat(allocate(Clusters.ofGpus(1, 4), shortest, preferred.priority(1))
                        .job("preferred"))
                .satisfies(decided -> {
                    assertThat(decided.allocation()).isEqualTo(workers(1));
                    assertThat(decided.reason().sentence())
                            .endsWith("its priority of 1 is larger than that of other jobs");
                });
    }

    @Test
    public void growsAtOnceWithParameterServers() {
        Jobs job = Jobs.resnet("a")
                .speed(size -> Math.min(size.parameterServers(), size.workers()))
                .history(new JobHistory(1000, 0, 0, new Allocation(1, 1)));

        assertThat(allocate(Clusters.ofGpus(4, 4), job).job("a").allocation()).isEqualTo(new Allocation(16, 16));
    }

    @Test
    public void resizesLessIfResizesCostMore() {
        JobHistory resizedOften = new JobHistory(1000, 0, 20, workers(64));
        Jobs running = Jobs.allReduce("a").on(Clusters.on(0, 0, 2)).speed(speeds(1, 2, 3));

        assertThat(allocate(Clusters.ofGpus(1, 4), running.resizeCost(1).history(resizedOften))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(4));
        assertThat(allocate(Clusters.ofGpus(1, 4), running.resizeCost(30).history(resizedOften))
                        .job("a")
                        .allocation())
                .isEqualTo(workers(2));
    }

    @Test
    public void weighsByServiceIfNoEndIsKnown() {
        Jobs old = Jobs.allReduce("old")
                .remaining(OptionalDouble.empty())
                .history(new JobHistory(50_000, 1e6, 0, workers(64)));
        Jobs young = Jobs.allReduce("young")
                .submitted(1)
                .remaining(OptionalDouble.empty())
                .history(new JobHistory(1000, 0, 0, workers(64)));

        AllocationDecision decision = allocate(Clusters.ofGpus(16, 4), old, young);

        assertThat(decision.job("young").allocation().workers())
                .isGreaterThan(decision.job("old").allocation().workers());
        assertThat(decision.job("old").reason().figures()).containsEntry("gpuSecondsSoFar", 1e6);
    }

    @Test
    public void stopsAJobOfUnknownEndOnlyForOneOfMuchLessService() {
        Jobs waiting = Jobs.allReduce("waiting")
                .resizeCost(30)
                .remaining(OptionalDouble.empty())
                .history(new JobHistory(2000, 310, 1, workers(1)));
        Jobs running = Jobs.allReduce("running")
                .resizeCost(30)
                .submitted(1)
                .remaining(OptionalDouble.empty())
                .on(Clusters.on(0, 0, 1));

        for (double service : new double[] {310, 600, 890}) {
            Jobs runs = running.history(new JobHistory(2000, service, 1, workers(1)));
            assertThat(allocate(Clusters.ofGpus(1, 1), waiting, runs)
                            .job("running")
                            .allocation())
                    .as("after %s s", service)
                    .isEqualTo(workers(1));
        }
        Jobs runs = running.history(new JobHistory(2000, 910, 1, workers(1)));
        assertThat(allocate(Clusters.ofGpus(1, 1), waiting, runs).job("waiting").allocation())
                .isEqualTo(workers(1));
    }

    @Test
    public void weighsByServiceIfMostEndsAreUnknown() {
        Jobs known = Jobs.allReduce("known").remaining(100);
        Jobs unknown = Jobs.allReduce("unknown").remaining(OptionalDouble.empty());
        ClusterSnapshot cluster = Clusters.ofGpus(16, 4);

        assertThat(allocate(cluster, known, unknown).job("unknown").reason().figures())
                .containsKey("placeByRemainingWork");
        assertThat(allocate(cluster, known, unknown, Jobs.allReduce("other").remaining(OptionalDouble.empty()))
                        .job("known")
                        .reason()
                        .figures())
                .containsKey("gpuSecondsSoFar");
    }

    /** The end of the third of three jobs is unknown: it ranks before each of the others with probability 1/2. */
    @Test
    public void ranksAnUnknownJobInTheMiddle() {
        Weights weights = Weights.of(new double[] {1000, 100, 0}, new double[] {1, 1, 0}, new double[3]);

        assertThat(weights.exponent()).isEqualTo(0.8);
        assertThat(weights.ofJobs().stream().map(Weight::factor))
                .containsExactly(Weights.ofRank(1.5), Weights.ofRank(2.5), Weights.ofRank(2));
    }

    @Test
    public void weighsRanksMoreIfMoreEndsAreKnown() {
        double[] work = {1000, 100, 10, 1};
        double[] service = {0, 0, 1e6, 1e6};
        Weights nothing = Weights.of(work, new double[4], service);
        Weights little = Weights.of(work, new double[] {0.01, 0, 0, 0}, service);
        Weights most = Weights.of(work, new double[] {1, 1, 0, 0}, service);

        assertThat(nothing.exponent()).isEqualTo(0.5);
        assertThat(little.exponent()).isCloseTo(0.5, within(0.01));
        for (int job = 0; job < work.length; job++) {
            double before = nothing.ofJobs().get(job).factor();
            assertThat(little.ofJobs().get(job).factor() / before).isCloseTo(1, within(0.05));
        }
        assertThat(most.exponent()).isEqualTo(0.8);
    }

    @Test
    public void growsServersAndWorkersTogetherIfNeitherAloneHelps() {
        // The smaller role limits the speed.
        Jobs job = Jobs.small("a")
                .history(new JobHistory(1000, 0, 0, new Allocation(4, 8)))
                .speed(size -> Math.min(size.parameterServers(), size.workers()));

        assertThat(allocate(Clusters.ofGpus(2, 4), job).job("a").allocation()).isEqualTo(new Allocation(4, 4));
    }

    @Test
    public void takesMoreOfThePlentifulResource() {
        // Servers take cores, which are plentiful; workers take GPUs, which are scarce.
        Jobs a = Jobs.small("a").history(new JobHistory(1000, 0, 0, new Allocation(4, 8)));
        Jobs b = Jobs.small("b").history(new JobHistory(1000, 0, 0, new Allocation(4, 8)));

        AllocationDecision decision = allocate(Clusters.of(1, Resources.of(1 << 20, 256, 2)), a, b);

        assertThat(decision.job("a").allocation().parameterServers()).isGreaterThan(1);
        assertThat(decision.job("a").allocation().workers()).isEqualTo(1);
        assertThat(decision.job("b").allocation().workers()).isEqualTo(1);
    }

    @Test
    public void exploresNothingFirst() {
        assertThat(new MarginalGoodputPolicy().exploresFirst()).isFalse();
        assertThat(allocate(Clusters.ofGpus(1, 4), Jobs.small("a").exploring(2, 3))
                        .job("a")
                        .exploring())
                .isFalse();
    }

    @Test
    public void triesAnotherSizeWithUnusedResourcesIfTheJobWouldStay() {
        Jobs staying = Jobs.small("a").speed(size -> 1).on(Clusters.on(0, 1, 1));

        assertThat(allocate(Clusters.ofGpus(1, 4), staying.alsoExploring(2, 3)).job("a"))
                .satisfies(decided -> {
                    assertThat(decided.allocation()).isEqualTo(new Allocation(2, 3));
                    assertThat(decided.exploring()).isTrue();
                });
        assertThat(allocate(Clusters.ofGpus(1, 2), staying.alsoExploring(2, 3)).job("a"))
                .satisfies(decided -> {
                    assertThat(decided.allocation()).isEqualTo(new Allocation(1, 1));
                    assertThat(decided.exploring()).isFalse();
                });
    }

    @Test
    public void triesNoSizeIfTheJobIsResized() {
        Jobs growing = Jobs.small("a").speed(size -> size.workers()).on(Clusters.on(0, 1, 1));

        assertThat(allocate(Clusters.ofGpus(1, 4), growing.alsoExploring(2, 1)).job("a"))
                .satisfies(decided -> {
                    assertThat(decided.allocation().workers()).isGreaterThan(1);
                    assertThat(decided.exploring()).isFalse();
                });
    }

    @Test
    public void keepsTheSizeOnTrialUntilItWasMeasured() {
        Jobs trying = Jobs.small("a").speed(size -> 1.0 / size.workers()).on(Clusters.on(0, 2, 3));

        assertThat(allocate(Clusters.ofGpus(1, 4), trying.alsoExploring(2, 3)).job("a"))
                .satisfies(decided -> {
                    assertThat(decided.allocation()).isEqualTo(new Allocation(2, 3));
                    assertThat(decided.exploring()).isTrue();
                });
    }

    @Test
    public void completesTheResizeToTheSizeOnTrial() {
        Jobs half = Jobs.small("a")
                .speed(size -> size.workers() == 1 ? 1 : 0.5)
                .on(Clusters.on(0, 2, 2))
                .trainsOn(1, 1);

        assertThat(allocate(Clusters.ofGpus(1, 4), half.alsoExploring(2, 3)).job("a"))
                .satisfies(decided -> {
                    assertThat(decided.allocation()).isEqualTo(new Allocation(2, 3));
                    assertThat(decided.exploring()).isTrue();
                });
    }

    @Test
    public void givesTasksToAJobThatHasJustArrived() {
        Jobs old = Jobs.allReduce("old").speed(speeds(1, 1.9, 2.7)).remaining(1000);
        Jobs young = Jobs.allReduce("young").speed(speeds(1, 1.9, 2.7)).remaining(1000);

        AllocationDecision decision = allocate(
                Clusters.ofGpus(1, 4),
                old.on(Clusters.on(0, 0, 4)).history(new JobHistory(1000, 0, 0, workers(4))),
                young.history(JobHistory.NEW));

        assertThat(decision.job("young").allocation()).isNotEqualTo(Allocation.NONE);
    }

    @Test
    public void guaranteesEveryJobATenthOfItsAge() {
        Jobs shorter = Jobs.allReduce("shorter")
                .workers(Jobs.WORKER, 4, 4)
                .remaining(1)
                .on(Clusters.on(0, 0, 4));
        Jobs starved = Jobs.allReduce("starved")
                .submitted(1)
                .workers(Jobs.WORKER, 1, 1)
                .remaining(1e9);

        assertThat(allocate(Clusters.ofGpus(1, 4), shorter, starved.history(new JobHistory(3600, 0, 0, workers(1))))
                        .job("starved")
                        .allocation())
                .isEqualTo(Allocation.NONE);
        AllocationDecision owed =
                allocate(Clusters.ofGpus(1, 4), shorter, starved.history(new JobHistory(7200, 350, 0, workers(1))));
        assertThat(owed.job("starved").reason().figures())
                .containsEntry("ranWorkerSeconds", 350.0)
                .containsEntry("owedWorkerSeconds", 360.0);
        AllocationDecision ahead = allocate(
                Clusters.ofGpus(1, 4),
                shorter.on(Placement.NONE),
                starved.on(Clusters.on(0, 0, 1)).history(new JobHistory(7200, 959, 0, workers(1))));
        assertThat(ahead.job("starved").allocation()).isEqualTo(workers(1));
        assertThat(allocate(
                                Clusters.ofGpus(1, 4),
                                shorter.on(Placement.NONE),
                                starved.on(Clusters.on(0, 0, 1)).history(new JobHistory(7200, 960, 0, workers(1))))
                        .job("starved")
                        .allocation())
                .isEqualTo(Allocation.NONE);
    }
}
