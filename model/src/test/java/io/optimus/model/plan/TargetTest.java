package io.optimus.model.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.placement.Placement;
import io.optimus.model.policy.RoleDemand;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

public final class TargetTest {
    private static final Resources SERVER = Resources.of(1024, 1, 0);
    private static final Resources WORKER = Resources.of(1024, 1, 1);
    private static final Map<Role, RoleDemand> DEMANDS =
            Map.of(Role.PARAMETER_SERVER, new RoleDemand(SERVER, 1, 4), Role.WORKER, new RoleDemand(WORKER, 2, 8));

    private final Map<String, Resources> free = new HashMap<>();

    @Test
    public void takesWhatIsPlannedOutOfFreeRoomAndLeavesTheRest() {
        free.put("a", Resources.of(8192, 8, 4));

        Placement target = into(Placement.NONE, Placement.of(Map.of("a", new Allocation(1, 3))));

        assertThat(target).isEqualTo(Placement.of(Map.of("a", new Allocation(1, 3))));
        assertThat(free).containsEntry("a", Resources.of(4096, 4, 1));
    }

    @Test
    public void doesNotStartBelowTheMinimumAndTakesNothingThen() {
        free.put("a", Resources.of(8192, 8, 1));

        assertThat(into(Placement.NONE, Placement.of(Map.of("a", new Allocation(1, 3)))))
                .isEqualTo(Placement.NONE);
        assertThat(free).containsEntry("a", Resources.of(8192, 8, 1));
    }

    @Test
    public void growsOnlyAsFarAsThereIsRoomNow() {
        free.put("b", Resources.of(8192, 8, 1));

        Placement target = into(
                Placement.of(Map.of("a", new Allocation(1, 2))),
                Placement.of(Map.of("a", new Allocation(1, 2), "b", new Allocation(0, 3))));

        assertThat(target).isEqualTo(Placement.of(Map.of("a", new Allocation(1, 2), "b", new Allocation(0, 1))));
    }

    @Test
    public void aJobThatMovesKeepsItsMinimumUntilThereIsRoomAtTheNewPlace() {
        Placement live = Placement.of(Map.of("a", new Allocation(1, 3)));
        Placement planned = Placement.of(Map.of("b", new Allocation(1, 3)));

        assertThat(into(live, planned)).isEqualTo(Placement.of(Map.of("a", new Allocation(1, 2))));
        free.put("b", Resources.of(65536, 64, 8));
        assertThat(into(live, planned)).isEqualTo(planned);
    }

    @Test
    public void givesEverythingUpWhereNothingIsPlanned() {
        assertThat(into(Placement.of(Map.of("a", new Allocation(1, 3))), Placement.NONE))
                .isEqualTo(Placement.NONE);
    }

    private Placement into(Placement live, Placement planned) {
        return new Target(DEMANDS, live, planned).into(free);
    }
}
