package io.optimus.am.client.cluster;

import java.io.IOException;

/** Gives the scheduler orders of administrators. */
public interface OrderClient {
    /**
     * Puts an order in force.
     *
     * @param path its address below {@code /ws/v1/optimus}, such as {@code /pause}
     * @throws IOException if the scheduler refuses it or does not answer; the message says why
     */
    void give(String path) throws IOException;

    /**
     * Takes an order back.
     *
     * @param path its address below {@code /ws/v1/optimus}
     * @throws IOException if the scheduler refuses that or does not answer; the message says why
     */
    void takeBack(String path) throws IOException;
}
