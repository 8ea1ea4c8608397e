package io.optimus.yarn;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports for servers that must be told theirs. */
public final class FreePort {
    private FreePort() {}

    /**
     * A port on which no process listens now. It is below the range from which the kernel assigns ports, so that no other
     * process gets it before the server listens there.
     */
    public static int find() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Another one is tried.
            }
        }
    }
}
