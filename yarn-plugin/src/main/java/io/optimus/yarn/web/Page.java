package io.optimus.yarn.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/**
 * The part of a list that one request asks for. Lists are in order of application ids.
 *
 * @param limit most entries
 * @param after the id after which it begins; empty for the first page
 */
record Page(int limit, Optional<ApplicationId> after) {
    private static final int DEFAULT_LIMIT = 200;
    private static final int MOST = 1000;

    /**
     * Reads the parameters of a request.
     *
     * @throws IllegalArgumentException if one is invalid; the message says what to ask for
     */
    static Page of(@Nullable String limit, @Nullable String after) {
        int count = DEFAULT_LIMIT;
        if (limit != null) {
            if (!limit.matches("[0-9]{1,4}") || Integer.parseInt(limit) < 1 || Integer.parseInt(limit) > MOST) {
                throw new IllegalArgumentException("limit must be a whole number from 1 to " + MOST);
            }
            count = Integer.parseInt(limit);
        }
        return new Page(count, Optional.ofNullable(after).map(Page::id));
    }

    private static ApplicationId id(String text) {
        try {
            return ApplicationId.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "after must be the id of an application, such as the last one of the page before", e);
        }
    }

    /**
     * The entries of the page.
     *
     * @param ids the ids to show, in order
     * @param more whether others follow
     */
    record Ids(List<ApplicationId> ids, boolean more) {
        /** The {@code after} of the next page; empty on the last one. */
        Optional<String> next() {
            return more ? Optional.of(ids.get(ids.size() - 1).toString()) : Optional.empty();
        }
    }

    /**
     * Returns the entries of this page.
     *
     * @param all all ids, in order
     * @param shown those that the caller may see
     * @param size how large an entry is
     * @param most the sum of sizes at which the page ends, with one entry at least
     */
    Ids of(List<ApplicationId> all, Predicate<ApplicationId> shown, ToIntFunction<ApplicationId> size, int most) {
        List<ApplicationId> ids = new ArrayList<>();
        int sum = 0;
        for (ApplicationId id : all) {
            boolean here = after.isEmpty() || id.compareTo(after.get()) > 0;
            if (here && shown.test(id)) {
                sum += size.applyAsInt(id);
                if (ids.size() == limit || (sum > most && !ids.isEmpty())) {
                    return new Ids(ids, true);
                }
                ids.add(id);
            }
        }
        return new Ids(ids, false);
    }
}
