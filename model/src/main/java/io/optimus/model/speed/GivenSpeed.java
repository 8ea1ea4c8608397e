package io.optimus.model.speed;

/** A speed function that nobody fitted: a simulated job's truth, a table, an oracle's word. */
@FunctionalInterface
public non-sealed interface GivenSpeed extends SpeedFunction {}
