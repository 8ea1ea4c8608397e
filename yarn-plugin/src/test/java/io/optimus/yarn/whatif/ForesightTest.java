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
    private static final long STEPS_PER_EPOCH = 100;
    private static final int SHORTER_EPOCHS = 25;
    private static final int LONGER_EPOCHS = 50;

    @Rule
    public final Timeout timeout = new Timeout(180, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** What is predicted of a job at one moment. */
    private record Predicted(double factor, double seconds, double secondsOnPresentTasks, double at) {
        static Optional<Predicted> of(Estimate estimate, JobView job, double at) {
            return estimate.outlook()
                    .filter(outlook ->
                            outlook.tasks().equals(job.progress().members().allocation()))
                    .map(outlook -> new Predicted(
                            outlook.factor(),
                            seconds(estimate.remainingTime(
                                    outlook.tasks(), 1, (double) job.progress().step())),
                            seconds(estimate.remainingTimeOn(
                                    outlook.tasks(), 1, (double) job.progress().step())),
                            at));
        }

        private static double seconds(Optional<RemainingTime> time) {
            return time.orElseThrow().seconds().orElseThrow();
        }
    }

    @Test
    public void aJobEndsSoonerBecauseItGrowsWhenAnotherEnds() throws Exception {
        Map<String, String> settings = Map.of(
                "yarn.scheduler.optimus.policy",
                "marginal-goodput",
                "yarn.scheduler.optimus.foresight-core-percent",
                "100");
        try (PageCluster cluster = new PageCluster(folder.getRoot().toPath(), settings)) {
            cluster.nodes(1, 4);
            FollowingJob shorter = train(cluster, "shorter", SHORTER_EPOCHS);
            FollowingJob longer = train(cluster, "longer", LONGER_EPOCHS);
            cluster.awaitSteps(shorter, SHORTER_EPOCHS * STEPS_PER_EPOCH / 4);

            Predicted predicted = awaitEarlierEnd(cluster, longer);
            cluster.awaitSteps(longer, LONGER_EPOCHS * STEPS_PER_EPOCH);

            double came = longer.seconds() - predicted.at();
            assertThat(predicted.seconds()).as("%s, %s s came", predicted, came).isCloseTo(came, withinPercentage(30));
            assertThat(predicted.secondsOnPresentTasks())
                    .as("%s, %s s came", predicted, came)
                    .isGreaterThan(came);
        }
    }

    private static FollowingJob train(PageCluster cluster, String name, int epochs) throws Exception {
        FollowingJob job = cluster.train(PageCluster.registration(name, epochs).build());
        job.endAt(epochs * STEPS_PER_EPOCH);
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
                    .flatMap(estimate -> Predicted.of(estimate, view, job.seconds()))
                    .filter(now -> now.factor() < 0.85)
                    .ifPresent(earlier::add);
            return !earlier.isEmpty();
        });
        return earlier.get(0);
    }
}
