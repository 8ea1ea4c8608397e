package io.optimus.am.job;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A job file that cannot be run; carries everything that is wrong in it, in the file's order. */
public final class WrongJobFileException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;
    private final transient Optional<ClusterDemand> demand;

    WrongJobFileException(List<Problem> problems, Optional<ClusterDemand> demand) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
        this.demand = demand;
    }

    /** That {@code file} as a whole is wrong, for the reason that {@code sentence} gives with the remedy. */
    public static WrongJobFileException of(String file, String sentence) {
        return new WrongJobFileException(List.of(new Problem(new Origin(file, 1, 1), "", sentence)), Optional.empty());
    }

    /** One or more. */
    public List<Problem> problems() {
        return problems;
    }

    /** What the job asks of a cluster all the same; empty where the file cannot be read as keys. */
    public Optional<ClusterDemand> demand() {
        return demand;
    }
}
