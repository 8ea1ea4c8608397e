package io.optimus.am.job;

import io.optimus.am.yaml.FileProblem;
import io.optimus.am.yaml.SourcePosition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A job file that cannot be run; carries everything that is wrong in it, in the file's order. */
public final class InvalidJobFileException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<FileProblem> problems;
    private final transient Optional<ClusterDemand> demand;

    InvalidJobFileException(List<FileProblem> problems, Optional<ClusterDemand> demand) {
        super(problems.stream().map(FileProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
        this.demand = demand;
    }

    /** That {@code file} as a whole is wrong, for the reason that {@code sentence} gives with the remedy. */
    public static InvalidJobFileException of(String file, String sentence) {
        return new InvalidJobFileException(
                List.of(new FileProblem(new SourcePosition(file, 1, 1), "", sentence)), Optional.empty());
    }

    /** One or more. */
    public List<FileProblem> problems() {
        return problems;
    }

    /** What the job asks of a cluster all the same; empty where the file cannot be read as keys. */
    public Optional<ClusterDemand> demand() {
        return demand;
    }
}
