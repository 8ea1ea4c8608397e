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
 * within the limit of their user, and in YARN's order ({@link ServingOrder}): what training claims before them is left for
 * training. The tasks without which running jobs would end come before all, as YARN takes no container from an application
 * for one that comes later.
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
     * @param order the order in which YARN serves {@code applications}
     * @param applications all applications in the queue, in order of submission
     */
    public static UserBudgets of(
            Resources total,
            Limits limits,
            List<UserState> users,
            ServingOrder order,
            List<ApplicationDemand> applications) {
        Division division = new Division(total, limits, users);
        users.forEach(user -> division.hold(user, user.ordinaryUsed()));
        return division.serve(order.claims(applications, total));
    }

    /**
     * Divides {@code total} as it will be when tasks of ordinary applications have ended. As tasks of a user who holds
     * more than his limit end, YARN grants their room to the others, and not to that user again.
     *
     * <p>Example, one resource, 8 in all, minimum-user-limit-percent 50: bob's ordinary applications hold 8 and wait for
     * more, and alice wants 8. {@link #of} leaves nothing for her; here she may have 4.
     *
     * <p>Where applications take turns, the room of a task that ends goes to the application that holds least.
     *
     * @param total what the queue may use, ordinary applications included
     * @param users all users with an application in the queue
     * @param order the order in which YARN serves {@code applications}
     * @param applications all applications in the queue, in order of submission
     */
    public static UserBudgets asTasksEnd(
            Resources total,
            Limits limits,
            List<UserState> users,
            ServingOrder order,
            List<ApplicationDemand> applications) {
        Division division = new Division(total, limits, users);
        if (!order.takesTurns()) {
            users.forEach(user -> division.hold(user, user.ordinaryUsed().min(division.limit(user))));
        }
        return division.serve(order.claimsAsTasksEnd(applications, total));
    }

    /** What is left of a queue and of its users while applications are served. */
    private static final class Division {
        private final Resources total;
        private final Limits limits;
        private final List<UserState> users;
        private final Share share;
        private final Map<String, Resources> leftOfUsers = new HashMap<>();
        private final Map<String, Resources> waitsOfUsers = new HashMap<>();
        private Resources left;
        private Resources waits = Resources.NONE;

        Division(Resources total, Limits limits, List<UserState> users) {
            this.total = total;
            this.limits = limits;
            this.users = users;
            this.share = share(total, users);
            this.left = total;
            users.forEach(user -> leftOfUsers.put(user.name(), limit(user)));
        }

        /** The most that {@code user} may hold. */
        Resources limit(UserState user) {
            return share.of(user)
                    .max(rounded(total, limits.percent() / 100, user))
                    .min(limits.most(user));
        }

        /** Subtracts what ordinary applications of {@code user} hold. */
        void hold(UserState user, Resources used) {
            left = left.minus(used).max(Resources.NONE);
            leftOfUsers.merge(
                    user.name(), used, (own, taken) -> own.minus(taken).max(Resources.NONE));
        }

        /** Serves running jobs what they need to go on, then {@code claims}; returns what is left for training. */
        UserBudgets serve(List<ServingOrder.Claim> claims) {
            SortedMap<String, Resources> leftForTraining = new TreeMap<>();
            Resources all = left;
            users.stream()
                    .filter(user -> user.training().isPresent())
                    .forEach(user ->
                            leftForTraining.put(user.name(), leftOf(user.name()).max(user.running())));
            users.forEach(user -> take(user.name(), user.running()));
            claims.forEach(this::serve);
            leftForTraining.replaceAll((user, own) -> own.minus(waitsOfUsers.getOrDefault(user, Resources.NONE)));
            Resources ofUsers = leftForTraining.values().stream().reduce(Resources.NONE, Resources::plus);
            return new UserBudgets(all.minus(waits).min(ofUsers), waits, leftForTraining);
        }

        private void serve(ServingOrder.Claim claim) {
            String user = claim.user();
            Resources room = leftOf(user);
            if (claim.whole() && !claim.amount().fitsIn(room.min(left))) {
                return;
            }
            Resources amount = claim.amount().min(room);
            if (!claim.training()) {
                waits = waits.plus(amount.min(left));
                waitsOfUsers.merge(user, amount, Resources::plus);
            }
            take(user, amount);
        }

        private void take(String user, Resources amount) {
            left = left.minus(amount).max(Resources.NONE);
            leftOfUsers.merge(user, amount, (own, taken) -> own.minus(taken).max(Resources.NONE));
        }

        private Resources leftOf(String user) {
            return leftOfUsers.getOrDefault(user, Resources.NONE);
        }
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
