package io.optimus.model.policy.pollux;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Non-dominated sorting and crowding distance of NSGA-II (Deb, Pratap, Agarwal, Meyarivan 2002) for two objectives in n·log
 * n: in order of the first objective, a front dominates an individual exactly if its best second objective is no smaller.
 *
 * <p>Example: (3,1), (2,2), (1,3) are the first front, (2,1) and (1,2) the second, (1,1) the third.
 */
final class Fronts {
    private static final Comparator<Individual> BY_FITNESS = Comparator.comparingDouble(Individual::fitness)
            .thenComparingDouble(Individual::utility)
            .reversed();

    private final List<List<Individual>> fronts = new ArrayList<>();

    Fronts(List<Individual> individuals) {
        List<Double> bestUtility = new ArrayList<>();
        Individual before = null;
        for (Individual individual : individuals.stream().sorted(BY_FITNESS).toList()) {
            int front = before != null && BY_FITNESS.compare(before, individual) == 0
                    ? before.rank()
                    : first(bestUtility, individual.utility());
            if (front == fronts.size()) {
                fronts.add(new ArrayList<>());
                bestUtility.add(individual.utility());
            }
            bestUtility.set(front, Math.max(bestUtility.get(front), individual.utility()));
            individual.setRank(front);
            fronts.get(front).add(individual);
            before = individual;
        }
        fronts.forEach(Fronts::measureCrowding);
    }

    /** The best values of the fronts descend, because a front begins where all fronts before it dominate. */
    private static int first(List<Double> bestUtility, double utility) {
        int low = 0;
        int high = bestUtility.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bestUtility.get(middle) >= utility) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The front is in order of the first objective, so the second one is in the opposite order. */
    private static void measureCrowding(List<Individual> front) {
        Individual first = front.get(0);
        Individual last = front.get(front.size() - 1);
        double fitnessRange = first.fitness() - last.fitness();
        double utilityRange = last.utility() - first.utility();
        first.addCrowding(Double.POSITIVE_INFINITY);
        last.addCrowding(Double.POSITIVE_INFINITY);
        for (int i = 1; i < front.size() - 1; i++) {
            Individual before = front.get(i - 1);
            Individual after = front.get(i + 1);
            front.get(i).addCrowding(part(before.fitness() - after.fitness(), fitnessRange));
            front.get(i).addCrowding(part(after.utility() - before.utility(), utilityRange));
        }
    }

    private static double part(double distance, double range) {
        return range > 0 ? distance / range : 0;
    }

    /** The non-dominated individuals, the best by the first objective first. */
    List<Individual> best() {
        return fronts.isEmpty() ? List.of() : fronts.get(0);
    }

    /** The best {@code count} individuals: whole fronts, and the least crowded of the last one. */
    List<Individual> survivors(int count) {
        List<Individual> survivors = new ArrayList<>(count);
        for (List<Individual> front : fronts) {
            int room = count - survivors.size();
            if (front.size() <= room) {
                survivors.addAll(front);
            } else {
                front.stream()
                        .sorted(Comparator.comparingDouble(Individual::crowding).reversed())
                        .limit(room)
                        .forEach(survivors::add);
                return survivors;
            }
        }
        return survivors;
    }
}
