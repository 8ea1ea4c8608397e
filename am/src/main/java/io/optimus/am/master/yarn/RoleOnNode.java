package io.optimus.am.master.yarn;

import io.optimus.model.Role;
import java.util.Comparator;
import java.util.Locale;

/** One role on one node: the unit that a directive counts and that YARN is asked for. */
public record RoleOnNode(Role role, TargetNode node) implements Comparable<RoleOnNode> {
    private static final Comparator<RoleOnNode> ORDER =
            Comparator.comparing(RoleOnNode::node).thenComparing(RoleOnNode::role);

    @Override
    public int compareTo(RoleOnNode other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return role.name().toLowerCase(Locale.ROOT) + "@" + node;
    }
}
