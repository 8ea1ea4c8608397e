package io.optimus.yarn.whatif;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The time budget of a question, divided among its forecasts. */
record TimeLeft(long beganNanos, long budgetNanos) {
    static TimeLeft of(long budgetMillis) {
        return new TimeLeft(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(budgetMillis));
    }

    /**
     * Whether there is time for one of several forecasts, which follow each other.
     *
     * @param number which one, from 1 on
     * @param all how many there are
     */
    BooleanSupplier forForecast(int number, int all) {
        return () -> System.nanoTime() - beganNanos < budgetNanos * number / all;
    }
}
