package io.optimus.am.master.yarn;

import io.optimus.model.Role;
import java.util.Comparator;
import java.util.Locale;

/** A role on a node: what a plan counts and YARN is asked for. */
public record RoleOnNode(Role role, TargetNode place) implements Comparable<RoleOnNode> {
    private static final Comparator<RoleOnNode> ORDER =
            Comparator.comparing(RoleOnNode::place).thenComparing(RoleOnNode::role);

    @Override
    public int compareTo(RoleOnNode other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return role.name().toLowerCase(Locale.ROOT) + "@" + place;
    }
}
