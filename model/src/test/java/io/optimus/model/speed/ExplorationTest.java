package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class ExplorationTest {
    private static final SpeedForm SYNCHRONOUS = SpeedForm.of(TrainingMode.SYNCHRONOUS, 64);

    @Test
    public void runsOnFourSizesOffTheDiagonal() {
        List<Allocation> explored = explore(SYNCHRONOUS, range(1, 1, 12, 12), size -> true);

        assertThat(explored)
                .containsExactly(
                        new Allocation(1, 6), new Allocation(8, 7), new Allocation(8, 2), new Allocation(7, 12));
    }

    @Test
    public void runsOnNoMoreSizesThanTheRangeCanTellApart() {
        assertThat(explore(SYNCHRONOUS, range(1, 1, 1, 12), size -> true)).hasSize(2);
        assertThat(explore(SYNCHRONOUS, range(1, 1, 1, 2), size -> true)).containsExactly(new Allocation(1, 2));
        assertThat(explore(SYNCHRONOUS, range(1, 1, 2, 2), size -> true))
                .hasSize(3)
                .endsWith(new Allocation(2, 2));
        assertThat(explore(SYNCHRONOUS, range(2, 3, 2, 3), size -> true)).isEmpty();
        assertThat(explore(SpeedForm.of(TrainingMode.ASYNCHRONOUS, 1), range(1, 1, 12, 12), size -> true))
                .hasSize(3);
    }

    @Test
    public void staysWithinTheRoom() {
        assertThat(explore(SYNCHRONOUS, range(1, 1, 12, 12), size -> size.tasks() <= 4))
                .isNotEmpty()
                .allMatch(size -> size.tasks() <= 4);
        assertThat(explore(SYNCHRONOUS, range(1, 1, 12, 12), size -> false)).isEmpty();
    }

    @Test
    public void leavesOutWhatIsBelievedToBeSlowerThanBeliefsErr() {
        SpeedFunction believed = new SynchronousSpeed(64, 1.0 / 64, 1, 0.1, 0.1, 0);
        Exploration exploration = new Exploration(SYNCHRONOUS, range(1, 1, 12, 12));

        Allocation next = exploration
                .next(
                        Set.of(new Allocation(1, 1)),
                        Set.of(),
                        OptionalDouble.empty(),
                        Optional.of(believed),
                        size -> size.workers() != 3)
                .orElseThrow();

        double fastest = believed.stepsPerSecond(new Allocation(12, 3));
        assertThat(1.5 * believed.stepsPerSecond(next)).isGreaterThanOrEqualTo(fastest);
    }

    @Test
    public void waitsForTheFirstSize() {
        assertThat(new Exploration(SYNCHRONOUS, range(1, 1, 4, 4))
                        .next(Set.of(), Set.of(), OptionalDouble.empty(), Optional.empty(), size -> true))
                .isEmpty();
    }

    @Test
    public void endsAtATwentiethOfThePredictedWorkOnceTheSizesThatAFitNeedsWereMeasured() {
        Exploration exploration = new Exploration(SYNCHRONOUS, range(1, 1, 4, 4));
        Set<Allocation> two = Set.of(new Allocation(1, 1), new Allocation(1, 2));
        Set<Allocation> three = Set.of(new Allocation(1, 1), new Allocation(1, 2), new Allocation(3, 1));

        assertThat(exploration.next(two, Set.of(), OptionalDouble.of(0.9), Optional.empty(), size -> true))
                .isPresent();
        assertThat(exploration.next(three, Set.of(), OptionalDouble.of(0.049), Optional.empty(), size -> true))
                .isPresent();
        assertThat(exploration.next(three, Set.of(), OptionalDouble.of(0.05), Optional.empty(), size -> true))
                .isEmpty();
        assertThat(exploration.next(three, Set.of(), OptionalDouble.empty(), Optional.empty(), size -> true))
                .isPresent();
    }

    @Test
    public void goesOnToOtherSizesWhereOneWasGivenUpUntilAFitIsPossible() {
        Exploration exploration = new Exploration(SYNCHRONOUS, range(1, 1, 4, 4));
        Set<Allocation> one = Set.of(new Allocation(1, 1));
        Set<Allocation> givenUp =
                Set.of(new Allocation(1, 2), new Allocation(2, 1), new Allocation(1, 3), new Allocation(3, 1));

        assertThat(exploration.next(one, givenUp, OptionalDouble.empty(), Optional.empty(), size -> true))
                .hasValueSatisfying(next -> assertThat(givenUp).doesNotContain(next));
    }

    @Property(trials = 60)
    public void staysInTheRangeAndEnds(
            @InRange(minInt = 1, maxInt = 6) int minServers,
            @InRange(minInt = 1, maxInt = 6) int minWorkers,
            @InRange(minInt = 0, maxInt = 5000) int moreServers,
            @InRange(minInt = 0, maxInt = 5000) int moreWorkers) {
        SizeRange range = range(minServers, minWorkers, minServers + moreServers, minWorkers + moreWorkers);

        List<Allocation> explored = explore(SYNCHRONOUS, range, size -> true);

        assertThat(explored).allMatch(range::contains).hasSizeLessThanOrEqualTo(4);
        assertThat(explore(SYNCHRONOUS, range, size -> true)).isEqualTo(explored);
    }

    private static List<Allocation> explore(SpeedForm form, SizeRange range, Predicate<Allocation> room) {
        Exploration exploration = new Exploration(form, range);
        Set<Allocation> measured = new TreeSet<>(Set.of(range.minimum()));
        List<Allocation> explored = new ArrayList<>();
        Optional<Allocation> next =
                exploration.next(measured, Set.of(), OptionalDouble.empty(), Optional.empty(), room);
        while (next.isPresent()) {
            measured.add(next.get());
            explored.add(next.get());
            next = exploration.next(measured, Set.of(), OptionalDouble.empty(), Optional.empty(), room);
        }
        return explored;
    }

    private static SizeRange range(int minServers, int minWorkers, int maxServers, int maxWorkers) {
        return new SizeRange(new Allocation(minServers, minWorkers), new Allocation(maxServers, maxWorkers));
    }
}
