package io.optimus.am.master.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.optimus.am.wire.PortRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the job's status to people ({@code /}) and programs ({@code /api/status}), read-only, through YARN's proxy or
 * directly. Links are relative, or absolute to NodeManagers, so that they work behind the proxy's path.
 */
public final class TrackingPage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrackingPage.class);
    /** Requests are rare and answered at once, but a slow reader must not block the next request. */
    private static final int THREADS = 4;

    private final HttpServer server;
    private final ExecutorService executor;

    /** A caller must send its request and take the answer within so many seconds each. */
    private static final int TIMEOUT_SECONDS = 10;

    static {
        // The server reads these once. Without them a caller that sends half a request would hold a thread for ever.
        System.setProperty("sun.net.httpserver.maxReqTime", String.valueOf(TIMEOUT_SECONDS));
        System.setProperty("sun.net.httpserver.maxRspTime", String.valueOf(TIMEOUT_SECONDS));
    }

    /** Serves on one of {@code ports} on all addresses; calls {@code status} for each request, on any thread. */
    public TrackingPage(PortRange ports, Supplier<StatusView> status) throws IOException {
        server = ports.open(address -> HttpServer.create(address, 0));
        ThreadFactory threads = work -> {
            Thread thread = new Thread(work, "tracking-page");
            thread.setDaemon(true);
            return thread;
        };
        executor = Executors.newFixedThreadPool(THREADS, threads);
        server.setExecutor(executor);
        server.createContext("/", handler("/", "text/html; charset=utf-8", () -> StatusHtml.write(status.get())));
        server.createContext(
                "/api/status",
                handler("/api/status", "application/json; charset=utf-8", () -> StatusJson.write(status.get())));
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    private static HttpHandler handler(String path, String type, Supplier<byte[]> body) {
        return exchange -> {
            try (exchange) {
                if (!exchange.getRequestURI().getPath().equals(path)) {
                    send(exchange, 404, "text/plain", text("Not found; see / and /api/status\n"));
                } else if (!exchange.getRequestMethod().equals("GET")) {
                    send(exchange, 405, "text/plain", text("Only GET is allowed\n"));
                } else {
                    answer(exchange, type, body);
                }
            }
        };
    }

    private static void answer(HttpExchange exchange, String type, Supplier<byte[]> body) throws IOException {
        byte[] content;
        try {
            content = body.get();
        } catch (RuntimeException e) {
            LOG.warn("A page could not be shown", e);
            send(exchange, 503, "text/plain", text("The job does not answer; try again\n"));
            return;
        }
        send(exchange, 200, type, content);
    }

    private static void send(HttpExchange exchange, int code, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
