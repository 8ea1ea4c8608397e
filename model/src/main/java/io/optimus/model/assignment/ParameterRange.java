package io.optimus.model.assignment;

/**
 * A part of a job's flat parameter vector (its blocks one after another) on one server.
 *
 * @param start the first float of the range, from 0
 * @param length number of floats, 1 or more
 * @param server id of the server that holds it
 */
public record ParameterRange(long start, long length, int server) {}
