package io.optimus.am.master.page;

import io.optimus.am.master.yarn.ProxyFilter;
import io.optimus.am.wire.PortRange;
import java.io.IOException;
import java.io.Writer;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Supplier;
import javax.servlet.DispatcherType;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the job's status to people ({@code /}) and programs ({@code /api/status}), read-only and through YARN's proxy. Links are
 * relative, or absolute to other processes of YARN, so that they work behind the proxy's path.
 */
public final class TrackingPage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrackingPage.class);
    /** Two of them accept and read; requests are rare and answered at once. */
    private static final int THREADS = 6;

    /** A caller that sends or takes nothing for so long is cut off. */
    private static final int IDLE_MILLIS = 10_000;

    /** The header of a request fits easily; a caller that sends more is refused. */
    private static final int HEADER_BYTES = 16_384;

    private final Server server;
    private final int port;

    /** Writes metrics in Prometheus's text format. */
    @FunctionalInterface
    public interface MetricsText {
        /** Writes all of them; called on any thread. */
        void write(Writer out) throws IOException;
    }

    /**
     * Serves on one of {@code ports} on all addresses.
     *
     * @param filter lets only YARN's proxy ask; empty where there is no proxy
     * @param status called for each request, on any thread
     */
    public TrackingPage(PortRange ports, Optional<ProxyFilter> filter, Supplier<StatusView> status) throws IOException {
        this(ports, filter, status, Optional.empty());
    }

    /**
     * Like the constructor above, and serves {@code metrics} at {@code /prom}.
     *
     * @param ports as above
     * @param filter as above
     * @param status as above
     * @param metrics empty where they are not wanted
     */
    public TrackingPage(
            PortRange ports, Optional<ProxyFilter> filter, Supplier<StatusView> status, Optional<MetricsText> metrics)
            throws IOException {
        server = new Server(threads());
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
        context.addServlet(new ServletHolder(new StatusServlet(status, metrics)), "/*");
        filter.ifPresent(named -> {
            FilterHolder holder = context.addFilter(named.className(), "/*", EnumSet.of(DispatcherType.REQUEST));
            holder.setInitParameters(named.parameters());
        });
        server.setHandler(context);
        ServerSocketChannel channel = ports.open(TrackingPage::listen);
        try {
            connector.open(channel);
            server.start();
        } catch (Exception e) {
            channel.close();
            close();
            throw new IOException("The job's page cannot be served: " + e.getMessage(), e);
        }
        port = connector.getLocalPort();
    }

    private static QueuedThreadPool threads() {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
        threads.setName("tracking-page");
        threads.setDaemon(true);
        return threads;
    }

    private static ServerSocketChannel listen(SocketAddress address) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            return channel.bind(address);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("The job's page did not close: {}", e.toString());
        }
    }
}
