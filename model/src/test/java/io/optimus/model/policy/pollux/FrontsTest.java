package io.optimus.model.policy.pollux;

import static org.assertj.core.api.Assertions.assertThat;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class FrontsTest {
    private static Individual at(double fitness, double utility) {
        return new Individual(new short[0], fitness, utility);
    }

    @Test
    public void findsNonDominatedFronts() {
        List<Individual> individuals = List.of(at(1, 1), at(2, 1), at(3, 1), at(1, 2), at(2, 2), at(1, 3));

        new Fronts(individuals);

        assertThat(individuals).extracting(Individual::rank).containsExactly(2, 1, 0, 1, 0, 0);
    }

    @Property(trials = 200)
    public void ranksAsPairwiseComparisonDoes(long seed) {
        Random random = new Random(seed);
        List<Individual> individuals = new ArrayList<>();
        for (int i = random.nextInt(30); i >= 0; i--) {
            individuals.add(at(random.nextInt(6), random.nextInt(6)));
        }

        new Fronts(individuals);

        for (Individual individual : individuals) {
            int highest = individuals.stream()
                    .filter(other -> dominates(other, individual))
                    .mapToInt(other -> other.rank() + 1)
                    .max()
                    .orElse(0);
            assertThat(individual.rank()).isEqualTo(highest);
        }
    }

    private static boolean dominates(Individual one, Individual other) {
        return one.fitness() >= other.fitness()
                && one.utility() >= other.utility()
                && (one.fitness() > other.fitness() || one.utility() > other.utility());
    }

    @Test
    public void prefersTheLeastCrowdedOfTheLastFront() {
        Individual middle = at(2, 2);
        Individual beside = at(2.1, 1.9);
        Fronts fronts = new Fronts(List.of(at(4, 0), at(0, 4), middle, beside, at(3.9, 0.1), at(1, 3)));

        assertThat(fronts.survivors(5))
                .extracting(Individual::fitness)
                .containsExactlyInAnyOrder(4.0, 0.0, 1.0, 3.9, 2.1);
        assertThat(fronts.survivors(10)).hasSize(6);
        assertThat(fronts.best().get(0).fitness()).isEqualTo(4);
    }
}
