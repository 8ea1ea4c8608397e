package io.optimus.model.knapsack;

import io.optimus.model.cluster.ResourceAxes;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * By worth per share over any jump: of all menus, the one goes on to a dearer option that gains the most value for the
 * share of the capacity that it takes more, and again until nothing fits.
 *
 * <p>A share is that of the resource of which the option takes the largest part. The best jump of a menu leads to the next
 * rung of its {@link OptionHull}, so that a dear option which is worth its price is not hidden behind a poor one before it. An
 * option without room is dropped, not its menu. At most the last jump is lost against a capacity that could be split: little
 * where there are many menus.
 */
final class GreedyKnapsack {
    private final long[] left;
    private final List<OptionHull> ladders;

    private GreedyKnapsack(long[] capacity, List<OptionHull> ladders) {
        this.left = capacity.clone();
        this.ladders = ladders;
    }

    /** The better one of what is chosen from nothing, and from what is taken at present where that fits. */
    static int[] choose(long[] capacity, List<OptionSet> menus) {
        List<OptionHull> ladders = ladders(capacity, menus);
        List<OptionHull> copies = ladders.stream().map(OptionHull::copy).toList();
        int[] anew = new GreedyKnapsack(capacity, ladders).climb();
        GreedyKnapsack fromPresent = new GreedyKnapsack(capacity, copies);
        if (!fromPresent.takePresent(menus)) {
            return anew;
        }
        int[] further = fromPresent.climb();
        return value(menus, anew) > value(menus, further) ? anew : further;
    }

    private static List<OptionHull> ladders(long[] capacity, List<OptionSet> menus) {
        OptionHull[] ladders = new OptionHull[menus.size()];
        Arrays.setAll(ladders, index -> OptionHull.of(index, menus.get(index), capacity));
        return List.of(ladders);
    }

    private static double value(List<OptionSet> menus, int[] chosen) {
        double value = 0;
        for (int menu = 0; menu < chosen.length; menu++) {
            value += chosen[menu] == Knapsack.NONE ? 0 : menus.get(menu).value(chosen[menu]);
        }
        return value;
    }

    /** Whether there is anything at present, all of it fits, and it was taken. */
    private boolean takePresent(List<OptionSet> menus) {
        boolean any = false;
        for (OptionHull ladder : ladders) {
            int present = menus.get(ladder.index()).present();
            if (present != Knapsack.NONE) {
                if (!ladder.fits(present, left)) {
                    return false;
                }
                ladder.begin(present, left);
                any = true;
            }
        }
        return any;
    }

    private static int steepestFirst(OptionHull one, OptionHull other) {
        int byWorth = Double.compare(other.worthPerShare(), one.worthPerShare());
        return byWorth != 0 ? byWorth : Integer.compare(one.index(), other.index());
    }

    private int[] climb() {
        climbTogether();
        PriorityQueue<OptionHull> queue = new PriorityQueue<>(GreedyKnapsack::steepestFirst);
        ladders.stream().filter(OptionHull::goesOn).forEach(queue::add);
        while (!queue.isEmpty()) {
            OptionHull steepest = queue.remove();
            if (steepest.nextFits(left)) {
                steepest.climb(left);
            } else {
                steepest.dropWithoutRoom(left);
            }
            if (steepest.goesOn()) {
                queue.add(steepest);
            }
        }
        return ladders.stream().mapToInt(OptionHull::taken).toArray();
    }

    /**
     * The rungs of all ladders that are steeper than some level, the lowest above which all have room: in what order these are
     * taken makes no difference.
     */
    private void climbTogether() {
        long[][] asked = new long[OptionHull.LEVELS][];
        ladders.forEach(ladder -> ladder.addTo(asked, left.length));
        long[] room = left.clone();
        int level = OptionHull.LEVELS - 1;
        while (level > 0 && (asked[level] == null || takes(asked[level], room))) {
            level--;
        }
        for (OptionHull ladder : ladders) {
            while (ladder.goesOn() && ladder.level() > level) {
                ladder.climb(left);
            }
        }
    }

    /** Whether {@code asked} had room and was taken. */
    private static boolean takes(long[] asked, long[] room) {
        if (!ResourceAxes.fits(asked, room)) {
            return false;
        }
        ResourceAxes.take(asked, 1, room);
        return true;
    }
}
