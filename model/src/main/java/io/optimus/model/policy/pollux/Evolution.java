package io.optimus.model.policy.pollux;

import io.optimus.model.InterruptedComputationException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * NSGA-II: up to {@value #MOST_GENERATIONS} generations of up to {@value #LARGEST_POPULATION} divisions. Parents win a
 * tournament of two by front, then by crowding distance. Two parents are crossed at one job into two children, which are
 * mutated and repaired. The best distinct divisions of parents and children survive.
 *
 * <p>Time and memory grow with the elements of a division, jobs · nodes. Both numbers are those of the paper up to 40,000
 * elements. Beyond, a search has fewer generations, and beyond 200,000 elements also fewer divisions: what it visits stays the
 * same, and the next round's search goes on from its best divisions.
 */
final class Evolution {
    private static final int LARGEST_POPULATION = 100;
    private static final int SMALLEST_POPULATION = 10;
    private static final int MOST_GENERATIONS = 100;
    private static final int FEWEST_GENERATIONS = 2;

    /** Elements of all divisions of a population. */
    private static final long MOST_KEPT = 20_000_000;

    /** Elements of all divisions of a search: up to 20 s of one processor, where most nodes are free. */
    private static final long MOST_VISITED = 400_000_000;

    /** A division of this many elements takes 10 MB, and a search some tens of divisions. */
    private static final long MOST_ELEMENTS = 5_000_000;

    /** The most children that are made in a generation, over those that survive: small problems have few distinct divisions. */
    private static final int BIRTHS = 4;

    private final SearchProblem problem;
    private final int divisions;
    private final int generations;
    private final RandomGenerator random;
    private final Mutation mutation;
    private final Repair repair;

    /**
     * Searches {@code problem}.
     *
     * @throws IllegalArgumentException if the problem has more than {@value #MOST_ELEMENTS} elements
     */
    Evolution(SearchProblem problem, RandomGenerator random) {
        this.problem = problem;
        long elements = Math.max(1, (long) problem.jobs() * problem.nodes());
        if (elements > MOST_ELEMENTS) {
            throw new IllegalArgumentException("pollux searches at most " + MOST_ELEMENTS
                    + " combinations of a job and a node, and there are " + problem.jobs() + " jobs on "
                    + problem.nodes() + " nodes: choose another policy for this queue");
        }
        this.divisions = clamp(MOST_KEPT / elements, SMALLEST_POPULATION, LARGEST_POPULATION);
        this.generations = clamp(MOST_VISITED / (elements * divisions), FEWEST_GENERATIONS, MOST_GENERATIONS);
        this.random = random;
        this.mutation = new Mutation(problem, random);
        this.repair = new Repair(problem, random);
    }

    private static int clamp(long value, int least, int most) {
        return (int) Math.min(most, Math.max(least, value));
    }

    /**
     * The non-dominated divisions of the last generation, the best by the first objective first; at least one.
     *
     * @param first divisions to begin with, at least one; they are repaired
     */
    List<Individual> best(List<short[]> first) {
        Set<Individual> beginning = new HashSet<>();
        List<Individual> population = new ArrayList<>();
        for (short[] replicas : first) {
            repair.repair(replicas);
            add(problem.judged(replicas), beginning, population);
        }
        Fronts fronts = new Fronts(population);
        for (int generation = 1; generation < generations; generation++) {
            InterruptedComputationException.check();
            population = fronts.survivors(divisions);
            population.addAll(children(population));
            fronts = new Fronts(population);
        }
        return new Fronts(fronts.survivors(divisions)).best();
    }

    private static void add(Individual individual, Set<Individual> known, List<Individual> to) {
        if (known.add(individual)) {
            to.add(individual);
        }
    }

    private List<Individual> children(List<Individual> parents) {
        Set<Individual> known = new HashSet<>(parents);
        List<Individual> children = new ArrayList<>(divisions);
        for (int births = 0; births < BIRTHS * divisions && children.size() < divisions; births += 2) {
            InterruptedComputationException.check();
            short[] one = winner(parents).replicas().clone();
            short[] other = winner(parents).replicas().clone();
            cross(one, other);
            for (short[] child : List.of(one, other)) {
                mutation.mutate(child);
                repair.repair(child);
                add(problem.judged(child), known, children);
            }
        }
        return children;
    }

    private Individual winner(List<Individual> parents) {
        Individual one = parents.get(random.nextInt(parents.size()));
        Individual other = parents.get(random.nextInt(parents.size()));
        if (one.rank() != other.rank()) {
            return one.rank() < other.rank() ? one : other;
        }
        return one.crowding() >= other.crowding() ? one : other;
    }

    /** Exchanges the rows before a random job. */
    private void cross(short[] one, short[] other) {
        int cells = random.nextInt(problem.jobs()) * problem.nodes();
        for (int cell = 0; cell < cells; cell++) {
            short replicas = one[cell];
            one[cell] = other[cell];
            other[cell] = replicas;
        }
    }
}
