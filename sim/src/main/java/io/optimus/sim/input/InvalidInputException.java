package io.optimus.sim.input;

import java.util.ArrayList;
import java.util.List;

/** A file or an option cannot be used. The exception holds all problems at once, each with its place and its remedy. */
public final class InvalidInputException extends Exception {
    private static final long serialVersionUID = 1;

    /** Further problems would not help the user. */
    private static final int MOST_SHOWN = 20;

    private final transient List<String> problems;

    /** Takes 1 problem or more. */
    public InvalidInputException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the first {@value #MOST_SHOWN} problems, and the number of further ones. */
    public List<String> problems() {
        if (problems.size() <= MOST_SHOWN) {
            return problems;
        }
        List<String> shown = new ArrayList<>(problems.subList(0, MOST_SHOWN));
        shown.add("and " + (problems.size() - MOST_SHOWN) + " more problems");
        return List.copyOf(shown);
    }
}
