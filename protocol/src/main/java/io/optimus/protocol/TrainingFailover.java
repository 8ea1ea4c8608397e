package io.optimus.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.retry.FailoverProxyProvider;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** Tries one ResourceManager after the other until one answers, and stays with it. */
final class TrainingFailover implements FailoverProxyProvider<TrainingCalls> {
    private final List<InetSocketAddress> addresses;
    private final UserGroupInformation caller;
    private final Configuration configuration;
    private int index;
    private @Nullable TrainingCallsOverRpc current;

    TrainingFailover(List<InetSocketAddress> addresses, UserGroupInformation caller, Configuration configuration) {
        this.addresses = addresses;
        this.caller = caller;
        this.configuration = configuration;
    }

    @Override
    public Class<TrainingCalls> getInterface() {
        return TrainingCalls.class;
    }

    @Override
    public synchronized ProxyInfo<TrainingCalls> getProxy() {
        TrainingCallsOverRpc calls = current;
        if (calls == null) {
            calls = connect(addresses.get(index));
            current = calls;
        }
        return new ProxyInfo<>(calls, addresses.get(index).toString());
    }

    @Override
    public synchronized void performFailover(TrainingCalls failed) {
        if (failed == current) {
            close();
            index = (index + 1) % addresses.size();
        }
    }

    @Override
    public synchronized void close() {
        if (current != null) {
            current.close();
            current = null;
        }
    }

    private TrainingCallsOverRpc connect(InetSocketAddress address) {
        try {
            // Resolves the name again: a ResourceManager may have come back with another IP address.
            return TrainingCallsOverRpc.at(
                    new InetSocketAddress(address.getHostString(), address.getPort()), caller, configuration);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
