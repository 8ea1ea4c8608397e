package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
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
 * <p>A user may hold weight × min(most, max(share, total × minimum-user-limit-percent)), as CapacityScheduler has it, taken of
 * what the queue may grow to. A share is what is left for each user, by weight, who wants more than that, once all others
 * have what they want. What ordinary applications wait for counts only as far as their user may have it; what training
 * of the same user holds does not stand in their way, for it can shrink.
 *
 * <p>Example, one resource, 8 in all, minimum-user-limit-percent 25: alice, bob and carol want 8, 8 and 1. Carol may have
 * hers; of the other 7, alice and bob may have 4 each, as long as there are any.
 *
 * @param training most that training tasks may take in sum
 * @param ordinaryPending what ordinary applications wait for, within their users' limits
 * @param byUser most that training tasks of each user may take
 */
public record UserBudgets(Resources training, Resources ordinaryPending, SortedMap<String, Resources> byUser) {
    /**
     * The queue's limits for one user.
     *
     * @param whole what a user may have a part of
     * @param part that a user of weight 1 may hold of it, whatever the others do; 0 or more
     * @param percent minimum-user-limit-percent, in (0, 100]
     */
    public record Limits(Resources whole, double part, double percent) {
        /**
         * As the queue's user-limit-factor makes them. CapacityScheduler compares dominant shares of the partition: of a
         * resource that the guarantee does not name, a user may hold as large a share as of the others.
         *
         * @param factor user-limit-factor; negative: none
         * @param guarantee of the queue
         * @param maximum of the queue, which holds where there is no factor, or nothing that it could multiply
         * @param partition all of it
         */
        public static Limits of(
                double factor, double percent, Resources guarantee, Resources maximum, Resources partition) {
            return factor < 0 || guarantee.equals(Resources.NONE)
                    ? new Limits(maximum, 1, percent)
                    : new Limits(
                            partition, factor * guarantee.dominant(partition).part(), percent);
        }

        /** Most that {@code user} may hold, whatever the others do. */
        public Resources most(UserState user) {
            return rounded(whole, part, user);
        }
    }

    /** Equal parts of {@code whole}, for users of weight 1. */
    private record Share(Resources whole, double parts) {
        Resources of(UserState user) {
            return rounded(whole, 1 / parts, user);
        }
    }

    /** Copies. */
    public UserBudgets {
        byUser = Collections.unmodifiableSortedMap(new TreeMap<>(byUser));
    }

    /**
     * Divides {@code total}.
     *
     * @param total what the queue may use, ordinary applications included
     * @param users everybody who has an application in the queue
     */
    public static UserBudgets of(Resources total, Limits limits, List<UserState> users) {
        Share share = share(total, users);
        Resources used = Resources.NONE;
        Resources pending = Resources.NONE;
        Resources ofUsers = Resources.NONE;
        SortedMap<String, Resources> byUser = new TreeMap<>();
        for (UserState user : users) {
            Resources limit = share.of(user)
                    .max(rounded(total, limits.percent() / 100, user))
                    .min(limits.most(user));
            Resources left = limit.minus(user.ordinaryUsed()).max(Resources.NONE);
            Resources waits = user.ordinaryPending().min(left);
            used = used.plus(user.ordinaryUsed());
            pending = pending.plus(waits);
            if (user.training().isPresent()) {
                byUser.put(user.name(), left.minus(waits));
                ofUsers = ofUsers.plus(left.minus(waits));
            }
        }
        Resources training =
                total.minus(used).minus(pending).max(Resources.NONE).min(ofUsers);
        return new UserBudgets(training, pending, byUser);
    }

    /** For those who want more than it. */
    private static Share share(Resources total, List<UserState> users) {
        Share share = new Share(total, 1);
        Resources left = total;
        List<UserState> wanting = new ArrayList<>(users);
        List<UserState> content = users;
        while (!content.isEmpty()) {
            double weights = wanting.stream().mapToDouble(UserState::weight).sum();
            if (weights <= 0) {
                return share;
            }
            Share each = new Share(left.max(Resources.NONE), weights);
            content = wanting.stream()
                    .filter(user -> user.wanted().fitsIn(each.of(user)))
                    .toList();
            for (UserState user : content) {
                left = left.minus(user.wanted());
            }
            wanting.removeAll(content);
            share = each;
        }
        return share;
    }

    /**
     * Of {@code whole}, by the weight of {@code user}. YARN gives a user something as long as he is not above his limit: he may
     * have the whole GPU of which that is a part, but is given nothing else then. So it is rounded up for who waits for
     * nothing, else down.
     */
    private static Resources rounded(Resources whole, double part, UserState user) {
        boolean waits = !user.ordinaryPending().equals(Resources.NONE);
        Map<String, Long> amounts = new HashMap<>();
        whole.amounts().forEach((name, amount) -> {
            // User limits are floats in YARN: a hair beside a whole number is that number.
            double exact = amount * part * user.weight();
            amounts.put(name, (long) (waits ? Math.floor(exact + 1e-6) : Math.ceil(exact - 1e-6)));
        });
        return Resources.of(amounts);
    }
}
