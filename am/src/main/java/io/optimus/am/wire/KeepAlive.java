package io.optimus.am.wire;

import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import jdk.net.ExtendedSocketOptions;

/** Lets an idle connection fail after a firewall, a broken switch or a partition has cut it without notice. */
public final class KeepAlive {
    /** The default of the system is two hours. */
    private static final Probes RARE = new Probes(60, 10, 6);
    /** A cut is found within 14 seconds. */
    private static final Probes OFTEN = new Probes(5, 3, 3);

    private KeepAlive() {}

    /**
     * When a connection that carries no data is probed.
     *
     * @param afterSeconds time without data before the first probe
     * @param everySeconds between two probes without an answer
     * @param count probes without an answer after which the connection fails
     */
    private record Probes(int afterSeconds, int everySeconds, int count) {}

    /** Finds a cut within two minutes. */
    public static void on(Socket socket) throws IOException {
        set(socket, RARE);
    }

    /**
     * Finds a cut within 14 seconds on a connection that carries no data. One that does may fail minutes later: the system
     * sends again what did not arrive before it gives up.
     */
    public static void quick(Socket socket) throws IOException {
        set(socket, OFTEN);
    }

    private static void set(Socket socket, Probes probes) throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, probes.afterSeconds);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, probes.everySeconds);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, probes.count);
        }
    }
}
