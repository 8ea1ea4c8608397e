package io.optimus.yarn.capacity;

import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is left of a leaf queue's budget for training, user by user, once ordinary applications have what they hold and
 * what they wait for.
 *
 * <p>A user may hold min(guarantee × user-limit-factor, max(total / users, total × minimum-user-limit-percent)), as
 * CapacityScheduler has it, taken of what the queue may grow to (users' weights apart). What ordinary applications wait
 * for counts only as far as their user may have it; what training of the same user holds does not stand in their way,
 * for it can shrink.
 *
 * @param training most that training tasks may take in sum
 * @param ordinaryPending what ordinary applications wait for, within their users' limits
 * @param byUser most that training tasks of each user may take
 */
record UserBudgets(Resources training, Resources ordinaryPending, SortedMap<String, Resources> byUser) {
    /**
     * The queue's limits for one user.
     *
     * @param factor user-limit-factor; negative: none
     * @param percent minimum-user-limit-percent, in (0, 100]
     */
    record Limits(double factor, double percent) {}

    /** Copies. */
    UserBudgets {
        byUser = Collections.unmodifiableSortedMap(new TreeMap<>(byUser));
    }

    /**
     * Divides {@code total}.
     *
     * @param total what the queue may use, ordinary applications included
     * @param guarantee of the queue
     * @param users everybody who has an application in the queue
     */
    static UserBudgets of(Resources total, Resources guarantee, Limits limits, List<UserState> users) {
        Resources limit = limit(total, guarantee, limits, users.size());
        Resources used = Resources.NONE;
        Resources pending = Resources.NONE;
        Resources ofUsers = Resources.NONE;
        SortedMap<String, Resources> byUser = new TreeMap<>();
        for (UserState user : users) {
            Resources left = limit.minus(user.ordinaryUsed()).max(Resources.NONE);
            Resources waits = user.ordinaryPending().min(left);
            used = used.plus(user.ordinaryUsed());
            pending = pending.plus(waits);
            if (user.training()) {
                byUser.put(user.name(), left.minus(waits));
                ofUsers = ofUsers.plus(left.minus(waits));
            }
        }
        Resources training =
                total.minus(used).minus(pending).max(Resources.NONE).min(ofUsers);
        return new UserBudgets(training, pending, byUser);
    }

    private static Resources limit(Resources total, Resources guarantee, Limits limits, int users) {
        Resources share = scaled(total, Math.max(1.0 / Math.max(1, users), limits.percent() / 100));
        return limits.factor() < 0 || guarantee.equals(Resources.NONE)
                ? share
                : share.min(scaled(guarantee, limits.factor()));
    }

    private static Resources scaled(Resources resources, double factor) {
        Map<String, Long> scaled = new HashMap<>();
        // User limits are floats in YARN: a hair below a whole number is that number.
        resources.amounts().forEach((name, amount) -> scaled.put(name, (long) Math.floor(amount * factor + 1e-6)));
        return Resources.of(scaled);
    }
}
