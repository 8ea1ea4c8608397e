package io.optimus.am.ps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.Test;

public final class SaveIntervalTest {
    /** Returns the steps that are saved up to {@code last}, when a save takes as long as {@code steps} steps. */
    private static SortedSet<Long> saved(SaveInterval interval, long first, long last, long steps) {
        SortedSet<Long> saved = new TreeSet<>();
        for (long step = first; step <= last; step++) {
            boolean saving = !saved.isEmpty() && step - saved.last() < steps;
            if (interval.isDue(step, saving)) {
                saved.add(step);
            }
        }
        return saved;
    }

    @Test
    public void savesBeforeEachMultipleWhereSavesAreQuick() {
        assertThat(saved(new SaveInterval(100), 1, 500, 99)).containsExactly(100L, 200L, 300L, 400L, 500L);
    }

    @Test
    public void doublesTheIntervalWhereTheyAreNot() {
        assertThat(saved(new SaveInterval(100), 1, 1000, 150)).containsExactly(100L, 400L, 600L, 800L, 1000L);
    }

    @Test
    public void savesAsOftenAsBeforeWhenTheyAreQuickAgain() {
        SaveInterval interval = new SaveInterval(100);
        saved(interval, 1, 800, 350);
        assertThat(saved(interval, 801, 2000, 50)).contains(1700L, 1800L, 1900L, 2000L);
    }

    @Test
    public void meetsServersThatAreFasterOrSlower() {
        for (long one = 10; one < 1000; one += 70) {
            for (long other = one; other < 1000; other += 70) {
                SortedSet<Long> both = saved(new SaveInterval(100), 1, 10_000, one);
                both.retainAll(saved(new SaveInterval(100), 1, 10_000, other));
                assertThat(both.tailSet(5000L))
                        .as("%d and %d steps", one, other)
                        .isNotEmpty();
            }
        }
    }
}
