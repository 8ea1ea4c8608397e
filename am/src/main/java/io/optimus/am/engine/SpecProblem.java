package io.optimus.am.engine;

/**
 * One thing that is wrong in an {@link EngineSpec}.
 *
 * @param key where, as a path inside the specification: {@code engine}, {@code hidden[1]}, {@code
 *     emulated.secondsFixed}
 * @param sentence what is wrong and the remedy
 */
public record SpecProblem(String key, String sentence) {}
