package io.optimus.model.policy.pollux;

import io.optimus.model.InterruptedComputationException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * NSGA-II: {@value #GENERATIONS} generations of {@value #POPULATION} divisions. Parents win a tournament of two by front, then
 * by crowding distance. Two parents are crossed at one job into two children, which are mutated and repaired. The best distinct
 * divisions of parents and children survive.
 */
final class Evolution {
    private static final int POPULATION = 100;

    private static final int GENERATIONS = 100;

    /** The most children that are made in a generation, because small problems have few distinct divisions. */
    private static final int MOST_BIRTHS = 4 * POPULATION;

    private final SearchProblem problem;
    private final RandomGenerator random;
    private final Mutation mutation;
    private final Repair repair;

    Evolution(SearchProblem problem, RandomGenerator random) {
        this.problem = problem;
        this.random = random;
        this.mutation = new Mutation(problem, random);
        this.repair = new Repair(problem, random);
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
        for (int generation = 1; generation < GENERATIONS; generation++) {
            InterruptedComputationException.check();
            population = fronts.survivors(POPULATION);
            population.addAll(children(population));
            fronts = new Fronts(population);
        }
        return new Fronts(fronts.survivors(POPULATION)).best();
    }

    private static void add(Individual individual, Set<Individual> known, List<Individual> to) {
        if (known.add(individual)) {
            to.add(individual);
        }
    }

    private List<Individual> children(List<Individual> parents) {
        Set<Individual> known = new HashSet<>(parents);
        List<Individual> children = new ArrayList<>(POPULATION);
        for (int births = 0; births < MOST_BIRTHS && children.size() < POPULATION; births += 2) {
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
