package io.optimus.sim.input;

import java.util.ArrayList;
import java.util.List;

/** A file, or what was asked for, cannot be used: every problem at once, with its place and its remedy. */
public final class InvalidInputException extends Exception {
    private static final long serialVersionUID = 1;

    /** More of the same kind do not help anybody. */
    private static final int MOST_SHOWN = 20;

    private final transient List<String> problems;

    /** With 1 problem or more. */
    public InvalidInputException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /** Each in a sentence; the first {@value #MOST_SHOWN}, and how many there are beside. */
    public List<String> problems() {
        if (problems.size() <= MOST_SHOWN) {
            return problems;
        }
        List<String> shown = new ArrayList<>(problems.subList(0, MOST_SHOWN));
        shown.add("and " + (problems.size() - MOST_SHOWN) + " more problems");
        return List.copyOf(shown);
    }
}
