package io.optimus.am.job;

import java.util.List;
import java.util.stream.Collectors;

/** A job file that cannot be run; carries everything that is wrong in it, in the file's order. */
public final class WrongJobFileException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    WrongJobFileException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** One or more. */
    public List<Problem> problems() {
        return problems;
    }
}
