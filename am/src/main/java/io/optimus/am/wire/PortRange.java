package io.optimus.am.wire;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports that processes of a job listen on: {@code 50100-50400}, or any free port.
 *
 * @param first the lowest port, 1 or more; 0 for any free port
 * @param last the highest port
 */
public record PortRange(int first, int last) {
    /** Any free port. */
    public static final PortRange ANY = new PortRange(0, 0);

    /** The property of Hadoop's configuration. */
    public static final String KEY = "yarn.optimus.port-range";

    private static final int LARGEST = 65_535;
    private static final Pattern TEXT = Pattern.compile("(\\d{1,5})-(\\d{1,5})");

    /** Opens something that listens at an address. Throws {@link BindException} if the address is in use. */
    @FunctionalInterface
    public interface Opening<T> {
        /** Opens it at this address. */
        T at(InetSocketAddress address) throws IOException;
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException naming the key if {@code text} is not a range
     */
    public static PortRange parse(String text) {
        if (text.isBlank()) {
            return ANY;
        }
        Matcher range = TEXT.matcher(text.strip());
        if (range.matches()) {
            int first = Integer.parseInt(range.group(1));
            int last = Integer.parseInt(range.group(2));
            if (first >= 1 && first <= last && last <= LARGEST) {
                return new PortRange(first, last);
            }
        }
        throw new IllegalArgumentException(
                KEY + " must be two ports from 1 to " + LARGEST + ", such as 50100-50400; got '" + text + "'");
    }

    /**
     * Opens something at a port of the range, on all addresses. Begins at a random port, since many processes of a node
     * look for a port at the same time.
     *
     * @throws BindException naming the range if no port is free
     */
    public <T> T open(Opening<T> opening) throws IOException {
        int ports = last - first + 1;
        int begin = ThreadLocalRandom.current().nextInt(ports);
        for (int i = 0; i < ports; i++) {
            try {
                return opening.at(new InetSocketAddress(first + (begin + i) % ports));
            } catch (BindException taken) {
                if (this.equals(ANY)) {
                    throw taken;
                }
            }
        }
        throw new BindException("No port of " + this + " is free on this node: make " + KEY + " larger");
    }

    /** Returns the range as text, which is empty for any free port. */
    @Override
    public String toString() {
        return first == 0 ? "" : first + "-" + last;
    }
}
