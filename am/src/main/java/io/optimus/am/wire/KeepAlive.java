package io.optimus.am.wire;

import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import jdk.net.ExtendedSocketOptions;

/** Lets whoever waits for a peer that a firewall or a dead switch has cut off in silence learn that within minutes. */
final class KeepAlive {
    /** The system's own is two hours. */
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
