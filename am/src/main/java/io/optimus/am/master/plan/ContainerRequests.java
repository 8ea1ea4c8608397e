package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.RoleOnNode;
import io.optimus.am.master.yarn.TargetNode;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What YARN is asked for now, and since when. An ask that is not met in time pauses for as long again. */
final class ContainerRequests {
    private final Containers containers;
    private final long timeoutMillis;
    private final SortedMap<RoleOnNode, Long> askedAtMillis = new TreeMap<>();
    private final SortedMap<RoleOnNode, Long> lackingSinceMillis = new TreeMap<>();
    private SortedMap<RoleOnNode, Integer> pending = new TreeMap<>();
    private boolean renew;

    ContainerRequests(Containers containers, Duration timeout) {
        this.containers = containers;
        this.timeoutMillis = timeout.toMillis();
    }

    /** A new plan: everything is withdrawn and sent again with the next {@link #ask}. */
    void renew() {
        askedAtMillis.clear();
        renew = true;
    }

    /**
     * Asks for {@code missing} and nothing else; seats that YARN did not fill in time are left out for a while.
     *
     * @return seats that YARN has given nothing for in that time, under one plan or several; each again after as long
     */
    SortedMap<RoleOnNode, Integer> ask(SortedMap<RoleOnNode, Integer> missing, long nowMillis) {
        askedAtMillis.keySet().retainAll(missing.keySet());
        SortedMap<RoleOnNode, Integer> asks = new TreeMap<>();
        missing.forEach((seat, count) -> {
            long waited = nowMillis - askedAtMillis.computeIfAbsent(seat, s -> nowMillis);
            if (waited >= 2 * timeoutMillis) {
                askedAtMillis.put(seat, nowMillis);
                asks.put(seat, count);
            } else if (waited < timeoutMillis || seat.place().equals(TargetNode.ANYWHERE)) {
                asks.put(seat, count);
            }
        });
        if (renew || !asks.equals(pending)) {
            containers.ask(asks);
            pending = asks;
            renew = false;
        }
        return unmet(missing, nowMillis);
    }

    private SortedMap<RoleOnNode, Integer> unmet(SortedMap<RoleOnNode, Integer> missing, long nowMillis) {
        lackingSinceMillis.keySet().retainAll(missing.keySet());
        SortedMap<RoleOnNode, Integer> unmet = new TreeMap<>();
        missing.forEach((seat, count) -> {
            long since = lackingSinceMillis.computeIfAbsent(seat, s -> nowMillis);
            if (nowMillis - since >= timeoutMillis && !seat.place().equals(TargetNode.ANYWHERE)) {
                unmet.put(seat, count);
                lackingSinceMillis.put(seat, nowMillis);
            }
        });
        return unmet;
    }

    /** Whether a container for {@code seat} was asked for; it is not any more. */
    boolean met(RoleOnNode seat) {
        Integer asked = pending.get(seat);
        if (asked == null) {
            return false;
        }
        pending.compute(seat, (s, count) -> asked == 1 ? null : asked - 1);
        askedAtMillis.remove(seat);
        lackingSinceMillis.remove(seat);
        renew = true;
        return true;
    }

    /** Containers that YARN may still give, by seat. */
    Map<RoleOnNode, Integer> pending() {
        return pending;
    }
}
