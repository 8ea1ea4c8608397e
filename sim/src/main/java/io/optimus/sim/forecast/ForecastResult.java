package io.optimus.sim.forecast;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a forecast foresees.
 *
 * @param jobs by id
 * @param reachSeconds how far it reaches, from its beginning
 * @param roundSeconds time between its regular rounds
 * @param end why it reaches no further
 */
public record ForecastResult(SortedMap<String, JobForecast> jobs, double reachSeconds, double roundSeconds, End end) {
    /** Why a forecast ends. */
    public enum End {
        /** All jobs whose end is predicted have ended. */
        ALL_ENDED("all predicted ends are reached"),
        /** Jobs wait that no round starts, and no job whose end is predicted runs. */
        NOTHING_CHANGES("from here on nothing changes: what runs has no predicted end, and what waits finds no room"),
        /** It reached as far as it may. */
        HORIZON("it looks no further ahead"),
        /** It used up the time to compute. */
        TIME_BUDGET("its time to compute was used up");

        private final String words;

        End(String words) {
            this.words = words;
        }

        /** The end in words, for users. */
        public String words() {
            return words;
        }
    }

    public ForecastResult {
        jobs = Collections.unmodifiableSortedMap(new TreeMap<>(jobs));
    }
}
