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
 * The part of a leaf queue's budget that is left for training, in sum and by user, beside what ordinary applications
 * hold and wait for.
 *
 * <p>A user may hold weight × min(most, max(share, total × minimum-user-limit-percent)), as in CapacityScheduler;
 * {@code total} is the size that the queue may grow to. Users who want less than an equal part by weight get what they
 * want; {@code share} is an equal part, by weight, of the rest. Pending requests of ordinary applications count only
 * within the limit of their user. Training does not stand in their way, because it can shrink, except for the tasks without
 * which running jobs would end: as YARN takes no container from an application for one that comes later, those tasks
 * count before pending requests.
 *
 * <p>Example, one resource, 8 in all, minimum-user-limit-percent 25: alice, bob and carol want 8, 8 and 1. Carol gets 1;
 * alice and bob may have up to 4 each of the other 7.
 *
 * @param training most that training tasks may take in sum
 * @param ordinaryPending what ordinary applications wait for, within their users' limits
 * @param byUser most that training tasks of each user may take
 */
public record UserBudgets(Resources training, Resources ordinaryPending, SortedMap<String, Resources> byUser) {
    /**
     * The limits of one queue for its users.
     *
     * @param whole the resources of which a user may have a part
     * @param part the part that a user of weight 1 may always hold; 0 or more
     * @param percent minimum-user-limit-percent, in (0, 100]
     */
    public record Limits(Resources whole, double part, double percent) {
        /**
         * The limits that follow from user-limit-factor. CapacityScheduler compares dominant shares of the partition,
         * so a user may hold as large a share of a resource that the guarantee does not name as of the others.
         *
         * @param factor user-limit-factor; negative for no limit
         * @param guarantee guarantee of the queue
         * @param maximum maximum of the queue, which limits users if there is no factor or no guarantee
         * @param partition all resources of the partition
         */
        public static Limits of(
                double factor, double percent, Resources guarantee, Resources maximum, Resources partition) {
            return factor < 0 || guarantee.equals(Resources.NONE)
                    ? new Limits(maximum, 1, percent)
                    : new Limits(
                            partition, factor * guarantee.dominant(partition).part(), percent);
        }

        /** The most that {@code user} may always hold. */
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

    public UserBudgets {
        byUser = Collections.unmodifiableSortedMap(new TreeMap<>(byUser));
    }

    /**
     * Divides {@code total}.
     *
     * @param total what the queue may use, ordinary applications included
     * @param users all users with an application in the queue
     */
    public static UserBudgets of(Resources total, Limits limits, List<UserState> users) {
        return divide(total, limits, users, false);
    }

    /**
     * Divides {@code total} as it will be when tasks of ordinary applications have ended. As tasks of a user who holds
     * more than his limit end, YARN grants their room to the others, and not to that user again.
     *
     * <p>Example, one resource, 8 in all, minimum-user-limit-percent 50: bob's ordinary applications hold 8 and wait for
     * more, and alice wants 8. {@link #of} leaves nothing for her; here she may have 4.
     *
     * @param total what the queue may use, ordinary applications included
     * @param users all users with an application in the queue
     */
    public static UserBudgets asTasksEnd(Resources total, Limits limits, List<UserState> users) {
        return divide(total, limits, users, true);
    }

    private static UserBudgets divide(Resources total, Limits limits, List<UserState> users, boolean asTasksEnd) {
        Share share = share(total, users);
        Resources used = Resources.NONE;
        Resources pending = Resources.NONE;
        Resources running = Resources.NONE;
        Resources ofUsers = Resources.NONE;
        SortedMap<String, Resources> byUser = new TreeMap<>();
        for (UserState user : users) {
            Resources limit = share.of(user)
                    .max(rounded(total, limits.percent() / 100, user))
                    .min(limits.most(user));
            Resources left = limit.minus(user.ordinaryUsed()).max(Resources.NONE);
            Resources keeps = user.running().min(left);
            Resources waits = user.ordinaryPending().min(left.minus(keeps));
            used = used.plus(asTasksEnd ? user.ordinaryUsed().min(limit) : user.ordinaryUsed());
            pending = pending.plus(waits);
            running = running.plus(keeps);
            if (user.training().isPresent()) {
                byUser.put(user.name(), left.minus(waits));
                ofUsers = ofUsers.plus(left.minus(waits));
            }
        }
        Resources left = total.minus(used).max(Resources.NONE);
        Resources within = pending.min(left.minus(running).max(Resources.NONE));
        return new UserBudgets(left.minus(within).min(ofUsers), within, byUser);
    }

    /** The equal part, by weight, of users who want more than it. */
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
     * Returns the part of {@code whole} by the weight of {@code user}, in whole units. YARN grants containers to a user
     * until the limit is reached: a limit of half a GPU allows one GPU. So the part is rounded up for a user who waits
     * for nothing, else down.
     */
    private static Resources rounded(Resources whole, double part, UserState user) {
        boolean waits = !user.ordinaryPending().equals(Resources.NONE);
        Map<String, Long> amounts = new HashMap<>();
        whole.amounts().forEach((name, amount) -> {
            // User limits are floats in YARN: a value close to a whole number is that number.
            double exact = amount * part * user.weight();
            amounts.put(name, (long) (waits ? Math.floor(exact + 1e-6) : Math.ceil(exact - 1e-6)));
        });
        return Resources.of(amounts);
    }
}
