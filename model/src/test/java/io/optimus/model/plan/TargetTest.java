package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;

public final class TargetTest {
    private static final Resources SERVER = Resources.of(1024, 1, 0);
    private static final Resources WORKER = Resources.of(1024, 1, 1);
    private static final Map<Role, RoleDemand> DEMANDS =
            Map.of(Role.PARAMETER_SERVER, new RoleDemand(SERVER, 1, 4), Role.WORKER, new RoleDemand(WORKER, 2, 8));

    private static final List<String> NODES = List.of("a", "b", "c");

    private final Map<String, Resources> free = new HashMap<>();

    @Test
    public void takesPlannedTasksFromFreeResourcesAndLeavesTheRest() {
        free.put("a", Resources.of(8192, 8, 4));

        Placement target = into(Placement.NONE, Placement.of(Map.of("a", new Allocation(1, 3))));

        assertThat(target).isEqualTo(Placement.of(Map.of("a", new Allocation(1, 3))));
        assertThat(free).containsEntry("a", Resources.of(4096, 4, 1));
    }

    @Test
    public void takesNothingIfItCannotStartAtTheMinimum() {
        free.put("a", Resources.of(8192, 8, 1));

        assertThat(into(Placement.NONE, Placement.of(Map.of("a", new Allocation(1, 3)))))
                .isEqualTo(Placement.NONE);
        assertThat(free).containsEntry("a", Resources.of(8192, 8, 1));
    }

    @Test
    public void aJobThatWasToldToStartKeepsItsPlaceWhereMostOfItHasRoom() {
        free.put("a", Resources.of(8192, 8, 1));
        Placement planned = Placement.of(Map.of("a", new Allocation(1, 2), "b", new Allocation(0, 1)));

        Placement target = new Target(DEMANDS, Placement.NONE, planned).ofStarting(free);

        assertThat(target).as("one worker of three").isEqualTo(Placement.NONE);
        free.put("a", Resources.of(8192, 8, 2));

        target = new Target(DEMANDS, Placement.NONE, planned).ofStarting(free);

        assertThat(target).isEqualTo(Placement.of(Map.of("a", new Allocation(1, 2))));
        assertThat(free).containsEntry("a", Resources.of(5120, 5, 0));
    }

    @Test
    public void growsOnlyAsFarAsTasksFitNow() {
        free.put("b", Resources.of(8192, 8, 1));

        Placement target = into(
                Placement.of(Map.of("a", new Allocation(1, 2))),
                Placement.of(Map.of("a", new Allocation(1, 2), "b", new Allocation(0, 3))));

        assertThat(target).isEqualTo(Placement.of(Map.of("a", new Allocation(1, 2), "b", new Allocation(0, 1))));
    }

    @Test
    public void aJobThatMovesKeepsItsMinimumUntilItFitsOnTheNewNodes() {
        Placement live = Placement.of(Map.of("a", new Allocation(1, 3)));
        Placement planned = Placement.of(Map.of("b", new Allocation(1, 3)));

        assertThat(into(live, planned)).isEqualTo(Placement.of(Map.of("a", new Allocation(1, 2))));
        free.put("b", Resources.of(65536, 64, 8));
        assertThat(into(live, planned)).isEqualTo(planned);
    }

    @Test
    public void givesUpAllTasksIfNoneIsPlanned() {
        assertThat(into(Placement.of(Map.of("a", new Allocation(1, 3))), Placement.NONE))
                .isEqualTo(Placement.NONE);
    }

    @Test
    public void takesOnlyFreeResourcesAndKeepsTheMinimumForEveryPlan() {
        for (long seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            Placement live = random(random);
            Placement planned = random(random);
            free.clear();
            for (String node : NODES) {
                free.put(node, Resources.of(1024L * random.nextInt(6), random.nextInt(6), random.nextInt(4)));
            }
            Map<String, Resources> before = Map.copyOf(free);

            Placement target = into(live, planned);

            for (String node : NODES) {
                Allocation grown = target.on(node).beyond(live.on(node));
                Resources takes = SERVER.times(grown.parameterServers()).plus(WORKER.times(grown.workers()));
                Resources had = before.getOrDefault(node, Resources.NONE);
                assertThat(takes.fitsIn(had)).as("seed " + seed).isTrue();
                assertThat(free.getOrDefault(node, Resources.NONE))
                        .as("seed " + seed)
                        .isEqualTo(had.minus(takes));
                assertThat(target.on(node).isWithin(live.on(node).max(planned.on(node))))
                        .as("seed " + seed)
                        .isTrue();
            }
            if (!planned.byNode().isEmpty()) {
                Allocation least = new Allocation(1, 2).min(live.allocation());
                assertThat(least.isWithin(target.allocation()))
                        .as("seed " + seed)
                        .isTrue();
            }
        }
    }

    private static Placement random(Random random) {
        Map<String, Allocation> tasks = new HashMap<>();
        NODES.forEach(node -> tasks.put(node, new Allocation(random.nextInt(2), random.nextInt(3))));
        return Placement.of(tasks);
    }

    private Placement into(Placement live, Placement planned) {
        return new Target(DEMANDS, live, planned).into(free);
    }
}
