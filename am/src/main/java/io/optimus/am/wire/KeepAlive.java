package io.optimus.am.wire;

import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import jdk.net.ExtendedSocketOptions;

/** Lets a connection fail within minutes, after a firewall or a broken switch has cut it without notice. */
final class KeepAlive {
    /** The default of the system is two hours. */
    private static final int PROBE_AFTER_SECONDS = 60;

    private static final int PROBE_SECONDS = 10;
    private static final int PROBES = 6;

    private KeepAlive() {}

    static void on(Socket socket) throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, PROBE_AFTER_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, PROBE_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        }
    }
}
