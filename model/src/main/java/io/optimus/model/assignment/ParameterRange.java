package io.optimus.model.assignment;

/**
 * A stretch of a job's flat parameter vector (its blocks one behind the other) on one server.
 *
 * @param start first float of the stretch, from 0
 * @param length floats, 1 or more
 * @param server id of the server that holds it
 */
public record ParameterRange(long start, long length, int server) {}
