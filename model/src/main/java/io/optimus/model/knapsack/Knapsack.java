package io.optimus.model.knapsack;

import java.util.List;

/**
 * Takes at most one option of each menu for the largest sum of values within a capacity.
 *
 * <p>Exactly where that is quick: one resource, of which every option takes at least as large a part as of any other, in
 * so few units that a table over them is small. Otherwise greedily, once from nothing and once from what is taken at present:
 * a choice that is in force is not given up for one that is worth no more. Other ties go to the menu and the option that
 * come first.
 *
 * <p>Example: capacity 4; a is worth 5 with 1 unit and 7 with 2, b 9 with 3 units and 9.5 with 4. Best are 1 unit for a and
 * 3 for b: 14.
 */
public final class Knapsack {
    /** What no menu's option was taken of. */
    public static final int NONE = -1;

    private Knapsack() {}

    /**
     * The option taken of each menu, or {@link #NONE}.
     *
     * @param capacity of each resource, 0 or more
     * @param menus with amounts of as many resources
     */
    public static int[] choose(long[] capacity, List<OptionSet> menus) {
        return ExactKnapsack.of(capacity, menus)
                .map(ExactKnapsack::choose)
                .orElseGet(() -> GreedyKnapsack.choose(capacity, menus));
    }
}
