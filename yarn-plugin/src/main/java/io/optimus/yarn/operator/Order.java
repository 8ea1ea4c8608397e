package io.optimus.yarn.operator;

/**
 * An order that is in force.
 *
 * @param user who gave it
 * @param sinceMillis when, in milliseconds since 1970
 */
public record Order(String user, long sinceMillis) {}
