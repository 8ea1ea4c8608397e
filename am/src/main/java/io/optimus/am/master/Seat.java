package io.optimus.am.master;

import io.optimus.model.Role;
import java.util.Comparator;
import java.util.Locale;

/** A role on a node: what a plan counts and YARN is asked for. */
record Seat(Role role, Place place) implements Comparable<Seat> {
    private static final Comparator<Seat> ORDER =
            Comparator.comparing(Seat::place).thenComparing(Seat::role);

    @Override
    public int compareTo(Seat other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return role.name().toLowerCase(Locale.ROOT) + "@" + place;
    }
}
