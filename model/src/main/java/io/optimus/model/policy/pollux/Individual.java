package io.optimus.model.policy.pollux;

import java.util.Arrays;

/** One division of the population: how many replicas each job has on each node. */
final class Individual {
    private final short[] replicas;
    private final int hash;
    private final double fitness;
    private final double utility;
    /** The index of its front: 0 for non-dominated individuals. */
    private int rank;
    /** The crowding distance to its neighbours in its front. */
    private double crowding;

    /**
     * Creates an individual that owns {@code replicas}.
     *
     * @param replicas job by job, node by node
     * @param fitness first objective, larger is better
     * @param utility second objective, larger is better
     */
    Individual(short[] replicas, double fitness, double utility) {
        this.replicas = replicas;
        this.hash = Arrays.hashCode(replicas);
        this.fitness = fitness;
        this.utility = utility;
    }

    /** The replicas, which must not be changed. */
    short[] replicas() {
        return replicas;
    }

    double fitness() {
        return fitness;
    }

    double utility() {
        return utility;
    }

    int rank() {
        return rank;
    }

    double crowding() {
        return crowding;
    }

    void setRank(int rank) {
        this.rank = rank;
        this.crowding = 0;
    }

    void addCrowding(double distance) {
        crowding += distance;
    }

    /** Two individuals are equal if they have the same replicas. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Individual individual
                && hash == individual.hash
                && Arrays.equals(replicas, individual.replicas);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
