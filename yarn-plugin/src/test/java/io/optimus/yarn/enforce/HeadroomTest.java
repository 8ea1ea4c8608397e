package io.optimus.yarn.enforce;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Before;
import org.junit.Test;

public class HeadroomTest {
    private static final Resources GPU = Resources.of(1024, 1, 1);

    private Headroom room;

    @Before
    public void threeOfOneHeldAndFourGpusFree() {
        room = new Headroom();
        room.allow(10, GPU, "n1", 3);
        room.hold(10, "n1");
        room.free("n1", Resources.of(8192, 8, 4));
    }

    private static Headroom.Request wanted(int total, boolean anywhere, Map<String, Integer> byNode) {
        return new Headroom.Request(10, GPU, new TreeMap<>(byNode), total, anywhere);
    }

    @Test
    public void admitsTheCeilingLessTheHeldContainers() {
        assertThat(room.admit(wanted(5, false, Map.of("n1", 5)))).containsExactly(Map.entry("n1", 2));
        assertThat(room.admit(wanted(5, false, Map.of("n1", 5)))).isEmpty();
    }

    @Test
    public void admitsNoMoreThanFitsOnTheNode() {
        room.free("n1", Resources.of(0, 0, -3));
        assertThat(room.admit(wanted(5, false, Map.of("n1", 5)))).containsExactly(Map.entry("n1", 1));
    }

    @Test
    public void countsTheContainersOfBothRolesOnANode() {
        room.allow(11, Resources.of(4096, 1, 0), "n1", 2);
        assertThat(room.admit(wanted(2, false, Map.of("n1", 2)))).containsEntry("n1", 2);
        Headroom.Request servers =
                new Headroom.Request(11, Resources.of(4096, 1, 0), new TreeMap<>(Map.of("n1", 2)), 2, false);
        assertThat(room.admit(servers)).containsExactly(Map.entry("n1", 1));
    }

    @Test
    public void admitsNoMoreThanTheTotal() {
        assertThat(room.admit(wanted(1, false, Map.of("n1", 2)))).containsExactly(Map.entry("n1", 1));
        assertThat(room.admit(wanted(-1, false, Map.of("n1", 2)))).isEmpty();
    }

    @Test
    public void spreadsAnAskForAnywhereOverTheNodesOfThePlan() {
        room.allow(10, GPU, "n2", 4);
        room.free("n2", Resources.of(8192, 8, 4));
        assertThat(room.admit(wanted(5, true, Map.of()))).isEqualTo(new TreeMap<>(Map.of("n1", 2, "n2", 3)));
    }

    @Test
    public void movesARelaxedAskOffAFullNode() {
        assertThat(room.admit(wanted(2, true, Map.of("n9", 2)))).containsExactly(Map.entry("n1", 2));
        assertThat(room.admit(wanted(2, false, Map.of("n9", 2)))).isEmpty();
    }

    @Test
    public void refusesLargerContainersAndUnknownRoles() {
        Headroom.Request large =
                new Headroom.Request(10, Resources.of(1024, 1, 2), new TreeMap<>(Map.of("n1", 1)), 1, false);
        Headroom.Request unknown = new Headroom.Request(12, GPU, new TreeMap<>(Map.of("n1", 1)), 1, false);
        assertThat(room.admit(large)).isEmpty();
        assertThat(room.admit(unknown)).isEmpty();
    }

    @Test
    public void admitsNothingIfMoreIsHeldThanPlanned() {
        room.hold(10, "n1");
        room.hold(10, "n1");
        room.hold(10, "n1");
        assertThat(room.admit(wanted(1, true, Map.of("n1", 1)))).isEmpty();
    }
}
