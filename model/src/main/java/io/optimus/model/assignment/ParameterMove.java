package io.optimus.model.assignment;

/**
 * A stretch of the flat parameter vector that changes its server.
 *
 * @param start first float of the stretch, from 0
 * @param length floats, 1 or more
 * @param from id of the server that held it
 * @param to id of the server that shall hold it
 */
public record ParameterMove(long start, long length, int from, int to) {}
