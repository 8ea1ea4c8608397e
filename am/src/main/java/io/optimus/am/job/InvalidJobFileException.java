package io.optimus.am.job;

import io.optimus.am.yaml.FileProblem;
import io.optimus.am.yaml.SourcePosition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Thrown for a job file that cannot be run; carries all of its problems, in the order of the file. */
public final class InvalidJobFileException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<FileProblem> problems;
    private final transient Optional<ClusterDemand> demand;

    InvalidJobFileException(List<FileProblem> problems, Optional<ClusterDemand> demand) {
        super(problems.stream().map(FileProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
        this.demand = demand;
    }

    /** The whole {@code file} is invalid, for the reason in {@code sentence}, which also gives the remedy. */
    public static InvalidJobFileException of(String file, String sentence) {
        return new InvalidJobFileException(
                List.of(new FileProblem(new SourcePosition(file, 1, 1), "", sentence)), Optional.empty());
    }

    /** All problems, at least one. */
    public List<FileProblem> problems() {
        return problems;
    }

    /** What the job asks of a cluster in spite of the problems; empty if the file could not be read as keys. */
    public Optional<ClusterDemand> demand() {
        return demand;
    }
}
