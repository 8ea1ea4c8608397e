package io.optimus.model.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFitter;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import io.optimus.model.speed.TypicalSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class ExplorationTest {
    private static final SpeedForm SYNCHRONOUS = SpeedForm.of(TrainingMode.SYNCHRONOUS, 64);

    @Test
    public void exploresFourSizesOffTheDiagonal() {
        List<Allocation> explored = explore(SYNCHRONOUS, range(1, 1, 12, 12), size -> true);

        assertThat(explored)
                .containsExactly(
                        new Allocation(5, 7), new Allocation(8, 2), new Allocation(9, 12), new Allocation(12, 1));
    }

    @Test
    public void exploresNoMoreSizesThanTheFitNeedsForTheRange() {
        assertThat(explore(SYNCHRONOUS, range(1, 1, 1, 12), size -> true)).hasSize(2);
        assertThat(explore(SYNCHRONOUS, range(1, 1, 1, 2), size -> true)).containsExactly(new Allocation(1, 2));
        assertThat(explore(SYNCHRONOUS, range(1, 1, 2, 2), size -> true))
                .containsExactly(new Allocation(1, 2), new Allocation(2, 1));
        assertThat(explore(SYNCHRONOUS, range(2, 3, 2, 3), size -> true)).isEmpty();
        assertThat(explore(SpeedForm.of(TrainingMode.ASYNCHRONOUS, 1), range(1, 1, 12, 12), size -> true))
                .hasSize(3);
    }

    @Test
    public void exploresOnlySizesThatFit() {
        assertThat(explore(SYNCHRONOUS, range(1, 1, 12, 12), size -> size.tasks() <= 4))
                .isNotEmpty()
                .allMatch(size -> size.tasks() <= 4);
        assertThat(explore(SYNCHRONOUS, range(1, 1, 12, 12), size -> false)).isEmpty();
    }

    @Test
    public void skipsSizesThatAreProbablySlow() {
        SpeedFunction truth = new SynchronousSpeed(64, 1.0 / 64, 1, 0.1, 0.1, 0);
        SizeRange range = range(1, 1, 12, 12);
        MeasuredSizes ran = measured(truth, new Allocation(1, 1), new Allocation(3, 5), new Allocation(5, 3));

        Allocation next = next(range, ran, OptionalDouble.empty(), size -> true).orElseThrow();

        SpeedFunction believed = fit(SYNCHRONOUS, range, ran).fitted().orElseThrow();
        assertThat(1.5 * believed.stepsPerSecond(next)).isGreaterThan(believed.stepsPerSecond(new Allocation(12, 5)));
    }

    @Test
    public void keepsAJobOnASizeThatIsMuchFaster() {
        SizeRange range = range(1, 1, 2, 2);
        MeasuredSizes ran = MeasuredSizes.of(Map.of(new Allocation(1, 1), 1.0, new Allocation(2, 2), 4.0));

        assertThat(next(range, ran, OptionalDouble.empty(), size -> true)).isEmpty();
    }

    @Test
    public void comparesOnlyWithSizesThatFit() {
        SizeRange range = range(1, 1, 12, 12);
        MeasuredSizes ran = MeasuredSizes.of(
                Map.of(new Allocation(1, 1), 1.0, new Allocation(8, 7), 4.0, new Allocation(8, 12), 5.0));

        assertThat(next(range, ran, OptionalDouble.empty(), size -> true))
                .hasValueSatisfying(size -> assertThat(size.tasks()).isGreaterThan(4));
        assertThat(next(range, ran, OptionalDouble.empty(), size -> size.tasks() <= 4))
                .isPresent();
    }

    @Test
    public void skipsSizesWhoseSpeedIsCertain() {
        SizeRange range = range(1, 1, 4, 4);
        MeasuredSizes ran = measured(
                typical(SYNCHRONOUS),
                new Allocation(2, 4),
                new Allocation(4, 2),
                new Allocation(4, 4),
                new Allocation(1, 2));
        SpeedFit.Fitted fit = (SpeedFit.Fitted) fit(SYNCHRONOUS, range, ran);

        Optional<Allocation> next = next(range, ran, OptionalDouble.empty(), size -> true);

        assertThat(fit.confidence().standardError(new Allocation(3, 4))).isLessThan(0.25);
        assertThat(next).isNotEqualTo(Optional.of(new Allocation(3, 4)));
        next.ifPresent(size -> assertThat(fit.confidence().standardError(size)).isGreaterThan(0.25));
    }

    @Test
    public void exploresNothingBeforeTheFirstMeasurement() {
        assertThat(next(range(1, 1, 4, 4), MeasuredSizes.NONE, OptionalDouble.empty(), size -> true))
                .isEmpty();
    }

    @Test
    public void endsAtATwentiethOfThePredictedWorkOnceAFitIsPossible() {
        SizeRange range = range(1, 1, 12, 12);
        SpeedFunction truth = typical(SYNCHRONOUS);
        MeasuredSizes two = measured(truth, new Allocation(1, 1), new Allocation(1, 2));
        MeasuredSizes three = measured(truth, new Allocation(1, 1), new Allocation(1, 2), new Allocation(3, 1));

        assertThat(next(range, two, OptionalDouble.of(0.9), size -> true)).isPresent();
        assertThat(next(range, three, OptionalDouble.of(0.049), size -> true)).isPresent();
        assertThat(next(range, three, OptionalDouble.of(0.05), size -> true)).isEmpty();
        assertThat(next(range, three, OptionalDouble.empty(), size -> true)).isPresent();
    }

    @Test
    public void exploresOtherSizesWhenSomeWereGivenUp() {
        SizeRange range = range(1, 1, 4, 4);
        MeasuredSizes one = measured(typical(SYNCHRONOUS), new Allocation(1, 1));
        Set<Allocation> givenUp =
                Set.of(new Allocation(1, 2), new Allocation(2, 1), new Allocation(1, 3), new Allocation(3, 1));

        assertThat(new Exploration(SYNCHRONOUS, range)
                        .next(one, fit(SYNCHRONOUS, range, one), givenUp, OptionalDouble.empty(), size -> true))
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

    /** The sizes that a job of typical speed explores. */
    private static List<Allocation> explore(SpeedForm form, SizeRange range, Predicate<Allocation> room) {
        Exploration exploration = new Exploration(form, range);
        SpeedFunction truth = typical(form);
        MeasuredSizes ran = measured(truth, range.minimum());
        List<Allocation> explored = new ArrayList<>();
        Optional<Allocation> next;
        do {
            next = exploration.next(ran, fit(form, range, ran), Set.of(), OptionalDouble.empty(), room);
            next.ifPresent(explored::add);
            ran = measured(
                    truth,
                    Stream.concat(Stream.of(range.minimum()), explored.stream()).toArray(Allocation[]::new));
        } while (next.isPresent());
        return explored;
    }

    private static Optional<Allocation> next(
            SizeRange range, MeasuredSizes ran, OptionalDouble partOfWork, Predicate<Allocation> room) {
        return new Exploration(SYNCHRONOUS, range).next(ran, fit(SYNCHRONOUS, range, ran), Set.of(), partOfWork, room);
    }

    private static SpeedFit fit(SpeedForm form, SizeRange range, MeasuredSizes ran) {
        return new SpeedFitter(form).fit(ran, range);
    }

    private static SpeedFunction typical(SpeedForm form) {
        return form.function(TypicalSpeed.coefficients(form, 1));
    }

    private static MeasuredSizes measured(SpeedFunction truth, Allocation... sizes) {
        return MeasuredSizes.of(Stream.of(sizes).collect(Collectors.toMap(Function.identity(), truth::stepsPerSecond)));
    }

    private static SizeRange range(int minServers, int minWorkers, int maxServers, int maxWorkers) {
        return new SizeRange(new Allocation(minServers, minWorkers), new Allocation(maxServers, maxWorkers));
    }
}
