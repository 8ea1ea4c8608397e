package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The containers that YARN is asked for, and since when. Requests that YARN does not meet in time are withdrawn for as
 * long and then sent again. Requests for any node are not withdrawn: the job waits in its queue as any application does.
 */
final class ContainerRequests {
    private final Containers containers;
    private final long timeoutMillis;
    private final LongSupplier clock;
    private final SortedMap<RoleOnNode, Long> requestedAtMillis = new TreeMap<>();
    private final SortedMap<RoleOnNode, Long> missingSinceMillis = new TreeMap<>();
    private SortedMap<RoleOnNode, Integer> pending = new TreeMap<>();
    private boolean resend;

    ContainerRequests(Containers containers, Duration timeout, LongSupplier clock) {
        this.containers = containers;
        this.timeoutMillis = timeout.toMillis();
        this.clock = clock;
    }

    /** A new plan: the next {@link #update} withdraws all requests and sends them again. */
    void renew() {
        requestedAtMillis.clear();
        resend = true;
    }

    /**
     * Requests {@code missing} and nothing else, except what is withdrawn for a while.
     *
     * @return entries for which YARN has given nothing for the time-out, under one plan or several; each is returned
     *     again after another time-out
     */
    SortedMap<RoleOnNode, Integer> update(SortedMap<RoleOnNode, Integer> missing) {
        long now = clock.getAsLong();
        requestedAtMillis.keySet().retainAll(missing.keySet());
        SortedMap<RoleOnNode, Integer> requests = new TreeMap<>();
        missing.forEach((key, count) -> {
            long waited = now - requestedAtMillis.computeIfAbsent(key, k -> now);
            if (waited >= 2 * timeoutMillis) {
                requestedAtMillis.put(key, now);
                requests.put(key, count);
            } else if (waited < timeoutMillis || key.node().equals(TargetNode.ANY)) {
                requests.put(key, count);
            }
        });
        if (resend || !requests.equals(pending)) {
            containers.request(requests);
            pending = requests;
            resend = false;
        }
        return unmet(missing, now);
    }

    private SortedMap<RoleOnNode, Integer> unmet(SortedMap<RoleOnNode, Integer> missing, long now) {
        missingSinceMillis.keySet().retainAll(missing.keySet());
        SortedMap<RoleOnNode, Integer> unmet = new TreeMap<>();
        missing.forEach((key, count) -> {
            long since = missingSinceMillis.computeIfAbsent(key, k -> now);
            if (now - since >= timeoutMillis && !key.node().equals(TargetNode.ANY)) {
                unmet.put(key, count);
                missingSinceMillis.put(key, now);
            }
        });
        return unmet;
    }

    /** YARN allocated a container for {@code key}. Returns whether it was requested. */
    boolean met(RoleOnNode key) {
        Integer requested = pending.get(key);
        if (requested == null) {
            return false;
        }
        pending.compute(key, (k, count) -> requested == 1 ? null : requested - 1);
        requestedAtMillis.remove(key);
        missingSinceMillis.remove(key);
        resend = true;
        return true;
    }

    /** Whether YARN may still allocate containers. */
    boolean arePending() {
        return !pending.isEmpty();
    }
}
