package io.optimus.yarn.whatif;

import java.util.List;

/** A question that cannot be answered, with all reasons. */
public final class InvalidQuestionException extends Exception {
    private static final long serialVersionUID = 1;

    private final List<String> problems;

    public InvalidQuestionException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
