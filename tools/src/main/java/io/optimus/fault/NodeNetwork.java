package io.optimus.fault;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The network of one node of a local cluster: a network namespace, joined by a link to a bridge, as {@code scripts/fault-test}
 * makes them.
 *
 * @param node the node's number, from 1
 */
record NodeNetwork(int node) {
    private static final String NOBODY = "02:00:00:00:00:01";

    private String namespace() {
        return "node-" + node;
    }

    private String link() {
        return "link-" + node;
    }

    private String address() {
        return "10.77.0." + node;
    }

    /** Returns a command that runs {@code command} in this network. */
    List<String> within(List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace()));
        all.addAll(command);
        return all;
    }

    /** Nothing reaches the node, nor leaves it. */
    void cut() throws IOException, InterruptedException {
        SystemCommand.run("ip", "link", "set", link(), "down");
    }

    void mend() throws IOException, InterruptedException {
        SystemCommand.run("ip", "link", "set", link(), "up");
    }

    /** What this node sends to {@code other}, its answers included, goes to a card that nobody has. */
    void cutTo(NodeNetwork other) throws IOException, InterruptedException {
        SystemCommand.run(
                "ip", "-netns", namespace(), "neigh", "replace", other.address(), "lladdr", NOBODY, "dev", "eth0");
    }

    void mendTo(NodeNetwork other) throws IOException, InterruptedException {
        SystemCommand.run("ip", "-netns", namespace(), "neigh", "del", other.address(), "dev", "eth0");
    }

    /** Delays and loses packets to the node; where the kernel cannot do that, it limits their rate. */
    void slowDown() throws IOException, InterruptedException {
        if (!SystemCommand.succeeds(
                "tc", "qdisc", "add", "dev", link(), "root", "netem", "delay", "100ms", "50ms", "loss", "5%")) {
            SystemCommand.run(
                    "tc", "qdisc", "add", "dev", link(), "root", "tbf", "rate", "1mbit", "burst", "32kbit", "latency",
                    "1s");
        }
    }

    void speedUp() throws IOException, InterruptedException {
        SystemCommand.run("tc", "qdisc", "del", "dev", link(), "root");
    }
}
