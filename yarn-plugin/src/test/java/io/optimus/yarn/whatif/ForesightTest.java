package io.optimus.yarn.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.RemainingTime;
import io.optimus.yarn.Await;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.page.FollowingJob;
import io.optimus.yarn.page.PageCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class ForesightTest {
    private static final int STEPS_PER_EPOCH = 100;

    @Rule
    public final Timeout timeout = new Timeout(180, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** What is predicted of a job at one moment. */
    private record Predicted(double factor, double seconds, double secondsOnPresentTasks, long atNanos) {
        static Optional<Predicted> of(Estimate estimate, JobView job) {
            return estimate.outlook()
                    .filter(outlook ->
                            outlook.tasks().equals(job.progress().members().allocation()))
                    .map(outlook -> new Predicted(
                            outlook.factor(),
                            seconds(estimate.remainingTime(
                                    outlook.tasks(), 1, (double) job.progress().step())),
                            seconds(estimate.remainingTimeOn(
                                    outlook.tasks(), 1, (double) job.progress().step())),
                            System.nanoTime()));
        }

        private static double seconds(Optional<RemainingTime> time) {
            return time.orElseThrow().seconds().orElseThrow();
        }
    }

    @Test
    public void aJobEndsSoonerBecauseItGrowsWhenAnotherEnds() throws Exception {
        try (PageCluster cluster = new PageCluster(
                folder.getRoot().toPath(), Map.of("yarn.scheduler.optimus.policy", "marginal-goodput"))) {
            cluster.nodes(1, 4);
            FollowingJob shorter = train(cluster, "shorter", 12);
            FollowingJob longer = train(cluster, "longer", 30);
            cluster.awaitSteps(shorter, 2 * STEPS_PER_EPOCH);

            Predicted predicted = awaitEarlierEnd(cluster, longer);
            cluster.awaitSteps(longer, 30L * STEPS_PER_EPOCH);

            double came = (System.nanoTime() - predicted.atNanos()) / 1e9;
            assertThat(predicted.seconds()).as("on %s", predicted).isCloseTo(came, withinPercentage(40));
            assertThat(Math.abs(predicted.seconds() - came))
                    .as("%s, %s s came", predicted, came)
                    .isLessThan(Math.abs(predicted.secondsOnPresentTasks() - came));
        }
    }

    private static FollowingJob train(PageCluster cluster, String name, int epochs) throws Exception {
        FollowingJob job = cluster.train(PageCluster.registration(name, epochs).build());
        job.endAt((long) epochs * STEPS_PER_EPOCH);
        return job;
    }

    private static Predicted awaitEarlierEnd(PageCluster cluster, FollowingJob job) {
        List<Predicted> earlier = new ArrayList<>();
        Await.until("an earlier end is foreseen", () -> {
            JobView view = cluster.overview().state().registry().view(job.id()).orElseThrow();
            cluster.overview()
                    .state()
                    .beliefs()
                    .of(job.id())
                    .flatMap(estimate -> Predicted.of(estimate, view))
                    .filter(now -> now.factor() < 0.9)
                    .ifPresent(earlier::add);
            return !earlier.isEmpty();
        });
        return earlier.get(0);
    }
}
