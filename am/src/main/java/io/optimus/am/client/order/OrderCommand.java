package io.optimus.am.client.order;

import io.optimus.am.client.cluster.OrderClient;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.ClusterCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;

/** A command of an administrator: gives the scheduler an order, or takes it back. */
abstract class OrderCommand extends ClusterCommand {
    OrderCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected final int run(Configuration configuration) throws IOException {
        out.println(order(environment.orders(configuration)));
        return 0;
    }

    /** Calls the scheduler, and returns what to print. */
    abstract String order(OrderClient scheduler) throws IOException;

    /** {@code name} as one part of an address. */
    static String part(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
