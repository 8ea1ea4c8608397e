package io.optimus.sim.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.QueuedJob;
import io.optimus.model.plan.Strategies;
import io.optimus.sim.engine.QueueSource;
import io.optimus.sim.forecast.ForecastResult.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class ForecastTest {
    private static final NodeSnapshot FOUR_GPUS = new NodeSnapshot("n1", Resources.of(0, 0, 4), Resources.of(0, 0, 4));
    private static final double PAUSE = 10;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final Map<String, ForecastJob> jobs = new TreeMap<>();
    private final Map<String, List<QueuedJob>> queues = new TreeMap<>();
    private double mostSeconds = 1e6;

    /** A job that does one step a second with each worker. */
    private void job(String queue, String id, int workers, OptionalDouble steps, Placement holds) {
        JobDemand demand = new JobDemand(RoleDemand.NONE, new RoleDemand(Resources.of(0, 0, 1), workers, workers));
        Allocation size = holds.allocation();
        JobSnapshot.State state =
                new JobSnapshot.State(holds, size, true, PAUSE, new JobHistory(50, 50.0 * size.workers(), 0, size));
        FixedBelief belief = new FixedBelief(s -> s.workers(), steps);
        queues.computeIfAbsent(queue, path -> new ArrayList<>())
                .add(QueuedJob.of(
                        new JobSnapshot(
                                new JobSnapshot.Identity(id, id.hashCode(), SchedulingTerms.DEFAULT),
                                demand,
                                demand.maximum(),
                                state,
                                belief.now()),
                        "ann"));
        jobs.put(id, new ForecastJob(belief.speed(), steps, belief));
    }

    private static OptionalDouble steps(double steps) {
        return OptionalDouble.of(steps);
    }

    private static Placement onNode(int workers) {
        return Placement.of(new TreeMap<>(Map.of("n1", new Allocation(0, workers))));
    }

    private List<QueueSnapshot> present(Set<String> ended) {
        List<QueueSnapshot> present = new ArrayList<>();
        queues.forEach((path, all) -> {
            List<QueuedJob> left =
                    all.stream().filter(job -> !ended.contains(job.job().id())).toList();
            Resources others = queues.entrySet().stream()
                    .filter(other -> !other.getKey().equals(path))
                    .flatMap(other -> other.getValue().stream())
                    .filter(job -> !ended.contains(job.job().id()))
                    .map(job -> job.job().resources(job.job().current().allocation()))
                    .reduce(Resources.NONE, Resources::plus);
            NodeSnapshot node = FOUR_GPUS.withAvailable(FOUR_GPUS.capacity().minus(others));
            present.add(new QueueSnapshot(
                    path, new ClusterSnapshot(List.of(node), FOUR_GPUS.capacity()), new TreeMap<>(), left));
        });
        return present.stream().filter(queue -> !queue.jobs().isEmpty()).collect(Collectors.toList());
    }

    private ForecastResult forecast(QueueSource source) {
        return Forecast.of(
                source,
                jobs,
                new ForecastSetup(
                        List.of(FOUR_GPUS),
                        GpuTypes.ALIKE,
                        queue -> Strategies.named("fifo").bySeed().apply(1),
                        60,
                        mostSeconds),
                () -> true);
    }

    private JobForecast of(String id) {
        return of(forecast(this::present), id);
    }

    private static JobForecast of(ForecastResult result, String id) {
        return Optional.ofNullable(result.jobs().get(id)).orElseThrow();
    }

    @Test
    public void goesOnWithRunningJobsAndStartsOthersWhenTheyEnd() {
        job("root.a", "runs", 4, steps(400), onNode(4));
        job("root.a", "waits", 2, steps(100), Placement.NONE);

        assertThat(of("runs").startSeconds()).hasValue(0);
        assertThat(of("runs").endSeconds()).hasValue(100);
        assertThat(of("runs").resizes()).isZero();
        assertThat(of("waits").startSeconds()).hasValue(100);
        assertThat(of("waits").endSeconds()).hasValue(100 + PAUSE + 50);
        assertThat(of("waits").first().planned()).isEqualTo(Placement.NONE);
        assertThat(of("waits").first().reason()).isNotBlank();
        assertThat(forecast(this::present).end()).isEqualTo(End.ALL_ENDED);
    }

    @Test
    public void jobsOfOtherQueuesFreeTheirRoomOnNodes() {
        job("root.a", "runs", 3, steps(300), onNode(3));
        job("root.b", "waits", 2, steps(100), Placement.NONE);

        assertThat(of("waits").startSeconds()).hasValue(100);
        assertThat(of("waits").endSeconds()).hasValue(160);
    }

    @Test
    public void neverInventsAnEnd() {
        job("root.a", "endless", 3, OptionalDouble.empty(), onNode(3));
        job("root.a", "small", 1, steps(10), onNode(1));
        job("root.a", "waits", 2, steps(100), Placement.NONE);

        ForecastResult all = forecast(this::present);

        assertThat(of(all, "endless").endSeconds()).isEmpty();
        assertThat(of(all, "endless").predictable()).isFalse();
        assertThat(of(all, "small").endSeconds()).hasValue(10);
        assertThat(of(all, "waits").startSeconds()).isEmpty();
        assertThat(of(all, "waits").endSeconds()).isEmpty();
        assertThat(of(all, "waits").predictable()).isTrue();
        assertThat(all.end()).isEqualTo(End.NOTHING_CHANGES);
    }

    @Test
    public void reachesNoFurtherThanItMay() {
        job("root.a", "runs", 4, steps(4e6), onNode(4));
        mostSeconds = 1000;

        assertThat(forecast(this::present).end()).isEqualTo(End.HORIZON);
        assertThat(of("runs").endSeconds()).isEmpty();
    }

    @Test
    public void tellsThatItsTimeWasUsedUp() {
        job("root.a", "runs", 4, steps(4e6), onNode(4));

        ForecastResult none = Forecast.of(
                this::present,
                jobs,
                new ForecastSetup(
                        List.of(FOUR_GPUS),
                        GpuTypes.ALIKE,
                        queue -> Strategies.named("fifo").bySeed().apply(1),
                        60,
                        mostSeconds),
                () -> false);

        assertThat(none.end()).isEqualTo(End.TIME_BUDGET);
        assertThat(of(none, "runs").endSeconds()).isEmpty();
    }

    @Test
    public void jobsThatResizePauseFirst() {
        job("root.a", "grows", 4, steps(400), onNode(4));
        QueuedJob started = queues.values().iterator().next().get(0);
        JobSnapshot job = started.job();
        JobSnapshot resizing = new JobSnapshot(
                job.identity(),
                job.demand(),
                job.requested(),
                new JobSnapshot.State(job.current(), new Allocation(0, 2), true, PAUSE, job.history()),
                job.belief());
        queues.put("root.a", List.of(QueuedJob.of(resizing, "ann")));

        assertThat(of("grows").endSeconds()).hasValue(100 + PAUSE);
    }

    @Test
    public void everyPracticablePolicyMakesAForecast() {
        job("root.a", "runs", 3, steps(300), onNode(3));
        job("root.b", "waits", 2, steps(100), Placement.NONE);
        job("root.b", "unknown", 1, OptionalDouble.empty(), Placement.NONE);
        for (String policy : Strategies.practicable()) {
            ForecastResult result = Forecast.of(
                    this::present,
                    jobs,
                    new ForecastSetup(
                            List.of(FOUR_GPUS),
                            GpuTypes.ALIKE,
                            queue -> Strategies.named(policy).bySeed().apply(1),
                            60,
                            mostSeconds),
                    () -> true);

            assertThat(of(result, "runs").endSeconds()).as(policy).isPresent();
            assertThat(of(result, "waits").endSeconds()).as(policy).isPresent();
            assertThat(Optional.of(of(result, "unknown").endSeconds()))
                    .as(policy)
                    .contains(OptionalDouble.empty());
        }
    }
}
