package io.optimus.fault;

/**
 * A fault that has happened.
 *
 * @param fault what
 * @param job the application that it happened to; empty: the cluster
 * @param target the process or file system
 * @param fromMillis when it began, Unix time
 * @param toMillis when it was over, Unix time; for a kill, when the signal was sent
 */
record InjectedFault(Fault fault, String job, String target, long fromMillis, long toMillis) {}
